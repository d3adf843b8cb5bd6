"""Lessons lint: every lesson says how it is enforced and which earlier one it repeats, if any.

A lesson is a section of a file of lessons, or, where that has no sections, an item of its list; and a lesson in memory whose words carry
such lines. `Repeat-of:` is `none` or names another lesson by its id (`E-012`, `#12`), by its day, or by its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from expectations.guards.seen import Finding, Seen, days, found, lines
from expectations.promise import Fact
from models.guarding import GuardRules, WatchedFile
from slowwave.format import Kind
from slowwave.text import normalise

_HEAD = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"[-*+]\s+(.*)")
_FIELD = re.compile(
    r"[\s>*+-]*(?:\*\*|__)?(Enforcement|Repeat[- ]of|Date)(?:\*\*|__)?\s?:(?:\*\*|__)?(.*)", re.IGNORECASE
)
_ID = re.compile(r"(?<![\w-])([A-Z]{1,6}-\d{1,6}|#\d{1,6})(?!\w)")
_MARKS = " \t.,;:()[]*_`–—-"
# What stands for no earlier lesson, alone or before a remark.
_NONE = frozenset({"none", "n/a", "na"})
_NONE_ALONE = frozenset({"", "no", "new", "first"})


@dataclass(frozen=True)
class Lesson:
    """A lesson as it is written down. A field that is not there is None, one that says nothing is empty."""

    place: str
    names: frozenset[str]
    day: date | None = None
    enforcement: str | None = None
    repeat_of: str | None = None
    memory_ids: tuple[str, ...] = ()

    @property
    def is_repeat(self) -> bool:
        """Whether it names an earlier lesson."""
        said = normalise(self.repeat_of).strip(_MARKS)
        return said not in _NONE_ALONE and said.split()[0].strip(_MARKS) not in _NONE


def lessons(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """A fact each for lessons without enforcement, without a word on what they repeat, and that repeat what is not there."""
    written = [*lessons_in(seen, rules.lesson_files), *_remembered(seen)]
    known = Index(written)
    yield found(
        "lessons.enforcement",
        "every lesson says how it is enforced",
        (Finding(one.place, one.memory_ids) for one in written if not one.enforcement),
        "Add a line `Enforcement:` with what keeps it: a hook, a test, a check; or `advisory`.",
    )
    yield found(
        "lessons.repeat_of",
        "every lesson says which earlier one it repeats, or none",
        (Finding(one.place, one.memory_ids) for one in written if not one.repeat_of),
        "Add a line `Repeat-of:` with the earlier lesson's id, or `none`.",
    )
    yield found(
        "lessons.known",
        "the lesson that another one repeats is there",
        (Finding(one.place, one.memory_ids) for one in written if one.is_repeat and known.earlier(one) is None),
        "Name the earlier lesson by its id, its day or its title as it stands in the file.",
    )


def lessons_in(seen: Seen, patterns: tuple[str, ...]) -> list[Lesson]:
    """The lessons of these files, in the order of files and lines."""
    return [lesson for file in seen.texts if file.is_of(patterns) for lesson in _lessons_of(file)]


class Index:
    """Lessons by what they are called."""

    def __init__(self, written: list[Lesson]) -> None:
        # Two of a name are enough to find one that is not the lesson itself.
        self._by_name: dict[str, list[Lesson]] = {}
        for lesson in written:
            for name in lesson.names:
                bearers = self._by_name.setdefault(name, [])
                bearers += [lesson] if len(bearers) < 2 else []

    def earlier(self, one: Lesson) -> Lesson | None:
        """The lesson that this one says it repeats, by id or title, else by its day; None where there is none."""
        said = one.repeat_of or ""
        ids = _ID.findall(said)
        named = [*map(normalise, (*ids, said, _core(said))), *([] if ids else map(str, days(said)))]
        bearers = (other for name in named for other in self._by_name.get(name, ()))
        return next((other for other in bearers if other is not one), None) if one.is_repeat else None


@dataclass
class _Section:
    """A stretch of a file under one heading or in one item."""

    line: int
    depth: int
    title: str
    body: list[str]


def _lessons_of(file: WatchedFile) -> Iterator[Lesson]:
    cut = _sections(file, _HEAD) or _sections(file, _ITEM)
    for at, section in enumerate(cut):
        is_group = at + 1 < len(cut) and cut[at + 1].depth > section.depth and not _has_words(section)
        if not is_group:
            yield _lesson(f"{file.name}:{section.line}", section.title, section.body)


def _sections(file: WatchedFile, begins: re.Pattern[str]) -> list[_Section]:
    """The sections below the file's own title, or the items of its list."""
    cut: list[_Section] = []
    n_titles = sum(line.startswith("# ") for _, line in lines(file))
    is_title = False
    for number, line in lines(file):
        head = None if _FIELD.match(line) else begins.match(line)
        if head:
            depth = len(head[1]) if begins is _HEAD else 1
            is_title = begins is _HEAD and depth == 1 and n_titles == 1
            if not is_title:
                cut.append(_Section(number, depth, head[head.lastindex or 0], []))
        elif cut and not is_title:
            cut[-1].body.append(line)
    return cut


def _has_words(section: _Section) -> bool:
    return any(line.strip() for line in section.body)


def _lesson(place: str, title: str, body: list[str], memory_ids: tuple[str, ...] = ()) -> Lesson:
    fields: dict[str, str] = {}
    for said in filter(None, map(_FIELD.match, body)):
        fields.setdefault(said[1].lower().replace(" ", "-"), said[2].strip(" *_`"))
    named = [*days(fields.get("date", "")), *days(title)]
    names = {*map(normalise, (*_ID.findall(title), title, _core(title))), *map(str, named)}
    day = named[0] if named else None
    return Lesson(place, frozenset(names - {""}), day, fields.get("enforcement"), fields.get("repeat-of"), memory_ids)


def _core(title: str) -> str:
    """A title without its id and day."""
    return re.sub(r"\d{4}-\d{2}-\d{2}", "", _ID.sub("", title)).strip(_MARKS)


def _remembered(seen: Seen) -> Iterator[Lesson]:
    """The lessons of memory whose words, or the words they rest on, carry such lines; the others have no place for them."""
    for row in seen.current():
        if row["kind"] != Kind.TOOL_OR_WORKFLOW_LESSON:
            continue
        body = [line for text in (row["text"], *seen.quotes.get(row["id"], ())) for line in text.splitlines()]
        if any(map(_FIELD.match, body)):
            yield _lesson(row["id"], row["text"], body, (row["id"],))
