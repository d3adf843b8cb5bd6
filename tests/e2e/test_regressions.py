"""What a faulty night would publish is blocked, whatever the fault; what honest nights publish is not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import lance
import polars as pl
import pytest

import slowwave
from adapters import lake
from adapters.publish import tables
from expectations.promise import RETIREMENT
from flows import ledger
from flows.begin import Plan
from flows.night import Night, Ref, Stage, Step, Taken
from flows.road import consolidated
from flows.step import here, tables_of
from models.table import conform, rows_to_frame
from slowwave import tokens
from slowwave.errors import PromiseBroken
from slowwave.ids import embedding_id, make_id
from slowwave.store import read_current, versions
from tests.e2e.conftest import WEEK
from tests.make import at

Frames = dict[str, pl.DataFrame]
Plant = Callable[[Frames], Frames]


def rows(table: str, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Plant:
    def plant(frames: Frames) -> Frames:
        made = change(frames[table].to_dicts())
        return {**frames, table: pl.DataFrame(made, schema=frames[table].schema)}

    return plant


def snapshot(**change: Any) -> Plant:
    def text(row: dict[str, Any]) -> dict[str, Any]:
        made = {**row, **{name: value(row) for name, value in change.items()}}
        return {**made, "n_tokens": tokens.count(made["text"]), "n_chars": len(made["text"])}

    return rows("documents", lambda all_rows: [text(r) if r["name"] == "snapshot.md" else r for r in all_rows])


def _of_another_model(frames: Frames) -> Frames:
    """Every vector made and named by another embedder than the night's."""
    names: dict[str, str] = {}
    made: Frames = {}
    for name in ("memories", "turns", "episodes"):
        ids = [embedding_id("another", text) for text in frames[name]["text"]]
        names.update(zip(frames[name]["embedding_id"], ids, strict=True))
        made[name] = frames[name].with_columns(pl.Series("embedding_id", ids, dtype=pl.String))
    known = frames["vectors"].with_columns(pl.col("embedding_id").replace(names))
    return {**frames, **made, "vectors": known}


def _of_other_words(frames: Frames) -> Frames:
    """Each vector in the place of another."""
    found = frames["vectors"]["vector"].to_list()
    turned = pl.Series("vector", [found[-1], *found[:-1]], dtype=frames["vectors"].schema["vector"])
    return {**frames, "vectors": frames["vectors"].with_columns(turned)}


def _flood(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    plain = next(row for row in found if row["status"] == "active" and row["attribute"] is None)
    return [*found, *({**plain, "id": make_id("mem", n)} for n in range(len(found)))]


def _retired(frames: Frames) -> Frames:
    """Planted a stage before: what is published follows from it."""
    return frames


def _stale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Indexes that were made before the last rows came."""
    real = tables.write

    def write(path: Path, name: str, rows: pl.DataFrame | pl.LazyFrame, *more: Any) -> None:
        frame = rows.lazy().collect()
        real(path, name, frame.head(frame.height // 2), *more)
        rest = path.with_suffix(".rest")
        real(rest, name, frame.tail(frame.height - frame.height // 2), *more)
        lance.write_dataset(lance.dataset(str(rest)).to_table(), str(path), mode="append")
        shutil.rmtree(rest)

    monkeypatch.setattr(tables, "write", write)


def _unsearchable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search text that is not the row's."""
    monkeypatch.setitem(tables.SEARCHED, "memories", lambda _: "nothing in particular")


def _dead(frames: Frames) -> Frames:
    """What was said in the session that was left out is there again."""
    turn = next(row for row in frames["turns"].to_dicts() if row["role"] == "user")
    said = {**turn, "id": _LEFT_OUT[0], "memory_ids": [], "embedding_id": ""}
    return {**frames, "turns": rows_to_frame(tables.TABLES["turns"], [*frames["turns"].to_dicts(), said])}


_LEFT_OUT: list[str] = []
REGRESSIONS: dict[str, tuple[Plant | Callable[[pytest.MonkeyPatch], None], str]] = {
    "empty snapshot": (snapshot(text=lambda _: "# Memory\n", memory_ids=lambda _: []), "documents_hold_what_they_held"),
    "doubled snapshot": (snapshot(text=lambda r: r["text"] * 2), "documents_say_nothing_twice"),
    "wrong vectors": (_of_other_words, "embedder_answers_alike"),
    "stale index": (_stale, "indexes_cover_all_rows"),
    "lost entity": (rows("entities", lambda found: found[1:]), "memories.entity_ids.resolves"),
    "duplicate flood": (rows("memories", _flood), "few_duplicates"),
    "recall drop": (_unsearchable, "questions_are_answered"),
    "revived tombstone": (_dead, "the_dead_stay_dead"),
    "mass retirement": (_retired, RETIREMENT),
    "missing document": (
        rows("documents", lambda found: [row for row in found if row["name"] != "snapshot.md"]),
        "documents_are_there",
    ),
    "wrong embedder": (_of_another_model, "vectors_are_of_their_words"),
    "broken pointer": (
        rows("memories", lambda found: [{**found[0], "related_ids": ["mem_nowhere"]}, *found[1:]]),
        "memories.related_ids.resolves",
    ),
    "over budget": (snapshot(text=lambda r: r["text"] + "- more\n" * 4000), "documents_within_budget"),
}


class Planting:
    """A step that alters what the last stage made, and what reinforce says where the memories are altered."""

    def __init__(self, plant: Plant) -> None:
        self.plant = plant

    def __call__(self, night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
        taken = here(night, stage, refs)
        if stage.__name__ == "reinforce":
            return replace(taken, outputs={**taken.outputs, **self._retired(night, taken)})
        if stage.__name__ != "project":
            return taken
        _, makes = tables_of(stage)
        frames = {name: lake.read_table(night.store, taken.outputs[name], table) for name, table in makes.items()}
        made = self.plant(frames)
        outputs = {
            name: lake.write_table(
                night.store, f"{night.folder}/planted.{name}.parquet", conform(made[name], table), table
            )
            for name, table in makes.items()
            if made[name] is not frames[name]
        }
        return replace(taken, outputs={**taken.outputs, **outputs})

    def _retired(self, night: Night, taken: Taken) -> dict[str, Ref]:
        if self.plant is not _retired:
            return {}
        from models.memory import MemoryRow

        memories = lake.read_table(night.store, taken.outputs["memories"], MemoryRow)
        made = memories.with_columns(status=pl.lit("retracted"), tier=pl.lit("archived"))
        path = f"{night.folder}/planted.reinforce.parquet"
        return {"memories": lake.write_table(night.store, path, made, MemoryRow)}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a memory in it, a session left out, and more to hear."""
    from flows.rollback import resume

    store = tmp_path_factory.mktemp("before") / "store"
    store.mkdir()
    _hear(store, 0, session="gone")
    consolidated(Plan(store, (WEEK,), at("2026-04-01T03:00")), here)
    _LEFT_OUT[:] = [hit.id for hit in slowwave.open(store).sessions("viola") if "viola" in hit.text]
    resume(store, ["session:gone"])
    consolidated(Plan(store, (WEEK,), at("2026-04-01T04:00")), here)
    _hear(store, 1)
    return store


def _hear(store: Path, n: int, session: str = "late") -> None:
    said = ["My sister Ines plays the viola.", "I moved to Rotterdam, and Pilar keeps the kiln."][n]
    message = {"session_id": session, "message_id": f"l{n}", "role": "user", "content": said}
    slowwave.record(store, [{**message, "created_at": f"2026-03-3{n}T20:00:00+02:00"}])


def _is_let_through(store: Path, plan: Plan, step: Step) -> None:
    """A person who has looked may accept it; what stands in the way otherwise still does."""
    accepted = consolidated(replace(plan, store=store, is_retirement_accepted=True), step)
    assert accepted.status == "published"
    assert RETIREMENT in ledger.read(store, accepted.run or "")["promises"]["warnings"]


@pytest.mark.parametrize("name", REGRESSIONS)
def test_a_planted_regression_is_blocked(
    name: str, before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, promise = REGRESSIONS[name]
    store = shutil.copytree(before, tmp_path / "store")
    serving, there = read_current(store), versions(store)
    plan = Plan(store, (WEEK,), at("2026-04-02T03:00"))
    with monkeypatch.context() as patched:
        if plant in (_stale, _unsearchable):
            plant(patched)  # type: ignore[arg-type]
            step = here
        else:
            step = Planting(plant)  # type: ignore[arg-type]
        if name == "mass retirement":
            plan = replace(plan, flags={"rules": {"reconcile": {"max_retire_min_records": 5}}})
            assert consolidated(plan, step).status == "held"
            _is_let_through(shutil.copytree(store, tmp_path / "accepted"), plan, Planting(plant))  # type: ignore[arg-type]
        else:
            with pytest.raises(PromiseBroken, match=promise.replace(".", r"\.")):
                consolidated(plan, step)
    run = ledger.runs(store)[0]
    assert promise in ledger.read(store, run)["promises"]["broken"]
    assert promise in (store / "runs" / run / "audit.html").read_text()
    assert (read_current(store), versions(store)) == (serving, there), "nothing of it is left"
    assert not [path for path in (store / "lance").iterdir() if path.name not in there]
    assert consolidated(replace(plan, flags={}), here).status == "published", "and the next night is well"


HONEST = ["The kiln was at {n} degrees.", "I promised Ines {n} tiles by Friday.", "I met Pilar {n} times this week."]


@pytest.mark.parametrize("n_nights", [4, pytest.param(30, marks=pytest.mark.slow)])
def test_no_honest_night_is_blocked(tmp_path: Path, conv26: str, n_nights: int) -> None:
    """A conversation, told in so many nights, beside what is said again and again in nearly the same words."""
    talk = json.loads(Path(conv26.split("=", 1)[1]).read_text())
    log, store = tmp_path / "conv.json", tmp_path / "store"
    store.mkdir()
    spoken = talk["conversation"] if "conversation" in talk else talk[0]["conversation"]
    sessions = sorted(
        (key for key in spoken if key.startswith("session_") and not key.endswith("date_time")), key=_place
    )
    ends: list[str] = []
    for n in range(n_nights):
        shown = set(sessions[: 1 + n * len(sessions) // n_nights])
        kept = {key: value for key, value in spoken.items() if key not in sessions or key in shown}
        log.write_text(
            json.dumps(
                {**talk, "conversation": kept} if "conversation" in talk else [{**talk[0], "conversation": kept}]
            )
        )
        said = {
            "session_id": f"s{n}",
            "role": "user",
            "created_at": f"2024-01-{n + 1:02d}T10:00:00Z",
            "platform": "test",
        }
        slowwave.record(store, [{**said, "content": HONEST[i].format(n=n + 3)} for i in range(3)])
        as_of = at("2024-02-01T03:00") + timedelta(days=n)
        ends.append(consolidated(Plan(store, (f"locomo={log}",), as_of), here).status)
    assert set(ends) == {"published"}


def _place(session: str) -> int:
    return int(session.split("_")[1])
