"""The contexts an intervention can be in, and how often it was accepted in each. No lesson is drawn here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from models.rules import Owner
from slowwave.context import PAIR, SEPARATOR, WEEKDAYS, WEEKEND, WORKDAY, part_of_day
from slowwave.strength import DAY_SECONDS

ACCEPTED = "accepted"
DECIDED = ("accepted", "dismissed", "rejected")
# None of these is the person's verdict: the message never arrived, never showed, or met silence.
IGNORED = ("no_reaction", "not_shown", "transport_failure")
_OTHER_KINDS = ("feedback", "observation", "tool_outcome", "transition")
# Context words come from platforms and end up in prompt text, so only short plain ones count as a context.
_PLAIN = r"^[\p{L}\p{N}][\p{L}\p{N} _.:+/-]{0,39}$"
_STATED = ("user_state", "mode", "channel", "urgency")
_TIMED = ("part_of_day", "week_part", "weekday")
_PAIRS = (
    ("part_of_day", "user_state"),
    ("part_of_day", "channel"),
    ("part_of_day", "weekday"),
    ("user_state", "urgency"),
)


@dataclass(frozen=True)
class Context:
    """One value of one dimension (or of a pair), and the decided outcomes seen in it."""

    dimension: str
    value: str
    n: int
    n_accepted: int
    weight: float
    accepted_weight: float
    keys: tuple[str, ...]
    parents: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The dimension and the value."""
        return self.dimension, self.value

    @property
    def is_welcome(self) -> bool:
        """Whether most interventions in it were accepted."""
        return 2 * self.n_accepted > self.n

    def shrunk(self, prior: float, strength: float) -> float:
        """The mean of the Beta posterior whose prior has that mean and counts as `strength` outcomes."""
        return (self.accepted_weight + strength * prior) / (self.weight + strength)


@dataclass(frozen=True)
class Tally:
    """All contexts, parents before children, and the whole."""

    overall: Context
    contexts: tuple[Context, ...]


def is_intervention() -> pl.Expr:
    """Whether a signal is about speaking up: by its kind, or by having an outcome and no other kind."""
    kind = pl.col("kind")
    return (kind == "intervention") | (pl.col("outcome").is_not_null() & ~kind.is_in(_OTHER_KINDS))


def decided_outcomes(signals: pl.DataFrame, *, owner: Owner, as_of: datetime) -> pl.DataFrame:
    """The interventions that the person decided on by `as_of`, with a column for each dimension, sorted by time."""
    known = pl.col("outcome").is_in(DECIDED) & (pl.col("at") <= as_of)
    local = local_time(owner.zone)
    return (
        signals.filter(is_intervention() & known.fill_null(False))
        .with_columns(local_at=local, is_accepted=pl.col("outcome") == ACCEPTED)
        .with_columns(_plain(name) for name in _STATED)
        .with_columns(_part_of_day(), _week_part(), _weekday())
        .with_columns(pl.concat_str(pair, separator=SEPARATOR).alias(_pair_name(pair)) for pair in _PAIRS)
        .sort("at", "signal_key")
    )


def local_time(zone: str) -> pl.Expr:
    """`at` as a wall clock shows it: by the event's own offset, else in the zone, else in UTC."""
    utc = pl.col("at").dt.replace_time_zone(None)
    at_zone = pl.col("at").dt.convert_time_zone(zone or "UTC").dt.replace_time_zone(None)
    return pl.coalesce(utc + pl.duration(minutes=pl.col("offset_minutes")), at_zone)


def tally(decided: pl.DataFrame, *, half_life_days: float, as_of: datetime) -> Tally:
    """Count and weigh the outcomes in each context; an outcome of `half_life_days` ago weighs a half."""
    age_days = (pl.lit(as_of) - pl.col("at")).dt.total_microseconds() / (1e6 * DAY_SECONDS)
    weighed = decided.with_columns(weight=0.5 ** (age_days / half_life_days))
    names = ["overall", *_STATED, *_TIMED, *map(_pair_name, _PAIRS)]
    long = weighed.with_columns(overall=pl.lit("any")).unpivot(
        on=names, index=["signal_key", "at", "is_accepted", "weight"], variable_name="dimension"
    )
    found = sorted(_contexts(long.drop_nulls("value")), key=lambda c: (names.index(c.dimension), -c.n, c.value))
    if not found:
        return Tally(Context("overall", "any", 0, 0, 0.0, 0.0, ()), ())
    return Tally(found[0], tuple(found[1:]))


def _contexts(long: pl.DataFrame) -> Iterable[Context]:
    # Sums run in key order, since a float sum in another order may differ in its last bit.
    grouped = long.sort("signal_key").group_by("dimension", "value", maintain_order=True)
    counted = grouped.agg(
        n=pl.len(),
        n_accepted=pl.col("is_accepted").sum(),
        weight=pl.col("weight").sum(),
        accepted_weight=pl.col("weight").filter(pl.col("is_accepted")).sum(),
        keys=pl.col("signal_key").sort_by("at", "signal_key"),
    )
    for dimension, value, n, n_accepted, weight, accepted_weight, keys in counted.iter_rows():
        parents = _parents(dimension, value)
        yield Context(dimension, value, n, n_accepted, weight, accepted_weight, tuple(keys), parents)


def _parents(dimension: str, value: str) -> tuple[tuple[str, str], ...]:
    """The coarser contexts: both halves of a pair; a weekday's part of the week."""
    for pair in _PAIRS:
        if dimension == _pair_name(pair):
            return tuple(zip(pair, value.split(SEPARATOR, 1), strict=True))
    if dimension == "weekday":
        return (("week_part", WEEKEND if value in WEEKDAYS[5:] else WORKDAY),)
    return ()


def _pair_name(pair: tuple[str, str]) -> str:
    return PAIR.join(pair)


def _plain(name: str) -> pl.Expr:
    word = pl.col(name).str.to_lowercase().str.strip_chars()
    return pl.when(word.str.contains(_PLAIN) & ~word.str.contains(SEPARATOR, literal=True)).then(word).alias(name)


def _part_of_day() -> pl.Expr:
    hours = {hour: part_of_day(hour) for hour in range(24)}
    return pl.col("local_at").dt.hour().replace_strict(hours, return_dtype=pl.String).alias("part_of_day")


def _week_part() -> pl.Expr:
    is_weekend = pl.col("local_at").dt.weekday() >= 6
    return pl.when(is_weekend).then(pl.lit(WEEKEND)).otherwise(pl.lit(WORKDAY)).alias("week_part")


def _weekday() -> pl.Expr:
    names = dict(enumerate(WEEKDAYS, start=1))
    return pl.col("local_at").dt.weekday().replace_strict(names, return_dtype=pl.String).alias("weekday")
