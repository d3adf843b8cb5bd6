"""Related: pairs of memories without a slot that share most of their words. Likeness nominates a pair here, and joins nothing.

Belongs here: which pairs are nominated, as a function of all memories. Does not belong here: what is said of a pair (`verdicts`).
"""

from __future__ import annotations

from itertools import combinations

import polars as pl

from slowwave.format import Status

PAIRS = pl.Schema({"one_id": pl.String, "other_id": pl.String, "likeness": pl.Float64})
_BLOCK = ("owner", "project", "subject_key", "kind")
_WORD = r"[\p{L}\p{N}]+(?:['’.:-][\p{L}\p{N}]+)*"
# Two of a text's longest words are what it is looked up by; what more memories than these share tells none of them apart.
_N_LONGEST, _MOST_ALIKE = 4, 12
_HASH_BITS = 56


def related(memories: pl.DataFrame, min_similarity: float) -> pl.DataFrame:
    """`one_id`, `other_id` and `likeness`, the share of words in common, of every pair of active memories that is at least so alike."""
    is_told = (pl.col("status") == Status.ACTIVE) & pl.col("attribute").is_null()
    told = memories.filter(is_told).select("id", block=pl.struct(_BLOCK).hash(), words=_words()).with_row_index("n")
    pairs = _nominated(told.select("n", "block", "words"))
    one, other = told[pairs["one"]], told[pairs["other"]]
    likeness = _likeness(pl.DataFrame({"ones": one["words"], "others": other["words"]}))
    ids = pl.DataFrame(
        {"a": one["id"], "b": other["id"], "likeness": likeness}, schema_overrides={"likeness": pl.Float64}
    )
    first, second = pl.min_horizontal("a", "b"), pl.max_horizontal("a", "b")
    made = ids.filter(pl.col("likeness") >= min_similarity).select(one_id=first, other_id=second, likeness="likeness")
    return made.cast(dict(PAIRS)).sort("one_id", "other_id")  # type: ignore[arg-type]


def _words() -> pl.Expr:
    """Each distinct word as one number, its length in the high bits: numbers are compared and kept where texts would be many."""
    word = pl.element()
    size = word.str.len_chars().clip(upper_bound=255).cast(pl.UInt64) * 2**_HASH_BITS
    numbers = (
        pl.col("text").str.to_lowercase().str.extract_all(_WORD).list.eval(size + word.hash() // 2 ** (64 - _HASH_BITS))
    )
    return numbers.list.unique().list.sort(descending=True)


def _nominated(told: pl.DataFrame) -> pl.DataFrame:
    """`one` and `other`, rows of one block that share two of their longest words."""
    at = [pl.col("words").list.get(place, null_on_oob=True) for place in range(_N_LONGEST)]
    both = [pl.struct("block", a=a, b=b).hash() for a, b in combinations(at, 2)]
    is_there = [b.is_not_null() for _, b in combinations(at, 2)]
    keys = pl.concat_list(pl.when(there).then(key) for there, key in zip(is_there, both, strict=True))
    keyed = told.select("n", key=keys.list.drop_nulls()).explode("key").drop_nulls("key")
    few = keyed.filter(pl.len().over("key").is_between(2, _MOST_ALIKE))
    met = few.join(few, on="key", suffix="_of_other").filter(pl.col("n") < pl.col("n_of_other"))
    return met.select(one="n", other="n_of_other").unique().sort("one", "other")


def _likeness(words: pl.DataFrame) -> pl.Series:
    n_shared = pl.col("ones").list.set_intersection("others").list.len()
    n_whole = pl.col("ones").list.set_union("others").list.len()
    return words.select(n_shared / n_whole).to_series()
