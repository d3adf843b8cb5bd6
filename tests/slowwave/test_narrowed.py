"""What narrows a question: each condition lets through what it should, of memories and of turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lance
import pytest

import slowwave
from models.ids import make_id
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.format import Privacy, Tier
from tests.make import memory
from tests.stores import build, entity, said

HANNEKE, OTHER = make_id("ent", "Hanneke Bral"), make_id("ent", "Hanneke Dufour")
ROWS = [
    memory("The kiln was checked.", id="about", subject="Hanneke Bral", subject_key=HANNEKE, message_id="m1"),
    memory("The kiln pleased her.", id="mentions", entity_ids=[HANNEKE], tier=Tier.SEARCHABLE, message_id="m2"),
    memory("The kiln show is hers.", id="other", entity_ids=[OTHER], thread="shop", message_id="m3"),
    memory("The kiln burnt my hand.", id="private", privacy=Privacy.SENSITIVE, message_id="m4"),
]
TURNS = [
    said("The kiln is old, says Bral.", seq=11),
    said("The kiln is a bralwurst grill.", seq=12),
    said("The kiln is mine.", seq=13, speaker="Hanneke Bral", thread="shop"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("narrowed") / "store"
    build(
        made,
        memories=ROWS,
        turns=TURNS,
        entities=[entity("Hanneke Bral", "Bral"), entity("Hanneke Dufour")],
        embedder="none",
    )
    return made


@pytest.fixture(scope="module")
def reader(store: Path) -> slowwave.Reader:
    return slowwave.open(store)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> slowwave.Reader:
    made = tmp_path_factory.mktemp("placed") / "store"
    yard: dict[str, Any] = {"platform": "slack", "thread": "yard"}
    turns = [
        said("The kiln is lit.", message_id="m1", seq=1, speaker="Hanneke Bral", **yard),
        said("The kiln smokes.", message_id="m2", seq=2, speaker="Joris", **yard),
        said("The kiln is cold, I say.", message_id="m3", seq=3, speaker="Bral", platform="mail"),
    ]
    memories = [
        memory("The kiln is lit.", id="lit", message_id="m1", subject="kiln"),
        memory("The kiln is hers alone.", id="hers", message_id="gone", subject="Bral", subject_key=HANNEKE),
        memory("The kiln is named by none.", id="named", message_id="lost", entity_ids=[HANNEKE]),
    ]
    build(made, memories=memories, turns=turns, entities=[entity("Hanneke Bral", "Bral")], embedder="none")
    return slowwave.open(made)


def texts(found: list[slowwave.Recalled]) -> set[str]:
    return {one.text.removeprefix("The kiln ").rstrip(".") for one in found}


def test_an_entity_by_name_alias_or_id(reader: slowwave.Reader) -> None:
    whole = {"was checked", "pleased her", "is old, says Bral", "is mine"}
    for name in ("Hanneke Bral", "bral", HANNEKE):
        assert texts(reader.recall("kiln", entity=name)) == whole, name
    assert texts(reader.recall("kiln", entity="Hanneke")) == {*whole, "show is hers"}, (
        "a first name means all who bear it"
    )
    assert reader.recall("kiln", entity="Nobody (known') \\") == []


def test_a_thread_a_tier_and_a_level_of_privacy(reader: slowwave.Reader) -> None:
    assert texts(reader.recall("kiln", thread="shop")) == {"show is hers", "is mine"}
    assert texts(reader.recall("kiln", tiers=["searchable"])) == {"pleased her"}
    shown = texts(reader.recall("kiln", max_privacy="personal"))
    assert "burnt my hand" not in shown and "was checked" in shown
    assert reader.recall("kiln", max_privacy="open") == []


def test_a_platform_a_channel_and_a_person(placed: slowwave.Reader) -> None:
    assert texts(placed.recall("kiln", platform="slack")) == {"is lit", "smokes"}
    assert texts(placed.recall("kiln", channel="yard")) == {"is lit", "smokes"}
    assert texts(placed.recall("kiln", platform="mail", channel="yard")) == set()
    by_bral = {"is lit", "is hers alone", "is cold, I say"}
    for name in ("Hanneke Bral", "bral", HANNEKE):
        assert texts(placed.recall("kiln", person=name)) == by_bral, name
    assert texts(placed.recall("kiln", person="JORIS")) == {"smokes"}, "a name that nothing links is compared as it is"
    assert placed.recall("kiln", person="Nobody (known') \\") == []


def test_turns_alone_and_bundles_are_narrowed_by_place_too(placed: slowwave.Reader) -> None:
    assert texts(placed.sessions("kiln", platform="mail")) == {"is cold, I say"}
    assert texts(placed.sessions("kiln", person="bral", channel="yard")) == {"is lit"}
    assert texts(list(placed.bundle("kiln", person="Joris").results)) == {"smokes"}


def test_a_version_that_does_not_say_where_answers_with_turns_and_says_so(tmp_path: Path) -> None:
    manifest = build(tmp_path / "store", memories=ROWS, turns=TURNS, embedder="none")
    table = tmp_path / "store" / manifest.tables["memories"].path
    lance.dataset(str(table)).drop_columns(["platforms", "channels", "speakers"])
    old = slowwave.open(tmp_path / "store")
    assert texts(old.recall("kiln", person="Hanneke Bral")) == {"is mine"}
    assert [w for w in old.warnings if "only turns answer" in w]
    assert "was checked" in texts(old.recall("kiln"))


def test_a_least_score_and_an_offset(reader: slowwave.Reader) -> None:
    every = reader.recall("kiln")
    bar = every[1].score
    assert all(one.score >= bar for one in reader.recall("kiln", min_score=bar)) and len(every) == 7
    assert [one.id for one in reader.recall("kiln", 3, offset=2)] == [one.id for one in every[2:5]]
    assert reader.recall("kiln", offset=50) == []


@pytest.mark.parametrize("only", [{"tiers": ["attic"]}, {"max_privacy": "secret"}, {"offset": -1}])
def test_what_can_not_be_asked_is_named(reader: slowwave.Reader, only: slowwave.reader.request.Only) -> None:
    with pytest.raises(UsageError):
        reader.recall("kiln", **only)


def test_the_command_takes_them_too(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "recall",
        "--store",
        str(store),
        "kiln",
        "--entity",
        "Bral",
        "--tier",
        "prompt",
        "--max-privacy",
        "personal",
    ]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "The kiln was checked." in shown and "burnt" not in shown and "pleased" not in shown


def test_the_commands_take_a_place_and_a_person(placed: slowwave.Reader, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--store", str(placed.store), "kiln", "--platform", "slack", "--person", "joris"]
    for command in (["recall", *asked, "--channel", "yard"], ["bundle", *asked, "--said-in", "yard"]):
        assert main(command) == 0
        shown = capsys.readouterr().out
        assert "smokes" in shown and "lit" not in shown
