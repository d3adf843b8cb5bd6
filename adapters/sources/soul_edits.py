"""What a person changed in the store's own `soul.md` since it was last written or read: the owner's word, a line at a time.

Belongs here: two texts into edits. Does not belong here: files (`adapters.soul`), and what becomes of an edit (the owner's hand).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from slowwave.format import Kind
from slowwave.records import SOUL_SECTIONS, is_section

# Two lines less alike than this are not one line that was rewritten.
_LIKE = 0.5
_BULLETS = ("- ", "* ", "+ ")


@dataclass(frozen=True)
class Edit:
    """One line that is new (`text`), gone (`memory_id`), or new in the place of one (`text` and `memory_id`)."""

    text: str | None
    kind: Kind
    memory_id: str | None


@dataclass(frozen=True)
class _Line:
    text: str
    kind: Kind


def edits(before: str, after: str, ids: Mapping[str, str]) -> list[Edit]:
    """The edits that lead from one text to the other, in order; `ids` holds the memory of each line of ours.

    Headings, comments and empty lines say nothing; a line that only moved is no edit. A removed line that was not ours is none either.
    """
    old, new = list(_lines(before)), list(_lines(after))
    moved = {line.text for line in old} & {line.text for line in new}
    old, new = ([line for line in lines if line.text not in moved] for lines in (old, new))
    pairs = _pairs(old, new)
    found = [Edit(line.text, line.kind, ids.get(pairs[n]) if n in pairs else None) for n, line in enumerate(new)]
    gone = [line for line in old if line.text not in set(pairs.values()) and line.text in ids]
    return [*found, *(Edit(None, line.kind, ids[line.text]) for line in gone)]


def _lines(text: str) -> Iterator[_Line]:
    """The lines that say something, without their bullets, each of the kind that its section holds."""
    kind, is_comment = Kind.SEMANTIC_FACT, False
    for line in (one.strip() for one in text.splitlines()):
        is_comment = is_comment or line.startswith("<!--")
        if is_comment:
            is_comment = "-->" not in line
        elif line.startswith("#"):
            kind = _kind_of(line.lstrip("#").strip())
        elif line:
            yield _Line(line[2:].strip() if line.startswith(_BULLETS) else line, kind)


def _kind_of(heading: str) -> Kind:
    return next((Kind(kind) for kind, title in SOUL_SECTIONS.items() if is_section(heading, title)), Kind.SEMANTIC_FACT)


def _pairs(old: Sequence[_Line], new: Sequence[_Line]) -> dict[int, str]:
    """Which old line each new one took the place of: the likest first, each once."""
    likeness = sorted(
        (-SequenceMatcher(None, one.text, other.text).ratio(), n, m)
        for n, one in enumerate(new)
        for m, other in enumerate(old)
    )
    made: dict[int, str] = {}
    taken: set[int] = set()
    for ratio, n, m in likeness:
        if -ratio >= _LIKE and n not in made and m not in taken:
            made[n] = old[m].text
            taken.add(m)
    return made
