"""Related: pairs of memories without a slot that share most of their words. Likeness nominates a pair here, and joins nothing.

Belongs here: which pairs are nominated, as a function of all memories. Does not belong here: what is said of a pair (`verdicts`).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl

from models.table import collected, pairs_once
from slowwave.format import Status

PAIRS = pl.Schema({"one_id": pl.String, "other_id": pl.String, "likeness": pl.Float64})
_BLOCK = ("owner", "project", "subject_key", "kind")
_WORD = r"[\p{L}\p{N}]+(?:['’.:-][\p{L}\p{N}]+)*"
# Two of a text's longest words are what it is looked up by; what more memories than these share tells none of them apart.
_N_LONGEST, _MOST_ALIKE = 4, 12
_HASH_BITS = 56
_PAIRS_AT_A_TIME = 2**17


def related(memories: pl.DataFrame, min_similarity: float) -> pl.DataFrame:
    """`one_id`, `other_id` and `likeness`, the share of words in common, of every pair of active memories that is at least so alike."""
    is_told = (pl.col("status") == Status.ACTIVE) & pl.col("attribute").is_null()
    rows = memories.lazy().filter(is_told).select("id", block=pl.struct(_BLOCK).hash(), words=_words())
    told = collected(rows).sort("id")
    pairs = _nominated(told)
    # A part at a time, since the words of two memories stand beside each pair.
    alike = [_alike(told, part, min_similarity) for part in pairs.iter_slices(_PAIRS_AT_A_TIME)]
    return pl.concat([PAIRS.to_frame(), *alike])


def _words() -> pl.Expr:
    """Each distinct word as one number, its length in the high bits: numbers are compared and kept where texts would be many."""
    word = pl.element()
    size = word.str.len_chars().clip(upper_bound=255).cast(pl.UInt64) * 2**_HASH_BITS
    numbers = (
        pl.col("text").str.to_lowercase().str.extract_all(_WORD).list.eval(size + word.hash() // 2 ** (64 - _HASH_BITS))
    )
    return numbers.list.unique().list.sort(descending=True)


def _nominated(told: pl.DataFrame) -> pl.DataFrame:
    """`one` and `other`, rows of one block that share two of their longest words, in order."""
    at = [pl.col("words").list.get(place, null_on_oob=True) for place in range(_N_LONGEST)]
    keys = [
        told.with_row_index("n").filter(b.is_not_null()).select("n", key=pl.struct("block", a=a, b=b).hash())
        for a, b in combinations(at, 2)
    ]
    found = pl.concat(keys).sort("key")
    key, row = found["key"].to_numpy(), found["n"].to_numpy()
    starts = np.flatnonzero(np.diff(key, prepend=~key[:1]))
    sizes = np.diff(starts, append=len(key))
    few = np.repeat((sizes >= 2) & (sizes <= _MOST_ALIKE), sizes)
    return _pairs(key[few], row[few])


def _pairs(key: np.ndarray, row: np.ndarray) -> pl.DataFrame:
    """Every two rows that have a key in common, given rows in the order of their keys."""
    met = [np.flatnonzero(key[apart:] == key[:-apart]) for apart in range(1, _MOST_ALIKE)]
    one = np.concatenate([row[at] for at in met])
    other = np.concatenate([row[at + apart] for apart, at in enumerate(met, 1)])
    return pairs_once(pl.Series("one", np.minimum(one, other)), pl.Series("other", np.maximum(one, other)))


def _alike(told: pl.DataFrame, pairs: pl.DataFrame, min_similarity: float) -> pl.DataFrame:
    ids, words = told["id"], told["words"]
    both = pl.DataFrame({"ones": words.gather(pairs["one"]), "others": words.gather(pairs["other"])})
    likely = pairs.with_columns(likeness=_likeness(both)).filter(pl.col("likeness") >= min_similarity)
    one, other = ids.gather(likely["one"]), ids.gather(likely["other"])
    return pl.DataFrame({"one_id": one, "other_id": other, "likeness": likely["likeness"]}, schema=PAIRS)


def _likeness(words: pl.DataFrame) -> pl.Series:
    n_shared = pl.col("ones").list.set_intersection("others").list.len().cast(pl.Int64)
    n_each = pl.col("ones").list.len().cast(pl.Int64) + pl.col("others").list.len().cast(pl.Int64)
    return words.select(n_shared / (n_each - n_shared)).to_series()
