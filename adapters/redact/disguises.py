"""The same text as a secret's owner would read it: signs written as codes, lines that were broken on the way, words in base64.

Each of them has its secrets looked for as any text has, and where they stand is said in places of the text as it is.
Does not belong here: what secrets look like (`patterns`).
"""

from __future__ import annotations

import base64
import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from slowwave.text import INVISIBLE

# Signs as they stand in addresses, in pages and in JSON; letters and digits need no code.
CODE = re.compile(r"%[2-7][0-9A-Fa-f]|&#(?:x[2-7][0-9A-Fa-f]|\d{2,3});|&(?:amp|quot|lt|gt|apos);|\\u00[2-7][0-9A-Fa-f]")
# A line that ends inside a long word and goes on with one that looks made up: a terminal or a mail broke it.
_SIGNS = "A-Za-z0-9_+/.-"
_BREAK = re.compile(
    rf"(?<=[={_SIGNS}]{{8}})\\?\r?\n(?:[ \t]*[>|])?[ \t]*"
    rf"(?=[{_SIGNS}]{{0,200}}[0-9])(?=[{_SIGNS}]{{0,200}}[A-Za-z])(?=[{_SIGNS}]{{8,}}={{0,2}}(?:[\s\"'`,;)&\\]|$))"
)
# Wherever a text may read otherwise, told without looking around.
HINT = (
    rf"%[2-7][0-9A-Fa-f]|&(?:#|amp;|quot;|lt;|gt;|apos;)|\\u00[2-7]|[={_SIGNS}]{{8}}\\?\r?\n[ \t]*[>|]?[ \t]*[{_SIGNS}]*"
    rf"(?:[0-9][{_SIGNS}]*[A-Za-z]|[A-Za-z][{_SIGNS}]*[0-9])"
)
DONE = re.compile(r"\[secret:[a-z0-9_]+\]")
# Words are UTF-8, whose first byte stands alone or says that another follows: two signs tell most paths and hashes from packed words.
_FIRST_TWO = "(?:[A-Za-f][A-HM-Xc-ns-z0-389+/_-]|[w-z0-9][I-LYZabo-r4-7])"
_PACKED = rf"{_FIRST_TWO}[A-Za-z0-9+/_-]{{18,}}"
BASE64 = re.compile(rf"(?<![A-Za-z0-9+/_-]){_PACKED}={{0,2}}")
PACKED_HINT = rf"(?:^|[^A-Za-z0-9+/_-]){_PACKED}"
_MAX_BASE64 = 100_000
# Lines that go on with it, as a mail or a tool breaks them; no more than a secret with its words has.
_LINE_BREAK = re.compile(r"\\?\r?\n(?:[ \t]*[>|])?[ \t]*")
_MORE_LINES = re.compile(
    rf"(?:{_LINE_BREAK.pattern}[A-Za-z0-9+/_-]{{4,}}(?![A-Za-z0-9+/_=-])){{0,40}}(?:{_LINE_BREAK.pattern}[A-Za-z0-9+/_-]{{2,}}={{1,2}})?"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read otherwise. `cuts` are the places in it from which on it stands `shifts` characters further on in the text itself."""

    text: str
    cuts: list[int]
    shifts: list[int]

    def placed(self, start: int, end: int) -> tuple[int, int]:
        """The span in the text itself."""
        return start + self._shift(bisect_right(self.cuts, start)), end + self._shift(bisect_right(self.cuts, end))

    def is_cut(self, start: int, end: int) -> bool:
        """Whether the span goes over a place where this reading differs."""
        return bisect_right(self.cuts, start) < bisect_left(self.cuts, end)

    def _shift(self, n: int) -> int:
        return self.shifts[n - 1] if n else 0


def visible(text: str) -> str:
    """The text without the characters that nobody can see."""
    return text if text.isascii() else INVISIBLE.sub("", text)


def masked(text: str) -> str:
    """The text with what was redacted before blotted out, place for place, so that its words announce nothing."""
    return DONE.sub(lambda done: "•" * len(done[0]), text) if "[secret:" in text else text


def decoded(text: str) -> Reading | None:
    """The text with its codes read as signs, if it has any."""
    return _read(text, CODE)


def joined(text: str) -> Reading | None:
    """The text with its broken lines joined, if it has any."""
    return _read(text, _BREAK) if "\n" in text else None


def unpacked(text: str) -> Iterator[tuple[int, int, str]]:
    """Each run of base64 that holds plain words, with what it holds; one that was broken into lines is one run."""
    at = 0
    while run := BASE64.search(text, at):
        for end in _ends(text, run.end()):
            if words := _words(_LINE_BREAK.sub("", text[run.start() : end])):
                yield run.start(), end, words
                break
        else:
            end = run.end()
        at = end


def _ends(text: str, end: int) -> list[int]:
    """Where a run that ends there may end in truth: with the lines that go on with it, or without the last of them, which may be a word."""
    more = _MORE_LINES.match(text, end) if text[end - 1] != "=" else None
    if more is None or more.end() == end:
        return [end]
    last = max(end, text.rfind("\n", end, more.end()))
    return [more.end(), last - (text[last - 1] == "\r"), end]


def _words(run: str) -> str:
    digits = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(digits) % 4 == 1 or len(digits) > _MAX_BASE64:
        return ""
    try:
        words = base64.b64decode(digits + "=" * (-len(digits) % 4)).decode()
    except ValueError:
        return ""
    return words if all(c.isprintable() or c in "\r\n\t" for c in words) else ""


def _read(text: str, pattern: re.Pattern[str]) -> Reading | None:
    parts, cuts, shifts = list[str](), list[int](), list[int]()
    at = length = shift = 0
    for found in pattern.finditer(text):
        sign = _sign(found[0])
        parts += [text[at : found.start()], sign]
        length += found.start() - at + len(sign)
        shift += len(found[0]) - len(sign)
        at = found.end()
        cuts.append(length)
        shifts.append(shift)
    return Reading("".join([*parts, text[at:]]), cuts, shifts) if cuts else None


def _sign(code: str) -> str:
    """What a code stands for; a break of a line stands for nothing."""
    if code[0] == "%":
        return unquote(code)
    if code[0] == "&":
        return html.unescape(code)
    return chr(int(code[2:], 16)) if code.startswith("\\u") else ""
