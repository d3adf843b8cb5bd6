"""Segment: are borders found where no time tells, and how many questions does a conversation cost?

A LoCoMo conversation is put together as one session without times; what sift keeps of it is cut by segment, by TextTiling and into
equal pieces, and each is held to where its sessions truly began. Belongs here: the walk and the sums. Does not belong here: the
measures and the baselines (`borders`), the data set's form (`dataset`).
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from evals.borders import evenly, is_border, pk, texttiling, window_diff
from evals.dataset import Said, conversations, said
from flows.part import Unasked, walk_part

AS_OF = datetime(2100, 1, 1, tzinfo=UTC)
N_TIMINGS = 3


@dataclass(frozen=True)
class Cut:
    """What was kept of a conversation and how it was cut: per turn its words, its true session and its topic."""

    texts: tuple[str, ...]
    sessions: tuple[int, ...]
    topics: tuple[int, ...]


class Counting(Unasked):
    """Counts the questions that extraction puts, and answers none."""

    def __init__(self) -> None:
        self.n_asked = 0

    def __call__(self, questions: Sequence[Any]) -> Any:
        self.n_asked += len(questions)
        return super().__call__(questions)


def measure(data: Path, *, embedder: str = "static") -> dict[str, Any]:
    """Cut every conversation of the folder, ask nothing, and sum up. Raises UsageError where there is no data."""
    talks = {talk.path.stem: said(talk.path) for talk in conversations(data)}
    joined = {name: cut(talk, embedder, has_times=False) for name, talk in talks.items()}
    timed = [cut(talk, embedder, has_times=True) for talk in talks.values()]
    asked = {name: questions(talk, embedder) for name, talk in talks.items()}
    scores = {name: scored(one) for name, one in joined.items()}
    return {
        "pk": _means(scores, "pk"),
        "window_diff": _means(scores, "window_diff"),
        "by_conversation": {name: {**score, "questions": asked[name]} for name, score in scores.items()},
        "session_borders": sum(sum(is_border(one.sessions)) for one in timed),
        "session_borders_found_with_times": sum(_n_found(one) for one in timed),
        "questions_per_conversation": round(statistics.fmean(asked.values()), 2),
        **_cost(talks, embedder),
        "embedder": embedder,
        "n_conversations": len(talks),
    }


def cut(talk: Sequence[Said], embedder: str, *, has_times: bool) -> Cut:
    """Put the sessions together into one, with their times or without any, and walk it through sift and segment."""
    rows = [message(turn, "joined", seq, has_times=has_times) for seq, turn in enumerate(talk)]
    made = walk_part({"begin.messages": rows}, start="sift", stop="segment", as_of=AS_OF, embedder=embedder)
    topics = made["segment.topics"].select("ordinal", pl.col("msg_keys").alias("msg_key")).explode("msg_key")
    kept = made["sift.turns"].join(topics, on="msg_key").sort("seq")
    places = kept.get_column("seq").to_list()
    return Cut(
        texts=tuple(talk[place].text for place in places),
        sessions=tuple(talk[place].session for place in places),
        topics=tuple(kept.get_column("ordinal").to_list()),
    )


def questions(talk: Sequence[Said], embedder: str) -> int:
    """How many questions a night puts to its model for the conversation, sessions and times as they are."""
    counting = Counting()
    seqs: dict[int, int] = {}
    rows: list[dict[str, Any]] = []
    for turn in talk:
        seqs[turn.session] = seqs.get(turn.session, -1) + 1
        rows.append(message(turn, f"session_{turn.session}", seqs[turn.session], has_times=True))
    walk_part({"begin.messages": rows}, start="sift", stop="extract", as_of=AS_OF, ask=counting, embedder=embedder)
    return counting.n_asked


def message(turn: Said, session: str, seq: int, *, has_times: bool) -> dict[str, Any]:
    """A captured message of the turn."""
    return {
        "msg_key": f"{session}-{turn.id}",
        "content_hash": hashlib.sha256(turn.text.encode()).hexdigest(),
        "text": turn.text,
        "source": "locomo",
        "time_source": "session" if has_times else "none",
        "session_id": session,
        "message_id": turn.id,
        "seq": seq,
        "platform": "locomo",
        "owner": "owner",
        "role": "participant",
        "speaker": turn.speaker,
        "said_at": turn.began_at + timedelta(seconds=seq) if has_times else None,
        "trust": "participant",
        "n_redactions": 0,
    }


def scored(one: Cut) -> dict[str, Any]:
    """Each way of cutting against the true borders; k is half the true mean length. The equal pieces are told how many to make."""
    n_true = len(set(one.sessions))
    found: Mapping[str, Sequence[int]] = {
        "slowwave": one.topics,
        "texttiling": texttiling(one.texts),
        "equal_pieces": evenly(len(one.texts), n_true),
    }
    k = max(2, round(len(one.texts) / n_true / 2))
    return {
        "pk": {name: round(pk(one.sessions, pieces, k), 3) for name, pieces in found.items()},
        "window_diff": {name: round(window_diff(one.sessions, pieces, k), 3) for name, pieces in found.items()},
        "n_turns": len(one.texts),
        "n_sessions": n_true,
        "n_topics": len(set(one.topics)),
        "n_borders_found_exactly": _n_found(one),
    }


def _n_found(one: Cut) -> int:
    return sum(a and b for a, b in zip(is_border(one.sessions), is_border(one.topics), strict=True))


def _means(scores: Mapping[str, Mapping[str, Any]], measure: str) -> dict[str, float]:
    names = next(iter(scores.values()))[measure]
    return {name: round(statistics.fmean(score[measure][name] for score in scores.values()), 3) for name in names}


def _cost(talks: Mapping[str, Sequence[Said]], embedder: str) -> dict[str, float | None]:
    """CPU-seconds of segment with embedding, per 1,000 turns without times, less what starting takes; null if too few to tell."""
    rows = [message(t, name, seq, has_times=False) for name, talk in talks.items() for seq, t in enumerate(talk)]
    kept = walk_part({"begin.messages": rows}, start="sift", stop="sift", as_of=AS_OF)["sift.turns"]
    whole, start = (min(_seconds(some, embedder) for _ in range(N_TIMINGS)) for some in (kept, kept.clear()))
    is_told = whole > start
    return {
        "cpu_seconds_per_1000_turns": round(1000 * (whole - start) / kept.height, 3) if is_told else None,
        "turns_per_cpu_second": round(kept.height / (whole - start)) if is_told else None,
    }


def _seconds(turns: pl.DataFrame, embedder: str) -> float:
    began = time.process_time()
    walk_part({"sift.turns": turns}, start="segment", stop="segment", as_of=AS_OF, embedder=embedder)
    return time.process_time() - began
