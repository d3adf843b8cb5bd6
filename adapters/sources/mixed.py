"""A folder that holds the logs of several platforms: what one of them wrote is no damage to another.

Belongs here: whose a file is, where several read it. Does not belong here: how a platform's log looks (the kinds).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from adapters.sources.protocol import Damaged, Item

LooksLike = Callable[[Path], bool]


def own(items: Iterable[Item], kind: str, root: Path, looks: Mapping[str, LooksLike]) -> Iterator[Item]:
    """The items of a folder without the damage in files that another kind recognises and this one does not.

    Where nothing else was there, each such file is named, with whose it is.
    """
    whose: dict[str, str | None] = {}
    has_own = False
    for item in items:
        if isinstance(item, Damaged):
            if item.file not in whose:
                whose[item.file] = _whose(item.file, kind, root, looks)
            if whose[item.file]:
                continue
        has_own = True
        yield item
    for file, owner in sorted(whose.items()) if not has_own else ():
        if owner:
            yield Damaged(file, 0, f"a log of {owner}")


def _whose(name: str, kind: str, root: Path, looks: Mapping[str, LooksLike]) -> str | None:
    """The other kind that a file is of; None where it is this one's, or nobody's. A file in a zip is its zip's."""
    file = root / name
    while file != root and not file.is_file():
        file = file.parent
    if file == root or looks[kind](file):
        return None
    return next((other for other, is_theirs in looks.items() if other != kind and is_theirs(file)), None)
