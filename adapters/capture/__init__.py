"""Capture: what the sources hand over becomes immutable snapshots, redacted before the first write.

The same history twice adds nothing: a row is known by its key and its content. What was read last stands, so that an edit
that is taken back is a new edition, unless the source dates it before what stands. Damage stays where it is, and is named.
Belongs here: the walk over the sources, owners, and counting. Does not belong here: formats (`sources`), and what is evidence (sift).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters.capture.feedback import load_feedback, read_feedback
from adapters.capture.missed import Missed
from adapters.capture.places import Places
from adapters.capture.rows import Batch, CapturedMessage, CapturedSignal, Rows, gone_row
from adapters.capture.snapshots import (
    DEFAULT_OWNER,
    Staged,
    captured_owner,
    known_messages,
    known_signals,
    load_gone,
    load_messages,
    load_quarantined,
    load_signals,
    put_gone,
    put_quarantined,
    put_rows,
)
from adapters.forget import stones
from adapters.settings import TrustSettings
from adapters.sources import Damaged, Item, RawMessage, RawSignal, Source
from adapters.sources.folder import printable
from models.decision import Action, Decision
from models.table import Frame, rows_to_frame
from slowwave.errors import SourceError, UsageError

__all__ = ["Captured", "Missed", "capture", "load_feedback", "load_messages", "load_signals"]

# Rows are written in batches of about this size, so that a history of any length fits in memory.
_BATCH_ROWS, _BATCH_CHARS = 50_000, 64_000_000


@dataclass
class Captured:
    """What one capture met. `decisions` name every damaged place, every message set aside, and every new redaction."""

    owner: str
    decisions: Frame[Decision]
    n_new: int = 0
    n_known: int = 0
    n_new_signals: int = 0
    n_known_signals: int = 0
    n_gone: int = 0
    missed: Missed = Missed()
    n_damaged: int = 0
    n_new_damaged: int = 0
    n_redactions: int = 0
    other_owners: dict[str, int] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Whether the store holds evidence now that it did not hold before, or less; damage met again is nothing new."""
        return bool(self.n_new or self.n_new_signals or self.n_gone)


def capture(
    store: Path,
    sources: Sequence[Source],
    *,
    owner: str = "",
    trust: TrustSettings | None = None,
    as_of: datetime | None = None,
) -> Captured:
    """Write what is new in the sources and in the store's inbox as snapshots; all of it appears together, or none.

    `owner` is the id of the person whose store it is; empty means the one user found. `trust` says how far imported records are
    relied on, by origin; one that is relied on differently than before is new. `as_of` is the night's time, for when a source no
    longer held what it had held; where it is not given, no time is noted. The caller holds the store's lock.
    Raises UsageError where several users are found and none is named, or where the store is another's; SourceError where
    nothing can be read at all; StoreUnwritable.
    """
    inbox = store / "inbox" / "sessions"
    # In one order, so that sources that disagree about a message leave the same whatever order they were named in.
    ordered = sorted(sources, key=lambda source: (source.kind, str(source.path)))
    every = [*ordered, Source("jsonl", inbox)] if inbox.is_dir() else ordered
    _refuse_another(store, owner)
    staged = Staged(store)
    staged.sweep()
    try:
        walk = _Walk(store, staged, owner, trust or TrustSettings(), every)
        for source in every:
            walk.take(source)
        done = walk.finish(read_feedback(store)[1], as_of)
        staged.commit()
    except BaseException:
        staged.drop()
        raise
    return done


def _refuse_another(store: Path, owner: str) -> None:
    """A store is one person's: what another one said must never be remembered as theirs."""
    known = captured_owner(store) if owner else ""
    if known and known != owner:
        raise UsageError(
            f"the store {store} is {known}'s, and {owner} was named as its owner",
            f"Use another --store for {owner}: a store holds one person's memory.",
        )


class _Walk:
    """One walk over the sources: holds what is known, the rows not yet written, and the counts."""

    def __init__(
        self, store: Path, staged: Staged, owner: str, trust: TrustSettings, sources: Sequence[Source]
    ) -> None:
        self.store, self.staged = store, staged
        self.is_named = bool(owner)
        self.owner = owner or captured_owner(store)
        self.rows, self.places = Rows(trust), Places(store, staged, sources)
        self.messages, self.signals = known_messages(store), known_signals(store)
        self.batch = Batch()
        self.forgotten = stones.forgotten(store)
        self.n_redactions = 0
        self.others: Counter[str] = Counter()
        self.gone: dict[tuple[str, ...], dict[str, Any]] = {}
        self.decisions: dict[tuple[str, ...], Decision] = {}
        self.damaged: dict[tuple[str, ...], Decision] = {}
        self.refused: list[SourceError] = []
        self.is_heard = False

    def take(self, source: Source) -> None:
        """Read one source to its end. One that can't be read is damage as a whole, and the others are read."""
        self.places.enter(source)
        try:
            for item in source.read():
                self._take(item, source.kind)
        except SourceError as error:
            self.places.reading.is_whole = False
            self.refused.append(error)
            self.damage(Damaged(printable(str(source.path)), 0, "unreadable source"), detail=printable(str(error)))

    def _take(self, item: Item, kind: str) -> None:
        if isinstance(item, (RawMessage, RawSignal)):
            if self._is_owners(item):
                self.is_heard = True
                self.batch.add(item, kind, self.places.here)
        elif isinstance(item, Damaged):
            self.damage(item)
            self.places.damaged(item)
        else:
            self.is_heard = True
            row = gone_row(item)
            self.gone[row["platform"], row["session_id"], row["message_id"], row["reason"]] = row
        if self.batch.n_chars > _BATCH_CHARS or len(self.batch.raws) >= _BATCH_ROWS:
            self._take_batch()

    def damage(self, item: Damaged, *, detail: str = "") -> None:
        """Name a damaged place; the digest of what stands there tells a place from the same place mended and broken again."""
        place = f"{item.file}:{item.line}"
        made = Decision(
            stage="capture",
            item_id=place,
            action=Action.QUARANTINE,
            reason=item.reason,
            other_id=item.digest,
            detail=detail,
        )
        self.damaged[place, item.reason, item.digest] = made

    def _is_owners(self, item: RawMessage | RawSignal) -> bool:
        if not item.user_id:
            return True
        # The first user found is the owner until another one turns up.
        self.owner = self.owner or item.user_id
        if item.user_id == self.owner:
            self.places.reading.names_owner = True
            return True
        self.others[item.user_id] += 1
        self._decide(item.place, Action.REJECT, "another user", other=item.user_id)
        return False

    def _take_batch(self) -> None:
        """Make rows of what was read, and write those that are new."""
        messages, signals = self.rows.made(self.batch)
        self.places.hold(messages)
        self.batch = Batch()
        if self.forgotten is not None:
            from adapters.capture.forgotten import unknown_without, without_messages, without_signals

            messages = unknown_without(messages, self.messages.captured, without_messages, self.forgotten)
            signals = unknown_without(signals, self.signals.captured, without_signals, self.forgotten)
        self.signals.take(signals)
        redacted = self.messages.take(messages).filter(pl.col("kinds").is_not_null())
        for key, n, kinds in redacted.select("msg_key", "n_redactions", "kinds").iter_rows():
            self.n_redactions += n
            self._decide(key, Action.REDACT, "secret", detail=f"{n} of the kinds {kinds}")
        self._write()

    def _decide(self, item: str, action: Action, reason: str, *, other: str = "", detail: str = "") -> None:
        made = Decision(stage="capture", item_id=item, action=action, reason=reason, other_id=other, detail=detail)
        self.decisions[item, action, reason, other] = made

    def _write(self) -> None:
        for history, table, time, prefix in (
            (self.messages, CapturedMessage, "said_at", ""),
            (self.signals, CapturedSignal, "at", "signals-"),
        ):
            put_rows(self.staged, history.close().with_columns(owner=pl.lit(self.owner)), table, time, prefix)

    def finish(self, damaged: Iterable[Damaged], as_of: datetime | None) -> Captured:
        """Write what is left, and count. Raises SourceError where a source was refused and no other had anything."""
        self._refuse_nothing()
        for item in damaged:
            self.damage(item)
        self._refuse_several()
        self._take_batch()
        for history in (self.messages, self.signals):
            history.take_back()
        self._write()
        before = {tuple(row) for row in load_quarantined(self.store)["item_id", "reason", "other_id"].iter_rows()}
        fresh = [decision for place, decision in sorted(self.damaged.items()) if self._place(decision) not in before]
        put_quarantined(self.staged, fresh)
        n_gone, deleted = put_gone(self.staged, load_gone(self.store), list(self.gone.values()))
        return Captured(
            owner=self.owner or DEFAULT_OWNER,
            decisions=rows_to_frame(Decision, [*self.decisions.values(), *self.damaged.values()]),
            n_new=self.messages.n_new,
            n_known=self.messages.n_known,
            n_new_signals=self.signals.n_new,
            n_known_signals=self.signals.n_known,
            n_gone=n_gone,
            missed=self.places.close(deleted, as_of),
            n_damaged=len(self.damaged),
            n_new_damaged=len(fresh),
            n_redactions=self.n_redactions,
            other_owners=dict(sorted(self.others.items())),
        )

    def _refuse_nothing(self) -> None:
        if not self.refused or self.is_heard or self.others:
            return
        if len(self.refused) == 1:
            raise self.refused[0]
        hints = dict.fromkeys(error.hint for error in self.refused)
        raise SourceError("; ".join(map(str, self.refused)), " ".join(hint for hint in hints if hint))

    def _place(self, decision: Decision) -> tuple[str, str, str]:
        return decision.item_id, decision.reason, decision.other_id

    def _refuse_several(self) -> None:
        if self.others and not self.is_named:
            names = ", ".join(sorted([self.owner, *self.others])[:10])
            raise UsageError(
                f"the sources hold messages of several users: {names}",
                "Say whose store this is: --owner ID, or owner.id in slowwave.toml; the others are then set aside.",
            )
