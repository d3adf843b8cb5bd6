"""Answers: an earlier turn that answers words which are gone is read anew, since what was made of it has them as its context.

Belongs here: which turns those are. Does not belong here: why words go (`forget`, `forbidden`).
"""

from __future__ import annotations

from itertools import groupby, pairwise

import polars as pl

from models.decision import Action
from models.table import Frame
from models.turn import Turn
from tasks.segment import in_order
from tasks.sift.forget import Row

_SESSION = ("platform", "session_id")
_COLUMNS = (*_SESSION, "msg_key", "speaker")


def answering(heard: Frame[Turn], cut: frozenset[str], known: frozenset[str]) -> list[Row]:
    """A decision for each of the `known` turns that the next other speaker said right after one that was `cut`."""
    if not cut & known:
        return []
    touched = heard.filter(pl.col("msg_key").is_in(sorted(cut & known))).select(_SESSION).unique()
    rows = in_order(heard.join(touched, on=_SESSION, how="semi")).select(_COLUMNS).iter_rows()
    runs = [
        (session, [key for *_, key, _ in run]) for (*session, _), run in groupby(rows, lambda row: (*row[:2], row[3]))
    ]
    found: list[Row] = []
    for (session, asked), (next_session, answers) in pairwise(runs):
        gone = next((key for key in asked if key in cut), None)
        if gone is not None and session == next_session:
            again = (key for key in answers if key in known and key not in cut)
            found += [(key, Action.FORGET.value, "answers what is gone", gone, "read anew") for key in again]
    return found
