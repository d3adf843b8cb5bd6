"""Charts as SVG in the page itself: no library, no script, and colours that follow light and dark.

Every drawing says by title and description what it shows; the numbers stand in the table behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil

from expectations.report.parts import Bars, Rows
from slowwave.text import legible

_WIDE, _HIGH, _LINE = 400, 180, 26
_FOOT, _HEAD = 22, 18
# Where a line's name ends, where its bar ends, and where its small columns begin.
_NAMES, _BARS, _TREND = 178, 266, 308
# About how wide a letter is.
_LETTER = 8


def draw(chart: Bars | Rows, number: int) -> str:
    """A chart as an SVG element; `number` tells the charts of one page apart."""
    made, high = (_columns(chart), _HIGH) if isinstance(chart, Bars) else (_lines(chart), _LINE * len(chart.names))
    title, about = f"chart-{number}-title", f"chart-{number}-about"
    return (
        f'<svg viewBox="0 0 {_WIDE} {high}" role="img" aria-labelledby="{title} {about}">'
        f'<title id="{title}">{escape(chart.title)}</title><desc id="{about}">{escape(chart.about)}</desc>'
        f"{''.join(made)}</svg>"
    )


def _columns(chart: Bars) -> Iterator[str]:
    step = _WIDE / len(chart.values)
    room, floor = _HIGH - _FOOT - _HEAD, _HIGH - _FOOT
    most = max(*chart.values, 0) or 1
    longest = max(map(len, (*chart.labels, *chart.written)))
    every = ceil((longest + 1) * _LETTER / step)
    yield f'<line class="axis" x1="0" y1="{floor}" x2="{_WIDE}" y2="{floor}"/>'
    for place, value in enumerate(chart.values):
        high, middle = room * max(value, 0) / most, step * (place + 0.5)
        yield _bar(step * place + step * 0.12, floor - high, step * 0.76, high)
        if place % every == (len(chart.values) - 1) % every:
            yield _words(middle, floor - high - 5, chart.written[place]) if value else ""
            yield _words(middle, _HIGH - 6, chart.labels[place], "middle soft")


def _lines(chart: Rows) -> Iterator[str]:
    most = max((row[-1] for row in chart.counts), default=0) or 1
    for place, (name, row) in enumerate(zip(chart.names, chart.counts, strict=True)):
        top = _LINE * place
        long = (_BARS - _NAMES) * row[-1] / most
        yield _words(_NAMES - 8, top + 18, name, "end")
        yield _bar(_NAMES, top + 5, long, _LINE - 10)
        yield _words(_NAMES + long + 6, top + 18, str(row[-1]), "start")
        yield from _trend(row, top) if len(row) > 1 else ()


def _trend(values: Sequence[int], top: float) -> Iterator[str]:
    most, step = max(values) or 1, (_WIDE - _TREND) / len(values)
    for place, value in enumerate(values):
        high = (_LINE - 8) * value / most
        yield _bar(_TREND + step * place, top + _LINE - 4 - high, step * 0.7, high)


def _bar(left: float, top: float, wide: float, high: float) -> str:
    return f'<rect class="bar" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'


def _words(left: float, top: float, text: str, how: str = "middle") -> str:
    return f'<text class="{how}" x="{left:.1f}" y="{top:.1f}">{escape(legible(text))}</text>'
