"""What makes two claims one memory: scope, subject, attribute, value and polarity; or scope, subject, kind and words.

Belongs here: the columns by which claims are compared and ordered, and ids. Does not belong here: what is folded from them.
"""

from __future__ import annotations

import polars as pl

from models.ids import make_id
from slowwave.format import Cardinality, Polarity, Trust
from slowwave.text import normalise

TRUST_RANK = {trust.value: rank for rank, trust in enumerate(Trust)}
SCOPE = ("owner", "project", "subject_key")
_SEPARATOR = "\x1f"
_SPACE = r"[\t-\r\x1c-\x1f ]+"  # what Python takes for white space in ASCII, which is more than polars does


def normalised(values: pl.Series) -> pl.Series:
    """`slowwave.text.normalise` of every value; null stays null. Whole columns at once where a text is plain ASCII."""
    told = pl.col("told")
    folded = told.str.to_lowercase().str.replace_all(_SPACE, " ")
    looked = (
        values.alias("told")
        .to_frame()
        .select(
            is_plain=(told.str.len_bytes() == told.str.len_chars()).fill_null(True),
            plain=folded.str.strip_chars(" ").str.strip_chars_end(". "),
        )
    )
    plain, is_plain = looked["plain"], looked["is_plain"]
    if is_plain.all():
        return plain
    others = values.filter(~is_plain).unique()
    known = values.replace_strict(others, [normalise(text) for text in others], default=None, return_dtype=pl.String)
    return known.zip_with(~is_plain, plain)


def identify(claims: pl.DataFrame) -> pl.DataFrame:
    """The claims with what they are compared by.

    `attribute_key` and `value_key` are null where there is no slot; `is_single` says that every claim on the attribute
    calls it single; `slot` is where values compete; `stance` is the polarity a memory would have; `at` orders claims in the
    world's time; `start` is when the statement says it began; `memory_id` is the id of a first period.
    """
    ranked = keyed(claims).with_columns(
        rank=pl.col("trust").replace_strict(TRUST_RANK, return_dtype=pl.Int64),
        is_retract=pl.col("polarity") == Polarity.RETRACT,
    )
    stance = pl.when("is_retract").then(pl.lit(Polarity.ASSERT)).otherwise("polarity")
    return _ided(_slotted(ranked.with_columns(stance=stance)).with_columns(**times()))


def keyed(rows: pl.DataFrame) -> pl.DataFrame:
    """Claims or memories with `attribute_key` and `value_key`, null where there is no slot, and `text_key`."""
    known = rows.with_columns(
        attribute_key=normalised(rows["attribute"]),
        value_key=normalised(rows["value"]),
        text_key=normalised(rows["text"]),
    )
    # A value nobody gave can't be compared, so such a claim has no slot.
    has_slot = (pl.col("attribute_key").fill_null("") != "") & (pl.col("value_key").fill_null("") != "")
    return known.with_columns(pl.when(has_slot).then(name).alias(name) for name in ("attribute_key", "value_key"))


def times() -> dict[str, pl.Expr]:
    """`at`, where a claim stands in the world's time, and `start`, when what it says began.

    What is said about now stands at the time it was said (or begins, if that lies ahead), so that the newest word wins
    even about a change told late; what is said about a closed past stands in that past and never outlives it.
    """
    is_past = (pl.col("valid_to") <= pl.col("said_at")).fill_null(False)
    return {
        "at": pl.when(is_past)
        .then(pl.coalesce("valid_from", "valid_to"))
        .otherwise(pl.max_horizontal("said_at", "valid_from")),
        "start": pl.when(is_past).then("valid_from").otherwise(pl.coalesce("valid_from", "said_at")),
    }


def joined(*names: str) -> pl.Expr:
    """The columns as one text, by which rows are compared; nulls are equal to each other and to nothing else."""
    # JSON would escape; a control character that no normalised text holds keeps two lists of parts from running together.
    parts = [pl.col(name).is_null().cast(pl.String) + pl.col(name).cast(pl.String).fill_null("") for name in names]
    return pl.concat_str(parts, separator=_SEPARATOR)


def _slotted(keyed: pl.DataFrame) -> pl.DataFrame:
    base = keyed.with_columns(base=joined(*SCOPE, "attribute_key"))
    singles = (
        base.filter(pl.col("attribute_key").is_not_null())
        .group_by("base")
        .agg(is_single=(pl.col("cardinality") == Cardinality.SINGLE).all())
    )
    known = base.join(singles, on="base", how="left", maintain_order="left").with_columns(
        pl.col("is_single").fill_null(False)
    )
    words = joined(*SCOPE, "kind", "text_key", "stance")
    slot = pl.when("is_single").then("base").otherwise(pl.concat_str(["base", "value_key"], separator=_SEPARATOR))
    return known.with_columns(slot=pl.when(pl.col("attribute_key").is_null()).then(words).otherwise(slot)).drop("base")


def _ided(keyed: pl.DataFrame) -> pl.DataFrame:
    """Adds `memory_id`; each id is hashed once, however many claims share it."""
    parts = (*SCOPE, "attribute_key", "value_key", "stance", "kind", "text_key")
    grouped = keyed.with_columns(
        group=pl.when(pl.col("attribute_key").is_null())
        .then("slot")
        .otherwise(joined(*SCOPE, "attribute_key", "value_key", "stance"))
    )
    distinct = grouped.select("group", *parts).unique("group", keep="any")
    ids = [_id(*row) for row in distinct.select(parts).iter_rows()]
    named = distinct.select("group", memory_id=pl.Series(ids, dtype=pl.String))
    return grouped.join(named, on="group", how="left", maintain_order="left").drop("group")


def _id(
    owner: str,
    project: str | None,
    subject: str,
    attribute: str | None,
    value: str | None,
    stance: str,
    kind: str,
    words: str,
) -> str:
    if attribute is None:
        denial = (stance,) if stance == Polarity.NEGATE else ()
        return make_id("mem", owner, project, subject, kind, words, *denial)
    return memory_id(owner, project, subject, attribute, value, stance, 0)


def memory_id(
    owner: str, project: str | None, subject: str, attribute: str, value: str | None, stance: str, period: int
) -> str:
    """The id of a memory that has a slot: of scope, slot, value, polarity and the ordinal of its period."""
    return make_id("mem", owner, project, subject, attribute, value, stance, period)
