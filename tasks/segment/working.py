"""Working sets: what each of the last sessions was about, as candidates that no memory needs to confirm.

A pure function of what has been heard, so that a session that grew over two nights is as if heard in one. Extractive: every sentence is
a span of a message. Belongs here: which sessions, and the row of each. Does not belong here: what became of it (`tasks.project`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl

from models.ids import make_id
from models.memory import WorkingRow
from models.message import Signal
from models.rules import SegmentRules
from models.table import Frame, rows_to_frame
from models.turn import Turn, is_spoken
from tasks.extract.privacy import privacy_of_words
from tasks.segment.borders import takes_leave
from tasks.segment.cues import is_promise, is_taste
from tasks.segment.gist import names, summary
from tasks.segment.projects import Projects
from tasks.segment.said import Sentence, sentences_of
from tasks.segment.stretches import in_order

Row = dict[str, Any]
_SESSION = ("platform", "session_id")
_NEVER = datetime.min.replace(tzinfo=UTC)


def working_sets(
    turns: Frame[Turn], earlier: Frame[Turn], signals: Frame[Signal], rules: SegmentRules
) -> Frame[WorkingRow]:
    """One row for each of the sessions last heard."""
    heard = pl.concat([turns, earlier.join(turns, on="msg_key", how="anti")])
    spoken = heard.filter(is_spoken() & (pl.col("spans").list.len() > 0))
    chosen = _last_heard(spoken, rules.working_sessions)
    projects = Projects.of(spoken, signals)
    ordered = in_order(spoken.join(chosen, on=_SESSION, how="semi"))
    parts = ordered.partition_by(*_SESSION, maintain_order=True)
    rows = [_row(part, projects, rules) for part in parts]
    return rows_to_frame(WorkingRow, [{**row, "is_open": _is_open(row, rows)} for row in rows])


def _last_heard(spoken: pl.DataFrame, n: int) -> pl.DataFrame:
    """The platforms and ids of the sessions heard last; one without any time comes after all others."""
    ends = spoken.group_by(_SESSION).agg(ended_at=pl.col("said_at").max())
    return ends.sort("ended_at", *_SESSION, descending=[True, False, False], nulls_last=True).head(n)


def _row(session: pl.DataFrame, projects: Projects, rules: SegmentRules) -> Row:
    read = session.tail(rules.working_turns)
    sentences = sentences_of(read)
    first = session.row(0, named=True)
    times = session["said_at"].drop_nulls()
    threads = session["thread"].drop_nulls().to_list()
    most = rules.working_candidates
    return {
        "id": make_id("wrk", first["owner"], first["platform"], first["session_id"]),
        **{name: first[name] for name in ("owner", *_SESSION)},
        "thread": threads[-1] if threads else None,
        "projects": projects.guesses(session, sentences),
        "started_at": times.min(),
        "ended_at": times.max(),
        "n_turns": session.height,
        # What is open depends on the other sessions too; here it is whether somebody took leave.
        "is_open": not any(map(takes_leave, session["text"].tail(2))),
        "summary": _candidates(summary(sentences, rules.working_sentences)),
        "entities": names(sentences, most),
        "commitments": _candidates(_last(sentences, is_promise, most)),
        "preferences": _candidates(_last((one for one in sentences if one.is_of_people), is_taste, most)),
    }


def _last(sentences: Iterable[Sentence], test: Callable[[str], bool], n: int) -> list[Sentence]:
    """The last `n` sentences that pass, each wording once, in order."""
    found: dict[str, Sentence] = {}
    for one in sorted(sentences, key=lambda one: -one.place) if n else ():
        if one.text not in found and test(one.text):
            found[one.text] = one
            if len(found) == n:
                break
    return list(found.values())[::-1]


def _candidates(sentences: Iterable[Sentence]) -> list[Row]:
    return [
        {
            "source_kind": "message",
            "source_id": one.msg_key,
            "session_id": one.session_id,
            "message_id": one.message_id,
            "start": one.start,
            "end": one.end,
            "quote": one.text,
            "said_at": one.said_at,
            "speaker": one.speaker,
            "trust": one.trust,
            "privacy": privacy_of_words(one.text),
            "memory_ids": [],
        }
        for one in sentences
    ]


def _is_open(row: Row, rows: Sequence[Row]) -> bool:
    """Whether nobody took leave, and no session began later on the same platform, project and thread."""
    ended_at = row["ended_at"] or _NEVER
    later = (other for other in rows if other is not row and (other["started_at"] or _NEVER) > ended_at)
    return row["is_open"] and not any(_scope(other) == _scope(row) for other in later)


def _scope(row: Row) -> tuple[Any, ...]:
    own = (guess["name"] for guess in row["projects"] if guess["ground"] == "metadata")
    return row["owner"], row["platform"], next(own, None), row["thread"]
