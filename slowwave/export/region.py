"""A marked region of a text file: ours between two comments, everything else left byte for byte as it is.

Inside the marks a line is ours if it is what was last written there; any other is somebody's, and stays with the line it stood
under. A line of ours that is gone stays gone until its memory says something else. Belongs here: finding and merging the region.
Texts are bytes read with `surrogateescape`, so that what is no UTF-8 comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from slowwave.export.known import Hashes, Known, line_hash
from slowwave.export.target import Line, Merged, Room, Target
from slowwave.fit import Cost, cost

_SUM_CHARS = 12
_SAYS = "made from memory; what you write or change here stays yours"
END = "<!-- /slowwave -->"
# The lines that a region brings beside what it holds: two empty ones before it, and its marks.
_MARKS = ("", "", "", END)
# The plus signs say how many of the line breaks before the mark came with it.
_START = re.compile(
    rf"(?<![^\n\ufeff])<!-- slowwave ([0-9a-f]{{{_SUM_CHARS}}})(\+{{0,2}}): [^\n]*-->\r?$", re.MULTILINE
)
_END = re.compile(r"^<!-- /slowwave -->\r?(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True)
class Region:
    """A file cut in three; `body` is None where it has no region. `joined` are the line
    breaks at the end of `before` that came with the region, so that it stands apart.
    """

    before: str
    body: list[str] | None
    after: str
    total: str = ""
    joined: str = ""


def find(text: str) -> Region:
    """The first region of a text: an end mark, and the last start mark before it."""
    starts = list(_START.finditer(text))
    for end in _END.finditer(text):
        start = next((one for one in reversed(starts) if one.end() < end.start()), None)
        if start is not None:
            inside = text[start.end() : end.start()].removeprefix("\n")
            body = inside.split("\n")[:-1] if inside else []
            joined = ("\r\n" if start[0].endswith("\r") else "\n") * len(start[2])
            return Region(text[: start.start()], body, text[end.end() :], start[1], joined)
    return Region(text, None, "")


def is_untouched(text: str) -> bool:
    """Whether a text is a region and nothing else, as it was written."""
    found = find(text)
    return _is_whole(found) and not found.before and not found.after


def merge(current: str | None, target: Target, known: Known) -> Merged:
    """The file with what is ours renewed: `current` is what it holds now, `known` what was last written into it."""
    found = find(current or "")
    body = found.body or []
    ours = _ours(found, known)
    chunks = _chunks(body, ours)
    written = {line_hash(line) for line in body}
    held = dict(known.held)
    if found.body is not None and not _is_whole(found):
        held |= {key: memory for key, memory in known.lines.items() if memory and key not in written}
    theirs = [line for chunk in chunks for line in chunk.lines]
    room = _room(target, found, theirs, held)
    # Their headings may have to stay for them alone.
    room = replace(room, used=sum((cost(f"\n{chunk.heading}") for chunk in chunks), room.used))
    made = target.make(room)
    if _is_windows(current or ""):
        # Each line of ours then has a character more, and how many there are is known only now.
        n_more = sum(line.text.count("\n") + 1 for line in made.lines) + len(_MARKS)
        made = target.make(replace(room, used=room.used + Cost(chars=n_more, bytes=n_more)))
    lines = _with_headings(made.lines, chunks)
    text = _text(current, found, target, lines, chunks)
    mine = {line_hash(part): line.memory_id for line in lines for part in line.text.split("\n") if part.strip()}
    candidates = {*mine.values(), *made.omitted_ids}
    return Merged(
        text=text,
        known=Known(mine, held),
        memory_ids=list(dict.fromkeys(line.memory_id for line in made.lines if line.memory_id)),
        omitted_ids=made.omitted_ids,
        kept=[line for line in theirs if line.strip()],
        held_ids=sorted({*held.values()} - candidates),
    )


@dataclass(frozen=True)
class _Chunk:
    """Lines of somebody's that stand together, and the lines of ours above them, the nearest first."""

    above: list[str]
    lines: list[str]

    def under(self, stay: Collection[str]) -> str | None:
        """The nearest line of ours above that is still there."""
        return next((line for line in self.above if line in stay), None)

    @property
    def heading(self) -> str:
        """The heading that they stand under; empty where there is none."""
        return next((line for line in self.above if line.startswith("#")), "")


def _is_whole(found: Region) -> bool:
    return found.body is not None and _sum(found.body) == found.total


def _sum(body: Sequence[str]) -> str:
    whole = "\n".join(line.removesuffix("\r") for line in body)
    return sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:_SUM_CHARS]


def _ours(found: Region, known: Known) -> list[bool]:
    """Of each line in the region, whether it is ours: all of them, where nobody touched it, even if our record is lost."""
    if found.body is None or _is_whole(found):
        return [True] * len(found.body or ())
    return [not line.strip() or line_hash(line) in known.written for line in found.body]


def _chunks(body: Sequence[str], ours: Sequence[bool]) -> list[_Chunk]:
    """What is somebody else's in the region, from the first to the last line of each stretch, empty ones between included."""
    found: list[_Chunk] = []
    above: list[str] = []
    blank: list[str] = []
    is_open = False
    for line, is_ours in zip(body, ours, strict=True):
        if is_ours and not line.strip():
            blank.append(line)
        elif is_ours:
            above, blank, is_open = [line.strip(), *above], [], False
        else:
            if is_open:
                found[-1].lines.extend(blank)
            else:
                found.append(_Chunk(above, []))
            found[-1].lines.append(line)
            blank, is_open = [], True
    return found


def _with_headings(lines: Sequence[Line], chunks: Sequence[_Chunk]) -> list[Line]:
    """Our lines, with a heading that nothing of ours needs any more where somebody wrote under it."""
    made = list(lines)
    for chunk in chunks:
        texts = [line.text.strip() for line in made]
        under = chunk.under(texts)
        # Where the line that they stand under is still there, they go with it.
        if not chunk.heading or chunk.heading in texts or under == chunk.above[0]:
            continue
        if under is None:
            made[:0] = [Line(chunk.heading), *([Line("")] if made else [])]
            continue
        start = texts.index(under) + 1
        end = next((i for i in range(start, len(texts)) if texts[i].startswith("#")), len(texts))
        end -= end < len(texts) and not texts[end - 1]
        made[end:end] = [Line(""), Line(chunk.heading)]
    return made


def _room(target: Target, found: Region, theirs: Sequence[str], held: Hashes) -> Room:
    """What the cap leaves once everybody else's text and the marks are in."""
    outside = found.before.removesuffix(found.joined) + found.after
    there = {line_hash(line) for line in [*theirs, *outside.split("\n")] if line.strip()}
    used = _cost_of(outside, is_last=True) + cost("\n".join([*_MARKS[:2], _mark([], 2), END]))
    used += _cost_of("\n".join(theirs)) if theirs else Cost()
    return Room(target.cap, used, lambda text: (key := line_hash(text)) not in there and key not in held)


def _cost_of(text: str, *, is_last: bool = False) -> Cost:
    # `cost` counts the line break after a text, which outside the region is part of the text already.
    found = cost(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")) if text else Cost()
    return Cost(found.tokens, found.chars - is_last, found.bytes - is_last, found.lines) if text else found


def _text(
    current: str | None, found: Region, target: Target, lines: Sequence[Line], chunks: Sequence[_Chunk]
) -> str | None:
    ending = "\r\n" if _is_windows(current or "") else "\n"
    texts = [part for line in lines for part in line.text.split("\n")]
    if not any(map(str.strip, texts)) and not chunks:
        return _without(found, current)
    body = _placed(texts, chunks, ending)
    before, after, joined = found.before, found.after, found.joined
    if found.body is None:
        before, after, joined = _new_place(found.before, target, ending)
    mark = _mark(texts, joined.count("\n"))
    inside = "".join(f"{line}\n" for line in body)
    return f"{before}{mark}{ending}{inside}{END}{ending}{after}"


def _mark(texts: Sequence[str], n_joined: int) -> str:
    return f"<!-- slowwave {_sum(texts)}{'+' * n_joined}: {_SAYS} -->"


def _is_windows(text: str) -> bool:
    return text.count("\r\n") * 2 > text.count("\n") > 0


def _without(found: Region, current: str | None) -> str | None:
    """The file without a region; None where nothing else was in it."""
    if found.body is None:
        return current
    before, one = found.before, found.joined[: len(found.joined) // max(1, found.joined.count("\n"))]
    for _ in range(found.joined.count("\n")):
        before = before.removesuffix(one)
    return before + found.after or None


def _new_place(text: str, target: Target, ending: str) -> tuple[str, str, str]:
    """Before, after and the line breaks that come along, for a region that is not there yet: at the end, or first of all."""
    if not text or target.is_first:
        bom = "\ufeff" if text.startswith("\ufeff") else ""
        return bom, text[len(bom) :], ""
    joined = "" if text.endswith(ending * 2) else ending if text.endswith("\n") else ending * 2
    return text + joined, "", joined


def _placed(texts: Sequence[str], chunks: Sequence[_Chunk], ending: str) -> list[str]:
    """Our lines, each followed by what somebody wrote under it; what has no place any more comes first."""
    stay = {text.strip() for text in texts if text.strip()}
    waiting: dict[str | None, list[str]] = {}
    for chunk in chunks:
        waiting.setdefault(chunk.under(stay), []).extend(chunk.lines)
    made = waiting.pop(None, [])
    for text in texts:
        made += [text + ending.removesuffix("\n"), *waiting.pop(text.strip() or "\n", [])]
    return made
