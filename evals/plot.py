"""A small line plot as SVG, so that growth can be seen without any library.

Belongs here: drawing. Does not belong here: figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, LEFT, TOP, GAP = 320, 150, 54, 26, 40
_INK, _LINE = "#444", "#2a6f97"
Points = Sequence[tuple[float, float]]


def plots(panels: Mapping[str, Points], below: str) -> str:
    """One panel for each title, side by side, over the same kind of axis: `below` says what it is."""
    width = LEFT + len(panels) * (WIDTH + GAP + LEFT)
    drawn = [
        _panel(title, points, below, LEFT + i * (WIDTH + GAP + LEFT))
        for i, (title, points) in enumerate(panels.items())
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + TOP + 44}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, *drawn, "</svg>"]) + "\n"


def _panel(title: str, points: Points, below: str, left: int) -> str:
    most_x, most_y = max(x for x, _ in points), max(y for _, y in points) or 1.0
    bottom = TOP + HEIGHT
    line = " ".join(f"{left + WIDTH * x / most_x:.1f},{bottom - HEIGHT * y / most_y:.1f}" for x, y in points)
    return "\n".join(
        [
            f'<text x="{left}" y="{TOP - 10}" fill="{_INK}">{title}</text>',
            f'<path d="M{left} {TOP}V{bottom}H{left + WIDTH}" fill="none" stroke="{_INK}"/>',
            f'<text x="{left - 6}" y="{TOP + 8}" text-anchor="end" fill="{_INK}">{most_y:,.4g}</text>',
            f'<text x="{left - 6}" y="{bottom}" text-anchor="end" fill="{_INK}">0</text>',
            f'<text x="{left + WIDTH}" y="{bottom + 16}" text-anchor="end" fill="{_INK}">{most_x:,.0f} {below}</text>',
            f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>',
        ]
    )
