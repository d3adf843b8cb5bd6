"""What lies at a path, as a person asks before a first night: platforms, sessions, messages, and what is set aside and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.sources import Damaged, Gone, RawMessage, Source, is_there, kinds_of, parse_source, require_readable
from slowwave.errors import UsageError
from slowwave.render import one_line


@dataclass
class Found:
    """What one kind of source would hand over. `marked` counts messages that are no evidence, by why."""

    kind: str
    n_sessions: int = 0
    n_messages: int = 0
    n_signals: int = 0
    n_deleted: int = 0
    n_damaged: int = 0
    first_at: str | None = None
    last_at: str | None = None
    marked: dict[str, int] = field(default_factory=dict)
    users: list[str] = field(default_factory=list)
    damaged: dict[str, int] = field(default_factory=dict)


def look(path: Path) -> list[Found]:
    """Every kind that the path looks like, read through once. Raises UsageError where there is nothing, SourceError."""
    if not is_there(path):
        raise UsageError(f"there is nothing at {path}", "Check the path: slowwave sources PATH")
    found = [_counted(Source(kind, path)) for kind in kinds_of(path)]
    if not found:
        require_readable(path)
    return found


def spoken(source: str) -> list[RawMessage]:
    """Every message that `KIND=PATH` would hand over, copies included, in its order. Raises UsageError, SourceError."""
    return [item for item in parse_source(source).read() if isinstance(item, RawMessage)]


def _counted(source: Source) -> Found:
    found, sessions, users = Found(source.kind), set[str](), set[str]()
    marked, reasons = Counter[str](), Counter[str]()
    times: list[str] = []
    for item in source.read():
        if isinstance(item, Damaged):
            found.n_damaged += 1
            reasons[item.reason] += 1
        elif isinstance(item, Gone):
            found.n_deleted += 1
        elif isinstance(item, RawMessage):
            found.n_messages += 1
            sessions.add(item.session_id)
            users.update([item.user_id] if item.user_id else [])
            marked.update([item.mark] if item.mark else [])
            if item.said_at:
                times = (
                    [*times, item.said_at.isoformat()] if len(times) < 2 else _widened(times, item.said_at.isoformat())
                )
        else:
            found.n_signals += 1
    found.n_sessions, found.users, found.marked = len(sessions), sorted(users), dict(sorted(marked.items()))
    found.damaged = dict(sorted(reasons.items()))
    found.first_at, found.last_at = (min(times), max(times)) if times else (None, None)
    return found


def _widened(times: list[str], at: str) -> list[str]:
    return [min(*times, at), max(*times, at)]


def told(path: Path, found: list[Found]) -> str:
    """The same for a person, with the flag that would read it. Names are other people's: none can write a line of its own."""
    if not found:
        return one_line(f"nothing at {path} is recognised; name its kind: --source KIND={path}")
    return "\n".join(one_line(line) for one in found for line in _lines(path, one))


def _lines(path: Path, one: Found) -> Iterator[str]:
    span = f", {one.first_at[:10]} to {one.last_at[:10]}" if one.first_at and one.last_at else ""
    aside = ", ".join(f"{n} {mark}" for mark, n in one.marked.items())
    parts = [
        f"{one.kind}: {one.n_messages} messages in {one.n_sessions} sessions{span}",
        f"  {one.n_signals} signals" if one.n_signals else "",
        f"  set aside by the platform: {aside}" if aside else "",
        f"  {one.n_deleted} deletions on record" if one.n_deleted else "",
        f"  damaged places: {', '.join(f'{n} {reason}' for reason, n in one.damaged.items())}" if one.damaged else "",
        f"  users: {', '.join(one.users)}" if len(one.users) > 1 else "",
        f"  read it with --source {one.kind}={path}",
    ]
    return (part for part in parts if part)
