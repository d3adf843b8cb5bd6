"""Sift: what is evidence and what is noise. Text is never rewritten: spans are kept, folded or dropped, each with a reason.

Belongs here: the verdict on each message and each of its sentences. Does not belong here: what the words mean (extract).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import polars as pl

from models.decision import Action, Decision
from models.message import Message
from models.rules import SiftRules
from models.table import Frame, conform
from models.turn import Turn
from slowwave.format import Trust
from tasks.segment import in_order
from tasks.sift import noise, sentences
from tasks.sift.forget import Forgotten, forget
from tasks.sift.verdict import whole_message

__all__ = ["Sifted", "sift"]

_SPEECH = ("user", "participant", "assistant")
_FOREIGN = (Trust.TOOL.value, Trust.SYSTEM.value, Trust.THIRD_PARTY.value)
_COLUMNS = (
    "platform",
    "session_id",
    "msg_key",
    "role",
    "speaker",
    "said_at",
    "trust",
    "tool_name",
    "mark",
    "caption",
    "text",
)
# A shorter text may well be said twice; a longer one is a paste or a re-sent prompt.
_MIN_REPEAT_CHARS = 200
_MAX_SAME_ROWS = 3


class Sifted(NamedTuple):
    """`turns` are the new turns; `heard` all of them, earlier ones included."""

    turns: Frame[Turn]
    heard: Frame[Turn]
    decisions: Frame[Decision]


def sift(messages: Frame[Message], earlier: Frame[Turn], *, rules: SiftRules, as_of: datetime) -> Sifted:
    """Keep what people and agents said to each other.

    A message said more than `max_future_skew_minutes` after `as_of` waits for a later night. Every message is either a turn or has a
    decision; what is left out inside a kept message has one too. A message heard again replaces its earlier turn. What the owner
    wishes forgotten is a turn without a span in `heard`, and among the new turns, as far as it has others, even if it is an earlier one.
    """
    sifting = _Sifting(rules, as_of + timedelta(minutes=rules.max_future_skew_minutes), _names(messages, earlier))
    for row in in_order(messages).select(_COLUMNS).iter_rows():
        sifting.take(*row)
    turns = _turns(messages, sifting.spans)
    again = messages.filter(~pl.col("msg_key").is_in(sorted(sifting.deferred)))
    heard = conform(pl.concat([turns, earlier.join(again, on="msg_key", how="anti")]), Turn)
    forgotten = forget(heard)
    return Sifted(_news(turns, forgotten), forgotten.heard, _decided(sifting.decisions + forgotten.decisions))


def _news(turns: Frame[Turn], forgotten: Forgotten) -> Frame[Turn]:
    """The new turns that still have words, and the earlier ones that lost some: what they still say is to be read anew."""
    is_news = pl.col("msg_key").is_in(turns["msg_key"].implode()) | pl.col("msg_key").is_in(sorted(forgotten.cut))
    return conform(forgotten.heard.filter(is_news & (pl.col("spans").list.len() > 0)), Turn)


def _names(messages: Frame[Message], earlier: Frame[Turn]) -> dict[tuple[str, str], frozenset[str]]:
    """The names that may stand in a greeting, by session: those of its speakers."""
    pairs = pl.concat([frame.select("platform", "session_id", "speaker") for frame in (messages, earlier)]).unique()
    found: dict[tuple[str, str], set[str]] = {}
    for platform, session, speaker in pairs.iter_rows():
        found.setdefault((platform, session), set()).update(speaker.casefold().split())
    return {session: frozenset(names) for session, names in found.items()}


class _Sifting:
    """One pass over the messages in order, with what a message's neighbours decide about it."""

    def __init__(self, rules: SiftRules, latest: datetime, names: dict[tuple[str, str], frozenset[str]]) -> None:
        self.rules, self.latest, self.names = rules, latest, names
        self.spans: dict[str, list[sentences.Span]] = {}
        self.deferred: set[str] = set()
        self.decisions: list[tuple[str, str, str, str, str]] = []
        self.session: tuple[str, str] | None = None
        self.here: frozenset[str] = frozenset()
        self.is_answering_job = False
        self.long_texts: dict[tuple[str, str], str] = {}

    def take(
        self, platform: str, session: str, key: str, role: str, speaker: str, said_at: datetime | None, *rest: Any
    ) -> None:
        """Decide on one message."""
        if (platform, session) != self.session:
            self.session, self.is_answering_job, self.long_texts = (platform, session), False, {}
            self.here = self.names.get(self.session, frozenset())
        trust, tool_name, mark, caption, text = rest
        if said_at is not None and said_at > self.latest:
            self.deferred.add(key)
            self._decide(key, Action.DEFER, "future")
            return
        verdict = whole_message(role, text, tool_name, mark, self.is_answering_job)
        if role == "user":
            self.is_answering_job = verdict is not None and verdict.is_job
        first = self._first_of(role, text, key) if verdict is None else None
        if verdict is not None:
            self._decide(key, Action.DROP, verdict.reason, detail=verdict.detail)
        elif first:
            self._decide(key, Action.DROP, "repeat", other=first)
        else:
            self._keep(key, role, text, has_caption=bool(caption), is_foreign=trust in _FOREIGN)

    def _first_of(self, role: str, text: str, key: str) -> str | None:
        """The message of this session that said the same long text before."""
        if len(text) < _MIN_REPEAT_CHARS:
            return None
        first = self.long_texts.setdefault((role, text), key)
        return first if first != key else None

    def _keep(self, key: str, role: str, text: str, *, has_caption: bool, is_foreign: bool) -> None:
        left_out: Counter[str] = Counter()
        spans = self._foreign(text, left_out) if is_foreign else self._speech(text, left_out, has_caption)
        for reason, n in sorted(left_out.items()) if left_out else ():
            action = Action.FOLD if spans else Action.DROP
            self._decide(key, action, reason, detail=f"{n} left out" if spans else "")
        if spans:
            self.spans[key] = spans
        elif not left_out:
            self._decide(key, Action.DROP, "empty")

    def _lines(self, text: str, left_out: Counter[str]) -> list[sentences.Span]:
        """Sentences and lines outside the blocks that are no speech, the overlong ones folded."""
        blocks = noise.blocks(text)
        left_out.update(reason for _, _, reason in blocks)
        found = sentences.split_outside(text, blocks)
        if len(text) <= self.rules.max_line_chars:
            return found
        folded = [sentences.fold(text, span, self.rules.max_line_chars) for span in found]
        left_out["long line"] += sum(parts != [span] for parts, span in zip(folded, found, strict=True))
        left_out += Counter()
        return [part for parts in folded for part in parts]

    def _speech(self, text: str, left_out: Counter[str], has_caption: bool) -> list[sentences.Span]:
        spans = self._lines(text, left_out)
        names = self.here
        kept = [(start, end) for start, end in spans if not noise.is_filler(text[start:end], names)]
        if has_caption and not kept:
            # The picture may be what the turn is about.
            return spans
        if len(kept) < len(spans):
            left_out["filler"] += len(spans) - len(kept)
        return kept

    def _foreign(self, text: str, left_out: Counter[str]) -> list[sentences.Span]:
        """Tool output: its outcome lines, and never a line that speaks to a model."""
        spans = self._lines(text, left_out)
        kept = [(start, end) for start, end in spans if not noise.is_instruction(text[start:end])]
        if len(kept) < len(spans):
            left_out["instruction"] += len(spans) - len(kept)
        told = _without_rows(text, kept)
        if len(told) < len(kept):
            left_out["repeated rows"] += len(kept) - len(told)
        kept = told
        if len(kept) <= self.rules.max_tool_lines:
            return kept
        left_out["tool output"] += len(kept) - self.rules.max_tool_lines
        return _outcome(text, kept, self.rules.max_tool_lines)

    def _decide(self, key: str, action: Action, reason: str, *, other: str = "", detail: str = "") -> None:
        self.decisions.append((key, action.value, reason, other, detail))


def _without_rows(text: str, spans: list[sentences.Span]) -> list[sentences.Span]:
    """Without the middle of a table or a progress log: of many lines that differ in their numbers, the first and the last stay."""
    places: dict[str, list[int]] = {}
    for i, (start, end) in enumerate(spans):
        places.setdefault(noise.skeleton(text[start:end]), []).append(i)
    rows = {i for same in places.values() if len(same) > _MAX_SAME_ROWS for i in same[1:-1]}
    return [span for i, span in enumerate(spans) if i not in rows]


def _outcome(text: str, spans: list[sentences.Span], n: int) -> list[sentences.Span]:
    """The n lines that say most about how it ended: outcome lines, then the last ones."""
    ranked = sorted(range(len(spans)), key=lambda i: (not noise.is_outcome(text[slice(*spans[i])]), -i))
    return [spans[i] for i in sorted(ranked[:n])]


def _turns(messages: Frame[Message], spans: dict[str, list[sentences.Span]]) -> Frame[Turn]:
    """The kept messages as turns."""
    flat = ((key, start, end) for key, kept in spans.items() for start, end in kept)
    parts = pl.DataFrame(flat, {"msg_key": pl.String, "start": pl.Int64, "end": pl.Int64}, orient="row")
    lists = parts.group_by("msg_key", maintain_order=True).agg(pl.struct("start", "end").alias("spans"))
    kept = messages.join(lists, on="msg_key", how="inner")
    is_evidence = pl.col("role").is_in(_SPEECH) & ~pl.col("trust").is_in(_FOREIGN)
    return conform(kept.with_columns(is_evidence=is_evidence), Turn)


def _decided(rows: Iterable[tuple[str, str, str, str, str]]) -> Frame[Decision]:
    names = ["item_id", "action", "reason", "other_id", "detail"]
    made = pl.DataFrame(list(rows), dict.fromkeys(names, pl.String), orient="row")
    return conform(made.with_columns(stage=pl.lit("sift")), Decision)
