"""What a reader finds of scripted lives: one night over each, every question asked, evidence counted by the words returned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals.scripted.life import Form, Life, live, write
from evals.scripted.questions import SORTS, Asked, questions
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.reader import Reader
from slowwave.reader.results import Recalled

FORMS: tuple[Form, ...] = ("talk", "agent")
N_LIVES, PLACES = 4, 10


@dataclass(frozen=True)
class Opened:
    """A life whose night has been walked."""

    life: Life
    reader: Reader
    asked: tuple[Asked, ...]


Ask = Callable[[Opened, str], list[Recalled]]


@contextmanager
def opened(n_lives: int = N_LIVES, *, first: int = 1, flags: dict[str, Any] | None = None) -> Iterator[list[Opened]]:
    """So many lives of each form, each with a reader of the version that one night over it publishes, under the settings `flags`."""
    with TemporaryDirectory(prefix="slowwave-scripted-") as folder:
        lives = [live(seed, form) for form in FORMS for seed in range(first, first + n_lives)]
        yield [_opened(Path(folder), life, flags or {}) for life in lives]


def _opened(folder: Path, life: Life, flags: dict[str, Any]) -> Opened:
    place = folder / f"{life.form}-{life.people[0].name}-{len(life.lines)}"
    place.mkdir()
    write(life, place / "life.jsonl")
    consolidated(Plan(place / "store", (f"jsonl={place / 'life.jsonl'}",), life.as_of, flags, trigger="eval"), here)
    return Opened(life, slowwave.open(place / "store"), tuple(questions(life)))


def measure(n_lives: int = N_LIVES) -> dict[str, Any]:
    """Evidence found among ten results, in per cent, by form and by sort of question."""
    with opened(n_lives) as lives:
        return {"n_lives": len(lives), "n_messages": sum(len(one.life.lines) for one in lives), **figures(lives)}


def figures(lives: Iterable[Opened], ask: Ask | None = None) -> dict[str, Any]:
    """The shares found, over all questions but those that name the wrong person, and by form and sort; `ask` is the reader's own."""
    found = [(one.life.form, asked.sort, share(one, asked, ask or _recalled)) for one in lives for asked in one.asked]
    plain = [(form, share) for form, sort, share in found if sort != "swapped"]
    return {
        "found_at_10": _percent(share for _, share in plain),
        "n_questions": len(plain),
        "by_form": {form: _percent(s for f, s in plain if f == form) for form in FORMS},
        "by_sort": {sort: _percent(s for _, q, s in found if q == sort) for sort in SORTS},
    }


def share(one: Opened, asked: Asked, ask: Ask) -> float:
    """The share of a question's evidence whose own words stand among the first results."""
    return len(_quoted(ask(one, asked.text)) & asked.evidence) / len(asked.evidence)


def _recalled(one: Opened, text: str) -> list[Recalled]:
    return one.reader.recall(text, PLACES, at=one.life.as_of)


def _quoted(results: Iterable[Recalled]) -> set[str]:
    return {piece.message_id for result in results for piece in result.evidence if piece.quote}


def _percent(shares: Iterable[float]) -> float | None:
    every = list(shares)
    return round(100 * fmean(every), 2) if every else None
