"""A reader: pins, recalls, explains, and never shows what was superseded as current."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import slowwave
from adapters import lake
from models.decision import Action, Decision
from models.ids import message_key
from models.memory import MemoryRow
from models.table import rows_to_frame
from slowwave import store as layout
from slowwave import tokens
from slowwave.errors import (
    EmbedderMismatch,
    FormatTooNew,
    ModelError,
    SlowwaveError,
    StoreNotFound,
    UsageError,
    VersionGone,
)
from slowwave.format import CommitmentState, Kind, Status
from slowwave.reader.recall import n_tokens
from tests.make import NOW, at, evidence, memory
from tests.stores import build, entity, said

LISBON = memory(
    "I live in Lisbon now.",
    id="mem_lisbon",
    said="2026-02-20T10:00",
    session="s2",
    message_id="m1",
    attribute="home_city",
    value="Lisbon",
)
BERLIN = memory(
    "I live in Berlin, near the canal.",
    id="mem_berlin",
    said="2025-06-01T10:00",
    attribute="home_city",
    value="Berlin",
    status=Status.SUPERSEDED,
    superseded_by="mem_lisbon",
    valid_to=at("2026-02-20T10:00"),
)
TEA = memory("I prefer green tea to coffee.", id="mem_tea", kind=Kind.PREFERENCE, message_id="m5")
REPORT = memory(
    "I will send Marta the quarterly report.",
    id="mem_report",
    kind=Kind.GOAL_OR_COMMITMENT,
    message_id="m6",
    due_at=at("2026-02-10T17:00"),
    commitment_state=CommitmentState.OPEN,
)
TURNS = [
    said("I live in Berlin, near the canal.", seq=0, status=Status.SUPERSEDED, memory_ids=["mem_berlin"]),
    said("I live in Lisbon now.", session="s2", seq=1, memory_ids=["mem_lisbon"], when="2026-02-20T10:00"),
    said("By the way, I prefer green tea to coffee.", seq=5, memory_ids=["mem_tea"]),
    said("The boat trip on the lake was wonderful.", seq=7, context="assistant: How was the weekend?"),
    said("Shall we look at train tickets?", seq=8, role="assistant"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reader") / "store"
    build(
        made,
        memories=[LISBON, BERLIN, TEA, REPORT],
        turns=TURNS,
        entities=[entity("Marta Silva", "Marta")],
        documents={"snapshot.md": "# Memory\n- I live in Lisbon now.\n", "tiny.md": "- Lisbon\n"},
    )
    return made


@pytest.fixture(scope="module")
def reader(store: Path) -> slowwave.Reader:
    return slowwave.open(store)


def ids(results: list[slowwave.Recalled]) -> list[str]:
    return [r.id for r in results]


def test_a_question_finds_the_memory_with_its_quote(reader: slowwave.Reader) -> None:
    first = reader.recall("which tea do I prefer?")[0]
    assert (first.id, first.kind, first.status) == ("mem_tea", "preference", "active")
    assert [e.quote for e in first.evidence] == ["I prefer green tea to coffee."]
    assert first.parts["full_text"] > 0 and first.parts["dense"] > 0


def test_a_memory_and_the_turn_it_quotes_are_one_result(reader: slowwave.Reader) -> None:
    found = reader.recall("green tea or coffee?")
    assert [r.id for r in found if "tea" in r.text] == ["mem_tea"]


def test_a_turn_without_a_memory_is_found_and_is_its_own_evidence(reader: slowwave.Reader) -> None:
    first = reader.recall("how was the boat trip on the lake?")[0]
    assert (first.kind, first.text) == ("turn", "The boat trip on the lake was wonderful.")
    assert first.evidence[0].quote == first.text and first.evidence[0].message_id == "m7"


def test_what_the_asker_has_of_a_kind_is_found_whatever_its_words(reader: slowwave.Reader) -> None:
    assert ids(reader.recall("any open tasks of mine?", k=1)) == ["mem_report"]
    by_words = slowwave.open(reader.store, embedder="none")
    assert ids(by_words.recall("any open tasks of mine?")) == ["mem_report"]
    assert by_words.recall("open tasks of the president?") == []


def test_the_assistant_is_heard_first_only_where_it_is_asked_about(tmp_path: Path) -> None:
    turns = [
        said("Noted: kiln at 1220 degrees.", seq=1, role="assistant"),
        said("Kiln runs at 1220 degrees, please.", seq=0),
    ]
    build(tmp_path, turns=turns, embedder="none")
    reader = slowwave.open(tmp_path)
    assert [r.subject for r in reader.recall("kiln degrees")] == ["user", "assistant"]
    assert "echo" not in reader.recall("which kiln degrees did you note?")[0].parts


def test_what_a_turn_answers_is_searched_but_not_shown(reader: slowwave.Reader) -> None:
    found = reader.recall("weekend")
    assert found[0].text == "The boat trip on the lake was wonderful."


def test_the_superseded_is_only_shown_beneath_its_successor(reader: slowwave.Reader) -> None:
    found = reader.recall("Who lives in Berlin near the canal?")
    assert found[0].id == "mem_lisbon"
    assert [(p.id, p.status) for p in found[0].history] == [("mem_berlin", "superseded")]
    assert not [r for r in found if "Berlin" in r.text]


def test_the_superseded_on_request_ranks_under_its_successor(reader: slowwave.Reader) -> None:
    found = ids(reader.recall("Who lives in Berlin near the canal?", statuses=["active", "superseded"]))
    assert found.index("mem_lisbon") < found.index("mem_berlin")


def test_a_turn_that_no_longer_holds_leads_to_the_successor_even_without_its_memory_in_reach(tmp_path: Path) -> None:
    turn = said("I live near the canal.", status=Status.SUPERSEDED, memory_ids=["mem_berlin"])
    old = BERLIN.model_copy(update={"text": "Berlin."})
    build(tmp_path, memories=[LISBON, old], turns=[turn], embedder="none")
    assert [(r.id, [p.id for p in r.history]) for r in slowwave.open(tmp_path).recall("canal")] == [
        ("mem_lisbon", ["mem_berlin"])
    ]


def test_a_broken_or_circular_chain_of_successors_shows_nothing_stale(tmp_path: Path) -> None:
    def old(name: str, successor: str) -> MemoryRow:
        return memory(f"The {name} key.", id=name, status=Status.SUPERSEDED, superseded_by=successor)

    build(tmp_path, memories=[old("a", "gone"), old("b", "c"), old("c", "b")], embedder="none")
    assert slowwave.open(tmp_path).recall("key") == []


@pytest.mark.parametrize("status", [Status.RETRACTED, Status.EXPIRED])
def test_what_has_ended_is_not_shown_as_an_answer_about_now(tmp_path: Path, status: Status) -> None:
    build(tmp_path, memories=[memory("The parking code is 4711.", id="m", status=status)], embedder="none")
    reader = slowwave.open(tmp_path)
    assert reader.recall("parking code") == []
    assert [r.status for r in reader.recall("parking code", statuses=[status])] == [status]
    assert ids(reader.recall("what was the parking code")) == (["m"] if status == Status.EXPIRED else [])


def test_what_has_faded_is_still_found_below_what_is_fresh(tmp_path: Path) -> None:
    rows = [memory("We met at the old mill.", id="a", status=Status.ARCHIVED), memory("The old mill burnt.", id="b")]
    build(tmp_path, memories=rows, embedder="none")
    reader = slowwave.open(tmp_path)
    assert [(r.id, r.status) for r in reader.recall("the mill where we met")] == [("a", "archived"), ("b", "active")]
    assert ids(reader.recall("the mill where we met", statuses=["active"])) == ["b"]


def test_the_disputed_is_marked_and_ranks_below_what_holds(tmp_path: Path) -> None:
    rows = [
        memory("The deploy window is Friday.", id="a", status=Status.DISPUTED),
        memory("The deploy window is on Monday.", id="b"),
    ]
    build(tmp_path, memories=rows, embedder="none")
    assert [(r.id, r.status) for r in slowwave.open(tmp_path).recall("deploy window")] == [
        ("b", "active"),
        ("a", "disputed"),
    ]


def test_a_commitment_is_overdue_at_the_time_of_asking(reader: slowwave.Reader) -> None:
    early = reader.recall("report for Marta", at=at("2026-02-01"))[0]
    late = reader.recall("report for Marta", at=NOW)[0]
    assert (early.commitment_state, late.commitment_state) == ("open", "overdue")


def test_the_subject_that_a_question_names_comes_first(tmp_path: Path) -> None:
    def row(name: str) -> MemoryRow:
        text = f"{name}: I adopted a cat called Miso."
        return memory(text, id=name, subject=name, subject_key=entity(f"{name} X").id, message_id=name)

    build(
        tmp_path,
        memories=[row("Anna"), row("Zoe")],
        entities=[entity("Anna X", "Nan"), entity("Zoe X", "Zee")],
        embedder="none",
    )
    reader = slowwave.open(tmp_path)
    assert reader.recall("Who called her cat Miso? Zee's cat")[0].id == "Zoe"
    assert reader.recall("Who called her cat Miso? Nan")[0].id == "Anna"


def test_the_time_that_a_question_names_leans_the_ranking(tmp_path: Path) -> None:
    rows = [
        memory("I hiked up the ridge.", id=f"h{month}", kind=Kind.EPISODIC_EVENT, valid_from=at(f"2025-{month}-12"))
        for month in ("03", "07")
    ]
    build(tmp_path, memories=rows, embedder="none")
    reader = slowwave.open(tmp_path)
    for month, name in (("March", "h03"), ("July", "h07")):
        first = reader.recall(f"Where did I hike in {month} 2025?", at=NOW)[0]
        assert first.id == name and first.parts["window"] == 1


def test_filters(tmp_path: Path) -> None:
    rows = [
        memory("The cache is warm.", id="a", project="apollo", said="2026-01-05T00:00"),
        memory("The cache is cold.", id="b", kind=Kind.CONSTRAINT, said="2026-02-05T00:00"),
    ]
    build(tmp_path, memories=rows, turns=[said("The cache is big.", seq=3, when="2026-02-20T00:00")], embedder="none")
    reader = slowwave.open(tmp_path)
    assert ids(reader.recall("cache", project="apollo")) == ids(reader.recall("cache", project="APOLLO")) == ["a"]
    assert ids(reader.recall("cache", project="it's \\ ' nothing")) == []
    assert ids(reader.recall("cache", kinds=["constraint"])) == ["b"]
    assert ids(reader.recall("cache", until=at("2026-02-01"))) == ["a"]
    assert [r.kind for r in reader.recall("cache", since=at("2026-02-10"))] == ["turn"]
    assert [r.kind for r in reader.sessions("cache")] == ["turn"]
    assert len(reader.recall("cache", k=2)) == 2


def test_near_duplicates_give_way(tmp_path: Path) -> None:
    same = [memory("The door code is 1234, ask Jo.", id=f"d{i}", message_id=f"m{i}") for i in range(4)]
    build(tmp_path, memories=[*same, memory("The door is green.", id="green", message_id="m9")], embedder="none")
    assert set(ids(slowwave.open(tmp_path).recall("door", k=2))) == {"d0", "green"}


def test_a_budget_bounds_everything_that_is_shown(reader: slowwave.Reader) -> None:
    assert len(reader.recall("tea Lisbon boat trip")) > 2
    for budget in (1, 8, 20, 45):
        found = reader.recall("tea Lisbon boat trip", budget_tokens=budget)
        assert sum(map(n_tokens, found)) <= budget
    assert n_tokens(reader.recall("Berlin")[0]) > tokens.count("I live in Lisbon now.")


def test_a_long_turn_is_returned_as_the_passage_that_answers(tmp_path: Path) -> None:
    filler = "We talked about the weather for a while. " * 40
    text = f"{filler}The spare key hangs behind the blue door. {filler}"
    build(tmp_path, turns=[said(text)], embedder="none")
    first = slowwave.open(tmp_path).recall("where is the spare key?")[0]
    assert "behind the blue door" in first.text and len(first.text) <= 600
    cited = first.evidence[0]
    assert text[cited.start : cited.end] == cited.quote == first.text


def test_many_confirmations_are_shown_by_the_first_and_the_last(tmp_path: Path) -> None:
    quotes = [evidence("I run daily.", message_id=f"m{i}", said=f"2026-01-{i + 1:02d}T10:00") for i in range(9)]
    build(tmp_path, memories=[memory("I run daily.", id="run", evidence=quotes)], embedder="none")
    reader = slowwave.open(tmp_path)
    assert [e.message_id for e in reader.recall("run")[0].evidence] == ["m0", "m7", "m8"]
    assert len(reader.why("run").memory.evidence) == 9


def test_accents_and_unspaced_scripts_are_found(tmp_path: Path) -> None:
    rows = [memory("Le café préféré est rue Monge.", id="fr"), memory("私は毎朝公園を走ります。", id="ja")]
    build(tmp_path, memories=rows, embedder="none")
    reader = slowwave.open(tmp_path)
    assert ids(reader.recall("cafe prefere")) == ["fr"]
    assert ids(reader.recall("公園")) == ["ja"]


def test_the_order_of_equals_is_by_id(tmp_path: Path) -> None:
    rows = [memory("Plan for the garden.", id=c, message_id=c) for c in "dbca"]
    build(tmp_path, memories=rows, embedder="none")
    assert ids(slowwave.open(tmp_path).recall("garden plan")) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("query", ["", "  \n"])
def test_no_question_is_a_usage_error(reader: slowwave.Reader, query: str) -> None:
    with pytest.raises(UsageError, match="no question"):
        reader.recall(query)


def test_unknown_kinds_and_statuses_are_named(reader: slowwave.Reader) -> None:
    with pytest.raises(UsageError, match="'gossip' is no kind"):
        reader.recall("x", kinds=["gossip"])
    with pytest.raises(UsageError, match="'old' is no status"):
        reader.recall("x", statuses=["old"])
    with pytest.raises(UsageError, match="at least 1"):
        reader.recall("x", k=0)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"query": None}, "query is None"),
        ({"query": b"x"}, "of type bytes"),
        ({"since": "2026-03-01"}, "since is '2026-03-01', of type str"),
        ({"until": 5}, "until is 5"),
        ({"k": "3"}, "k is '3'"),
        ({"offset": 1.5}, "offset is 1.5"),
        ({"k": 10**30}, "at most 1000000"),
        ({"offset": 10**30}, "at most 1000000"),
        ({"project": 5}, "project is 5"),
        ({"max_privacy": ["open"]}, "of type list"),
        ({"min_score": "a"}, "min_score is 'a'"),
        ({"min_score": float("nan")}, "min_score is no number"),
        ({"since": at("2026-03-01"), "until": at("2026-03-01")}, "since is not before until"),
    ],
)
def test_arguments_of_the_wrong_type_or_size_are_named(
    reader: slowwave.Reader, asked: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        reader.recall(**cast(Any, {"query": "x", **asked}))
    assert raised.value.hint


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example('"unbalanced AND ( OR')
@example("'; DROP TABLE memories; --")
@example("\x00\ud800\U0010ffff")
@example("word~2^5 field:* [a TO b] {x} \\")
@example("a" * 20_000)
@given(query=st.text(min_size=1, max_size=200))
def test_law_no_question_breaks_a_reader(reader: slowwave.Reader, query: str) -> None:
    with suppress(SlowwaveError):
        for result in reader.recall(query, project=None if len(query) % 2 else query):
            assert result.evidence
    assert reader.get(query) is None


def test_a_pinned_reader_keeps_its_version_until_it_refreshes(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA], embedder="none", documents={"snapshot.md": "one"})
    reader = slowwave.open(tmp_path)
    second = build(tmp_path, memories=[LISBON], embedder="none", documents={"snapshot.md": "two"}, parent=first)
    assert (reader.version, reader.snapshot(), ids(reader.recall("tea"))) == (first.version, "one", ["mem_tea"])
    assert reader.refresh() and not reader.refresh()
    assert (reader.version, reader.snapshot(), ids(reader.recall("tea"))) == (second.version, "two", [])
    assert [m.version for m in reader.log()] == [second.version, first.version]
    named = slowwave.open(tmp_path, first.version)
    assert not named.refresh() and named.version == first.version


def test_snapshots_by_profile(reader: slowwave.Reader) -> None:
    assert reader.snapshot("tiny") == reader.snapshot("tiny.md") == "- Lisbon\n"
    with pytest.raises(UsageError, match="no document 'huge'") as error:
        reader.snapshot("huge")
    assert "snapshot.md, tiny.md" in error.value.hint


def test_the_story_of_a_memory(tmp_path: Path) -> None:
    cited = message_key("test", "s2", "m1", 1)
    decisions = [
        Decision(stage="sift", item_id=cited, action=Action.KEEP, reason="evidence"),
        Decision(stage="merge", item_id="clm_1", action=Action.CREATE, reason="new", other_id="mem_lisbon"),
        Decision(stage="merge", item_id="clm_2", action=Action.MERGE, reason="same"),
        Decision(
            stage="reconcile", item_id="mem_berlin", action=Action.SUPERSEDE, reason="newer", other_id="mem_lisbon"
        ),
        Decision(stage="sift", item_id="another", action=Action.DROP, reason="greeting"),
    ]
    lake.write_table(tmp_path, "runs/r1/all.decisions.parquet", rows_to_frame(Decision, decisions), Decision)
    rows = rows_to_frame(MemoryRow, [LISBON.model_copy(update={"claim_ids": ["clm_2"]}), BERLIN])
    ref = lake.write_table(tmp_path, "runs/r1/reinforce.memories.parquet", rows, MemoryRow)
    build(tmp_path, memories=[LISBON, BERLIN], turns=TURNS, embedder="none", state={"memories": ref})
    reader = slowwave.open(tmp_path)
    story = reader.why("mem_lisbon")
    assert [m.id for m in story.replaces] == ["mem_berlin"]
    assert [t.text for t in story.turns] == ["I live in Lisbon now."]
    assert sorted(d["reason"] for d in story.decisions) == ["evidence", "new", "newer", "same"]
    assert [m.id for m in reader.why("mem_berlin").replaced_by] == ["mem_lisbon"]
    with pytest.raises(UsageError, match="no memory 'mem_nobody'"):
        reader.why("mem_nobody")


def test_get_gives_the_whole_memory_in_any_status(reader: slowwave.Reader) -> None:
    found = reader.get("mem_berlin")
    assert found is not None and found.status is Status.SUPERSEDED
    assert found.first_seen_at == at("2025-06-01T10:00") and found.writer.stage == "extract"
    assert reader.get("mem_nobody") is None


def test_an_empty_memory_answers_with_nothing(tmp_path: Path) -> None:
    build(tmp_path)
    assert slowwave.open(tmp_path).recall("anything at all?") == []


def test_where_no_store_or_version_is_the_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound, match="no store") as missing:
        slowwave.open(tmp_path / "nowhere")
    assert "slowwave night" in missing.value.hint
    with pytest.raises(StoreNotFound, match="nothing has been published"):
        slowwave.open(tmp_path)
    manifest = build(tmp_path, embedder="none")
    (tmp_path / "CURRENT").write_text("20200101-deadbeef\n")
    with pytest.raises(VersionGone, match="20200101-deadbeef") as gone:
        slowwave.open(tmp_path)
    assert manifest.version in gone.value.hint
    (tmp_path / "CURRENT").write_text("../../etc\n")
    with pytest.raises(VersionGone, match="not the name of a version"):
        slowwave.open(tmp_path)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"format": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_manifest_is_a_clear_error(tmp_path: Path, content: bytes) -> None:
    manifest = build(tmp_path, embedder="none")
    (layout.version_folder(tmp_path, manifest.version) / "manifest.json").write_bytes(content)
    with pytest.raises(SlowwaveError, match="cannot read"):
        slowwave.open(tmp_path)


def test_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    manifest = build(tmp_path, embedder="none")
    path = layout.version_folder(tmp_path, manifest.version) / "manifest.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(FormatTooNew, match="format 99") as error:
        slowwave.open(tmp_path)
    assert "Upgrade" in error.value.hint


def test_a_version_removed_beneath_its_reader_is_gone_and_not_empty(tmp_path: Path) -> None:
    build(tmp_path, memories=[TEA], embedder="none")
    reader = slowwave.open(tmp_path)
    shutil.rmtree(tmp_path / "lance")
    with pytest.raises(VersionGone) as error:
        reader.recall("tea")
    assert "refresh()" in error.value.hint


def test_another_embedder_is_refused_and_none_searches_by_words(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "store"
    shutil.copytree(store, copy)
    path = next((copy / "published").glob("*/manifest.json"))
    path.write_text(path.read_text().replace(slowwave.open(store).manifest.embedder.digest, "0" * 64))
    with pytest.raises(EmbedderMismatch) as error:
        slowwave.open(copy).recall("tea")
    assert "slowwave night" in error.value.hint
    plain = slowwave.open(copy, embedder="none")
    assert plain.recall("green tea")[0].id == "mem_tea" and "dense" not in plain.recall("green tea")[0].parts


def test_an_embedder_that_is_not_here_leaves_full_text_and_a_warning(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "store"
    shutil.copytree(store, copy)
    path = next((copy / "published").glob("*/manifest.json"))
    path.write_text(path.read_text().replace('"static"', '"onnx:/not/here"'))
    reader = slowwave.open(copy)
    assert reader.recall("green tea")[0].id == "mem_tea"
    assert len(reader.warnings) == 1 and "full text only" in reader.warnings[0]
    reader.recall("again")
    assert len(reader.warnings) == 1


@pytest.mark.parametrize("name", ["litellm:openai/embed-x", "fastembed:some-model"])
def test_a_store_cannot_make_its_reader_use_the_network(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    loaded: list[str] = []

    def load(asked: str) -> None:
        loaded.append(asked)
        raise ModelError("not here", "Install it.")

    monkeypatch.setattr("slowwave.embed.load", load)
    copy = shutil.copytree(store, tmp_path / "store")
    path = next((copy / "published").glob("*/manifest.json"))
    path.write_text(path.read_text().replace('"static"', f'"{name}"'))
    reader = slowwave.open(copy)
    assert reader.recall("green tea")[0].id == "mem_tea" and loaded == []
    assert len(reader.warnings) == 1 and "full text only" in reader.warnings[0] and name in reader.warnings[0]
    with pytest.raises(ModelError):
        slowwave.open(copy, embedder=name).recall("green tea")
    assert loaded == [name]


def test_a_turns_quotes_stand_in_the_captured_text(tmp_path: Path) -> None:
    captured = "Well. [noise] The regatta was on Sunday. We came third."
    spans = [{"start": 0, "end": 5}, {"start": 14, "end": 55}]
    words = "\n".join(captured[s["start"] : s["end"]] for s in spans)
    build(tmp_path, turns=[said(words, spans=spans)], embedder="none")
    (found,) = slowwave.open(tmp_path).recall("regatta")
    assert [captured[e.start : e.end] for e in found.evidence] == [e.quote for e in found.evidence]
    assert "\n".join(e.quote for e in found.evidence) == found.text
