"""Forbidden: no sentence that holds one of the owner's forbidden words is evidence, tonight's or of any night before.

A phrase may run over several sentences: all of them go. A turn whose speaker, project or thread is called so goes whole. Belongs here:
what a forbidden word takes away. Does not belong here: how one is found (`models.phrases`), and what a wish takes away (`forget`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from models.decision import Action
from models.message import Signal
from models.phrases import holds, phrase
from models.table import Frame, conform
from models.turn import Turn
from slowwave.text import normalise
from tasks.sift.forget import Row
from tasks.sift.wishes import is_said

_REASON = "forbidden"
_PLACES = ("speaker", "project", "thread")
Spans = list[dict[str, int]]


class Allowed(NamedTuple):
    """All turns with what is left of their spans, the keys of those that lost some, and a decision for each loss."""

    heard: Frame[Turn]
    cut: frozenset[str]
    decisions: list[Row]


def allowed(heard: Frame[Turn], known: frozenset[str], words: Sequence[str]) -> Allowed:
    """Take away every span that holds one of the words; a turn that loses all keeps its row. `known` are the keys of earlier turns."""
    if not words:
        return Allowed(heard, frozenset(), [])
    lost: list[tuple[str, Spans, str | None]] = []
    decisions: list[Row] = []
    for row in heard.select("msg_key", "text", "spans", "caption", *_PLACES).iter_rows(named=True):
        kept, caption = _left(row, words), None if holds(row["caption"] or "", words) else row["caption"]
        if len(kept) < len(row["spans"]) or caption != row["caption"]:
            lost.append((row["msg_key"], kept, caption))
            decisions.append(_decision(row, kept, is_known=row["msg_key"] in known))
    return Allowed(_without(heard, lost), frozenset(key for key, *_ in lost), decisions)


def allowed_signals(signals: Frame[Signal], words: Sequence[str]) -> tuple[Frame[Signal], list[Row]]:
    """The signals that hold none of the words, and a decision for each of the others."""
    columns = [
        name for name, kind in signals.schema.items() if kind == pl.String and name not in ("signal_key", "owner")
    ]
    rows = signals.select("signal_key", *columns).iter_rows() if words else ()
    gone = sorted(key for key, *texts in rows if any(holds(text, words) for text in texts if text))
    decisions = [(key, Action.DROP.value, _REASON, "", "signal") for key in gone]
    return conform(signals.filter(~pl.col("signal_key").is_in(gone)), Signal), decisions


def _left(row: dict[str, Any], words: Sequence[str]) -> Spans:
    """The spans of a turn without those that a forbidden phrase touches, and none where nothing is said without them."""
    text: str = row["text"]
    spans: Spans = row["spans"]
    if any(holds(row[place] or "", words) for place in _PLACES):
        return []
    gone = _touched([text[span["start"] : span["end"]] for span in spans], words)
    if not gone:
        return spans
    kept = [span for place, span in enumerate(spans) if place not in gone]
    return kept if is_said(text, [(span["start"], span["end"]) for span in kept]) else []


def _touched(said: list[str], words: Sequence[str]) -> set[int]:
    """The places of the sentences that a phrase stands in, or runs over."""
    begins: list[int] = []
    folded = ""
    for sentence in said:
        begins.append(len(folded))
        folded += f"{normalise(sentence)} "
    found = [match.span() for one in words for match in phrase(one, is_whole=True).finditer(folded)]
    return {n for start, end in found for n in range(bisect_right(begins, start) - 1, bisect_right(begins, end - 1))}


def _decision(row: dict[str, Any], kept: Spans, *, is_known: bool) -> Row:
    """What an earlier night had kept is forgotten, so that what was made of it goes; of a new message it is only left out."""
    action = Action.FORGET if is_known else Action.FOLD if kept else Action.DROP
    n_gone = len(row["spans"]) - len(kept)
    return (row["msg_key"], action.value, _REASON, "", f"{n_gone} left out" if n_gone else "picture's description")


def _without(heard: Frame[Turn], lost: list[tuple[str, Spans, str | None]]) -> Frame[Turn]:
    schema = {name: heard.schema[name] for name in ("msg_key", "spans", "caption")}
    left = pl.DataFrame(lost, schema, orient="row")
    cut = heard.drop("spans", "caption").join(left, on="msg_key", how="inner")
    rest = heard.join(left, on="msg_key", how="anti")
    return conform(pl.concat([rest, cut.select(rest.columns)]), Turn)
