"""The same facts told and asked in several languages: what a reader finds in each, beside what it finds in English.

One JSONL file a language, line for line the same talk: an exchange between a person and an agent, and where the person tells a fact, its
name and two questions about it in words of their own. Belongs here: the walk and the shares. Does not belong here: the words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.reader import Reader

LANGUAGES = {"en": "english", "nl": "dutch", "fr": "french", "ja": "japanese"}
EMBEDDERS = ("static", "none")
PLACES = 10
_START = datetime(2025, 2, 3, 18, tzinfo=UTC)
_EXCHANGES_A_SESSION, _DAYS_BETWEEN, _SECONDS_BETWEEN = 5, 9, 40


@dataclass(frozen=True)
class Line:
    """One message: `fact` is the name of what it tells, and `asked` the questions whose evidence it is."""

    id: str
    session: int
    at: datetime
    role: str
    text: str
    fact: str = ""
    asked: tuple[str, ...] = ()


def talk(code: str) -> list[Line]:
    """All that is said in one language, in order."""
    text = (Path(__file__).parent / f"{code}.jsonl").read_text(encoding="utf-8")
    lines: list[Line] = []
    for number, row in enumerate(map(json.loads, text.splitlines())):
        for role, key in (("user", "user"), ("assistant", "reply")):
            session, place = divmod(number, _EXCHANGES_A_SESSION)
            seconds = _SECONDS_BETWEEN * (2 * place + (role == "assistant"))
            at = _START + timedelta(days=_DAYS_BETWEEN * session, seconds=seconds)
            told = (row.get("fact", ""), tuple(row.get("ask", ()))) if role == "user" else ("", ())
            lines.append(Line(f"m{len(lines)}", session, at, role, row[key], *told))
    return lines


def measure() -> dict[str, Any]:
    """Evidence found among ten results in each language, in per cent, and as a share of the English figure, by embedder."""
    figures: dict[str, Any] = {embedder: _figures(embedder) for embedder in EMBEDDERS}
    told = [line for line in talk("en") if line.asked]
    return {"n_facts": len(told), "n_questions": sum(len(line.asked) for line in told), **figures}


def _figures(embedder: str) -> dict[str, Any]:
    found = {name: round(100 * fmean(share_found(code, embedder)), 1) for code, name in LANGUAGES.items()}
    return {
        "found_at_10": found,
        "of_english": {name: round(100 * f / found["english"], 1) for name, f in found.items()},
    }


def share_found(code: str, embedder: str) -> list[bool]:
    """Of each question of a language whether its evidence is among ten results."""
    lines = talk(code)
    with TemporaryDirectory(prefix="slowwave-languages-") as folder:
        reader = _published(lines, Path(folder), embedder)
        as_of = _as_of(lines)
        return [line.id in returned(reader, text, as_of) for line in lines for text in line.asked]


def returned(reader: Reader, text: str, as_of: datetime) -> set[str]:
    """The messages whose words stand among the first results."""
    results = reader.recall(text, PLACES, at=as_of)
    return {piece.message_id for result in results for piece in result.evidence if piece.quote}


def _published(lines: list[Line], folder: Path, embedder: str) -> Reader:
    """A reader of the version that one night over the talk publishes."""
    log = folder / "talk.jsonl"
    log.write_text("".join(json.dumps(_message(line), ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    flags = {"embed": {"embedder": embedder}}
    consolidated(Plan(folder / "store", (f"jsonl={log}",), _as_of(lines), flags, trigger="eval"), here)
    return slowwave.open(folder / "store")


def _as_of(lines: list[Line]) -> datetime:
    return lines[-1].at + timedelta(days=1)


def _message(line: Line) -> dict[str, Any]:
    return {
        "session_id": f"s{line.session}",
        "message_id": line.id,
        "user_id": "u1",
        "role": line.role,
        "content": line.text,
        "created_at": line.at.isoformat(),
        "platform": "generic",
    }
