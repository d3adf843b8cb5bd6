"""A file that is read at every start: what matters most in full, and where the rest is found.

Belongs here: fitting records and a list of pointers into one file. Does not belong here: which records and which pointers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slowwave.export.choice import sections
from slowwave.export.target import Line, Made, Room
from slowwave.fit import Budget, Cost, Record, cost

# Of the file's room, what records may fill while there are pointers to show.
_RECORDS_SHARE = 0.6


def indexed(
    records: Sequence[Record],
    groups: Sequence[str],
    pointers: Sequence[str],
    room: Room,
    *,
    title: str,
    opening: Sequence[str] = (),
) -> Made:
    """Records under their headings, then as many pointers as there is room for under `title`; `opening` comes first of all."""
    need = sum((cost(line) for line in ["", f"## {title}", *pointers]), Cost())
    is_roomy = (room.used + need).is_within(_part(room, 1 - _RECORDS_SHARE))
    part = replace(room, used=room.used + need) if is_roomy else replace(room, budget=_part(room, _RECORDS_SHARE))
    made = sections(records, groups, part, head=opening)
    used = room.used + sum((cost(line.text) for line in made.lines), Cost())
    lines = list(made.lines)
    for pointer in filter(room.is_free, pointers):
        start = [] if any(line.text == f"## {title}" for line in lines) else ["", f"## {title}"]
        more = sum((cost(line) for line in [*start, pointer]), Cost())
        if not (used + more).is_within(room.budget):
            break
        used += more
        lines += [Line(text) for text in [*(start if lines else start[1:]), pointer]]
    return Made(lines, made.omitted_ids)


def _part(room: Room, share: float) -> Budget:
    """The budget of a part of what is left in the room."""
    used, most = vars(room.used), vars(room.budget)
    spent = {name: used[name.removeprefix("max_")] for name in most}
    caps = {name: None if cap is None else cap - int((cap - spent[name]) * (1 - share)) for name, cap in most.items()}
    return Budget(**caps)
