"""The owner's hand from command to memory: what is pinned, put away, corrected, stated and reviewed, over real nights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slowwave
from adapters.forget.scan import texts
from flows.begin import Plan
from flows.forget import forget
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave import hand
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.format import Memory, Review
from slowwave.reader import Reader
from slowwave.reader.tables import Tables
from tasks.trace import Request
from tests.make import at

SAID = [
    ("s1", "I live in Basel."),
    ("s1", "I am allergic to walnuts."),
    ("s2", "I prefer green tea in the morning."),
    ("s2", "We have a standup every Monday at nine."),
]
FIRST, SECOND, THIRD = "2026-03-02T03:00", "2026-03-03T03:00", "2026-03-04T03:00"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = tmp_path / "store"
    made.mkdir()
    for n, (session, text) in enumerate(SAID):
        said = {"session_id": session, "message_id": f"m{n}", "role": "user", "content": text, "platform": "test"}
        slowwave.record(made, [{**said, "user_id": "u-ana", "created_at": f"2026-03-01T1{n}:00:00+01:00"}])
    night(made, FIRST)
    return made


def night(store: Path, as_of: str, **flags: object) -> Outcome:
    return consolidated(Plan(store, (), at(as_of), dict(flags), trigger="test"), here)


def memories(reader: Reader) -> list[Memory]:
    return Tables(reader.store, reader.manifest).where("memories", Memory)


def about(store: Path, word: str) -> Memory:
    (found,) = [m for m in memories(slowwave.open(store)) if word in m.text and m.status != "retracted"]
    return found


def test_a_correction_wins_at_once_and_the_old_value_was_never_true(store: Path) -> None:
    old = about(store, "Basel")
    hand.correct(store, old.id, old.text.replace("Basel", "Trier"), at=at("2026-03-02T09:00"))
    assert night(store, SECOND).status == "published"
    reader = slowwave.open(store)
    by_text = {m.text: m for m in memories(reader) if "Basel" in m.text or "Trier" in m.text}
    corrected = by_text[old.text.replace("Basel", "Trier")]
    assert (corrected.status, corrected.attribute, corrected.value) == ("active", old.attribute, "Trier")
    assert corrected.trust == "owner" and corrected.evidence[0].session_id == "owner"
    assert by_text[old.text].status == "retracted" and by_text[old.text].id == old.id
    assert "Trier" in reader.snapshot() and "Basel" not in reader.snapshot()
    best = reader.recall("Where do I live?", k=1)[0]
    assert "Trier" in best.text
    assert main(["verify", "--store", str(store)]) == 0


def test_a_correction_stands_through_later_nights_and_gives_way_to_a_newer_word(store: Path) -> None:
    old = about(store, "Basel")
    hand.correct(store, old.id, old.text.replace("Basel", "Trier"), at=at("2026-03-02T09:00"))
    night(store, SECOND)
    before = {m.id: (m.status, m.text) for m in memories(slowwave.open(store))}
    assert night(store, THIRD).status == "nothing_to_do"
    said = {"session_id": "s9", "message_id": "m9", "role": "user", "content": "I moved to Porto today."}
    slowwave.record(
        store, [{**said, "platform": "test", "user_id": "u-ana", "created_at": "2026-03-04T10:00:00+01:00"}]
    )
    night(store, "2026-03-05T03:00")
    after = {m.id: m for m in memories(slowwave.open(store))}
    assert set(before) <= set(after)
    assert {m.value for m in after.values() if m.status == "active" and m.attribute == old.attribute} == {"Porto"}


def test_pinned_archived_and_restored_by_command(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tea, standup = about(store, "tea"), about(store, "standup")
    assert main(["pin", "--store", str(store), tea.id]) == 0
    assert main(["archive", "--store", str(store), standup.id, "--json"]) == 0
    assert "the next night takes it up" in capsys.readouterr().out
    night(store, "2026-12-30T03:00")
    assert slowwave.open(store).snapshot().startswith("## Pinned\n- ")
    assert (about(store, "tea").is_pinned, about(store, "standup").status) == (True, "archived")
    assert main(["archive", "--store", str(store), standup.id]) == UsageError.exit_status
    assert "nothing to archive" in capsys.readouterr().err
    assert main(["restore", "--store", str(store), standup.id]) == 0
    assert main(["unpin", "--store", str(store), tea.id]) == 0
    night(store, "2026-12-31T03:00")
    assert (about(store, "tea").is_pinned, about(store, "standup").status) == (False, "active")


def test_a_statement_is_remembered_as_it_stands(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "The blue notebook is never to be photographed, not even by Ines."
    assert main(["state", "--store", str(store), words, "--kind", "constraint"]) == 0
    night(store, "2026-12-30T03:00")
    reader = slowwave.open(store)
    (memory,) = [m for m in memories(reader) if m.text == words]
    assert (memory.kind, memory.trust, memory.is_pinned, memory.status) == ("constraint", "owner", True, "active")
    assert words in reader.snapshot() and words in reader.snapshot("soul")
    assert main(["state", "--store", str(store), "  "]) == UsageError.exit_status


def test_what_waits_for_review_is_kept_out_of_prompts_and_not_lost(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (store / "slowwave.toml").write_text('[rules.project]\nreview_kinds = ["preference"]\n')
    night(store, SECOND)
    reader = slowwave.open(store)
    assert "tea" not in reader.snapshot() and "tea" in reader.recall("What do I drink?", k=1)[0].text
    assert main(["review", "--store", str(store)]) == 0
    told = capsys.readouterr().out
    assert "“I prefer green tea in the morning.” — s2, m2" in told
    (waiting,) = reader.reviewed()
    assert main(["review", "--store", str(store), "--approve", waiting.id]) == 0
    night(store, "2026-12-31T03:00")
    reader = slowwave.open(store)
    assert "tea" in reader.snapshot() and not reader.reviewed()
    assert [m.id for m in reader.reviewed(Review.APPROVED)] == [waiting.id]


def test_a_secret_in_a_correction_is_captured_nowhere(store: Path) -> None:
    old, secret = about(store, "Basel"), "ghp_" + "a1B2" * 9
    hand.correct(store, old.id, f"My token is {secret}.", value=secret, at=at("2026-03-02T09:00"))
    night(store, SECOND)
    for part in ("published", "runs", "snapshots", "lance"):
        assert not any(secret.encode() in path.read_bytes() for path in (store / part).rglob("*") if path.is_file())


def test_an_unknown_id_and_the_same_words_are_told(store: Path) -> None:
    with pytest.raises(UsageError, match="no memory mem_0"):
        hand.decide(store, "pin", "mem_0")
    old = about(store, "Basel")
    with pytest.raises(UsageError, match="says so already"):
        hand.correct(store, old.id, old.text)


def test_lines_of_the_hand_that_say_nothing_are_quarantined(store: Path) -> None:
    folder = store / "inbox" / "feedback"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = [
        {"verdict": "stated", "at": "2026-03-02T09:00Z", "trust": "owner", "message_id": "x", "slot": {"kind": "odd"}}
    ]
    wrong += [{"verdict": "corrected", "memory_id": "mem_1", "at": "2026-03-02T09:00Z", "trust": "owner"}]
    (folder / "bad.jsonl").write_text("".join(json.dumps(line) + "\n" for line in wrong))
    assert night(store, SECOND).facts["n_quarantined"] == 2


def test_what_was_corrected_is_forgotten_with_its_correction(store: Path) -> None:
    old = about(store, "Basel")
    hand.correct(store, old.id, old.text.replace("Basel", "Trier"), at=at("2026-03-02T09:00"))
    night(store, SECOND)
    done = forget(store, Request(texts=("Basel", "Trier")), as_of=at(THIRD))
    assert (done.outcome.status, done.hits) == ("published", [])
    every = "".join(text for path in store.rglob("*") if path.is_file() for _, text in texts(path))
    assert "Basel" not in every and "Trier" not in every and "walnuts" in every
    night(store, "2026-03-05T03:00")
    assert not [m for m in memories(slowwave.open(store)) if m.attribute == old.attribute]
