"""Data Docs of a run: Great Expectations' own sections of its validation results, on pages that need no network.

The library's pages load styles and scripts from five public addresses and show little without them; its sections are plain HTML, and
stand here in pages like our others. Row counts come first, as they were promised. Names and counts, never what stands in a row.
Belongs here: from the promises in a run's ledger to pages. Does not belong here: putting tables before suites (`expectations.gx`).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import count
from typing import Any

from expectations import gx
from expectations.page import WIDE, document, run_line, table
from slowwave.text import legible

# Where a promise between tables, or about a whole night, is told.
BETWEEN = "between-tables"
_ASSET = re.compile(r"\s*Data asset: None\s*<br>")
_DROPPED = re.compile(
    r"<(script|style)\b.*?</\1\s*>|<link\b[^>]*>|</?(?:a|i|img)\b[^>]*>|\s*Show more info\.\.\.\s*", re.DOTALL
)
_HEADING = re.compile(r"<(/?)h([56])\b[^>]*>")
_ICON = re.compile(r'<i class="[^"]*text-(success|danger|warning)[^"]*"[^>]*>\s*</i>(?!\s*(?:Failed|Succeeded))')
_EMPTY_HEAD = re.compile(r"<thead hidden>.*?</thead>", re.DOTALL)
_ATTRIBUTES = re.compile(r'\s(?:id|style|data-[\w-]+|aria-[\w-]+|class)="[^"]*"')
_ICONS = {"success": "kept", "danger": "broken", "warning": "to look at"}
_COLOURS = {"success": "good", "danger": "bad", "warning": "warn"}
_STYLE = "section { margin: 1rem 0; } td { overflow-wrap: break-word; } td:has(b) { white-space: nowrap; }"


def pages(run: Mapping[str, Any], tables: Sequence[str]) -> dict[str, str]:
    """A run's pages by file name, `index.html` first: one for each of the `tables`, and one for what is promised between them."""
    by_group: dict[str, list[Mapping[str, Any]]] = {}
    for promise in (run.get("promises") or {}).get("promises") or []:
        name = str(promise["name"]).partition(".")[0]
        by_group.setdefault(name if name in tables and "." in promise["name"] else BETWEEN, []).append(promise)
    made = {"index.html": _index(run, by_group)}
    return made | {f"{name}.html": _page(name, run, listed) for name, listed in by_group.items()}


def _index(run: Mapping[str, Any], by_group: Mapping[str, list[Mapping[str, Any]]]) -> str:
    rows = (
        [f'<a href="{name}.html">{_text(name.replace("-", " "))}</a>', str(len(listed)), str(_n_broken(listed))]
        for name, listed in by_group.items()
    )
    caption = "What was put before Great Expectations; each line leads to its page."
    listed = table("Suites", caption, ("Suite", "Promises", "Broken"), rows, numbers={1, 2})
    home = '<p><a href="../report.html">The night report</a></p>'
    return document(
        f"Data Docs {_text(run.get('run'))}", ["<h1>Data Docs of a night</h1>", run_line(run), home, listed]
    )


def _n_broken(listed: Sequence[Mapping[str, Any]]) -> int:
    return sum(not promise["is_kept"] for promise in listed)


def _text(value: Any) -> str:
    return escape(legible(str(value)))


def _page(name: str, run: Mapping[str, Any], listed: Sequence[Mapping[str, Any]]) -> str:
    title = _text(name.replace("-", " "))
    body = [f"<h1>Data Docs: {title}</h1>", run_line(run), '<p><a href="index.html">All suites</a></p>']
    sections = [_plain(section, place) for place, section in enumerate(_sections(name, run, listed), 1)]
    return document(f"{title} {_text(run.get('run'))}", [*body, *sections], _STYLE)


def _sections(name: str, run: Mapping[str, Any], listed: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the library makes of these promises, section by section."""
    gx.load()
    rendering = importlib.import_module("expectations.docs.rendering")
    return rendering.rendered(name, run, listed)


def _plain(section: str, place: int) -> str:
    """A section without what would load, run, or need a style sheet that is not there."""
    marked = _ICON.sub(lambda found: f'<b title="{_COLOURS[found[1]]}">{_ICONS[found[1]]}</b>', section)
    bare = _ATTRIBUTES.sub("", _EMPTY_HEAD.sub("", _DROPPED.sub("", _ASSET.sub("", marked))))
    headed = _HEADING.sub(lambda found: f"<{found[1]}h{int(found[2]) - 3}>", bare)
    coloured = re.sub(r'<b title="(good|bad|warn)">', r'<b class="\1">', headed)
    numbers = count(1)
    coloured = re.sub(r"<th\s*>", '<th scope="col">', coloured)
    wide = re.sub("<table", lambda _: f"{WIDE.format(f'Table {place}.{next(numbers)}')}<table", coloured)
    return f"<section>{wide.replace('</table>', '</table></div>')}</section>"
