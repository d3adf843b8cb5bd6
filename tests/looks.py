"""What a page must be for everybody to read it: headings in order, everything named, text that stands out, nothing loaded."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "br", "rect", "line"}
_LOADS = re.compile(r"https?:|<script|<link|<img|<iframe|@import|url\(|src=", re.IGNORECASE)
_VARIABLE = re.compile(r"--(\w+): (#[0-9a-f]{6})")
# What stands on which ground, and how much it must stand out from it (WCAG 2.2, 1.4.3 and 1.4.11).
_TEXT, _SHAPE = 4.5, 3.0


class Page(HTMLParser):
    """A page taken apart; `faults` says what is wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._open: list[str] = []
        self._level = 0
        self._ids: set[str] = set()
        self._named: list[str] = []
        self.feed(text)
        self.faults += [f"left open: {tag}" for tag in self._open]
        self.faults += [f"named by {name}, which is not there" for name in self._named if name not in self._ids]
        self.faults += [f"loads {found[0]}" for found in _LOADS.finditer(text)]
        self.faults += _faint(text)
        if "default-src 'none'" not in text or '<html lang="en">' not in text:
            self.faults.append("no policy or language")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: dict[str, Any] = dict(attrs)
        if tag not in VOID:
            self._open.append(tag)
        if re.fullmatch(r"h[1-6]", tag):
            level = int(tag[1])
            if level > self._level + 1 or (level == 1 and self._level):
                self.faults.append(f"heading {level} after {self._level}")
            self._level = level
        if (name := given.get("id")) in self._ids:
            self.faults.append(f"id twice: {name}")
        self._ids |= {given["id"]} if "id" in given else set()
        self._named += str(given.get("aria-labelledby") or "").split()
        if tag == "svg" and not (given.get("role") == "img" and given.get("aria-labelledby")):
            self.faults.append("a drawing that nobody can hear of")
        if tag == "th" and given.get("scope") not in ("col", "row"):
            self.faults.append("a heading of a table without its direction")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"closed out of order: {tag}")


def _faint(text: str) -> list[str]:
    """Colours that do not stand out from their ground, in light or in dark."""
    dark_from = text.index("prefers-color-scheme: dark")
    found = list(_VARIABLE.finditer(text))
    light = {one[1]: one[2] for one in reversed(found) if one.start() < dark_from or one[1] == "bar"}
    dark = {one[1]: one[2] for one in found if one.start() > dark_from}
    pairs = [(name, ground, _TEXT) for name in ("ink", "soft", "bad", "warn", "good") for ground in ("paper", "band")]
    pairs += [("bar", "paper", _SHAPE)] if "bar" in light else []
    return [
        f"{how}: {name} on {ground} is {contrast(colours[name], colours[ground]):.1f}"
        for how, colours in (("light", light), ("dark", dark))
        for name, ground, least in pairs
        if contrast(colours[name], colours[ground]) < least
    ]


def contrast(one: str, other: str) -> float:
    """How much two colours stand out from each other, as WCAG counts: 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
