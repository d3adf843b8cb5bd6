"""The lines of the inbox without what is forgotten, each at its old length: its place in its session, and its id, stay.

Belongs here: what is written over which bytes. Does not belong here: files and locks (`erase`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adapters.capture.forgotten import place_of
from adapters.capture.rows import trust_of
from adapters.forget.values import cleaned, strings
from adapters.sources import RawMessage, jsonl
from models.forgotten import Forgotten, Place
from models.ids import message_key
from models.message import FORGOTTEN

Said = Mapping[int, RawMessage]
_TEXTS = ("content", "text")
# What a message is known by, and by which it is placed, is no text of anybody's.
_PLACES = (
    "session_id",
    "message_id",
    "user_id",
    "platform",
    "role",
    "created_at",
    "timestamp",
    "at",
    "memory_id",
    "verdict",
    "trust",
)
_LONGEST = 32 * 2**20


def said_in(sessions: Path) -> dict[str, dict[int, RawMessage]]:
    """The messages of the inbox, by file and number of line."""
    found: dict[str, dict[int, RawMessage]] = defaultdict(dict)
    for item in jsonl.read(sessions) if sessions.is_dir() else ():
        if isinstance(item, RawMessage):
            name, _, number = item.place.rpartition(":")
            found[name][int(number)] = item
    return found


def written_over(path: Path, said: Said, forgotten: Forgotten) -> Iterator[tuple[int, bytes]]:
    """Where in the file a line is to be written over, and with what, as many bytes as it had."""
    with path.open("rb") as file:
        at, number = 0, 0
        while raw := file.readline(_LONGEST):
            number += 1
            body = raw.rstrip(b"\r\n")
            left = _left(body, said.get(number), forgotten)
            if left is not None:
                yield at, left.ljust(len(body))
            at += len(raw)


def _left(body: bytes, raw: RawMessage | None, forgotten: Forgotten) -> bytes | None:
    """A line as it is to be, None where it may stay; what can't be read any more, and names what is forgotten, is left blank."""
    try:
        line = json.loads(body)
    except (ValueError, RecursionError):
        line = body.decode("utf-8", "replace")
    if not isinstance(line, dict):
        return b"" if any(True for one in strings(line) for _ in forgotten.found(one)) else None
    place = _place(raw) if raw is not None else Place()
    left = {name: value if name in _PLACES else cleaned(value, place, forgotten) for name, value in line.items()}
    if raw is not None and forgotten.is_whole(place):
        left = {**{name: value for name, value in left.items() if name not in _TEXTS}, "content": ""}
    if left == line:
        return None
    if raw is not None:
        left = _known(left, raw)
    made = _written(left)
    return made if len(made) <= len(body) else _short(left, len(body))


def _place(raw: RawMessage) -> Place:
    row = {
        "role": raw.role,
        "mark": raw.mark,
        "trust": trust_of(raw),
        "platform": raw.platform,
        "session_id": raw.session_id,
    }
    key = message_key(raw.platform, raw.session_id, raw.message_id, raw.seq)
    return place_of({**row, "msg_key": key, "said_at": raw.said_at})


def _known(left: dict[str, Any], raw: RawMessage) -> dict[str, Any]:
    """With the id that the message had: one is made of the words where a line has none."""
    known = {**left, "message_id": raw.message_id}
    is_empty = not any(left.get(name) for name in _TEXTS) and raw.text
    return {**known, "mark": FORGOTTEN} if is_empty else known


def _short(left: dict[str, Any], size: int) -> bytes:
    """What a message is known again by, where there is no room for more; blank where there is none even for that."""
    made = _written({name: left[name] for name in _PLACES if name in left} | {"content": "", "mark": FORGOTTEN})
    return made if len(made) <= size else b""


def _written(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
