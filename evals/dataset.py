"""LoCoMo's files: turns, questions, and the evidence ids that its annotators wrote in several ways.

Belongs here: reading the data set for judging. Does not belong here: how a night reads it (its own source does), and any figure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from slowwave.errors import UsageError

ADVERSARIAL = 5
CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", ADVERSARIAL: "adversarial"}
# "D8:6; D9:17" holds two, "D:11:26" has a colon too many, "D30:05" a nought.
_ID = re.compile(r"D:?\s*0*([0-9]+)\s*:\s*0*([0-9]+)", re.IGNORECASE)
_SESSION = re.compile(r"session_([0-9]+)")


@dataclass(frozen=True)
class Question:
    """One question and the turns that hold its answer; `n_unresolved` are ids that name no turn."""

    text: str
    category: int
    evidence: frozenset[str]
    n_unresolved: int


@dataclass(frozen=True)
class Conversation:
    """One file: what was said, turn by turn, and what is asked about it."""

    path: Path
    turns: Mapping[str, str]
    last_at: datetime
    questions: tuple[Question, ...]

    @property
    def as_of(self) -> datetime:
        """The day after its last session: when its night walks and its questions are asked."""
        return self.last_at + timedelta(days=1)


@dataclass(frozen=True)
class Said:
    """One turn as it was said: its id, its session, by whom, when its session began, the words, and what a picture with them shows."""

    id: str
    session: int
    speaker: str
    began_at: datetime
    text: str
    caption: str = ""


def conversations(data: Path) -> list[Conversation]:
    """Every conversation of a data folder, or of a folder of conversation files. Raises UsageError where there is none."""
    folder = data / "locomo" if (data / "locomo").is_dir() else data
    files = sorted(folder.glob("conv-*.json"))
    if not files:
        raise UsageError(
            f"there are no LoCoMo conversations in {folder}",
            "Name the folder that holds locomo/conv-*.json: --data DIR",
        )
    return [read(file) for file in files]


def read(file: Path) -> Conversation:
    """One conversation file."""
    sample: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    talk: dict[str, Any] = sample["conversation"]
    turns = {turn["dia_id"]: turn["text"] for _, said in _sessions(talk) for turn in said}
    last = max(number for number, _ in _sessions(talk))
    questions = tuple(_question(asked, turns) for asked in sample["qa"])
    return Conversation(file, turns, _time(talk[f"session_{last}_date_time"]), questions)


def said(file: Path) -> list[Said]:
    """Every turn of a conversation file, session after session."""
    talk: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["conversation"]
    return [
        Said(
            turn["dia_id"],
            number,
            turn["speaker"],
            _time(talk[f"session_{number}_date_time"]),
            turn["text"],
            turn.get("blip_caption", ""),
        )
        for number, turns in sorted(_sessions(talk), key=lambda session: session[0])
        for turn in turns
    ]


def _sessions(talk: Mapping[str, Any]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    for name, said in talk.items():
        if (found := _SESSION.fullmatch(name)) and said:
            yield int(found[1]), said


def _time(text: str) -> datetime:
    return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _question(asked: Mapping[str, Any], turns: Mapping[str, str]) -> Question:
    named = [name for text in asked.get("evidence") or [] for name in evidence_ids(str(text)) or [str(text)]]
    known = frozenset(name for name in named if name in turns)
    return Question(str(asked["question"]), int(asked["category"]), known, sum(name not in turns for name in named))


def evidence_ids(text: str) -> list[str]:
    """The turn ids in an evidence string, each as the turns write theirs; none where it can't be read."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _ID.findall(text)]
