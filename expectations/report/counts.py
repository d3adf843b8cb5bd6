"""What nights counted, as charts with the table behind each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expectations.report.parts import Bars, Counted, Rows, Table


def charts(nights: Sequence[Counted]) -> Iterator[Bars | Rows]:
    """The charts of the nights up to this one, oldest first; none where this one counted nothing."""
    if not nights:
        return
    if any(night.kinds for night in nights):
        yield _kinds(nights)
    if any(nights[-1].strengths):
        yield _strengths(nights[-1])
    if any(night.tokens for night in nights):
        yield _over(
            "Tokens over nights",
            "Tokens read and written by models, a column a night.",
            nights,
            [n.tokens for n in nights],
        )
    if any(night.cost for night in nights):
        yield _over(
            "Cost over nights", "What models cost, as priced, a column a night.", nights, [n.cost for n in nights]
        )


def _kinds(nights: Sequence[Counted]) -> Rows:
    last = nights[-1].kinds
    names = sorted({name for night in nights for name in night.kinds}, key=lambda name: (-last.get(name, 0), name))
    counts = [[night.kinds.get(name, 0) for night in nights] for name in names]
    heads = ("Kind", *(night.as_of[:10] for night in nights))
    rows = [[_plain(name), *map(str, row)] for name, row in zip(names, counts, strict=True)]
    table = Table("Active memories of each kind, night by night.", heads, rows, frozenset(range(1, len(heads))))
    trend = (
        " The small columns at the right show the nights before, each line to its own scale." if len(nights) > 1 else ""
    )
    about = f"Active memories of each kind after this night.{trend}"
    return Rows("Memories by kind", about, [_plain(name) for name in names], counts, table)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _strengths(night: Counted) -> Bars:
    n = len(night.strengths)
    labels = [f"{place / n:.1f}" for place in range(n)]
    rows = [[f"{place / n:.1f} to {(place + 1) / n:.1f}", str(count)] for place, count in enumerate(night.strengths)]
    table = Table("Active memories by strength.", ("Strength", "Memories"), rows, frozenset({1}))
    about = (
        "How many active memories have which strength, from 0 (faint) to 1 (firm); a column's label is where it begins."
    )
    return Bars("Strength", about, labels, night.strengths, [str(count) for count in night.strengths], table)


def _over(title: str, about: str, nights: Sequence[Counted], values: Sequence[float]) -> Bars:
    written = [f"{value:.3g}" if isinstance(value, float) else str(value) for value in values]
    rows = [[night.as_of[:10], night.run, number] for night, number in zip(nights, written, strict=True)]
    table = Table(about, ("Night", "Run", title.split()[0]), rows, frozenset({2}))
    return Bars(title, about, [night.as_of[5:10] for night in nights], values, written, table)
