"""LoCoMo answered by a model from what the reader returns, and judged by a model: as is usual, and more strictly.

The usual judge lets a vague answer pass that touches the subject; the stricter one wants every fact of the right answer and no other. Both
see the same answers. Any server of the chat protocol will do. Belongs here: what is asked, and the shares. Does not belong here: evidence
recall (`locomo`), which needs no model.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals.dataset import ADVERSARIAL, CATEGORIES, Conversation, conversations
from evals.scores import percent
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.errors import ModelUnavailable, UsageError
from slowwave.reader import Reader

BUDGET_TOKENS, PLACES, IN_FLIGHT = 1000, 60, 4
ANSWER = """\
You answer a question about people from notes of their conversations. Use the notes alone. Answer in as few words as will do, with dates
as dates. Where the notes don't say, answer: not known."""
USUAL = """\
You judge whether an answer is right, given the right answer. Be generous: as long as it speaks of the same thing as the right answer, or
of the same time in other words, it is CORRECT; else it is WRONG. Answer with that one word."""
STRICT = """\
You judge whether an answer is right, given the right answer. It is CORRECT only if it states every fact, name, number and date of the
right answer, in whatever words, and nothing that contradicts or goes beyond it; a vague, partial or hedged answer is WRONG. Answer with
that one word."""
_CORRECT = re.compile(r"\bcorrect\b", re.IGNORECASE)
Row = dict[str, Any]


@dataclass(frozen=True)
class Chat:
    """A model behind the chat protocol; the key is read from OPENAI_API_KEY where one is set."""

    api_base: str
    model: str
    timeout_seconds: float = 120.0

    def __call__(self, system: str, user: str) -> str:
        """One answer. Raises ModelUnavailable where none came."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body = json.dumps({"model": self.model, "messages": messages, "temperature": 0}).encode()
        key = os.environ.get("OPENAI_API_KEY", "")
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(f"{self.api_base.rstrip('/')}/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_seconds) as reply:
                return str(json.load(reply)["choices"][0]["message"]["content"] or "").strip()
        except (OSError, ValueError, LookupError) as error:
            raise ModelUnavailable(
                f"{self.model} did not answer: {error}", "Check --api-base, and that the model is served there."
            ) from error


@dataclass(frozen=True)
class Asked:
    """One question with its right answer; `id` is its file and place: `conv-26:17`."""

    id: str
    text: str
    answer: str
    category: int


def questions(talk: Conversation) -> list[Asked]:
    """Every question of a conversation that has an answer, but those that take one person for the other."""
    told: list[Row] = json.loads(talk.path.read_text(encoding="utf-8"))["qa"]
    return [
        Asked(f"{talk.path.stem}:{place}", str(one["question"]), str(one["answer"]), int(one["category"]))
        for place, one in enumerate(told)
        if int(one["category"]) != ADVERSARIAL and str(one.get("answer", "")).strip()
    ]


def read_wrong(file: Path | None) -> frozenset[str]:
    """Ids of questions whose right answer is known to be wrong, a line each, with words after it as you like. Raises UsageError."""
    if file is None:
        return frozenset()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error}", "Name a file of question ids such as conv-26:17, one a line."
        ) from error
    return frozenset(line.split()[0] for line in lines if line.strip() and not line.startswith("#"))


def measure(data: Path, chat: Chat, *, judge: Chat | None = None, wrong: frozenset[str] = frozenset()) -> Row:
    """A night over each conversation by the rules, then every question answered and judged twice; the `wrong` ones are left out."""
    rows: list[Row] = []
    for talk in conversations(data):
        asked = [one for one in questions(talk) if one.id not in wrong]
        with TemporaryDirectory(prefix="slowwave-answers-") as folder:
            reader = _published(talk, Path(folder) / "store")
            notes = [_notes(reader, talk, one) for one in asked]
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            rows += pool.map(lambda pair: judged(pair[0], pair[1], chat, judge or chat), zip(asked, notes, strict=True))
        print(f"{talk.path.name}: {len(asked)} answers", file=sys.stderr)
    return {**_figures(rows), "model": chat.model, "judge": (judge or chat).model, "left_out": sorted(wrong)}


def _published(talk: Conversation, store: Path) -> Reader:
    consolidated(Plan(store, (f"locomo={talk.path}",), talk.as_of, {}, trigger="eval"), here)
    return slowwave.open(store)


def _notes(reader: Reader, talk: Conversation, one: Asked) -> str:
    """What an agent would be given for the question."""
    found = reader.recall(one.text, PLACES, BUDGET_TOKENS, at=talk.as_of)
    dated = [(result.first_seen_at, result.subject, result.text) for result in found]
    return "\n".join(f"- {at:%d %B %Y}, {who}: {text}" if at else f"- {who}: {text}" for at, who, text in dated)


def judged(one: Asked, notes: str, chat: Chat, judge: Chat) -> Row:
    """One answer, and what both judges make of it."""
    answer = chat(ANSWER, f"Notes:\n{notes}\n\nQuestion: {one.text}")
    told = f"Question: {one.text}\nRight answer: {one.answer}\nAnswer: {answer}"
    verdicts = {name: _is_correct(judge(prompt, told)) for name, prompt in (("usual", USUAL), ("strict", STRICT))}
    return {"id": one.id, "category": one.category, **verdicts}


def _is_correct(verdict: str) -> bool:
    """A judge's word; one that says both, or neither, has not said that it is right."""
    return bool(_CORRECT.search(verdict)) and not re.search(
        r"\b(?:wrong|incorrect|not correct)\b", verdict, re.IGNORECASE
    )


def _figures(rows: Sequence[Row]) -> Row:
    def of(some: Sequence[Row]) -> Row:
        shares = {f"{name}_judge": percent(float(row[name]) for row in some) for name in ("usual", "strict")}
        return {**shares, "n_questions": len(some)}

    plain = {number: name for number, name in CATEGORIES.items() if number != ADVERSARIAL}
    return {**of(rows), "by_category": {name: of([r for r in rows if r["category"] == n]) for n, name in plain.items()}}
