"""Conversations that are trees: an edited prompt and a regenerated answer are siblings, and one of them still stands.

Belongs here: depths and standing branches over ids. Does not belong here: any one platform's nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

Parents = Mapping[str, str | None]


def depths(parents: Parents) -> dict[str, int]:
    """How far each id lies below its root, parents before children. A parent that is missing makes a root; a loop comes last, at 0."""
    children = _children(parents)
    found: dict[str, int] = {}
    waiting = [(name, 0) for name in reversed(list(parents)) if parents[name] is None or parents[name] not in parents]
    while waiting:
        name, depth = waiting.pop()
        found[name] = depth
        waiting += [(child, depth + 1) for child in reversed(children[name])]
    return found | {name: 0 for name in parents if name not in found}


def standing(parents: Parents, ordered: Iterable[str], leaf: str | None = None) -> set[str]:
    """The ids that no later edit replaced: at each fork the way to `leaf`, elsewhere to the newest; nothing stands below `leaf`.

    `ordered` are the ids from the oldest to the newest. Ids whose parent is named but missing are siblings under that name; ids without a
    parent are no siblings, so a flat list stands whole. What hangs in a loop does not stand.
    """
    newest = _newest(parents, ordered)
    path = _path(parents, leaf)
    children = _children(parents)
    found: set[str] = set()
    waiting = [name for name, parent in parents.items() if parent is None]
    waiting += [_winner(group, path, newest) for parent, group in children.items() if parent not in parents]
    while waiting:
        name = waiting.pop()
        found.add(name)
        if name != leaf and children[name]:
            waiting.append(_winner(children[name], path, newest))
    return found


def _children(parents: Parents) -> dict[str, list[str]]:
    children: dict[str, list[str]] = defaultdict(list)
    for name, parent in parents.items():
        if parent is not None:
            children[parent].append(name)
    return children


def _newest(parents: Parents, ordered: Iterable[str]) -> dict[str, int]:
    """The place of the newest id at or below each id; each id is walked once, so a loop ends."""
    newest: dict[str, int] = {}
    for place, start in reversed(list(enumerate(ordered))):
        name: str | None = start
        while name is not None and name in parents and name not in newest:
            newest[name] = place
            name = parents[name]
    return newest


def _path(parents: Parents, leaf: str | None) -> set[str]:
    path: set[str] = set()
    while leaf is not None and leaf in parents and leaf not in path:
        path.add(leaf)
        leaf = parents[leaf]
    return path


def _winner(siblings: list[str], path: set[str], newest: dict[str, int]) -> str:
    return max(siblings, key=lambda name: (name in path, newest[name]))
