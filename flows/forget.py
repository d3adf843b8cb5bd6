"""Forget: a person's request, first shown and then carried out, and looked for in every byte of the store as its proof.

A tombstone, the ordinary night over what is left, older versions removed, a scan. The request is written nowhere: what is kept of it are
keys and salted hashes. Belongs here: that sentence. Does not belong here: what it reaches (`tasks.trace`), and how (`adapters.forget`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.capture import load_messages, load_signals
from adapters.capture.places import sources_of
from adapters.forget import stones
from adapters.forget.erase import touched
from adapters.forget.scan import Hit, scan
from adapters.pointer import writing
from adapters.remote import is_copy, strays
from adapters.settings import load
from flows.begin import Plan, time_of
from flows.costs import sent_to
from flows.road import Outcome, consolidated
from flows.step import here
from models import dictionary
from models.forgotten import Forgotten
from models.memory import EntityRow, MemoryRow
from models.table import Frame, empty, rows_to_frame
from models.tombstone import Stone, Tombstone, words_of
from slowwave.errors import UsageError
from slowwave.format import Entity
from slowwave.reader.tables import Tables
from slowwave.store import read_current, read_manifest, versions
from slowwave.when.words import MONTH_NUMBERS, WEEKDAY_NUMBERS
from tasks.trace import Request, trace
from tasks.trace.answers import marked

REASON = "command"
# Clocks differ: what was said a little ahead of the night was said before the request all the same.
_AHEAD = timedelta(days=1)
_COUNT = re.compile(r"\d{1,4}(?:st|nd|rd|th|am|pm)?")


@dataclass(frozen=True)
class Foreseen:
    """What would go: messages and signals that lose words, memories that rest on nothing else, and what no erasing here can reach."""

    rows: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    unreached: list[str]
    words: frozenset[str]


@dataclass(frozen=True)
class Forgot:
    """What went: how the night ended, the versions that were purged, and every place that still says it."""

    outcome: Outcome
    tombstone: str
    purged: list[str]
    hits: list[Hit]
    unreached: list[str]
    is_pending: bool

    @property
    def exit_status(self) -> int:
        """0 where nothing is left of it, 3 where something is, or the night was held."""
        return 3 if self.hits or self.is_pending else 0


def foresee(store: Path, request: Request, as_of: datetime | None = None) -> Foreseen:
    """What a request would take away; nothing is changed. Raises UsageError for what the store does not know, StoreNotFound."""
    if request.is_empty:
        raise UsageError(
            "forget what?", "Name a --memory, --message, --session, --entity or --text, or a time: --since, --until"
        )
    serving = read_current(store)
    parent = read_manifest(store, serving) if serving else None
    memories: Frame[MemoryRow] = (
        lake.read_table(store, parent.state["memories"], MemoryRow) if parent else empty(MemoryRow)
    )
    entities = Tables(store, parent).where("entities", Entity) if parent else []
    messages, signals = load_messages(store), load_signals(store)
    up_to = _up_to(time_of(Plan(store, as_of=as_of), parent), messages)
    rows = trace(
        request,
        messages,
        signals,
        memories,
        rows_to_frame(EntityRow, [asdict(one) for one in entities]),
        Stone(stones.salt(store), up_to, REASON),
    )
    left = touched(store, Forgotten(rows_to_frame(Tombstone, rows)))
    gone = messages.filter(pl.col("msg_key").is_in(sorted(left)))
    texts = dict(gone.select("msg_key", "text").iter_rows())
    return Foreseen(
        rows=rows,
        messages=[
            {"session_id": session, "message_id": message, "before": texts[key], "left": left[key]}
            for key, session, message in gone.select("msg_key", "session_id", "message_id").iter_rows()
        ],
        memories=[{"id": row["id"], "text": row["text"]} for row in _without_ground(memories, left)],
        unreached=_unreached(store, left),
        words=frozenset(
            word for key, text in texts.items() for word in marked(text) - words_of(left[key]) if _is_telling(word)
        ),
    )


def _is_telling(word: str) -> bool:
    """Whether a word found anywhere would show that it is still there: days and small numbers are in dates and counts."""
    return not (word in MONTH_NUMBERS or word in WEEKDAY_NUMBERS or _COUNT.fullmatch(word))


def _up_to(as_of: datetime, messages: pl.DataFrame) -> datetime:
    """The time up to which what was said is forgotten: that of the request, and what was captured by then."""
    said = messages.filter(pl.col("said_at") <= as_of + _AHEAD)["said_at"].max()
    return max(as_of, said) if isinstance(said, datetime) else as_of


def _without_ground(memories: pl.DataFrame, left: dict[str, str]) -> list[dict[str, Any]]:
    """The memories of whose evidence nothing is left."""

    def is_lost(evidence: dict[str, Any]) -> bool:
        return evidence["source_id"] in left and evidence["quote"] not in left[evidence["source_id"]]

    return [
        row
        for row in memories.sort("id").iter_rows(named=True)
        if row["evidence"] and all(map(is_lost, row["evidence"]))
    ]


def _unreached(store: Path, keys: Iterable[str]) -> list[str]:
    """What may hold it still and lies outside of the store, by name."""
    told = [
        f"the source {name}: take it out there yourself; this store won't take it in again"
        for name in sources_of(store)
    ]
    told += [f"{model} at {host}, which was sent {n} of these messages" for model, host, n in sent_to(store, set(keys))]
    if any((store / "cache" / "batches").glob("*.jsonl")):
        told.append("batches that are under way at a provider: what they answer about it is not taken in")
    if os.environ.get("PREFECT_API_URL"):
        told.append(
            f"the records of the Prefect server at {os.environ['PREFECT_API_URL']}: they name ids of runs, and no words"
        )
    settings = [path.name for path in (store / "slowwave.toml",) if path.is_file()]
    told += [f"{name} of this store, if it names it: settings are yours to change" for name in settings]
    return [
        *told,
        *_remotely(store),
        "exports of documents into agents' own files",
        "backups and copies of this store, and what agents hold in memory",
    ]


def _remotely(store: Path) -> list[str]:
    """What an object store, and those who read it, may hold on to."""
    if not is_copy(store):
        return []
    return [
        "noncurrent versions, where the bucket keeps any: expire them by a lifecycle rule",
        "working copies and readers' caches on other machines: each lets go of it when it next looks at the object store",
    ]


def forget(
    store: Path, request: Request, *, as_of: datetime | None = None, flags: dict[str, Any] | None = None
) -> Forgot:
    """Carry a request out; killed at any point, the next night finishes it. Raises what `foresee` and a night raise."""
    settings = load(store, **(flags or {}))
    started = datetime.now(UTC)
    with writing(store, settings.night.wait_minutes * 60):
        found = foresee(store, request, as_of)
        tombstone = stones.put(store, found.rows) if found.rows else ""
    outcome = consolidated(Plan(store, as_of=as_of, flags=flags or {}, trigger="forget", is_inbox_only=True), here)
    purged = [
        version for version in versions(store) if (at := read_manifest(store, version).purged_at) and at >= started
    ]
    return Forgot(outcome, tombstone, purged, proof(store, found.words), found.unreached, bool(stones.pending(store)))


def proof(store: Path, words: Iterable[str] = ()) -> list[Hit]:
    """Every place of the store that still says what was ever forgotten, or one of these words that nothing else brought in.

    A word that is captured elsewhere, that names the owner or a platform, or that every store holds, proves nothing.
    """
    found = stones.forgotten(store)
    if found is None:
        return []
    # What of a remote store was not looked at here can't be shown to say nothing of it.
    unseen = [Hit(key, "in the object store, and not what was looked at here") for key in strays(store)]
    messages = load_messages(store)
    held = {
        word
        for column in ("text", "speaker", "caption", "project", "thread", "owner", "platform", "source", "tool_name")
        for text in messages[column].drop_nulls().unique()
        for word in words_of(text)
    }
    return [*scan(store, found, set(words) - held - dictionary.words()), *unseen]
