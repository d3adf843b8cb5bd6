"""Sift: what is evidence and what is noise. Text is never rewritten: spans are kept, folded or dropped, each with a reason.

Belongs here: the verdict on each message and each of its sentences. Does not belong here: what the words mean (extract).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import polars as pl

from models.decision import Action, Decision
from models.message import Message, Signal
from models.rules import Owner, SiftRules
from models.table import Frame, conform
from models.turn import Turn
from slowwave import planted
from slowwave.format import Trust
from tasks.segment import in_order
from tasks.sift import noise, output, sentences
from tasks.sift.answers import answering
from tasks.sift.echoes import unechoed
from tasks.sift.forbidden import allowed, allowed_signals
from tasks.sift.forget import forget
from tasks.sift.looks import Look, look
from tasks.sift.output import LeftOut
from tasks.sift.overheard import unheard
from tasks.sift.repeats import Repeats
from tasks.sift.trim import trim
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
    "is_late",
    "trust",
    "tool_name",
    "mark",
    "caption",
    "text",
)
_SAID = tuple(name for name in _COLUMNS if name != "is_late")
_PLACE = ("said_at", "seq")
_MAX_PLANTED = 20
_N_LOOKED_AT = 20_000


class Sifted(NamedTuple):
    """`turns` are the new turns; `heard` all of them, earlier ones included; `signals` those that no wish took away."""

    turns: Frame[Turn]
    heard: Frame[Turn]
    signals: Frame[Signal]
    decisions: Frame[Decision]


def sift(
    messages: Frame[Message],
    earlier: Frame[Turn],
    signals: Frame[Signal],
    *,
    rules: SiftRules,
    owner: Owner | None = None,
    as_of: datetime,
) -> Sifted:
    """Keep what people and agents said to each other.

    A message said more than `max_future_skew_minutes` after `as_of` waits for a later night. Every message is either a turn or has a
    decision; what is left out inside a kept message has one too. A message heard again replaces its earlier turn. What the owner
    wishes forgotten is a turn without a span in `heard`, and among the new turns, as far as it has others, even if it is an earlier one. So
    are the signals of that moment, and those in the same words: of all `signals`, those that stay are handed on. So it is too with every
    sentence that holds a word which the `owner` forbids, and every signal that does.
    """
    sifting = _Sifting(rules, _names(messages, earlier))
    latest = as_of + timedelta(minutes=rules.max_future_skew_minutes)
    for *row, before, looked in _in_order(messages, earlier, latest):
        sifting.take(*row, looked) if before is None else sifting.recall(*row, before)
    turns = _turns(messages, sifting.spans)
    again = messages.filter(~pl.col("msg_key").is_in(sorted(sifting.deferred)))
    heard = conform(pl.concat([turns, earlier.join(again, on="msg_key", how="anti")]), Turn)
    echoed = unechoed(heard, frozenset(turns["msg_key"]))
    forgotten = forget(echoed.heard)
    overheard = unheard(signals, forgotten.reaches, timedelta(minutes=rules.forget_signal_minutes))
    words = owner.forbidden_words if owner else ()
    known = frozenset(earlier["msg_key"])
    left = allowed(forgotten.heard, known, words)
    seen, unseen = allowed_signals(overheard.signals, words)
    anew = answering(left.heard, forgotten.cut | left.cut, known)
    news = _news(turns, left.heard, echoed.cut | forgotten.cut | left.cut | {key for key, *_ in anew})
    decisions = [*echoed.decisions, *forgotten.decisions, *left.decisions, *anew, *overheard.decisions, *unseen]
    return Sifted(news, left.heard, seen, _decided(sifting.decisions + decisions))


def _news(turns: Frame[Turn], heard: Frame[Turn], cut: frozenset[str]) -> Frame[Turn]:
    """The new turns that still have words, and the earlier ones that lost some: what they still say is to be read anew."""
    is_news = pl.col("msg_key").is_in(turns["msg_key"].implode()) | pl.col("msg_key").is_in(sorted(cut))
    return conform(heard.filter(is_news & (pl.col("spans").list.len() > 0)), Turn)


def _in_order(messages: Frame[Message], earlier: Frame[Turn], latest: datetime) -> Iterator[tuple[Any, ...]]:
    """The messages in order, each with a look at it, and among them, with their spans, the turns that their sessions had before."""
    new = messages.select(_SAID + _PLACE).with_columns(spans=pl.lit(None, dtype=earlier.schema["spans"]))
    known = earlier.join(messages, on=["platform", "session_id"], how="semi").join(messages, on="msg_key", how="anti")
    known = known.with_columns(tool_name=pl.lit(None, pl.String), mark=pl.lit(None, pl.String)).select(new.columns)
    # A part at a time, so that the looks at a whole history need not be held at once.
    rows = in_order(pl.concat([new, known])).with_columns(is_late=(pl.col("said_at") > latest).fill_null(value=False))
    for part in rows.select(*_COLUMNS, "spans").iter_slices(_N_LOOKED_AT):
        looks = look(part["text"], part["trust"].is_in(_FOREIGN))
        yield from ((*row, looked) for row, looked in zip(part.iter_rows(), looks, strict=True))


def _names(messages: Frame[Message], earlier: Frame[Turn]) -> dict[tuple[str, str], frozenset[str]]:
    """The names that may stand in a greeting, by session: those of its speakers."""
    pairs = pl.concat([frame.select("platform", "session_id", "speaker") for frame in (messages, earlier)]).unique()
    found: dict[tuple[str, str], set[str]] = {}
    for platform, session, speaker in pairs.iter_rows():
        found.setdefault((platform, session), set()).update(noise.called(speaker))
    return {session: frozenset(names) for session, names in found.items()}


class _Sifting:
    """One pass over the messages in order, with what a message's neighbours decide about it."""

    def __init__(self, rules: SiftRules, names: dict[tuple[str, str], frozenset[str]]) -> None:
        self.rules, self.names = rules, names
        self.spans: dict[str, list[sentences.Span]] = {}
        self.deferred: set[str] = set()
        self.decisions: list[tuple[str, str, str, str, str]] = []
        self.session: tuple[str, str] | None = None
        self.here: frozenset[str] = frozenset()
        self.is_answering_job = False
        self.repeats = Repeats(rules.min_repeat_chars, rules.min_repeat_share)
        self.planted: list[frozenset[str]] = []

    def take(self, platform: str, session: str, key: str, role: str, speaker: str, is_late: bool, *rest: Any) -> None:
        """Decide on one message."""
        self._enter(platform, session)
        trust, tool_name, mark, caption, text, looked = rest
        if is_late:
            self.deferred.add(key)
            self._decide(key, Action.DEFER, "future")
            return
        verdict = whole_message(role, text, tool_name, mark, self.is_answering_job)
        if role == "user":
            self.is_answering_job = verdict is not None and verdict.is_job
        first = self.repeats.first(role, text, key) if verdict is None else None
        if verdict is not None:
            self._decide(key, Action.DROP, verdict.reason, detail=verdict.detail)
        elif first:
            self._decide(key, Action.DROP, "repeat", other=first)
        else:
            self._keep(key, role, text, looked, has_caption=bool(caption), is_foreign=trust in _FOREIGN)

    def recall(self, platform: str, session: str, key: str, role: str, *rest: Any) -> None:
        """A turn that an earlier night kept: what is said after it may repeat it."""
        self._enter(platform, session)
        text, spans = rest[-2:]
        self.repeats.first(role, text, key)
        self.repeats.apart(role, text, key, [(span["start"], span["end"]) for span in spans])

    def _enter(self, platform: str, session: str) -> None:
        """Nothing is carried from one session into the next."""
        if (platform, session) == self.session:
            return
        self.session, self.is_answering_job, self.planted = (platform, session), False, []
        self.repeats = Repeats(self.rules.min_repeat_chars, self.rules.min_repeat_share)
        self.here = self.names.get(self.session, frozenset())

    def _keep(self, key: str, role: str, text: str, looked: Look, *, has_caption: bool, is_foreign: bool) -> None:
        left_out: LeftOut = defaultdict(int)
        spans = self._foreign(text, looked, left_out) if is_foreign else self._speech(role, text, looked, left_out)
        if not is_foreign:
            spans = self._telling(text, spans, left_out, has_caption=has_caption)
        told = trim(text, spans, self.rules.max_message_tokens)
        if len(told) < len(spans):
            left_out["trimmed"] += len(spans) - len(told)
        spans, first = self.repeats.apart(role, text, key, told)
        if spans:
            self.spans[key] = spans
        if left_out or first:
            self._leave_all_out(key, left_out, len(told) - len(spans), first, is_kept=bool(spans))
        elif not spans:
            self._decide(key, Action.DROP, "empty")

    def _leave_all_out(self, key: str, left_out: LeftOut, n_again: int, first: str, *, is_kept: bool) -> None:
        for reason, n in sorted(left_out.items()):
            self._leave_out(key, reason, n, is_kept=is_kept)
        if first:
            self._leave_out(key, "repeat", n_again, is_kept=is_kept, other=first)

    def _leave_out(self, key: str, reason: str, n: int, *, is_kept: bool, other: str = "") -> None:
        """Part of a message, or where nothing of it is kept all of it."""
        detail = f"{n} left out" if is_kept else ""
        self._decide(key, Action.FOLD if is_kept else Action.DROP, reason, other=other, detail=detail)

    def _lines(self, text: str, looked: Look, blocks: list[noise.Block], left_out: LeftOut) -> list[sentences.Span]:
        """Sentences and lines outside the blocks that are no speech, the overlong ones folded."""
        found = looked.spans
        if found is None or blocks:
            found = sentences.split_outside(text, blocks)
        for _, _, reason in blocks:
            left_out[reason] += 1
        if len(text) <= self.rules.max_line_chars:
            return found
        folded = [sentences.fold(text, span, self.rules.max_line_chars) for span in found]
        if n_folded := sum(parts != [span] for parts, span in zip(folded, found, strict=True)):
            left_out["long line"] += n_folded
        return [part for parts in folded for part in parts]

    def _speech(self, role: str, text: str, looked: Look, left_out: LeftOut) -> list[sentences.Span]:
        blocks = noise.blocks(text, is_persons=role != "assistant") if looked.may_block else []
        spans = self._lines(text, looked, blocks, left_out)
        if looked.may_plant:
            spans = self._unforged(text, spans, left_out)
        if self.planted and role == "assistant":
            spans = self._unparroted(text, spans, left_out)
        return spans

    def _telling(
        self, text: str, spans: list[sentences.Span], left_out: LeftOut, *, has_caption: bool
    ) -> list[sentences.Span]:
        """Without the sentences that only greet, thank or cheer."""
        names, longest = self.here, noise.MAX_FILLER_CHARS
        kept = [span for span in spans if span[1] - span[0] > longest or not noise.is_filler(text[slice(*span)], names)]
        if has_caption and not kept:
            # The picture may be what the turn is about.
            return spans
        if len(kept) < len(spans):
            left_out["filler"] += len(spans) - len(kept)
        return kept

    def _unforged(self, text: str, spans: list[sentences.Span], left_out: LeftOut) -> list[sentences.Span]:
        """Without the sentences that are no person's."""
        if forged := planted.forged([text[start:end] for start, end in spans]):
            left_out["instruction"] += len(forged)
        return [span for i, span in enumerate(spans) if i not in forged]

    def _unparroted(self, text: str, spans: list[sentences.Span], left_out: LeftOut) -> list[sentences.Span]:
        """Without the agent's sentences that say again what a planted line told it."""
        kept = [(start, end) for start, end in spans if not planted.is_parroted(text[start:end], self.planted)]
        if len(kept) < len(spans):
            left_out["instruction"] += len(spans) - len(kept)
        return kept

    def _foreign(self, text: str, looked: Look, left_out: LeftOut) -> list[sentences.Span]:
        """Tool output and third parties: how it ended, and never a line that speaks to a model."""
        blocks = noise.blocks(text, is_persons=False) if looked.may_block else []
        spans = self._lines(text, looked, blocks, left_out)
        kept, lines = output.told(text, spans, self.rules.max_tool_lines, left_out, may_plant=looked.may_plant)
        hidden = [text[start:end] for start, end, why in blocks if why == "hidden"]
        self.planted += [words for line in (*lines, *hidden) if (words := planted.content(line))][:_MAX_PLANTED]
        return kept

    def _decide(self, key: str, action: Action, reason: str, *, other: str = "", detail: str = "") -> None:
        self.decisions.append((key, action.value, reason, other, detail))


def _turns(messages: Frame[Message], spans: dict[str, list[sentences.Span]]) -> Frame[Turn]:
    """The kept messages as turns."""
    flat = [place for kept in spans.values() for span in kept for place in span]
    ends = pl.Series(flat, dtype=pl.Int64)
    keys = pl.Series(list(spans), dtype=pl.String).gather(
        pl.Series([i for i, kept in enumerate(spans.values()) for _ in kept], dtype=pl.UInt32)
    )
    parts = pl.DataFrame({"msg_key": keys, "start": ends.gather_every(2), "end": ends.gather_every(2, 1)})
    lists = parts.group_by("msg_key", maintain_order=True).agg(pl.struct("start", "end").alias("spans"))
    kept = messages.join(lists, on="msg_key", how="inner")
    is_evidence = pl.col("role").is_in(_SPEECH) & ~pl.col("trust").is_in(_FOREIGN)
    return conform(kept.with_columns(is_evidence=is_evidence), Turn)


def _decided(rows: Iterable[tuple[str, str, str, str, str]]) -> Frame[Decision]:
    names = ["item_id", "action", "reason", "other_id", "detail"]
    made = pl.DataFrame(list(rows), dict.fromkeys(names, pl.String), orient="row")
    return conform(made.with_columns(stage=pl.lit("sift")), Decision)
