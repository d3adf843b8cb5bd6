"""Which claims tonight's news touches: those of every slot where a claim came, went or moved. The rest stays as it was settled.

Belongs here: what is worked on again. Does not belong here: what comes of it. A slot too many costs time; one too few would be a
lie, so claims are told apart here by less than a slot: by scope and attribute, or by scope, kind and words; and by value only where
every claim on an attribute says that it holds many, since one that says otherwise makes all of them rivals or parts them.
"""

from __future__ import annotations

import polars as pl

from models.table import collected
from slowwave.format import Cardinality
from tasks.merge.identity import SCOPE, joined, keyed

_PLACE = ["scope", "place"]
_TOLD = [*_PLACE, "value", "claim_id", "cardinality"]
_TELLING = [*SCOPE, "kind", "attribute", "value", "text"]


def touched(claims: pl.LazyFrame, settled: pl.LazyFrame) -> pl.DataFrame:
    """The claims to be placed anew, given the memories `settled` before; all of them where none were."""
    held = collected(settled.select("id", "subject_key", "project", claim_id="claim_ids").explode("claim_id"))
    if held.is_empty():
        return collected(claims)
    moved = _moved(held, claims)
    news = _among(claims, moved.filter(pl.col("subject_key_right").is_not_null()), "claim_id")
    disturbed = pl.concat([moved.select("id").drop_nulls(), _answering_else(settled, claims)])
    stirring = pl.concat([news.select(_TELLING), _among(settled.select("id", *_TELLING), disturbed, "id").drop("id")])
    stirred = _scoped(stirring).unique()
    # Words are normalised only within the scopes that are stirred.
    told = _near(settled.join(stirring.lazy(), on=SCOPE, how="semi", nulls_equal=True), stirred, claims)
    crowded = pl.concat([told, _scoped(news, "claim_id", "cardinality").select(_TOLD)]).filter(
        pl.col("cardinality") != Cardinality.MULTI
    )
    rivals = told.join(crowded, on=_PLACE, how="semi")
    same = told.join(stirred, on=[*_PLACE, "value"], how="semi")
    return _among(claims, pl.concat([part.select("claim_id") for part in (news, rivals, same)]), "claim_id")


def _moved(held: pl.DataFrame, claims: pl.LazyFrame) -> pl.DataFrame:
    """Claims that came, went or are of another subject or project now: `id` is the memory that held one, the rest where it stands."""
    now = claims.select("claim_id", "subject_key", "project")
    is_same = (pl.col("subject_key") == pl.col("subject_key_right")) & pl.col("project").eq_missing(
        pl.col("project_right")
    )
    both = held.lazy().join(now, on="claim_id", how="full", coalesce=True)
    return collected(both.filter(~is_same.fill_null(False)))


def _among(rows: pl.LazyFrame, ids: pl.DataFrame, on: str) -> pl.DataFrame:
    return collected(rows.join(ids.lazy().select(on), on=on, how="semi"))


def _answering_else(settled: pl.LazyFrame, claims: pl.LazyFrame) -> pl.DataFrame:
    """The memories whose context none of their claims has any more: what they answered was taken back."""
    is_answer = pl.col("context") != ""
    told = collected(settled.filter(is_answer).select("id", "context", claim_id="claim_ids"))
    answers = claims.filter(is_answer).select("claim_id", "context")
    still = told.lazy().explode("claim_id").join(answers, on=["claim_id", "context"], how="semi")
    return told.join(collected(still), on="id", how="anti").select("id")


def quiet(settled: pl.LazyFrame, claims: pl.LazyFrame, again: pl.DataFrame) -> pl.LazyFrame:
    """The memories that stay as they were settled: all their claims still stand, and none of them is placed `again`."""
    held = collected(claims_of(settled)).lazy()
    gone = held.join(claims.select("claim_id"), on="claim_id", how="anti")
    moved = held.join(again.lazy().select("claim_id"), on="claim_id", how="semi")
    stirred = collected(pl.concat([gone, moved]).select("id").unique())
    return settled.join(stirred.lazy(), on="id", how="anti", maintain_order="left")


def claims_of(memories: pl.LazyFrame) -> pl.LazyFrame:
    """One row a memory and claim folded into it: `id` and `claim_id`."""
    return memories.select("id", claim_id="claim_ids").explode("claim_id")


def _near(settled: pl.LazyFrame, stirred: pl.DataFrame, claims: pl.LazyFrame) -> pl.DataFrame:
    """The claims of those memories that are of the stirred places."""
    near = _scoped(collected(settled.select(*_TELLING, "claim_ids")), "claim_ids").join(stirred, on=_PLACE, how="semi")
    held = near.lazy().explode("claim_ids").rename({"claim_ids": "claim_id"})
    return collected(held.join(claims.select("claim_id", "cardinality"), on="claim_id").select(_TOLD))


def _scoped(rows: pl.DataFrame, *kept: str) -> pl.DataFrame:
    """Scope, place and value of claims or of memories: both have the columns that tell."""
    place = pl.when(pl.col("attribute_key").is_null()).then(joined("kind", "text_key")).otherwise("attribute_key")
    return keyed(rows).select(*kept, scope=joined(*SCOPE), place=place, value=pl.col("value_key").fill_null(""))
