"""Replay: a version made once more from what its run was given and from recorded answers, in a scratch store, and compared.

Nobody is asked, nothing is sent, and the store is left as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.capture import Captured, load_messages
from adapters.embedder import open_embedder
from adapters.llm.books import Books
from adapters.llm.cache import AnswerCache
from adapters.pointer import Lease
from adapters.settings import Settings
from flows import ledger
from flows.begin import News, Plan, begin
from flows.means import ANSWERS, Means, gate_of, guarded, recorded
from flows.night import Night, Ref
from flows.order import order
from flows.release import release
from flows.scratch import scratch
from flows.step import here
from models.ask import COMPARE, Answer, Ask, Question
from models.decision import Action, Decision, Feedback
from models.message import Message, Signal
from models.table import Frame, Table
from slowwave.errors import ModelError, SlowwaveError, UsageError
from slowwave.format import Manifest
from slowwave.store import read_manifest, versions


@dataclass(frozen=True)
class Replayed:
    """The version that came out, the one that the run published, and what differs; nothing does where all is well."""

    version: str
    published: str
    differences: tuple[str, ...]


class Recalled:
    """An `Ask` that knows recorded answers alone. What was put off in the run is put off again, for the same reason."""

    def __init__(self, ask: Ask, put_off: dict[str, str]) -> None:
        self.model, self.prompt = ask.model, ask.prompt
        self.ask, self.put_off = ask, put_off

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """One answer a question, in order. Raises ModelError that names the messages of those that are not recorded."""
        waiting = {question.key: why for question in questions if (why := self._why_put_off(question))}
        asked = [question for question in questions if question.key not in waiting]
        known = dict(zip([question.key for question in asked], self.ask(asked) if asked else [], strict=True))
        # What no verdict was given on stayed as it was, and does so again.
        missing = [question for question in asked if question.purpose != COMPARE and known[question.key].value is None]
        if missing:
            raise _not_recorded(missing, len(questions))
        put_off = {key: Answer(key, None, why, is_deferred=True) for key, why in waiting.items()}
        for key, answer in known.items():
            known[key] = replace(answer, late={one: self.put_off.get(one, why) for one, why in answer.late.items()})
        return [{**known, **put_off}[question.key] for question in questions]

    def _why_put_off(self, question: Question) -> str | None:
        keys = {line.msg_key for line in question.lines if line.is_evidence}
        return self.put_off[min(keys)] if keys and keys <= self.put_off.keys() else None


def _not_recorded(missing: Sequence[Question], n: int) -> ModelError:
    named = "; ".join(f"question {q.key[:12]} about {', '.join(q.msg_keys[:3])}" for q in missing[:3])
    return ModelError(
        f"{len(missing)} of {n} answers are not in the cache: {named}",
        "They were purged, or the cache was deleted, or the prompt is another one now: this run can't be replayed any more.",
    )


def replay(store: Path, run: str, to: Path | None = None) -> Replayed:
    """Make the run's version once more. `to` keeps the scratch store there. Raises UsageError, ModelError, VersionGone."""
    entry = _entry(store, run)
    parent = read_manifest(store, entry["parent"]) if entry.get("parent") else None
    settings = Settings.model_validate(entry["settings"])
    with scratch(store, parent, folders=("snapshots",)) as made:
        night = _night(store, made, entry, settings, parent)
        version = release(night, order(night, here), Lease(made, parent.version if parent else None))
        if to is not None:
            _keep(made, to)
        return Replayed(version, entry["version"], tuple(_differences(store, made, entry["version"], version)))


def _entry(store: Path, run: str) -> dict[str, Any]:
    if run not in ledger.runs(store):
        raise UsageError(f"there is no run {run!r} in {store}", f"Choose one of {', '.join(ledger.runs(store)[:3])}.")
    entry = ledger.read(store, run)
    if entry.get("status") != "published" or "settings" not in entry:
        raise UsageError(f"the run {run} published no version", "Only a run that published can be replayed.")
    return entry


def _night(store: Path, made: Path, entry: dict[str, Any], settings: Settings, parent: Manifest | None) -> Night:
    def given(name: str, table: type[Table]) -> Frame[Any]:
        return lake.read_table(store, Ref(path=f"runs/{entry['run']}/{name}.parquet", sha256="", rows=0), table)

    captured = Captured(entry["owner"], given("begin.decisions", Decision))
    news = News(
        captured, given("begin.messages", Message), given("begin.signals", Signal), given("begin.feedback", Feedback)
    )
    if settings.embed.embedder.startswith("litellm:"):
        raise UsageError(
            "the run's embedder is a service", "A replay asks nobody: it needs an embedder on this machine."
        )
    ask = recorded(settings, store)
    if settings.night.model != "offline":
        ask = guarded(Recalled(ask, _put_off(given("extract.decisions", Decision))), settings, gate_of(settings, made))
    means = Means(ask, open_embedder(settings.embed.embedder), Books())
    plan = Plan(made, as_of=datetime.fromisoformat(entry["as_of"]), trigger="replay")
    return begin(plan, settings, means, news, parent)


def _put_off(decisions: pl.DataFrame) -> dict[str, str]:
    """The messages that the model did not answer, and why; those that may not leave are judged anew."""
    waiting = decisions.filter(pl.col("action") == Action.DEFER, ~pl.col("reason").str.starts_with("may not leave"))
    return dict(waiting.select("item_id", "reason").iter_rows())


def _keep(made: Path, to: Path) -> None:
    try:
        shutil.copytree(made, to)
    except OSError as error:
        raise SlowwaveError(f"cannot write {to}: {error}", "Name a folder that is not there yet.") from error


def _differences(store: Path, made: Path, published: str, version: str) -> list[str]:
    """What is not, byte for byte, what was published: tables, documents and state by name, then the name itself."""
    found = [] if version == published else ["version"]
    if published not in versions(store):
        return found
    before, after = read_manifest(store, published), read_manifest(made, version)
    for name in ("tables", "state"):
        old, new = getattr(before, name), getattr(after, name)
        found += [f"{name}.{key}" for key in sorted({*old, *new}) if _hash(old, key) != _hash(new, key)]
    return found + [f"documents.{key}" for key, was in before.documents.items() if after.documents.get(key) != was]


def _hash(refs: dict[str, Ref], key: str) -> str | None:
    return refs[key].sha256 if key in refs else None


def purge(store: Path, ids: Sequence[str]) -> int:
    """Remove the recorded answers to every question that held one of these messages, by key or by the platform's id; how many."""
    found = load_messages(store).filter(pl.col("msg_key").is_in(ids) | pl.col("message_id").is_in(ids))
    return AnswerCache(store / ANSWERS).purge({*ids, *found["msg_key"].to_list()})
