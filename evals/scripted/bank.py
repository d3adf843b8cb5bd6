"""What scripted people can tell, read from `bank.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("bank.toml")


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One matter that a person may tell of, with the ways to tell and to ask it."""

    name: str
    values: tuple[str, ...]
    told: tuple[str, ...]
    asked: tuple[str, ...]
    reworded: tuple[str, ...]
    opener: tuple[str, ...]
    aside: tuple[str, ...]
    dated: tuple[str, ...] = ()
    many: bool = False
    changing: bool = False


@dataclass(frozen=True, kw_only=True)
class Detail:
    """What the other asks further, the answer, and how the answer is asked for later."""

    further: str
    answer: str
    asked: str


@dataclass(frozen=True, kw_only=True)
class Bank:
    """All matters, those that only an agent's owner tells, and the talk around them."""

    slots: tuple[Slot, ...]
    owed: tuple[Slot, ...]
    details: tuple[Detail, ...]
    chatter: dict[str, list[str]]


@cache
def bank() -> Bank:
    """The one bank there is."""
    told: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    details = tuple(Detail(**row) for row in told["detail"])
    return Bank(slots=_slots(told["slot"]), owed=_slots(told["owed"]), details=details, chatter=told["chatter"])


def _slots(rows: list[dict[str, Any]]) -> tuple[Slot, ...]:
    frozen: list[dict[str, Any]] = [{k: tuple(v) if isinstance(v, list) else v for k, v in r.items()} for r in rows]
    return tuple(Slot(**row) for row in frozen)
