"""What lies at a path, as a person asks before a first night: platforms, sessions, messages, and what is set aside and why."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.sources import Damaged, Gone, Item, RawMessage, Source, is_there, kinds_of, parse_source, refuse_unknown
from adapters.sources.unrecognised import broken_zips
from models.ids import message_key
from slowwave.errors import UsageError
from slowwave.render import one_line

# What no kind reads, though it may have been an export.
NOBODYS = "unread"
_Times = tuple[str, str] | None


@dataclass
class Found:
    """What one kind of source would hand over: `n_messages` different ones, of which `n_live` are said to a person or by one.

    `n_copies` more are the same messages again, of a branch, a fork or another export; `marked` counts those that are no evidence, by
    why; `damaged` counts damaged places by why, and `first_damaged` names the first of each.
    """

    kind: str
    n_sessions: int = 0
    n_messages: int = 0
    n_live: int = 0
    n_copies: int = 0
    n_signals: int = 0
    n_deleted: int = 0
    n_damaged: int = 0
    first_at: str | None = None
    last_at: str | None = None
    marked: dict[str, int] = field(default_factory=dict)
    users: list[str] = field(default_factory=list)
    damaged: dict[str, int] = field(default_factory=dict)
    first_damaged: dict[str, str] = field(default_factory=dict)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing could be read, though something is there."""
        return bool(self.n_damaged) and not (self.n_messages or self.n_signals or self.n_deleted)


def look(path: Path) -> list[Found]:
    """Every kind that the path looks like, read through once, and what nobody reads of it.

    Raises UsageError where there is nothing, and SourceError where nothing is recognised, with why of each file that can't be read.
    """
    if not is_there(path):
        raise UsageError(f"there is nothing at {path}", "Check the path: slowwave sources PATH")
    found = [_counted(Source(kind, path)) for kind in kinds_of(path)]
    if not found:
        refuse_unknown(path)
    told = {place for one in found for place in one.first_damaged.values()}
    broken = {file: why for file, why in broken_zips(path).items() if file not in told}
    return [*found, *_nobodys(broken)]


def _nobodys(broken: Mapping[str, str]) -> Iterator[Found]:
    if broken:
        first = {why: file for file, why in sorted(broken.items(), reverse=True)}
        counts = dict(sorted(Counter(broken.values()).items()))
        yield Found(NOBODYS, n_damaged=len(broken), damaged=counts, first_damaged=first)


def spoken(source: str) -> list[RawMessage]:
    """Every message that `KIND=PATH` would hand over, copies included, in its order. Raises UsageError, SourceError."""
    return [item for item in parse_source(source).read() if isinstance(item, RawMessage)]


def _counted(source: Source) -> Found:
    count = _Count(Found(source.kind))
    for item in source.read():
        count.take(item)
    return count.done()


class _Count:
    """Counts one source's items."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.sessions, self.users, self.keys = set[str](), set[str](), set[str]()
        self.marked, self.reasons = Counter[str](), Counter[str]()
        self.times: _Times = None

    def take(self, item: Item) -> None:
        """Count one item."""
        if isinstance(item, Damaged):
            self.found.n_damaged += 1
            self.reasons[item.reason] += 1
            self.found.first_damaged.setdefault(item.reason, f"{item.file}:{item.line}" if item.line else item.file)
        elif isinstance(item, Gone):
            self.found.n_deleted += 1
        elif isinstance(item, RawMessage):
            self._take_message(item)
        else:
            self.found.n_signals += 1

    def _take_message(self, item: RawMessage) -> None:
        self.sessions.add(item.session_id)
        self.users.update([item.user_id] if item.user_id else [])
        key = message_key(item.platform, item.session_id, item.message_id, item.seq)
        if key in self.keys:
            self.found.n_copies += 1
            return
        self.keys.add(key)
        self.marked.update([item.mark] if item.mark else [])
        if item.said_at:
            at = item.said_at.isoformat()
            self.times = (min(self.times[0], at), max(self.times[1], at)) if self.times else (at, at)

    def done(self) -> Found:
        """The counts."""
        made = self.found
        made.n_sessions, made.users, made.marked = (
            len(self.sessions),
            sorted(self.users),
            dict(sorted(self.marked.items())),
        )
        made.n_messages, made.damaged = len(self.keys), dict(sorted(self.reasons.items()))
        made.n_live = made.n_messages - self.marked.total()
        made.first_at, made.last_at = self.times or (None, None)
        return made


def told(path: Path, found: list[Found]) -> str:
    """The same for a person, with the flag that would read it. Names are other people's: none can write a line of its own."""
    return "\n".join(one_line(line) for one in found for line in _lines(path, one))


def _lines(path: Path, one: Found) -> Iterator[str]:
    span = f", {one.first_at[:10]} to {one.last_at[:10]}" if one.first_at and one.last_at else ""
    aside = ", ".join(f"{n} {mark}" for mark, n in one.marked.items())
    broken = ", ".join(
        f"{n} {why} ({'first ' if n > 1 else ''}at {one.first_damaged[why]})" for why, n in one.damaged.items()
    )
    is_read = one.kind != NOBODYS
    parts = [
        f"{one.kind}: {one.n_live} live messages in {one.n_sessions} sessions{span}" if is_read else "read by no kind:",
        f"  {one.n_signals} signals" if one.n_signals else "",
        f"  set aside by the platform: {aside}" if aside else "",
        f"  copies, which add nothing: {one.n_copies} messages" if one.n_copies else "",
        f"  {one.n_deleted} deletions on record" if one.n_deleted else "",
        f"  damaged places: {broken}" if broken else "",
        f"  users: {', '.join(one.users)}" if len(one.users) > 1 else "",
        f"  read it with --source {shlex.quote(f'{one.kind}={path}')}"
        if is_read
        else "  mend or replace the file, then look again",
    ]
    return (part for part in parts if part)
