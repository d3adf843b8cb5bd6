"""A checked claim becomes a row: evidence spans verified, dates resolved, privacy set, id made of its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from models.ask import Line
from models.claim import Claim, ClaimRow
from models.cue import Cue
from models.ids import make_id
from models.rules import ExtractRules, Owner
from slowwave import when
from slowwave.format import Evidence, Kind, Precision, Trust, Writer
from slowwave.text import normalise
from tasks.extract.dated import spoken
from tasks.extract.lines import Sheet
from tasks.extract.names import plain
from tasks.extract.privacy import privacy_of
from tasks.extract.wording import context_of, worded

_UNBOUNDED = Cue(
    re.compile(
        r"\b(?:for good|permanently|forever|from now on|indefinitely|until further notice|without (?:an )?end|no end date)\b",
        re.I,
    ),
    "good permanently forever now indefinitely further end",
)
_TRUST_ORDER = list(Trust)


class Times(NamedTuple):
    """When a claim holds or falls due, UTC."""

    valid_from: datetime | None
    valid_to: datetime | None
    valid_precision: Precision | None
    due_at: datetime | None


def row_of(claim: Claim, sheet: Sheet, *, rules: ExtractRules, owner: Owner, writer: Writer) -> ClaimRow:
    """The row of a claim that has no complaints. Raises ValueError where a quote is not what the turn says."""
    cited = sheet.cited(claim.lines)
    turns = [sheet.places[line.number].turn for line in cited]
    text = worded(claim, cited, owner, sheet.speakers(cited) - {cited[-1].speaker})
    is_own = claim.subject in ("user", "assistant", cited[-1].speaker)
    said = [line.said_at for line in cited if line.said_at is not None]
    body: dict[str, Any] = {
        "owner": sheet.owner,
        "project": turns[-1]["project"],
        "thread": turns[-1]["thread"],
        "kind": _kind_of(claim, turns),
        "subject": claim.subject,
        "subject_key": normalise(claim.subject),
        "attribute": claim.attribute or None,
        "value": claim.value or None,
        "cardinality": claim.cardinality,
        "polarity": claim.polarity,
        "text": text,
        "evidence": evidence_of(sheet, cited),
        **times_of(claim, cited, owner)._asdict(),
    }
    return ClaimRow(
        **body,
        claim_id=make_id("clm", {k: v for k, v in body.items() if k != "evidence"}, _spots(body["evidence"])),
        context=context_of(sheet, cited),
        confidence=claim.confidence
        * min((t["origin_trust"] for t in turns if t["origin_trust"] is not None), default=1.0),
        importance=claim.importance,
        said_at=max(said, default=None),
        is_unbounded=bool(_UNBOUNDED.search(text)),
        trust=Trust(max((t["trust"] for t in turns), key=lambda t: _TRUST_ORDER.index(Trust(t)))),
        privacy=privacy_of(claim, text, is_own=is_own, words=rules.sensitive_words),
        mentions=_mentions(claim, cited, text),
        writer=writer,
    )


def _kind_of(claim: Claim, turns: Sequence[Mapping[str, Any]]) -> Kind:
    """What the record's platform says it is, where all that is cited is of one sort, and that says more than a fact."""
    kinds = {turn["kind"] for turn in turns}
    stated = Kind(kinds.pop()) if len(kinds) == 1 and None not in kinds else claim.kind
    return claim.kind if stated is Kind.SEMANTIC_FACT else stated


def _spots(evidence: list[Evidence]) -> list[tuple[str, int, int]]:
    return [(e.source_id, e.start, e.end) for e in evidence]


def evidence_of(sheet: Sheet, cited: list[Line]) -> list[Evidence]:
    """One span for each run of neighbouring lines of one message, verbatim and verified byte for byte."""
    runs: list[list[Line]] = []
    for line in cited:
        if runs and _is_next(sheet, runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [_span(sheet, run) for run in runs]


def _is_next(sheet: Sheet, last: Line, line: Line) -> bool:
    """Whether a line follows another in its message with nothing left out between them: what was left out is quoted nowhere."""
    before, here = sheet.places[last.number], sheet.places[line.number]
    if before.turn["msg_key"] != here.turn["msg_key"] or last.number + 1 != line.number:
        return False
    return not here.turn["text"][before.end : here.start].strip()


def _span(sheet: Sheet, run: list[Line]) -> Evidence:
    first, last = sheet.places[run[0].number], sheet.places[run[-1].number]
    captured: str = first.turn["text"]
    quote = captured[first.start : last.end]
    at = 0
    for line in run:
        at = quote.find(line.text, at)
        if at < 0 or not line.text:
            raise ValueError(f"line {line.number} is not what its message says")
        at += len(line.text)
    return Evidence(
        source_id=first.turn["msg_key"],
        session_id=first.turn["session_id"],
        message_id=first.turn["message_id"],
        start=first.start,
        end=last.end,
        quote=quote,
        said_at=first.turn["said_at"],
    )


def times_of(claim: Claim, cited: list[Line], owner: Owner) -> Times:
    """Resolve the claim's date words on the day of the line that holds them."""
    begins = _found(claim.valid_from, cited, owner)
    ends = _found(claim.valid_to, cited, owner)
    due = _found(claim.due, cited, owner)
    return Times(
        valid_from=begins.starts_at if begins else None,
        valid_to=when.end(ends) if ends else None,
        valid_precision=begins.precision if begins else None,
        due_at=when.due(due, (line.text for line in cited)) if due else None,
    )


def _found(words: str | None, cited: list[Line], owner: Owner) -> when.Found | None:
    if not words:
        return None
    for line in cited:
        at = plain(line.text).find(plain(words))
        for found in spoken([line], owner) if at >= 0 else ():
            if found.start < at + len(words) and at < found.end:
                return found
    last = cited[-1]
    return next(iter(when.find(words, last.said_at, last.offset_minutes, owner.zone or None)), None)


def _mentions(claim: Claim, cited: list[Line], text: str) -> list[str]:
    shown = plain(" ".join([text, *(line.text for line in cited), *(line.speaker for line in cited)]))
    named = [*claim.mentions, *([] if claim.subject in ("user", "assistant") else [claim.subject])]
    return sorted({name for name in named if name.strip() and plain(name) in shown})
