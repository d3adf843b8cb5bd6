"""A bundle: the answer, the snapshot and sections within one budget, nothing twice, and never an error for what is not there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slowwave
from models.memory import MemoryRow
from slowwave import tokens
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.format import CommitmentState, Kind, Privacy, Status, Trust
from slowwave.reader.bundles import SECTIONS
from slowwave.reader.recall import n_tokens
from tests.make import NOW, at, memory
from tests.stores import build, said


def promise(text: str, due: str | None = None, **more: Any) -> MemoryRow:
    state = more.pop("state", CommitmentState.OPEN)
    due_at = at(due) if due else None
    return memory(text, kind=Kind.GOAL_OR_COMMITMENT, commitment_state=state, due_at=due_at, **more)


def lesson(text: str, dimension: str, value: str, **more: Any) -> MemoryRow:
    return memory(
        text,
        kind=Kind.INTERVENTION_OUTCOME,
        attribute=f"intervention_{dimension}",
        value=value,
        trust=Trust.AGENT,
        **more,
    )


ROWS = [
    promise("I will send Marta the report.", "2026-02-10T17:00", id="late"),
    promise("I will paint the fence.", "2027-08-01T00:00", id="far", importance=0.9),
    promise("I will call the bank.", "2026-03-02T00:00", id="soon"),
    promise("I will water the plants.", id="done", state=CommitmentState.FULFILLED),
    promise("A vendor wants an answer.", id="theirs", trust=Trust.THIRD_PARTY),
    memory("Marta reviews my drafts.", id="marta", kind=Kind.COLLABORATOR),
    memory("I prefer green tea to coffee.", id="tea", kind=Kind.PREFERENCE),
    memory("No meat for me, ever.", id="meat", kind=Kind.CONSTRAINT, importance=0.1),
    memory("My knee was operated.", id="knee", kind=Kind.CONSTRAINT, privacy=Privacy.SENSITIVE),
    memory("Apollo shipped its beta.", id="beta", kind=Kind.TIMELINE_MILESTONE, project="apollo"),
    memory("Zeus moved to Rust.", id="zeus", kind=Kind.TIMELINE_MILESTONE, project="zeus"),
    memory("Keep it short when you write to me.", id="short", kind=Kind.COMMUNICATION_PREFERENCE),
    lesson("Nudges in focus mode are dismissed: 8 of 8.", "mode", "focus", id="focus"),
    lesson("Nudges in open mode are accepted: 6 of 6.", "mode", "open", id="open"),
    lesson("Nudges in the morning are dismissed: 7 of 7.", "part_of_day", "morning", id="morning"),
    lesson("Nudges by text in the morning: 4 of 4.", "part_of_day_and_channel", "morning + text", id="both"),
]
MORNING = at("2026-03-02T08:00")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bundle") / "store"
    texts = {"snapshot.md": "# Memory\n- I prefer green tea to coffee.\n", "private.md": "- My knee was operated.\n"}
    turns = [said("Marta reviews my drafts.", seq=0)]
    build(made, memories=ROWS, turns=turns, documents=texts, embedder="none")
    return made


@pytest.fixture(scope="module")
def reader(store: Path) -> slowwave.Reader:
    return slowwave.open(store)


def ids(found: slowwave.Bundle, section: str) -> list[str]:
    return [one.id for one in found.sections[section]]


def test_sections_hold_what_an_agent_needs_whatever_it_asks(reader: slowwave.Reader) -> None:
    found = reader.bundle("xylophone", at=MORNING)
    assert found.version == reader.version and found.results == () and set(found.sections) == set(SECTIONS)
    assert ids(found, "commitments") == ["late", "soon", "far"], "by date where it presses, and nothing done or foreign"
    assert ids(found, "collaborators") == ["marta"]
    assert ids(found, "preferences") == ["knee", "meat"], "constraints first; the tea is in the snapshot"
    assert ids(found, "project") == ["beta", "zeus"]
    assert "green tea" in found.snapshot and found.warnings == ()


def test_an_overdue_promise_is_said_to_be_so_at_the_time_of_asking(reader: slowwave.Reader) -> None:
    late, soon, _ = reader.bundle("xylophone", at=MORNING).sections["commitments"]
    assert (late.commitment_state, soon.commitment_state) == (CommitmentState.OVERDUE, CommitmentState.OVERDUE)
    before = reader.bundle("xylophone", at=at("2026-02-01")).sections["commitments"]
    assert {one.commitment_state for one in before} == {CommitmentState.OPEN}


def test_what_the_answer_says_stands_in_no_section(reader: slowwave.Reader) -> None:
    found = reader.bundle("Who reviews my drafts?", at=MORNING)
    assert found.results[0].id == "marta" and found.mode == "collaborator"
    told = [one.id for held in (found.results, *found.sections.values()) for one in held]
    assert len(told) == len(set(told)) and "marta" not in ids(found, "collaborators")


def test_a_project_narrows_the_work_at_hand(reader: slowwave.Reader) -> None:
    assert ids(reader.bundle("xylophone", project="zeus"), "project") == ["zeus"]


def test_what_is_too_private_is_nowhere(reader: slowwave.Reader) -> None:
    found = reader.bundle("knee", profile="private", max_privacy="personal")
    assert "knee" not in str(found.as_dict()["sections"]) and found.results == () and found.snapshot == ""
    assert "more private than personal" in found.warnings[0]
    assert "knee" in reader.bundle("knee", profile="private").snapshot
    with pytest.raises(UsageError, match="no privacy level"):
        reader.bundle("knee", max_privacy="secret")


def test_a_snapshot_that_does_not_fit_is_left_out_and_said_so(reader: slowwave.Reader) -> None:
    found = reader.bundle("xylophone", 8)
    assert found.snapshot == "" and "does not fit" in found.warnings[0]
    assert reader.bundle("xylophone", profile="unheard-of").warnings == ("this version has no document 'unheard-of'",)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(1, 300), query=st.sampled_from(["tea", "What did I promise?", "Marta", "focus mode nudges"]))
def test_law_a_bundle_never_exceeds_its_budget(reader: slowwave.Reader, budget: int, query: str) -> None:
    found = reader.bundle(query, budget, at=MORNING)
    records = [one for held in (found.results, *found.sections.values()) for one in held]
    cost = tokens.count(found.snapshot) * bool(found.snapshot) + sum(map(n_tokens, records))
    assert cost == found.n_tokens <= budget


def test_guidance_is_of_the_moment_and_the_narrowest_first(reader: slowwave.Reader) -> None:
    found = [one.id for one in reader.guidance(mode="focus", channel="text", at=MORNING)]
    assert found[0] == "both" and set(found) == {"both", "focus", "morning", "short"}
    assert [one.id for one in reader.guidance(at=at("2026-03-02T14:00"))] == ["short"]


def test_the_moment_is_local(reader: slowwave.Reader) -> None:
    in_tokyo = [one.id for one in reader.guidance(at=at("2026-03-01T23:00"), zone="Asia/Tokyo")]
    assert "morning" in in_tokyo and "morning" not in [one.id for one in reader.guidance(at=at("2026-03-01T23:00"))]


def test_a_damaged_table_costs_its_part_and_no_more(store: Path, tmp_path: Path) -> None:
    hurt = tmp_path / "store"
    shutil.copytree(store, hurt)
    reader = slowwave.open(hurt)
    shutil.rmtree(hurt / reader.manifest.tables["memories"].path)
    found = reader.bundle("Marta", at=MORNING)
    assert "green tea" in found.snapshot
    assert any(warning.startswith("no commitments:") for warning in found.warnings)


def test_where_no_memory_is_the_bundle_is_empty_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = slowwave.bundle(tmp_path / "nowhere", "anything")
    assert (found.version, found.results, found.snapshot) == (None, (), "") and "no store" in found.warnings[0]
    assert main(["bundle", "--store", str(tmp_path / "nowhere"), "anything"]) == 0
    said = capsys.readouterr()
    assert said.out == "nothing is remembered yet\n" and "no store" in said.err


def test_the_commands_print_what_the_reader_gives(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle", "--store", str(store), "Who reviews my drafts?", "--at", "2026-03-02T08:00"]) == 0
    shown = capsys.readouterr().out
    assert "answer\n- Marta reviews my drafts." in shown and "commitments\n- I will send Marta" in shown
    assert main(["guidance", "--store", str(store), "--mode", "focus", "--at", "2026-03-02T14:00Z", "--json"]) == 0
    assert '"id": "focus"' in capsys.readouterr().out


def test_status_of_everything_in_sections_is_current(tmp_path: Path) -> None:
    old = memory(
        "Ana reviews my drafts.", id="ana", kind=Kind.COLLABORATOR, status=Status.SUPERSEDED, superseded_by="x"
    )
    build(tmp_path, memories=[old, memory("Bo reviews my drafts.", id="x", kind=Kind.COLLABORATOR)], embedder="none")
    assert ids(slowwave.open(tmp_path).bundle("xylophone", at=NOW), "collaborators") == ["x"]


def test_a_version_that_is_too_old_says_so(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert slowwave.open(store, max_age_days=1e6).warnings == slowwave.open(store).warnings == []
    assert "nights may have stopped" in slowwave.open(store, max_age_days=0.01).warnings[0]
    for wrong in (float("nan"), -1.0):
        with pytest.raises(UsageError, match="max_age_days"):
            slowwave.open(store, max_age_days=wrong)
    assert "nights may have stopped" in slowwave.bundle(store, "tea", max_age_days=0.01).warnings[0]
    assert main(["recall", "--store", str(store), "tea", "--max-age-days", "0.01"]) == 0
    assert "nights may have stopped" in capsys.readouterr().err


def test_a_bundle_says_whose_days_it_means(reader: slowwave.Reader) -> None:
    assert reader.bundle("tea", at=MORNING).zone == (reader.manifest.zone or "UTC")
    assert reader.bundle("tea", at=MORNING, zone="Asia/Tokyo").zone == "Asia/Tokyo"
