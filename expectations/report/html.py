"""The night report as one HTML file: it loads nothing, runs nothing, and holds every text escaped."""

from __future__ import annotations

from html import escape
from itertools import count

from expectations.page import WIDE, document
from expectations.report.drawing import draw
from expectations.report.parts import Bars, Item, Rows, Section, Table, Told
from expectations.report.sections import headline, opening, rest, sections
from slowwave.text import legible

HIDDEN = "Sensitive: its words are hidden here ([reports] show_sensitive)."
_STYLE = """
:root { --bar: #2f6db5; } @media (prefers-color-scheme: dark) { :root { --bar: #7fb0ee; } }
table { width: auto; min-width: min(22rem, 100%); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; list-style: none; padding: 0; }
ul.items { list-style: none; padding: 0; } ul.items > li { border-bottom: 1px solid var(--line); padding: .6rem 0; }
li p, li blockquote { margin: .15rem 0; overflow-wrap: anywhere; } blockquote { padding-left: .8rem; border-left: 3px solid var(--line); }
figure { margin: 1.5rem 0; } figcaption { color: var(--soft); max-width: 40rem; } figure h3 { margin: 0; font-size: 1rem; }
svg { width: 100%; max-width: 40rem; height: auto; } svg text { fill: var(--ink); font: 14px system-ui, sans-serif; }
svg .middle { text-anchor: middle; } svg .end { text-anchor: end; } svg .soft { fill: var(--soft); }
svg .bar { fill: var(--bar); } svg .axis { stroke: var(--soft); }
"""
_VERDICTS = {"refused": "bad", "failed": "bad", "held": "warn"}


def as_html(told: Told) -> str:
    """The page."""
    verdict = _VERDICTS.get(str(told.run.get("status")), "good")
    numbers = count(1)
    made = [_section(section, numbers) for section in sections(told)]
    body = [
        f"<h1>Night of {_text(str(told.run.get('as_of', ''))[:10])}</h1>",
        f'<p class="verdict {verdict}">{_text(headline(told))}</p>',
        *(f'<p class="soft">{_text(line)}</p>' for line in opening(told)),
        _links(told),
        *made,
    ]
    return document(f"Night {_text(told.run.get('run', ''))}", body, _STYLE)


def _text(value: object) -> str:
    return escape(legible(str(value)))


def _links(told: Told) -> str:
    listed = "".join(f'<li><a href="{escape(place)}">{_text(name)}</a></li>' for name, place in told.links)
    return f'<nav aria-label="Pages beside this one"><ul>{listed}</ul></nav>' if listed else ""


def _section(section: Section, numbers: count[int]) -> str:
    lines = "".join(f"<p>{_text(line)}</p>" for line in section.lines)
    items = "".join(map(_item, section.listed.items))
    items = f'<ul class="items">{items}</ul>' if items else ""
    more = "".join(f'<p class="soft">{_text(line)}</p>' for line in rest(section.listed))
    tables = "".join(map(_table, section.tables))
    charts = "".join(_figure(chart, next(numbers)) for chart in section.charts)
    return f"<section><h2>{_text(section.title)}</h2>{lines}{items}{more}{tables}{charts}</section>\n"


def _item(item: Item) -> str:
    marks = [_text(item.about), f"<code>{_text(item.id)}</code>" if item.id else ""]
    about = f'<p class="soft">{" · ".join(filter(None, marks))}</p>'
    if item.is_hidden:
        return f"<li><p>{_text(HIDDEN)}</p>{about}</li>\n"
    before = f'<p class="soft">before: {_text(item.before)}</p>' if item.before else ""
    quotes = "".join(f"<blockquote>{_text(quote)}</blockquote>" for quote in item.quotes)
    return f"<li><p>{_text(item.text)}</p>{before}{quotes}{about}</li>\n"


def _table(table: Table) -> str:
    def cells(tag: str, values: list[str]) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        marks = (' class="n"' if place in table.numbers else "" for place in range(len(values)))
        return "".join(f"<{tag}{scope}{mark}>{value}</{tag}>" for mark, value in zip(marks, values, strict=True))

    head = cells("th", [_text(name) for name in table.heads])
    body = "".join(f"<tr>{cells('td', [_text(value) for value in row])}</tr>\n" for row in table.rows)
    about = _text(table.caption)
    return (
        f"{WIDE.format(about)}<table><caption>{about}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n"
    )


def _figure(chart: Bars | Rows, number: int) -> str:
    return (
        f"<figure><h3>{_text(chart.title)}</h3><figcaption>{_text(chart.about)}</figcaption>{draw(chart, number)}"
        f"<details><summary>{_text(chart.title)} as a table</summary>{_table(chart.table)}</details></figure>\n"
    )
