"""Ceilings: what a request may cost at most is set aside before it is sent, and put right when its true cost is known.

An account is one ceiling's: a night's, a store's or a fleet's. With a file it outlives a killed process and is shared with other
processes; what a killed one had set aside stays spent, since it may have been paid.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Condition
from typing import BinaryIO

from slowwave import private

# Sums of prices carry the dust of binary fractions; a millionth of a millionth is nobody's money.
_DUST = 1e-12


@dataclass(frozen=True)
class Amount:
    """Tokens, in and out together, and money in the unit of the price list."""

    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.tokens - other.tokens, self.cost - other.cost)


class Account:
    """What was spent under one ceiling, requests under way counted at their most. No ceiling (None) only counts.

    `path` is its file: a line a change, appended under a lock, so that any number of processes may share it.
    """

    def __init__(
        self, name: str, *, tokens: int | None = None, cost: float | None = None, path: Path | None = None
    ) -> None:
        self.name, self._tokens, self._cost, self._path = name, tokens, cost, path
        self._known = Amount()
        self._read_bytes = 0

    @property
    def spent(self) -> Amount:
        """Everything spent and set aside so far."""
        with self._opened():
            return self._known

    def short_of(self, amount: Amount) -> str | None:
        """The setting that leaves less than this amount, with what it leaves; None where it leaves enough."""
        spent = self.spent
        if self._tokens is not None and spent.tokens + amount.tokens > self._tokens:
            return f"{self.name}_tokens = {self._tokens}, of which {max(self._tokens - spent.tokens, 0)} are left"
        if self._cost is not None and spent.cost + amount.cost > self._cost + _DUST:
            return f"{self.name}_cost = {self._cost:g}, of which {max(self._cost - spent.cost, 0.0):.6g} is left"
        return None

    def book(self, amount: Amount) -> bool:
        """Count an amount, unless the ceiling does not allow it."""
        with self._opened() as file:
            if not self._allows(self._known + amount):
                return False
            self._write(file, amount)
            return True

    def put_right(self, difference: Amount) -> None:
        """Count what a request cost more or less than was set aside for it."""
        with self._opened() as file:
            self._write(file, difference)

    def _allows(self, total: Amount) -> bool:
        if self._tokens is not None and total.tokens > self._tokens:
            return False
        return self._cost is None or total.cost <= self._cost + _DUST

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO | None]:
        """The file, locked and read to its end; None for an account in memory."""
        if self._path is None:
            yield None
            return
        private.make_folder(self._path.parent)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "rb+", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._catch_up(file)
            yield file

    def _catch_up(self, file: BinaryIO) -> None:
        file.seek(self._read_bytes)
        fresh = file.read()
        # A line that a power cut left half written is ended, so that the next one is a line of its own.
        if fresh and not fresh.endswith(b"\n"):
            file.write(b"\n")
            fresh += b"\n"
        for line in fresh.splitlines():
            self._known = self._known + _amount(line)
        self._read_bytes += len(fresh)

    def _write(self, file: BinaryIO | None, amount: Amount) -> None:
        self._known = self._known + amount
        if file is not None:
            line = f"{amount.tokens} {amount.cost!r}\n".encode()
            file.write(line)
            os.fsync(file.fileno())
            self._read_bytes += len(line)


def _amount(line: bytes) -> Amount:
    try:
        tokens, cost = line.split()
        return Amount(int(tokens), float(cost))
    except ValueError:
        return Amount()


class Ceilings:
    """Several accounts that a request has to fit into together: the night's, the store's, the fleet's."""

    def __init__(self, accounts: Sequence[Account] = ()) -> None:
        self.accounts = tuple(accounts)
        self.reached: set[str] = set()
        self._n_under_way = 0
        self._changed = Condition()

    def reserve(self, most: Amount, *, waits: bool = True) -> bool:
        """Set `most` aside in every account. Waits while requests under way may still make room; false if nothing can.

        Whoever admits many requests before any is sent must not wait for them (`waits`): what finds no room now is put later.
        """
        with self._changed:
            while (full := self._book(most)) is not None:
                if not waits:
                    return False
                if not self._n_under_way:
                    self.reached.add(full)
                    return False
                self._changed.wait()
            self._n_under_way += 1
            return True

    def short_of(self, amount: Amount) -> str | None:
        """The first setting that leaves less than this amount now; None where all leave enough."""
        return next((why for account in self.accounts if (why := account.short_of(amount))), None)

    def adopt(self, most: Amount) -> None:
        """Take over a request of an earlier process; `most` is what of it is in no account yet."""
        with self._changed:
            for account in self.accounts:
                account.put_right(most)
            self._n_under_way += 1

    def settle(self, reserved: Amount, used: Amount) -> None:
        """Put what a request truly used in the place of what was set aside for it."""
        with self._changed:
            for account in self.accounts:
                account.put_right(used - reserved)
            self._n_under_way -= 1
            self._changed.notify_all()

    def _book(self, most: Amount) -> str | None:
        """Book in all accounts or in none; the name of the one that is full."""
        booked: list[Account] = []
        for account in self.accounts:
            if not account.book(most):
                for other in booked:
                    other.put_right(Amount() - most)
                return account.name
            booked.append(account)
        return None
