"""Short talks with what should be remembered of each: read from two files, and walked as far as reconcile.

`open.toml` may be tuned on, `held.toml` may not; both say how they are written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from adapters.offline import Offline
from models.claim import ClaimRow
from models.decision import Decision
from models.memory import MemoryRow
from models.message import Message, Signal
from models.rules import Owner, StageRules
from models.table import empty, rows_to_frame
from models.turn import Turn
from tasks.extract import extract
from tasks.link import link
from tasks.merge import merge
from tasks.reconcile import reconcile
from tasks.segment import segment
from tasks.sift import sift
from tests.make import at, message

Row = dict[str, Any]
ZONE = "Europe/Amsterdam"
AS_OF = "2026-06-01"
_ROLES = {"user": "user", "agent": "assistant"}


@dataclass(frozen=True)
class Result:
    """What became of one talk: what was wanted and is missing, and memories that nobody wanted."""

    name: str
    n_wanted: int
    missing: list[str]
    unwanted: list[str]
    memories: list[Row]


def no_vectors(texts: list[str]) -> list[list[float]]:
    """An embedder that says nothing: these talks have times, so no border is sought by meaning."""
    return [[] for _ in texts]


def talks(half: str) -> list[Row]:
    """The talks of `held` or `open`."""
    text = (Path(__file__).parent / f"{half}.toml").read_text(encoding="utf-8")
    found: list[Row] = tomllib.loads(text)["talk"]
    return found


def heard(talk: Row) -> Result:
    """Walk one talk and look for what was wanted."""
    memories = _remembered(talk)
    wanted = talk.get("wanted", [])
    missing = [one for one in wanted if not any(_is(memory, one) for memory in memories)]
    texts = [memory["text"] for memory in memories]
    unwanted = [text for text in texts for pattern in talk.get("unwanted", []) if re.search(pattern, text)]
    return Result(talk["name"], len(wanted), missing, unwanted, memories)


def _remembered(talk: Row) -> list[Row]:
    rules, as_of = StageRules(), at(talk.get("as_of", AS_OF))
    owner = Owner(zone=ZONE)
    messages = rows_to_frame(Message, list(_messages(talk)))
    sifted = sift(messages, empty(Turn), empty(Signal), rules=rules.sift, as_of=as_of)
    cut = segment(sifted.turns, empty(Turn), sifted.signals, rules=rules.segment, embed=no_vectors)  # type: ignore[arg-type]
    said = extract(cut.topics, sifted.heard, rules=rules.extract, owner=owner, ask=Offline())
    linked = link(
        said.claims,
        empty(ClaimRow),
        messages,
        empty(Decision),
        empty(Decision),
        sifted.heard,
        rules=rules.link,
        owner=owner,
    )
    merged = merge(linked.claims, empty(MemoryRow), rules=rules.merge)
    settled = reconcile(
        merged.memories, empty(MemoryRow), linked.claims, linked.mentions, rules=rules.reconcile, as_of=as_of
    )
    return settled.memories.to_dicts()


def _messages(talk: Row) -> Iterator[Message]:
    """A line is "2026-03-02 08:10 user: words"; without a time it was said with the line before. A day is a session."""
    stamp = ""
    for seq, line in enumerate(talk["lines"]):
        time, who, words = re.fullmatch(r"(\d{4}-\d\d-\d\d \d\d:\d\d )?(\w+): (.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
        stamp = (time or stamp).strip()
        local = datetime.fromisoformat(stamp).replace(tzinfo=ZoneInfo(ZONE))
        offset = local.utcoffset()
        assert offset is not None
        yield message(
            words,
            session=stamp[:10],
            seq=seq,
            said=local.isoformat(),
            role=_ROLES[who],
            offset_minutes=int(offset.total_seconds() // 60),
        )


def _is(memory: Row, wanted: str) -> bool:
    """Whether a memory is what "kind status / kind status: word, word / word" asks for."""
    heads, words = wanted.split(": ", 1)
    state = memory["commitment_state"] if memory["status"] == "active" and memory["commitment_state"] else None
    found = f"{memory['kind']} {state or memory['status']}"
    text = memory["text"].casefold()
    return found in heads.split(" / ") and all(
        any(word in text for word in group.split(" / ")) for group in words.split(", ")
    )
