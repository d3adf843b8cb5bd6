"""Extract: topics into claims. A model (or rules) is asked once a window of topics, and code checks each answer against its lines.

Belongs here: putting the questions, and what becomes of every answer and every turn. Does not belong here: how a model is
called, which `ask` knows, and what claims mean together, which link and merge decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import polars as pl

from models.ask import Answer, Ask
from models.claim import Claim, ClaimRow
from models.decision import Action, Decision
from models.ids import make_id
from models.rules import ExtractRules, Owner
from models.table import Frame, rows_to_frame
from models.turn import Topic, Turn
from slowwave.format import Writer
from tasks.extract.checks import Complaint, complaints, faults, settled, unclosed
from tasks.extract.lines import Sheet, sheet
from tasks.extract.rows import row_of

__all__ = ["Extracted", "extract"]
STAGE = "extract"


class Extracted(NamedTuple):
    """The new claims, and what became of everything that made none."""

    claims: Frame[ClaimRow]
    decisions: Frame[Decision]


def extract(topics: Frame[Topic], turns: Frame[Turn], *, rules: ExtractRules, owner: Owner, ask: Ask) -> Extracted:
    """Ask once a window, check every claim, and account for every turn.

    A claim that fails a check is quarantined alone. Turns of a window without an answer are deferred where the answer may come
    another night, and rejected where it was refused for good.
    """
    sheets = _sheets(topics, turns)
    questions = [s.question(owner, partial(faults, sheet=s, rules=rules, owner=owner)) for s in sheets]
    answers = ask(questions) if questions else []
    claims: dict[str, ClaimRow] = {}
    decisions: dict[tuple[str, ...], Decision] = {}
    for one, answer in zip(sheets, answers, strict=True):
        kept, made = _judged(one, answer, rules=rules, owner=owner, ask=ask)
        for row in kept:
            claims[row.claim_id] = max(row, claims.get(row.claim_id, row), key=_weight)
        decisions |= {(d.item_id, d.action.value, d.reason): d for d in made}
    return Extracted(rows_to_frame(ClaimRow, list(claims.values())), rows_to_frame(Decision, list(decisions.values())))


def _weight(row: ClaimRow) -> tuple[float, float, str, list[str]]:
    """Of two rows of the same content and evidence the surer one stays; the rest only makes the choice independent of order."""
    return row.confidence, row.importance, row.context, row.mentions


def _sheets(topics: Frame[Topic], turns: Frame[Turn]) -> list[Sheet]:
    rows = topics.sort("window", "place", "topic_id").to_dicts()
    needed = sorted({key for row in rows for key in (*row["msg_keys"], *row["context_keys"])})
    by_key: Mapping[str, Mapping[str, Any]] = {
        row["msg_key"]: row for row in turns.filter(pl.col("msg_key").is_in(needed)).to_dicts()
    }
    windows = groupby(rows, key=lambda row: row["window"] or row["topic_id"])
    return [sheet(list(window), by_key) for _, window in windows]


def _judged(
    one: Sheet, answer: Answer, *, rules: ExtractRules, owner: Owner, ask: Ask
) -> tuple[list[ClaimRow], list[Decision]]:
    waiting, stayed = _kept_here(one, answer)
    late = {key: why for key, why in answer.late.items() if key in one.msg_keys}
    waiting |= late.keys()
    stayed += [_decision(key, Action.DEFER, why) for key, why in late.items()]
    if answer.value is None:
        action = Action.DEFER if answer.is_deferred else Action.REJECT
        reason = answer.refusal or ("deferred" if answer.is_deferred else "no_answer")
        return [], stayed + [_decision(key, action, reason) for key in one.msg_keys if key not in waiting]
    kept: list[ClaimRow] = []
    made = stayed + [_malformed(text, one) for text in answer.value.malformed]
    for place, claim in enumerate(answer.value.claims):
        # What is asked about again tells of itself then.
        if not late.keys().isdisjoint(line.msg_key for line in one.cited(claim.lines)):
            continue
        outcome = _checked(claim, one, rules=rules, owner=owner, writer=_writer(place, claim, one, answer, ask))
        (kept if isinstance(outcome, ClaimRow) else made).append(outcome)  # type: ignore[arg-type]
        if isinstance(outcome, ClaimRow) and (why := answer.as_said.get(place)):
            made.append(_decision(outcome.claim_id, Action.KEEP, "kept_as_said", why))
    settled_keys = {evidence.source_id for row in kept for evidence in row.evidence} | waiting
    return kept, made + [_decision(key, Action.DROP, "no_claim") for key in one.msg_keys if key not in settled_keys]


def _kept_here(one: Sheet, answer: Answer) -> tuple[set[str], list[Decision]]:
    """The messages that may not leave: those that wait because nobody here read them, and a decision for each of them all."""
    held = {key: why for key, why in answer.kept_here.items() if key in one.msg_keys}
    if answer.kept_by:
        detail = f"read on this machine by {answer.kept_by}"
        return set(), [_decision(key, Action.KEEP, f"may not leave: {why}", detail) for key, why in held.items()]
    return set(held), [_decision(key, Action.DEFER, f"may not leave: {why}") for key, why in held.items()]


def _writer(place: int, claim: Claim, one: Sheet, answer: Answer, ask: Ask) -> Writer:
    """Who made the claim: the model, or whoever read in its place what may not leave, or said what it could not word."""
    if place in answer.as_said:
        return Writer(stage=STAGE, model=answer.drafted_by, prompt="")
    cited = {line.msg_key for line in one.cited(claim.lines)} if answer.kept_by else set[str]()
    if answer.kept_by and cited and cited <= answer.kept_here.keys():
        return Writer(stage=STAGE, model=answer.kept_by, prompt="")
    return Writer(stage=STAGE, model=ask.model, prompt=ask.prompt)


def _checked(claim: Claim, one: Sheet, *, rules: ExtractRules, owner: Owner, writer: Writer) -> ClaimRow | Decision:
    if not claim.is_assertion:
        return _decision(_proposed_id(claim, one), Action.DROP, "not_asserted")
    claim = settled(claim, one, owner)
    # What rules read was judged by the same words, part by part of a line.
    claim = unclosed(claim, one) if writer.prompt else claim
    wrong = complaints(claim, one, rules=rules, owner=owner)
    if not wrong:
        try:
            return row_of(claim, one, rules=rules, owner=owner, writer=writer)
        except ValueError as error:
            wrong = [Complaint("unverified_quote", str(error))]
    return _decision(_proposed_id(claim, one), Action.QUARANTINE, wrong[0].reason, "; ".join(c.text for c in wrong))


def _proposed_id(claim: Claim, one: Sheet) -> str:
    """An id for a claim that was proposed and not kept."""
    return make_id("clm", one.window, claim.model_dump(mode="json"))


def _malformed(text: str, one: Sheet) -> Decision:
    return _decision(make_id("clm", one.window, text), Action.QUARANTINE, "malformed", text)


def _decision(item_id: str, action: Action, reason: str, detail: str = "") -> Decision:
    return Decision(stage=STAGE, item_id=item_id, action=action, reason=reason, detail=detail)
