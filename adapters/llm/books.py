"""The books of a night: no request leaves that a ceiling does not allow, and each that leaves is written down first.

A request is entered (`enter`), admitted with what it may cost at most, and settled with what it did. Single calls do all three at
once; whoever submits many together may settle each when its answer comes.
Belongs here: ceilings and calls of one night. Does not belong here: Parquet and sums over nights (`flows.costs`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from adapters.llm.budget import Account, Amount, Ceilings
from adapters.llm.counting import counting, likely
from adapters.llm.prices import Prices
from models.ask import Usage
from slowwave import private


@dataclass(frozen=True)
class Limits:
    """Most tokens and most money of a night, and of a month of one store and of a whole fleet; None means as much as it takes."""

    night: tuple[int | None, float | None] = (None, None)
    store: tuple[int | None, float | None] = (None, None)
    fleet: tuple[int | None, float | None] = (None, None)

    @property
    def bound_money(self) -> bool:
        """Whether any of them is about money."""
        return any(cost is not None for _, cost in (self.night, self.store, self.fleet))


@dataclass(frozen=True)
class Addressee:
    """Whom requests go to, and how they are counted and priced."""

    model: str
    host: str
    has_left: bool
    tokenizer: str = ""
    prices: Prices = Prices()
    max_output_tokens: int = 0


class Books:
    """Ceilings and calls of one night. Before `open` they are kept in memory alone."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.ceilings = Ceilings([Account("max_night", **_bounds(self.limits.night))])
        self._path: Path | None = None
        self._n_calls = 0
        self.run = self.month = ""
        self.told: list[str] = []
        self.held_back = ""
        self._least: Amount | None = None
        self._store: Path | None = None
        self._lock = Lock()

    def open(self, store: Path, run: str, month: str) -> None:
        """Keep the books of this run from now on, going on with what a killed night of the same name spent.

        The store's account is of the month; the fleet, which shares one account, is the folder that holds the store.
        """
        folder = store / "ledger"
        accounts = [
            Account("max_night", **_bounds(self.limits.night), path=folder / "spent" / run),
            Account("max_store", **_bounds(self.limits.store), path=folder / "spent" / month),
        ]
        if self.limits.fleet != (None, None):
            shared = store.resolve().parent / ".slowwave-fleet" / month
            accounts.append(Account("max_fleet", **_bounds(self.limits.fleet), path=shared))
        self.ceilings = Ceilings(accounts)
        self._path, self._store, self.run, self.month = folder / f"{run}.jsonl", store, run, month
        self._n_calls = len(read_journal(self._path)) + _n_sealed(folder / f"{run}.parquet")

    def adopted(self, to: Addressee, row: Mapping[str, Any], most: Amount, *, month: str) -> Entry:
        """A request that an earlier process was allowed, as `row` says, to be settled in the books that it was entered in."""
        books = self if (row["run"], month) == (self.run, self.month) else Books(self.limits)
        if books is not self and self._store is not None:
            books.open(self._store, row["run"], month)
        books.ceilings.adopt(most if books._store is None else Amount())
        # Its row may be sealed by now: what is written here takes that row's place.
        books.write(row)
        return Entry(books, to, dict(row), most, is_admitted=True)

    def hold_back(self, most: Amount, read: int, to: Addressee) -> None:
        """Note why the smallest of the requests was not sent that no ceiling had room for: which setting, and how it was counted."""
        with self._lock:
            if self._least and self._least.tokens <= most.tokens:
                return
            self._least = most
            found = counting(to.model, to.tokenizer)
            how = (
                ""
                if found.is_exact
                else ", counted as bytes since the model's tokenizer is not known (tokenizer names it)"
            )
            self.held_back = (
                f"one request may take {most.tokens} tokens: {read} to read{how}, and {most.tokens - read} to write (max_output_tokens);"
                f" {self.ceilings.short_of(most) or 'others were under way'}"
            )

    def tell(self, warning: str) -> None:
        """Something that a person should read in the night's report."""
        self.told.append(warning)

    @property
    def spent(self) -> Amount:
        """What the night spent so far."""
        return self.ceilings.accounts[0].spent

    @property
    def reached(self) -> tuple[str, ...]:
        """Names of the ceilings that kept a request back."""
        return tuple(sorted(self.ceilings.reached))

    def enter(self, to: Addressee, *, stage: str, prompt: str, messages: Sequence[str]) -> Entry:
        """A request that is about to be made."""
        with self._lock:
            self._n_calls += 1
            call_id = f"{self.run}/{self._n_calls:05d}"
        about = {"call_id": call_id, "run": self.run, "stage": stage, "prompt": prompt, "messages": list(messages)}
        return Entry(self, to, {**about, "model": to.model, "host": to.host, "has_left": to.has_left})

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a line to the journal, on disk before anything else happens."""
        if self._path is None:
            return
        private.make_folder(self._path.parent)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "wb") as file:
            # It begins with a line break of its own, so that a line that a power cut left half written spoils no other.
            file.write(("\n" + json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())


@dataclass
class Entry:
    """One request in the books."""

    books: Books
    to: Addressee
    about: dict[str, Any]
    most: Amount = field(default_factory=Amount)
    is_admitted: bool = False
    fits_halved: bool = False
    _sent: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def admit(self, request: Mapping[str, Any], *, waits: bool = True) -> bool:
        """Whether the request, as it would go over the wire, may be sent; if so it is reserved for and written down."""
        read = counting(self.to.model, self.to.tokenizer).tokens_of(request)
        written = self.to.max_output_tokens
        self.most = Amount(read + written, self.to.prices.cost(read, written))
        if not self.books.ceilings.reserve(self.most, waits=waits):
            self.books.hold_back(self.most, read, self.to)
            half = Amount(read // 2 + written, self.to.prices.cost(read // 2, written))
            self.fits_halved = self.books.ceilings.short_of(half) is None
            return False
        self.is_admitted, self._sent = True, request
        spent = {"input_tokens": read, "output_tokens": written, "cost": self.most.cost}
        sent = {"sent_at": datetime.now(UTC).isoformat(), "outcome": "unknown", **spent}
        self.about |= {**sent, "cached_tokens": 0, "seconds": 0.0}
        self.books.write(self.about)
        return True

    def settle(self, usage: Usage, outcome: str, *, is_metered: bool, arrived: str = "") -> None:
        """Count what the request truly cost. Nothing for one that was not sent.

        Where nobody said, ceilings count it in full, and the journal as far as it is known: `arrived` is what came back unmetered.
        """
        if not self.is_admitted:
            return
        used = Amount(usage.input_tokens + usage.output_tokens, usage.cost) if is_metered else self.most
        self.books.ceilings.settle(self.most, used)
        known = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": usage.cost}
        spent = {**known, "cached_tokens": usage.cached_tokens} if is_metered else self._estimate(arrived)
        self.books.write(
            {"call_id": self.about["call_id"], "outcome": outcome, "seconds": round(usage.seconds, 3), **spent}
        )

    def _estimate(self, arrived: str) -> dict[str, Any]:
        """What a request took of which only the bytes that came back are known, never more than was set aside; nothing without any."""
        if not arrived:
            return {}
        near = likely(self.to.model, self.to.tokenizer)
        read = min(near.tokens_of(self._sent), self.about["input_tokens"])
        written = min(near.count(arrived), self.about["output_tokens"])
        return {"input_tokens": read, "output_tokens": written, "cost": self.to.prices.cost(read, written)}


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The calls of a journal, each as it stands last; a line that a power cut left half written is passed over."""
    calls: dict[str, dict[str, Any]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            row = json.loads(line)
            calls[row["call_id"]] = {**calls.get(row["call_id"], {}), **row}
        except (ValueError, KeyError, TypeError):
            continue
    return list(calls.values())


def _n_sealed(path: Path) -> int:
    """Calls of this run that are in its Parquet file already."""
    if not path.is_file():
        return 0
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def _bounds(limit: tuple[int | None, float | None]) -> dict[str, Any]:
    return {"tokens": limit[0], "cost": limit[1]}
