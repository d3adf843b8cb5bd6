"""Clusters: which names are one, once every pair is in; an alias of two names joins neither, and two who are said to be two stay two.

Belongs here: plain Python over pairs of normalised names. Does not belong here: where a pair comes from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

USER = "user"
Said = tuple[str, str]


class Clusters(NamedTuple):
    """Each joined name's head, the aliases of more than one name with their rivals, and the pairs that were cut apart again."""

    heads: dict[str, str]
    ambiguous: dict[str, set[str]]
    cut: dict[str, set[str]]


def cluster(
    said: Iterable[Said], given: Iterable[Said] = (), apart: Iterable[Said] = (), own: frozenset[str] = frozenset()
) -> Clusters:
    """Join (alias, name) pairs. Given ones hold whatever is said; `apart` are names that are two, `own` the owner's."""
    names: dict[str, set[str]] = defaultdict(set)
    for alias, name in said:
        names[alias].add(name)
    sure = set(given)
    pairs, ambiguous = _settled(names, sure)
    cut: dict[str, set[str]] = defaultdict(set)
    for one, other in sorted(apart):
        together = [group for group in _groups(pairs | sure) if one in group and other in group]
        if together:
            cut[one].add(other)
            pairs = {pair for pair in pairs if pair[0] not in together[0]}
    heads = {name: _head(group, own) for group in _groups(pairs | sure) for name in group}
    return Clusters(heads, ambiguous, dict(cut))


def _settled(names: dict[str, set[str]], given: set[Said]) -> tuple[set[Said], dict[str, set[str]]]:
    """The pairs of aliases that mean one name, once others are joined; and the aliases left with names of two.

    What is joined only grows, so the end is the same in whatever order it is reached.
    """
    pairs = {(alias, name) for alias, told in names.items() if len(told) == 1 for name in told}
    while True:
        heads = {name: _head(group, frozenset()) for group in _groups(pairs | given) for name in group}
        left = {alias: told for alias, told in names.items() if any((alias, name) not in pairs for name in told)}
        one = {alias for alias, told in left.items() if _n_rivals(told, heads, names) <= 1}
        if not one:
            return pairs, left
        pairs |= {(alias, name) for alias in one for name in names[alias]}


def _n_rivals(told: set[str], heads: dict[str, str], names: dict[str, set[str]]) -> int:
    """How many of the names of an alias are neither a word of another of them nor its alias: "Tomasz" is no rival of "Tomasz Ruhl"."""
    aliases = {name for name in told if names.get(name, set()) & told}
    tops = {heads.get(name, name) for name in told - aliases}
    words = {other: set(re.split(r"[\s-]+", other)) for other in tops}
    return sum(not any(name in words[other] for other in tops - {name}) for name in tops)


def _groups(pairs: Iterable[Said]) -> list[set[str]]:
    groups: dict[str, set[str]] = {}
    for one, other in sorted(pairs):
        merged = groups.get(one, {one}) | groups.get(other, {other})
        groups |= dict.fromkeys(merged, merged)
    return list({id(group): group for group in groups.values()}.values())


def _head(group: set[str], own: frozenset[str]) -> str:
    """The owner, where a name of a group is theirs; else the fullest name, and no description before a name."""
    if USER in group or group & own:
        return USER
    return min(group, key=lambda name: (name.startswith(("the ", "my ")), -len(name), name))
