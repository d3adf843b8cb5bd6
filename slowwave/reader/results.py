"""What a reader returns: results with every part of their score visible, and the story of one memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from slowwave.format import CommitmentState, Evidence, Memory, Turn

TURN = "turn"
# A memory said twenty times is one result: its first words and its latest; `why` shows the rest.
MAX_QUOTES = 3


@dataclass(frozen=True, kw_only=True)
class Past:
    """What a memory took the place of, shown beneath its successor; or what took its own place since."""

    id: str
    text: str
    status: str
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One result: a memory, or (kind `turn`) the verbatim words of a message that no better memory stands for."""

    id: str
    text: str
    kind: str
    subject: str
    status: str
    score: float
    parts: dict[str, float]
    evidence: tuple[Evidence, ...]
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    due_at: datetime | None = None
    commitment_state: str | None = None
    first_seen_at: datetime | None = None
    last_seen_at: datetime | None = None
    project: str | None = None
    superseded_by: str | None = None
    history: tuple[Past, ...] = ()
    successor: Past | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain values, times as ISO text: what `--json` prints."""
        return plain(asdict(self))


@dataclass(frozen=True, kw_only=True)
class Story:
    """Everything about one memory: what it rests on, what was decided, what it replaced and what replaced it."""

    memory: Memory
    turns: tuple[Turn, ...]
    decisions: tuple[dict[str, Any], ...]
    replaces: tuple[Memory, ...]
    replaced_by: tuple[Memory, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, times as ISO text."""
        return plain(asdict(self))


def from_memory(
    memory: Memory,
    now: datetime,
    found: tuple[float, dict[str, float]],
    past: tuple[Past, ...],
    successor: Past | None = None,
) -> Recalled:
    """A memory as a result; whether a commitment is overdue is a matter of now, not of the night."""
    is_late = memory.commitment_state == CommitmentState.OPEN and memory.due_at is not None and memory.due_at < now
    return Recalled(
        id=memory.id,
        text=memory.text,
        kind=memory.kind,
        subject=memory.subject,
        status=memory.status,
        score=found[0],
        parts=found[1],
        evidence=tuple(memory.evidence),
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        due_at=memory.due_at,
        commitment_state=CommitmentState.OVERDUE if is_late else memory.commitment_state,
        first_seen_at=memory.first_seen_at,
        last_seen_at=memory.last_seen_at,
        project=memory.project,
        superseded_by=memory.superseded_by,
        history=past,
        successor=successor,
    )


def from_turn(turn: Turn, span: tuple[int, int], found: tuple[float, dict[str, float]]) -> Recalled:
    """A stretch of a turn as a result; it is its own evidence, placed in the captured text."""
    words = turn.text[span[0] : span[1]]
    return Recalled(
        id=turn.id,
        text=words,
        kind=TURN,
        subject=turn.speaker,
        status=turn.status,
        score=found[0],
        parts=found[1],
        evidence=tuple(_quotes(turn, span)),
        first_seen_at=turn.said_at,
        last_seen_at=turn.said_at,
        project=turn.project,
    )


def _quotes(turn: Turn, span: tuple[int, int]) -> Iterator[Evidence]:
    """The stretch as captured words: one quote for each kept span that it touches."""
    at = 0
    for kept in turn.spans:
        start, end = max(span[0], at), min(span[1], at + kept.end - kept.start)
        if start < end:
            yield Evidence(
                source_id=turn.id,
                session_id=turn.session_id,
                message_id=turn.message_id,
                start=kept.start + start - at,
                end=kept.start + end - at,
                quote=turn.text[start:end],
                said_at=turn.said_at,
            )
        # Between two spans stands one line break, which is ours.
        at += kept.end - kept.start + 1


def briefly(result: Recalled) -> Recalled:
    """The result with its first quote and its latest ones."""
    quotes = sorted(result.evidence, key=lambda e: (str(e.said_at), e.session_id, e.message_id, e.start))
    return replace(
        result, evidence=tuple(quotes if len(quotes) <= MAX_QUOTES else [quotes[0], *quotes[1 - MAX_QUOTES :]])
    )


def past_of(memory: Memory) -> Past:
    """A superseded memory as it is shown beneath its successor."""
    return Past(
        id=memory.id, text=memory.text, status=memory.status, valid_from=memory.valid_from, valid_to=memory.valid_to
    )


def plain(value: Any) -> Any:
    """Nested values as JSON takes them."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value.isoformat() if isinstance(value, datetime) else value
