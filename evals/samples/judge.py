"""What a night over samples published, beside the right answers: items, traps, the evidence that was kept, and the tokens.

Belongs here: the matching rules of `expected.json`. Does not belong here: reading a store (`published`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from evals.published import artefacts_text, current, run_table
from slowwave import tokens
from slowwave.format import Memory
from slowwave.reader.tables import Tables
from slowwave.store import version_folder

Row = dict[str, Any]
# What must reach nothing that is published, raw turns included; the others must stay out of memories and documents.
NOWHERE = ("secret", "injection", "forget", "branch", "rewound", "sidechain", "summary", "scaffold")
# Ids and hashes are chance letters: no pattern is looked for in them.
_HASH = re.compile(r"\b(?:[a-z]{3}_)?(?=[a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{4,})*\b", re.IGNORECASE)
# Names of a message, besides its own, by which evidence may cite it.
_TABLES = ("messages", "Message_v2")


def snapshot_faults(text: str, expected: Row, names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The items that a bounded snapshot of these samples lacks, and those that it holds as current and should not.

    A line that says what took an item's place, or that is about another item as well, does not hold it as current.
    """
    known = {item["id"]: item for item in expected["items"]}
    here = {one for name in names for one in expected["samples"][name]["must_contain"]}
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    missing = [one for one in expected["snapshot_must_include"] if one in here and not _tells(lines, known[one])]
    others = [item for one, item in known.items() if one not in expected["snapshot_must_exclude"]]
    current = [line for line in lines if not any(_tells([line], item) for item in others)]
    return missing, [one for one in expected["snapshot_must_exclude"] if one in here and _tells(current, known[one])]


def _tells(lines: Iterable[str], item: Row) -> bool:
    return any(
        all(any(re.search(one, line, re.IGNORECASE) for one in group) for group in item["match"]) for line in lines
    )


@dataclass(frozen=True)
class Judged:
    """What came out, beside what should have."""

    n_items: int
    missed: list[str]
    traps_stored: list[str]
    traps_remembered: list[str]
    n_evidence: int
    lost: list[str]
    n_tokens: int
    n_tokens_kept: int


def judge(store: Path, run: str | None, names: tuple[str, ...], expected: Row) -> Judged:
    """Compare the version that serves, and what the run's sift kept, with the right answers of these samples."""
    memories = _memories(store)
    wanted = _wanted(names, expected)
    items = [item for item in expected["items"] if item["id"] in wanted]
    messages, kept = _said(store, run)
    refs = {evidence["ref"] for item in items for name in names for evidence in item["evidence"].get(name, [])}
    evidence = {
        ref: key for message in messages for ref in _refs(message) if ref in refs for key in [message["msg_key"]]
    }
    return Judged(
        n_items=len(items),
        missed=[item["id"] for item in items if not any(_is(memory, item, wanted[item["id"]]) for memory in memories)],
        traps_stored=trapped(artefacts_text(store), expected, NOWHERE),
        traps_remembered=_remembered(store, memories, items, expected),
        n_evidence=len(refs),
        lost=sorted(ref for ref in refs if not kept.get(evidence.get(ref, ""), 0)),
        n_tokens=sum(tokens.count(message["text"]) for message in messages),
        n_tokens_kept=sum(kept.values()),
    )


def _memories(store: Path) -> list[Memory]:
    manifest = current(store)
    return list(Tables(store, manifest).where("memories", Memory)) if manifest else []


def _wanted(names: tuple[str, ...], expected: Row) -> dict[str, str]:
    """The items and the status that each should have: by one sample's evidence alone, or by that of all."""
    if len(names) == 1:
        return dict(expected["samples"][names[0]]["must_contain"])
    return {item["id"]: item["status_all_samples"] for item in expected["items"]}


def _is(memory: Memory, item: Row, status: str) -> bool:
    """Whether a memory is the item: words, kind and status."""
    found = str(memory.status)
    if memory.commitment_state and found == "active":
        found = str(memory.commitment_state)
    return memory.kind == item["kind"] and found == status and _matches(memory.text, item)


def _matches(text: str, item: Row) -> bool:
    return all(any(re.search(one, text, re.IGNORECASE) for one in group) for group in item["match"])


def trapped(text: str, expected: Row, names: Iterable[str]) -> list[str]:
    """Which of these traps' patterns stand in a text."""
    plain = _HASH.sub(" ", text)
    patterns = {name: expected["must_not"][name]["pattern"] for name in names}
    return [name for name, pattern in patterns.items() if pattern and re.search(pattern, plain, re.IGNORECASE)]


def _remembered(store: Path, memories: list[Memory], items: list[Row], expected: Row) -> list[str]:
    """The traps that stand in memories or documents, wrongly dated commitments among them."""
    manifest = current(store)
    files = sorted(version_folder(store, manifest.version).glob("*.md")) if manifest else []
    text = "\n".join([*(memory.text for memory in memories), *(file.read_text(encoding="utf-8") for file in files)])
    found = trapped(text, expected, (name for name in expected["must_not"] if name not in NOWHERE))
    return [*found, *sorted(_misdated(memories, items, expected))]


def _misdated(memories: list[Memory], items: list[Row], expected: Row) -> Iterator[str]:
    zone, wrong = ZoneInfo(expected["timezone"]), expected["must_not"]["wrong_date"]["wrong_due"]
    for item in items:
        for memory in memories:
            day = _day(memory.due_at, zone)
            if day and wrong.get(item["id"]) == day and memory.kind == item["kind"] and _matches(memory.text, item):
                yield f"wrong_date {item['id']}"
                break


def _day(at: datetime | None, zone: ZoneInfo) -> str | None:
    return at.astimezone(zone).date().isoformat() if at else None


def _said(store: Path, run: str | None) -> tuple[list[Row], Mapping[str, int]]:
    """The messages of a run, and the tokens that its sift kept of each."""
    messages, turns = run_table(store, run, "begin.messages"), run_table(store, run, "sift.turns")
    kept: dict[str, int] = {}
    for key, text, spans in turns.select("msg_key", "text", "spans").iter_rows() if turns is not None else ():
        kept[key] = sum(tokens.count(text[span["start"] : span["end"]]) for span in spans)
    return (messages.to_dicts() if messages is not None else []), kept


def _refs(message: Row) -> Iterator[str]:
    """The names by which evidence may cite a message: its id alone, under its table, after its session, or its place there."""
    yield message["message_id"]
    yield f"{message['session_id']}#{message['message_id']}"
    yield f"{message['session_id']}#{message['seq']}"
    for table in _TABLES:
        yield f"{table}/{message['message_id']}"
