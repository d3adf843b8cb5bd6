"""LongMemEval: evidence sessions and turns among a reader's results, one night over each instance's history.

Any file of its form is taken, one instance or a list. Belongs here: the form, the walk and the shares. Without a model nobody answers,
so an abstention is judged by what is found: how far the best result of a question without an answer lies below that of the others.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals.scores import percent, share
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.errors import UsageError
from slowwave.reader.results import Recalled

PLACES = 10
_ABSTENTION = "_abs"
_UPDATE = "knowledge-update"
_WORD = re.compile(r"[^\W_]+")
Row = dict[str, Any]


@dataclass(frozen=True)
class Instance:
    """One question and the history it is asked of. Turns are known by session and place: `3:0`."""

    id: str
    type: str
    question: str
    answer: str
    asked_at: datetime
    sessions: tuple[str, ...]
    turns: dict[str, Row]
    evidence_sessions: frozenset[str]
    evidence: frozenset[str]

    @property
    def is_unanswerable(self) -> bool:
        """Whether its history holds no answer."""
        return self.id.endswith(_ABSTENTION)


def instances(data: Path) -> list[Instance]:
    """Every instance of the files in a data folder, or of one file. Raises UsageError where there is none."""
    folder = data / "longmemeval" if (data / "longmemeval").is_dir() else data
    files = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    told = [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    found = [one for every in told for one in (every if isinstance(every, list) else [every])]
    if not found:
        raise UsageError(
            f"there is no LongMemEval instance in {folder}", "Name the folder that holds longmemeval/*.json: --data DIR"
        )
    return [_instance(one) for one in found]


def _instance(told: Row) -> Instance:
    """One instance. Its sessions are numbered in order of time, since some have the same id."""
    every = zip(told["haystack_dates"], told["haystack_session_ids"], told["haystack_sessions"], strict=True)
    ordered = sorted(((_time(date), name, turns) for date, name, turns in every), key=lambda one: (one[0], one[1]))
    turns: dict[str, Row] = {}
    evidence: set[str] = set()
    for number, (began, name, said) in enumerate(ordered):
        for place, turn in enumerate(said):
            turns[f"{number}:{place}"] = {"session": name, "at": began, "role": turn["role"], "text": turn["content"]}
            evidence |= {f"{number}:{place}"} if turn.get("has_answer") else set()
    wanted = set(told["answer_session_ids"])
    numbers = frozenset(str(n) for n, (_, name, _) in enumerate(ordered) if name in wanted)
    return Instance(
        id=told["question_id"],
        type=told["question_type"],
        question=told["question"],
        answer=str(told["answer"]),
        asked_at=_time(told["question_date"]),
        sessions=tuple(name for _, name, _ in ordered),
        turns=turns,
        evidence_sessions=numbers,
        evidence=frozenset(evidence),
    )


def _time(text: str) -> datetime:
    """A time as its files write it: 2023/05/30 (Tue) 23:40."""
    return datetime.strptime(re.sub(r" \(\w+\)", "", text.strip()), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def measure(data: Path) -> Row:
    """Walk a night over every instance, ask its question on its date, and sum up by type."""
    found: dict[str, list[Row]] = defaultdict(list)
    every = instances(data)
    for one in every:
        with TemporaryDirectory(prefix="slowwave-longmemeval-") as folder:
            found[one.type].append(judged(one, _asked(one, Path(folder))))
        print(f"{one.id}: {len(one.turns)} turns", file=sys.stderr)
    rows = [row for of_type in found.values() for row in of_type]
    return {
        **_figures(rows),
        "by_type": {name: _figures(of_type) for name, of_type in sorted(found.items())},
        "abstention": _abstention(rows),
        "n_instances": len(every),
        "n_messages": sum(len(one.turns) for one in every),
    }


def _asked(one: Instance, folder: Path) -> list[Recalled]:
    source = folder / "history.jsonl"
    source.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(one)), encoding="utf-8")
    consolidated(Plan(folder / "store", (f"jsonl={source}",), one.asked_at, {}, trigger="eval"), here)
    return slowwave.open(folder / "store").recall(one.question, PLACES, at=one.asked_at)


def lines(one: Instance) -> Iterator[Row]:
    """The history as generic JSONL, each message under its session's number and its own place."""
    for name, turn in one.turns.items():
        yield {
            "session_id": name.partition(":")[0],
            "message_id": name,
            "user_id": "user",
            "role": turn["role"],
            "content": turn["text"],
            "created_at": turn["at"].isoformat(),
            "platform": "chat",
        }


def judged(one: Instance, results: list[Recalled]) -> Row:
    """What a question's results are worth: shares of its evidence, of its answer's words, and whether the newest word comes first."""
    cited = [[e.message_id for e in result.evidence if e.quote] for result in results]
    turns = {name for names in cited for name in names}
    order = [name.partition(":")[0] for names in cited for name in names]
    told = set(_words(" ".join(result.text for result in results)))
    first = next((name for name in order if name in one.evidence_sessions), None)
    latest = max(one.evidence_sessions, key=int, default=None)
    return {
        "is_unanswerable": one.is_unanswerable,
        "sessions": share(set(order), one.evidence_sessions) if one.evidence_sessions else None,
        "turns": share(turns, one.evidence) if one.evidence else None,
        "answer_words": share(told, _words(one.answer)) if _words(one.answer) else None,
        "latest_first": float(first == latest) if one.type == _UPDATE and latest else None,
        "best": results[0].score if results else 0.0,
    }


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _figures(rows: list[Row]) -> Row:
    plain = [row for row in rows if not row["is_unanswerable"]]

    def of(name: str) -> float | None:
        return percent(row[name] for row in plain if row[name] is not None)

    return {
        "session_recall_at_10": of("sessions"),
        "turn_recall_at_10": of("turns"),
        "answer_words_at_10": of("answer_words"),
        "latest_first": of("latest_first"),
        "n_questions": len(plain),
    }


def _abstention(rows: list[Row]) -> Row:
    """How often an answerable question's best result scores above an unanswerable one's, over all pairs; None without both."""
    known = [row["best"] for row in rows if not row["is_unanswerable"]]
    empty = [row["best"] for row in rows if row["is_unanswerable"]]
    pairs = [(a > b) + (a == b) / 2 for a in known for b in empty]
    return {"told_apart": percent(pairs), "n_unanswerable": len(empty)}
