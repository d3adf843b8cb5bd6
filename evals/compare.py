"""Two results beside each other: what differs, and what went the wrong way by more than chance.

Belongs here: pairing files and lines to read. Does not belong here: how far chance goes (`figures`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from evals.figures import Change, changes, read_results
from slowwave.errors import UsageError


def compare(before: Path, after: Path) -> dict[str, list[Change]]:
    """What differs, by result; of two files that one pair, of two folders the results of one name. Raises UsageError where none pairs."""
    old, new = read_results(before), read_results(after)
    if before.is_file() and after.is_file():
        return {after.stem: changes(*old.values(), *new.values())}
    if not old.keys() & new.keys():
        raise UsageError(
            f"{before} and {after} hold no result of one name", "Name two result files, or two folders of `run --out`."
        )
    return {name: changes(old[name], new[name]) for name in sorted(old.keys() & new.keys())}


def told(found: Mapping[str, list[Change]]) -> Iterator[str]:
    """A line a figure: before, after, how far it may move by chance where that is known, and whether it is worse."""
    for name, differing in found.items():
        yield f"{name}: {len(differing)} figures differ" if differing else f"{name}: the same"
        for one in differing:
            noise = f", ± {one.noise:.1f} by chance" if one.noise is not None else ""
            yield f"  {'worse' if one.is_worse else '     '}  {one.name}: {one.before:g} -> {one.after:g}{noise}"
