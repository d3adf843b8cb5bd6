"""Reinforce: evidence, feedback and time into stability; what fades into the archive; which tier a memory is in.

Belongs here: everything that follows from how often and how long ago a thing was said or confirmed. Being shown to a model is
no evidence and reaches nothing here. Does not belong here: which value holds.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import polars as pl

from models.claim import ClaimRow
from models.decision import Action, Decision, Feedback
from models.memory import MemoryRow
from models.rules import ReinforceRules
from models.table import Frame, Scan, beside, collected, conform
from slowwave.format import Cardinality, Kind, Status, Tier, Trust, Verdict
from slowwave.strength import BANDS, DAY_SECONDS
from tasks.reinforce.hand import decided, with_hand
from tasks.verdict import gathered, verdicts

_FADING = (Kind.EPISODIC_EVENT, Kind.INTERVENTION_OUTCOME)
_STANDING = (
    Kind.CONSTRAINT,
    Kind.COMMUNICATION_PREFERENCE,
    Kind.PREFERENCE,
    Kind.GOAL_OR_COMMITMENT,
    Kind.ROUTINE,
    Kind.COLLABORATOR,
    Kind.PROJECT,
)
# How much each voice's feedback counts: a person's in full, an agent's by half, since it may only agree with itself.
_WEIGHTS = {Trust.OWNER.value: 1.0, Trust.PARTICIPANT.value: 1.0, Trust.AGENT.value: 0.5}
_DECIMALS = 6


class Reinforced(NamedTuple):
    """Every memory with its stability and tier, and why one fades or wakes."""

    memories: Frame[MemoryRow]
    decisions: Frame[Decision]


def reinforce(
    memories: Frame[MemoryRow],
    claims: Scan[ClaimRow],
    feedback: Frame[Feedback],
    earlier: Scan[MemoryRow],
    *,
    rules: ReinforceRules,
    as_of: datetime,
) -> Reinforced:
    """Stability in days from spaced confirmations and feedback; archive by age; tiers, and why one differs from the one in `earlier`.

    `stability = initial * prod(1 + gain * (1 - exp(-gap / initial)))` over the gaps in days between confirmations, so that two
    on one day count as one and a well-spaced one counts fully. Nothing depends on earlier runs.
    """
    heard, hand = _weighed(feedback, memories, as_of), decided(feedback, memories, as_of)
    days = _days(memories, claims.lazy(), heard)
    grown = _fed(beside(with_hand(memories, hand), _stability(days, rules).drop("n")), heard, rules)
    aged = _aged(grown, rules, as_of)
    tiered = _tiered(aged, rules)
    slept = aged.select("id", "status", "is_faded", "was_faded", "is_put_away")
    faded = slept.filter("is_faded")
    woken = slept.filter(pl.col("was_faded") & (pl.col("status") == Status.ACTIVE))
    return Reinforced(
        conform(tiered, MemoryRow),
        gathered(
            verdicts(faded, stage="reinforce", item="id", action=Action.ARCHIVE, reason="faded"),
            verdicts(
                slept.filter("is_put_away"), stage="reinforce", item="id", action=Action.ARCHIVE, reason="by_hand"
            ),
            verdicts(woken, stage="reinforce", item="id", action=Action.WAKE, reason="said_again"),
            _moved(tiered, earlier.lazy()),
            _verdicts_on(feedback, pl.concat([heard.select("feedback_id"), hand.select("feedback_id")])),
        ),
    )


def _weighed(feedback: pl.DataFrame, memories: pl.DataFrame, as_of: datetime) -> pl.DataFrame:
    """Feedback that counts: of a known memory, not ahead of the night, once a memory, verdict and day."""
    known = feedback.filter(pl.col("at") <= as_of).join(memories, left_on="memory_id", right_on="id", how="semi")
    is_restored = (pl.col("verdict") == Verdict.RESTORED) & (pl.col("trust") == Trust.OWNER)
    weighed = known.with_columns(weight=pl.col("trust").replace_strict(_WEIGHTS, default=0.0), day=_day("at")).filter(
        (pl.col("weight") > 0) & (pl.col("verdict").is_in(["reused", "confirmed", "contradicted"]) | is_restored)
    )
    ordered = weighed.sort("weight", "at", "feedback_id", descending=[True, False, False])
    return ordered.unique(["memory_id", "verdict", "day"], keep="first", maintain_order=True)


def _day(name: str) -> pl.Expr:
    return pl.col(name).dt.epoch("us") // int(DAY_SECONDS * 1_000_000)


def _days(memories: pl.DataFrame, claims: pl.LazyFrame, heard: pl.DataFrame) -> pl.DataFrame:
    """The distinct days on which each memory (`n`, its row) was said, confirmed or of use, and how much each counts."""
    known = memories.select("id").with_row_index("n")
    pairs = memories.lazy().select(claim_id="claim_ids").with_row_index("n").explode("claim_id")
    # What an agent noted down is no confirmation of what it noted.
    is_said = (pl.col("polarity") != "retract") & (pl.col("trust") != Trust.IMPORTED)
    said = pairs.join(claims.filter(is_said).select("claim_id", "said_at"), on="claim_id")
    spoken = collected(said.drop_nulls("said_at").select("n", day=_day("said_at"), weight=pl.lit(1.0)))
    agreed = heard.filter(pl.col("verdict") != "contradicted").join(known, left_on="memory_id", right_on="id")
    counted = agreed.select(
        "n", "day", weight=pl.when(pl.col("verdict") == "reused").then(0.5).otherwise(1.0) * pl.col("weight")
    )
    both = pl.concat([spoken, counted]).group_by("n", "day").agg(pl.col("weight").max()).sort("n", "day")
    return both.with_columns(id=known["id"].gather(both["n"]))


def _stability(days: pl.DataFrame, rules: ReinforceRules) -> pl.DataFrame:
    is_next = pl.col("n") == pl.col("n").shift()
    gaps = days.with_columns(gap=pl.when(is_next).then(pl.col("day") - pl.col("day").shift()).otherwise(0))
    spaced = 1 - (-pl.col("gap") / rules.initial_stability_days).exp()
    grown = gaps.with_columns(growth=1 + rules.spacing_gain * pl.col("weight") * spaced)
    return grown.group_by("n", maintain_order=True).agg(
        pl.col("id").first(),
        growth=pl.col("growth").product(),
        last_growth=pl.col("growth").last(),
        last_gap=pl.col("gap").last(),
    )


def _fed(joined: pl.DataFrame, heard: pl.DataFrame, rules: ReinforceRules) -> pl.DataFrame:
    """Stability, confidence and the last confirmation, with what feedback says."""
    spoken = heard.group_by("memory_id").agg(
        # Who takes a memory out of the archive confirms it.
        confirmed_at=pl.col("at")
        .filter(pl.col("verdict").is_in(["confirmed", Verdict.RESTORED]) & (pl.col("weight") == 1))
        .max(),
        against=pl.col("weight").filter(pl.col("verdict") == "contradicted").sum(),
    )
    fed = beside(joined, spoken.rename({"memory_id": "id"}))
    kept = (1 - rules.contradiction_loss) ** pl.col("against").fill_null(0)
    stability = rules.initial_stability_days * pl.col("growth").fill_null(1.0)
    return fed.with_columns(
        stability_days=pl.min_horizontal(stability, pl.lit(rules.max_stability_days)).mul(kept).round(_DECIMALS),
        confidence=(pl.col("confidence") * kept).round(_DECIMALS + 3),
        last_confirmed_at=pl.max_horizontal("last_confirmed_at", "confirmed_at"),
    )


def _aged(grown: pl.DataFrame, rules: ReinforceRules, as_of: datetime) -> pl.DataFrame:
    """Archives what has faded: only unimportant events that nobody pinned, and only what lies behind us.

    An event that says what holds since ("I moved to Porto" is where the owner lives) is as true as on its day, and does not fade.
    """
    last = pl.max_horizontal("last_seen_at", "last_confirmed_at", "valid_from", "valid_to")
    age = (pl.lit(as_of) - last).dt.total_microseconds() / (DAY_SECONDS * 1_000_000)
    may_fade = (
        pl.col("kind").is_in([kind.value for kind in _FADING])
        & (pl.col("importance") < rules.archive_importance)
        & ~pl.col("is_pinned")
        & ~(pl.col("attribute").is_not_null() & (pl.col("cardinality") == Cardinality.SINGLE))
    )
    before = pl.col("stability_days") / pl.col("last_growth").fill_null(1.0)
    has_faded = may_fade & _is_old(age, pl.col("stability_days"), rules) & (pl.col("status") == Status.ACTIVE)
    return grown.with_columns(
        is_faded=has_faded.fill_null(False) & ~pl.col("is_put_away"),
        was_faded=(may_fade & _is_old(pl.col("last_gap"), before, rules)).fill_null(False),
        retention=(-age.clip(lower_bound=0) / pl.col("stability_days")).exp().fill_null(1.0),
    ).with_columns(
        status=pl.when(pl.col("is_faded") | pl.col("is_put_away")).then(pl.lit(Status.ARCHIVED)).otherwise("status")
    )


def _is_old(age: pl.Expr, stability: pl.Expr, rules: ReinforceRules) -> pl.Expr:
    if rules.archive_after_days is not None:
        return age > rules.archive_after_days
    return (-age / stability).exp() < rules.archive_below


def _tiered(aged: pl.DataFrame, rules: ReinforceRules) -> pl.DataFrame:
    """The tier, and `ground`, why: prompt is what holds and is pinned, of a standing kind, or still strong; archived what faded or
    never was true; the rest is searchable.
    """
    strength = pl.col("confidence") * (0.5 * pl.col("retention") + 0.5 * pl.col("importance"))
    band = pl.sum_horizontal(*(strength < edge for edge in BANDS))
    grounds: tuple[tuple[str, Tier, pl.Expr], ...] = (
        ("by_hand", Tier.ARCHIVED, pl.col("is_put_away")),
        ("faded", Tier.ARCHIVED, pl.col("status") == Status.ARCHIVED),
        ("never_true", Tier.ARCHIVED, pl.col("status") == Status.RETRACTED),
        ("holds_no_longer", Tier.SEARCHABLE, pl.col("status") != Status.ACTIVE),
        ("pinned", Tier.PROMPT, pl.col("is_pinned")),
        ("standing", Tier.PROMPT, pl.col("kind").is_in([kind.value for kind in _STANDING])),
        ("strong", Tier.PROMPT, band <= rules.prompt_band),
        ("weak", Tier.SEARCHABLE, pl.lit(True)),
    )
    return aged.with_columns(
        tier=pl.coalesce(pl.when(is_so).then(pl.lit(tier)) for _, tier, is_so in grounds),
        ground=pl.coalesce(pl.when(is_so).then(pl.lit(why)) for why, _, is_so in grounds),
    )


def _moved(tiered: pl.DataFrame, earlier: pl.LazyFrame) -> pl.DataFrame:
    """A promotion or demotion for each memory whose tier is not the one it had; a new one comes from among the searchable."""
    before = collected(earlier.select("id", before="tier"))
    known = tiered.select("id", "tier", "ground").join(before, on="id", how="left")
    rank = {tier.value: place for place, tier in enumerate(Tier)}
    now, then = (
        pl.col(name).fill_null(Tier.SEARCHABLE).replace_strict(rank, return_dtype=pl.Int64)
        for name in ("tier", "before")
    )
    return verdicts(
        known.filter(now != then),
        stage="reinforce",
        item="id",
        action=pl.when(now < then).then(pl.lit(Action.PROMOTE)).otherwise(pl.lit(Action.DEMOTE)),
        reason=pl.col("ground"),
        detail=pl.format("{} to {}", pl.col("before").fill_null("new"), "tier"),
    )


def _verdicts_on(feedback: pl.DataFrame, heard: pl.DataFrame) -> pl.DataFrame:
    """What each piece of feedback did; what counted for nothing is dropped with a reason."""
    actions = {"reused": Action.STRENGTHEN, "confirmed": Action.STRENGTHEN, "contradicted": Action.WEAKEN}
    counted = pl.col("feedback_id").is_in(heard["feedback_id"].implode())
    action = pl.col("verdict").replace_strict({k: v.value for k, v in actions.items()}, default=Action.KEEP.value)
    reason = pl.when(counted).then("verdict").otherwise(pl.concat_str(pl.lit("no_weight:"), "verdict"))
    return verdicts(
        feedback,
        stage="reinforce",
        item="feedback_id",
        other="memory_id",
        action=pl.when(counted).then(action).otherwise(pl.lit(Action.DROP)),
        reason=reason,
    )
