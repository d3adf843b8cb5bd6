"""LoCoMo: how much of the evidence of its questions a reader returns, after one night over each conversation.

A result is one memory or one turn. It counts for a message only where it returns words of that message, and every token it returns
is counted. Belongs here: the walk and the asking. Does not belong here: the data set's form (`dataset`) and sums (`scores`).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals import metered
from evals.dataset import ADVERSARIAL, Conversation, Question, conversations
from evals.scores import Found, figures, share
from evals.spending import Bill
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave import tokens
from slowwave.format import Memory
from slowwave.reader import Reader
from slowwave.reader.recall import n_tokens
from slowwave.reader.results import Recalled
from slowwave.reader.tables import Tables

NEAR, FAR, BUDGET_TOKENS = 10, 60, 1000


def measure(data: Path, *, embedder: str = "", model: str = "") -> dict[str, Any]:
    """Walk a night over every conversation of the folder, ask every question, and sum up.

    `embedder` and `model` are the settings' own where empty; the model `metered` is our own server on loopback, and what it counts
    stands beside the rest. Raises UsageError where there is no data.
    """
    flags: dict[str, Any] = {"embed": {"embedder": embedder}} if embedder else {}
    if model != metered.NAME:
        return _measured(data, {**flags, "night": {"model": model}} if model else flags)
    with metered.Model() as server:
        flags["night"] = {"model": metered.MODEL, "api_base": server.api_base}
        bill = Bill(server, flags)
        return {**_measured(data, flags, bill), "metered": bill.figures()}


def _measured(data: Path, flags: dict[str, Any], bill: Bill | None = None) -> dict[str, Any]:
    found: list[Found] = []
    counts: Counter[str] = Counter()
    made_by: dict[str, str] = {}
    for talk in conversations(data):
        asked = [q for q in talk.questions if q.evidence]
        with TemporaryDirectory(prefix="slowwave-locomo-") as folder:
            store = Path(folder) / "store"
            reader = _published(talk, store, flags)
            found += [_asked(reader, talk, question) for question in asked]
            spent = _spent(reader)
            counts.update(bill.take(talk, store, told=spent) if bill else spent)
            made_by = {"embedder": reader.manifest.embedder.name, "model": str(reader.manifest.provenance["model"])}
            counts.update(_kept(reader, talk))
            counts.update(_questions(talk))
        print(f"{talk.path.name}: {len(asked)} questions", file=sys.stderr)
    return {**_told(found, counts), **made_by}


def _told(found: list[Found], counts: Counter[str]) -> dict[str, Any]:
    kept = {
        "evidence_covered": _percent(counts["evidence_covered"], counts["evidence"]),
        "memory_tokens": _percent(counts["memory_tokens"], counts["turn_tokens"]),
        "n_memories": counts["memories"],
        "n_evidence_turns": counts["evidence"],
    }
    spent = ("calls", "input_tokens", "output_tokens", "messages")
    left_out = ("evidence_unresolved", "questions_without_evidence")
    return {
        **figures(found),
        **{name: counts[name] for name in spent},
        "coverage": kept,
        **{f"n_{name}": counts[name] for name in left_out},
        "n_conversations": counts["conversations"],
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _published(talk: Conversation, store: Path, flags: dict[str, Any]) -> Reader:
    """A reader of the version that one night over the conversation publishes."""
    consolidated(Plan(store, (f"locomo={talk.path}",), talk.as_of, flags, trigger="eval"), here)
    return slowwave.open(store)


def _asked(reader: Reader, talk: Conversation, question: Question) -> Found:
    """Ask as an agent would: ten results, sixty, and as many as fit the budget."""
    near = reader.recall(question.text, NEAR, at=talk.as_of)
    far = reader.recall(question.text, FAR, at=talk.as_of)
    within = reader.recall(question.text, FAR, BUDGET_TOKENS, at=talk.as_of)
    return Found(
        category=question.category,
        at_10=share(returned(near, talk), question.evidence),
        at_60=share(returned(far, talk), question.evidence),
        in_1000_tokens=share(returned(_counted(within), talk), question.evidence),
        sessions_at_10=share(_ten_sessions(far, talk), _sessions(question.evidence)),
        sessions_in_10_results=share(_sessions(returned(near, talk)), _sessions(question.evidence)),
        n_results=len(near),
        n_tokens=sum(map(n_tokens, near)),
        n_evidence=len(question.evidence),
    )


def returned(results: Iterable[Recalled], talk: Conversation) -> set[str]:
    """The turns whose own words the results return: a piece of evidence that quotes nothing of its turn is not counted."""
    pieces = [piece for result in results for piece in result.evidence]
    return {p.message_id for p in pieces if p.quote and p.quote in talk.turns.get(p.message_id, "")}


def _counted(results: list[Recalled]) -> list[Recalled]:
    """The first results that fit the budget by our own count, whatever the reader let through."""
    left, kept = BUDGET_TOKENS, list[Recalled]()
    for result in results:
        left -= n_tokens(result)
        if left < 0:
            break
        kept.append(result)
    return kept


def _ten_sessions(results: list[Recalled], talk: Conversation) -> set[str]:
    """The first ten sessions that the results, in their order, return words of."""
    in_order = (session for result in results for session in sorted(_sessions(returned([result], talk))))
    return set(list(dict.fromkeys(in_order))[:NEAR])


def _sessions(turns: Iterable[str]) -> set[str]:
    return {turn.partition(":")[0] for turn in turns}


def _spent(reader: Reader) -> dict[str, int]:
    return {name: int(reader.manifest.provenance[name]) for name in ("calls", "input_tokens", "output_tokens")}


def _kept(reader: Reader, talk: Conversation) -> dict[str, int]:
    """What the memories alone hold: the evidence turns of categories 1 to 4 that they cite, and their size beside the turns'."""
    tables = Tables(reader.store, reader.manifest)
    memories = tables.where("memories", Memory)
    evidence = {turn for question in talk.questions if question.category != ADVERSARIAL for turn in question.evidence}
    cited = {piece.message_id for memory in memories for piece in memory.evidence}
    return {
        "conversations": 1,
        "messages": len(talk.turns),
        "memories": len(memories),
        "evidence": len(evidence),
        "evidence_covered": len(evidence & cited),
        "memory_tokens": sum(tokens.count(memory.text) for memory in memories),
        "turn_tokens": sum(map(tokens.count, talk.turns.values())),
    }


def _questions(talk: Conversation) -> dict[str, int]:
    return {
        "evidence_unresolved": sum(question.n_unresolved for question in talk.questions),
        "questions_without_evidence": sum(not question.evidence for question in talk.questions),
    }
