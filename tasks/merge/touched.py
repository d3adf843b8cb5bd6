"""Which claims tonight's news touches: those of every slot where a claim came, went or moved. The rest stays as it was settled.

Belongs here: what is worked on again. Does not belong here: what comes of it. A slot too many costs time; one too few would be a
lie, so claims are told apart here by less than a slot: by scope and attribute, or by scope, kind and words; and by value only where
every claim on an attribute says that it holds many, since one that says otherwise makes all of them rivals or parts them.
"""

from __future__ import annotations

import polars as pl

from slowwave.format import Cardinality
from tasks.merge.identity import SCOPE, joined, keyed

_HELD = ["claim_id", "subject_key", "project"]
_PLACE = ["scope", "place"]
_TOLD = [*_PLACE, "value", "claim_id", "cardinality"]


def touched(claims: pl.DataFrame, settled: pl.DataFrame) -> pl.DataFrame:
    """The claims to be placed anew, given the memories `settled` before; all of them where none were."""
    if settled.is_empty():
        return claims
    held = settled.select("id", "subject_key", "project", claim_id="claim_ids").explode("claim_id")
    news = claims.join(held, on=_HELD, how="anti", nulls_equal=True)
    disturbed = pl.concat(
        [held.join(claims, on=_HELD, how="anti", nulls_equal=True).select("id"), _answering_else(settled, claims)]
    )
    stirred = pl.concat([_scoped(news), _scoped(settled.join(disturbed, on="id", how="semi"))]).unique()
    near = _near(settled, stirred).join(held.select("id", "claim_id"), on="id").drop("id")
    told = near.join(claims.select("claim_id", "cardinality"), on="claim_id").select(*_TOLD)
    crowded = pl.concat([told, _scoped(news, "claim_id", "cardinality").select(_TOLD)]).filter(
        pl.col("cardinality") != Cardinality.MULTI
    )
    rivals = told.join(crowded, on=_PLACE, how="semi")
    same = told.join(stirred, on=[*_PLACE, "value"], how="semi")
    again = pl.concat([part.select("claim_id") for part in (news, rivals, same)]).unique()
    return claims.join(again, on="claim_id", how="semi")


def _answering_else(settled: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """The memories whose context none of their claims has any more: what they answered was taken back."""
    told = settled.filter(pl.col("context") != "").select("id", "context", claim_id="claim_ids")
    still = told.explode("claim_id").join(claims, on=["claim_id", "context"], how="semi")
    return told.join(still, on="id", how="anti").select("id")


def quiet(settled: pl.DataFrame, claims: pl.DataFrame, again: pl.DataFrame) -> pl.DataFrame:
    """The memories that stay as they were settled: all their claims still stand, and none of them is placed `again`."""
    if settled.is_empty():
        return settled
    held = claims_of(settled)
    gone = held.join(claims, on="claim_id", how="anti")
    moved = held.join(again.select("claim_id"), on="claim_id", how="semi")
    return settled.join(pl.concat([gone, moved]).select("id").unique(), on="id", how="anti")


def claims_of(memories: pl.DataFrame) -> pl.DataFrame:
    """One row a memory and claim folded into it: `id` and `claim_id`."""
    return memories.select("id", claim_id="claim_ids").explode("claim_id")


def _near(settled: pl.DataFrame, stirred: pl.DataFrame) -> pl.DataFrame:
    """The settled memories of the stirred places; words are normalised only within the scopes that are stirred."""
    scope = joined(*SCOPE)
    scopes = stirred.select("scope").unique()
    near = settled.with_columns(scope=scope).join(scopes, on="scope", how="semi").drop("scope")
    return _scoped(near, "id").join(stirred, on=_PLACE, how="semi")


def _scoped(rows: pl.DataFrame, *kept: str) -> pl.DataFrame:
    """Scope, place and value of claims or of memories: both have the columns that tell."""
    place = pl.when(pl.col("attribute_key").is_null()).then(joined("kind", "text_key")).otherwise("attribute_key")
    return keyed(rows).select(*kept, scope=joined(*SCOPE), place=place, value=pl.col("value_key").fill_null(""))
