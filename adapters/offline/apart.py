"""A list of wishes of several kinds in one sentence, taken apart: "short answers, no emoji, metric"."""

from __future__ import annotations

import re

from adapters.offline.kinds import Sort, sort_of
from slowwave.format import Kind

_WISHES = (Kind.COMMUNICATION_PREFERENCE, Kind.PREFERENCE)
_APART = (*_WISHES, Kind.CONSTRAINT, Kind.ROUTINE)
_COMMA = re.compile(r"[,;] (?:and )?")


def wishes_apart(text: str, sort: Sort) -> list[tuple[str, Sort]]:
    """The parts of a list of wishes of several kinds ("short answers, no emoji, metric"), each with its sort; none where it is of one."""
    if sort.kind not in _APART or not _COMMA.search(text):
        return []
    parts: list[tuple[str, Sort]] = []
    for piece in _COMMA.split(text):
        found = sort_of(piece)
        if parts and (found.kind not in _APART or found.kind is parts[-1][1].kind):
            parts[-1] = (f"{parts[-1][0]}, {piece}", parts[-1][1])
        else:
            parts.append((piece, found))
    is_apart = len(parts) > 1 and all(p.kind in _APART for _, p in parts) and any(p.kind in _WISHES for _, p in parts)
    return [(f"{part[0].upper()}{part[1:].rstrip('.')}.", found) for part, found in parts] if is_apart else []
