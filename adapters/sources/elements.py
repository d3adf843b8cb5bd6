"""JSON arrays of conversations, split and parsed one element at a time, in bounded memory, each good or damaged on its own.

Belongs here: splitting, parsing, and which files of an export hold what is asked for. Does not belong here: what an element means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from adapters.sources.archive import Member, members
from adapters.sources.lines import source_error
from adapters.sources.protocol import BadLine, Damaged, RawMessage, parsed_json
from slowwave.errors import SourceError

# A longer conversation is nobody's, and parsed it would take several times its size.
MAX_ELEMENT_BYTES = 64 * 2**20
# How many files of a folder are looked at to recognise a format.
_N_FILES = 20
_BETWEEN = b" \t\r\n,"
# To the next bracket outside strings in one step, or to a string that these bytes don't end. Possessive, so no text makes it slow.
_NEXT = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+(?:([\[{])|([\]}])|")', re.DOTALL)
_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


class Record(NamedTuple):
    """One element: where it stands (`file`, the `number` it has there, from 1; `path` inside its archive), and its object."""

    file: str
    path: str
    number: int
    found: dict[str, Any]


@dataclass(frozen=True)
class Export:
    """What is known of an export: files read by name, files never opened, and how an element looks where no name tells."""

    named: re.Pattern[str]
    never: re.Pattern[str]
    is_ours: Callable[[dict[str, Any]], bool]

    def records(self, path: Path) -> Iterator[Record | Damaged]:
        """Every element of the files that belong to it. Raises SourceError where the path holds none, unless it is a folder."""
        n_found = 0
        for member in members(path, self._is_wanted):
            is_asked_for = isinstance(member, Member) and not member.path
            n_found += is_asked_for
            for item in [member] if isinstance(member, Damaged) else self._elements(member):
                if is_asked_for and isinstance(item, Damaged) and item.line == 0:
                    raise source_error(path, f"cannot be read: {item.reason}")
                n_found += 1
                yield item
        if not n_found and not path.is_dir():
            raise source_error(path, "holds no conversations")

    def recognises(self, path: Path) -> bool:
        """Whether what lies at the path looks like it, from the first element of a few files."""
        try:
            found = (m for m in members(path, self._is_wanted) if isinstance(m, Member))
            firsts = (next(elements(member), None) for member in islice(found, _N_FILES))
            return any(isinstance(first, Record) and self.is_ours(first.found) for first in firsts)
        except SourceError:
            return False

    def _is_wanted(self, name: str) -> bool:
        return name.lower().endswith(".json") and not self.never.search(name)

    def _elements(self, member: Member) -> Iterator[Record | Damaged]:
        every = elements(member)
        if not member.path or self.named.search(member.path):
            return every
        first = next(every, None)
        is_ours = isinstance(first, Record) and self.is_ours(first.found)
        return chain([first], every) if is_ours and first else iter(())


def elements(member: Member) -> Iterator[Record | Damaged]:
    """Each object of a JSON array, or the one object that the file is; what is none of it is named by its number."""
    splitter, number = _Splitter(), 0
    try:
        for chunk in member.chunks():
            for raw in splitter.feed(chunk):
                number += 1
                yield _element(member, number, raw)
    except BadLine as error:
        yield Damaged(member.name, number + 1 if number else 0, str(error))
        return
    if reason := splitter.end():
        yield Damaged(member.name, number + 1 if splitter.base >= 0 else 0, reason)


def _element(member: Member, number: int, raw: bytes) -> Record | Damaged:
    if len(raw) > MAX_ELEMENT_BYTES:
        return Damaged(member.name, number, "conversation too long", _digest(raw))
    try:
        # A byte that is no text is kept as a half character, so that only its message is damaged.
        found = parsed_json(raw.decode("utf-8", "surrogateescape"))
    except BadLine as error:
        return Damaged(member.name, number, str(error), _digest(raw))
    if not isinstance(found, dict):
        return Damaged(member.name, number, "not an object", _digest(raw))
    return Record(member.name, member.path, number, found)


def _digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()[:16]


def state(found: Any) -> str:
    """The digest of a damaged object, which may hold half characters."""
    return _digest(json.dumps(found, sort_keys=True).encode())


def sound(made: RawMessage) -> RawMessage:
    """The message itself. Raises BadLine where one of its texts can't be written in UTF-8."""
    named = (made.session_id, made.message_id, made.speaker, made.project, made.thread, made.tool_name)
    for text in (made.text, *named):
        if text and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                is_byte = "\udc80" <= text[error.start] <= "\udcff"
                raise BadLine("invalid UTF-8" if is_byte else "half a character") from error
    return made


@dataclass
class _Splitter:
    """The bytes of each top-level element, from chunks of any size; only structure is looked at, not whether it is JSON."""

    base: int = -1
    depth: int = 0
    is_in_string: bool = False
    is_escaped: bool = False
    is_closed: bool = False
    has_junk: bool = False
    parts: list[bytes] = field(default_factory=list)
    n_bytes: int = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The elements that end in this chunk. Raises BadLine where the file starts as no JSON."""
        if self.base < 0:
            chunk = self._begin(chunk)
        pos, start = self._after_string(chunk, 0), 0
        while not self.is_closed and (match := _NEXT.match(chunk, pos)):
            pos = match.end()
            if match[1]:
                if self.depth == self.base:
                    yield from self._junk(chunk[start : pos - 1])
                    start = pos - 1
                self.depth += 1
            elif match[2]:
                self.depth -= 1
                self.is_closed = self.depth < self.base
                if self.depth == self.base:
                    self._hold(chunk[start:pos])
                    start = pos
                    yield self._taken()
                elif self.is_closed:
                    yield from self._junk(chunk[start : pos - 1])
            else:
                self.is_in_string = True
                pos = self._after_string(chunk, pos)
        self._rest(chunk[start:])

    def end(self) -> str | None:
        """What is wrong with how the file ended."""
        if self.base < 0:
            return "empty file"
        return "cut short" if self.depth > self.base or (self.base and not self.is_closed) else None

    def _begin(self, chunk: bytes) -> bytes:
        chunk = chunk.removeprefix(b"\xef\xbb\xbf").lstrip(_BETWEEN)
        if chunk[:1] not in (b"[", b"{", b""):
            raise BadLine("not JSON")
        if chunk.startswith(b"["):
            self.base = self.depth = 1
            return chunk[1:]
        self.base = 0 if chunk else -1
        return chunk

    def _after_string(self, chunk: bytes, pos: int) -> int:
        """The place after the string that is open, or the end of the chunk."""
        if not self.is_in_string:
            return pos
        match = _STRING.match(chunk, pos + self.is_escaped)
        place = match.end() if match else pos
        self.is_escaped = chunk[place : place + 1] == b"\\"
        self.is_in_string = place >= len(chunk) or self.is_escaped
        return len(chunk) if self.is_in_string else place + 1

    def _junk(self, between: bytes) -> Iterator[bytes]:
        """What stands between two elements, once, if it is more than a comma: it is an element that is no object."""
        if self.has_junk or between.strip(_BETWEEN):
            self.has_junk = False
            yield b"null"

    def _rest(self, rest: bytes) -> None:
        if self.depth > self.base:
            self._hold(rest)
        elif not self.is_closed:
            self.has_junk = self.has_junk or bool(rest.strip(_BETWEEN))

    def _hold(self, part: bytes) -> None:
        # One byte over the limit is held, and says that it was passed.
        room = MAX_ELEMENT_BYTES + 1 - self.n_bytes
        if room > 0:
            self.parts.append(part[:room])
            self.n_bytes += len(self.parts[-1])

    def _taken(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts, self.n_bytes = [], 0
        return taken
