"""The night report as Markdown: the same words, for a terminal, a mail or a note."""

from __future__ import annotations

import re
from collections.abc import Iterator

from expectations.report.html import HIDDEN
from expectations.report.parts import Item, Section, Table, Told
from expectations.report.sections import headline, opening, rest, sections
from slowwave.text import legible

# What Markdown, or HTML in it, would obey.
_MARKS = re.compile(r"([\\`*_\[\]<>#|~!&])")


def as_markdown(told: Told) -> str:
    """The page."""
    parts = [f"# Night of {_text(str(told.run.get('as_of', ''))[:10])}", f"**{_text(headline(told))}**"]
    parts += [_text(line) for line in opening(told)]
    parts += [", ".join(f"[{_text(name)}]({place})" for name, place in told.links)] if told.links else []
    parts += [part for section in sections(told) for part in _section(section)]
    return "\n\n".join(parts) + "\n"


def _text(value: object) -> str:
    return _MARKS.sub(r"\\\1", legible(str(value)))


def _section(section: Section) -> Iterator[str]:
    yield f"## {_text(section.title)}"
    yield from map(_text, section.lines)
    if section.listed.items:
        yield "\n".join(line for item in section.listed.items for line in _item(item))
    yield from map(_text, rest(section.listed))
    for table in (*section.tables, *(chart.table for chart in section.charts)):
        yield from (_text(table.caption), _table(table))


def _item(item: Item) -> Iterator[str]:
    about = ", ".join(filter(None, [_text(item.about), f"`{item.id}`" if item.id else ""]))
    yield f"* {_text(HIDDEN if item.is_hidden else item.text)} ({about})"
    if not item.is_hidden:
        yield from ([f"  * before: {_text(item.before)}"] if item.before else [])
        yield from (f"  * {_text(quote)}" for quote in item.quotes)


def _table(table: Table) -> str:
    marks = ("---:" if place in table.numbers else "---" for place in range(len(table.heads)))
    rows = [table.heads, *table.rows]
    lines = [f"| {' | '.join(map(_text, row))} |" for row in rows]
    return "\n".join([lines[0], f"| {' | '.join(marks)} |", *lines[1:]])
