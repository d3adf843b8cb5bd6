"""Verdicts: what a model is asked about related memories, and what code makes of its answer. Without one, both stay, linked.

A model says only how two statements stand to each other. That one is the other again is believed where their numbers, names, dates and
denials are the same; what is newer is decided by event time, and who may replace whom by authority, as everywhere. Belongs here: the
question, and what follows. Does not belong here: which pairs there are (`related`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import polars as pl

from models.ask import COMPARE, VERDICTS, Ask, Line, Question
from models.decision import Action
from models.ids import make_id
from models.memory import VerdictRow
from models.rules import ReconcileRules
from models.table import beside, rows_to_frame
from slowwave.format import Privacy, Status
from tasks.merge.identity import TRUST_RANK
from tasks.verdict import verdicts as decided

SAME, UPDATES, CONTRADICTS, UNRELATED = VERDICTS
# Links are for looking around: the likeliest are enough.
_MOST_LINKS = 5
# Of so many times the pairs that may be asked about, the likeliest are looked at for whether they may be shown.
_LOOKED_AT = 10
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[^\W\d_a-z][\w'’-]+")
_NO = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|\w+n['’]t|niet|geen|nooit|kein\w*|nicht|nie|pas|jamais|não|nunca)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|except|unless|if|until|but|or|alleen|behalve|nur|außer|sauf|só|exceto)\b", re.IGNORECASE)


class Told(NamedTuple):
    """Every verdict that is known now, and how the pairs of memories stand by them."""

    known: pl.DataFrame
    pairs: pl.DataFrame


def told_of(memories: pl.DataFrame, pairs: pl.DataFrame, known: pl.DataFrame, rules: ReconcileRules, ask: Ask) -> Told:
    """Ask about the likeliest pairs that nobody judged yet, at most `rules.max_asked_pairs` in one call, and add what is known.

    A memory is asked about while all of it may be shown at once: no sensitive one, and none of several messages, of which some may be kept
    here. Verdicts on memories that are gone are forgotten.
    """
    standing = _standing(known, memories)
    both = ["one_id", "other_id"]
    left = pairs if standing.is_empty() else pairs.join(standing, on=both, how="anti", maintain_order="left")
    # Of equally likely ones the first in order of their ids: so the pairs come.
    likeliest = left.sort("likeness", descending=True, maintain_order=True).head(rules.max_asked_pairs * _LOOKED_AT)
    rows = {row["id"]: row for row in memories.filter(pl.col("id").is_in(_ids(likeliest))).iter_rows(named=True)}
    shown = [all(_may_show(rows[key]) for key in pair) for pair in likeliest.select("one_id", "other_id").iter_rows()]
    asked = likeliest.filter(pl.Series(shown, dtype=pl.Boolean)).head(rules.max_asked_pairs)
    whole = pl.concat([standing, rows_to_frame(VerdictRow, list(_answers(asked, rows, ask)))])
    return Told(whole, beside(pairs, whole, on=both))


def _standing(known: pl.DataFrame, memories: pl.DataFrame) -> pl.DataFrame:
    if known.is_empty():
        return known
    ids = memories.select("id")
    there = known.join(ids, left_on="one_id", right_on="id", how="semi")
    return there.join(ids, left_on="other_id", right_on="id", how="semi")


def _may_show(row: Mapping[str, Any]) -> bool:
    """Whether all of a memory may be shown where any of it may."""
    return row["privacy"] != Privacy.SENSITIVE and len({proof["source_id"] for proof in row["evidence"]}) == 1


def _ids(pairs: pl.DataFrame) -> list[str]:
    return sorted({*pairs["one_id"], *pairs["other_id"]})


def _answers(asked: pl.DataFrame, rows: Mapping[str, dict[str, Any]], ask: Ask) -> Iterator[VerdictRow]:
    pairs = list(asked.sort("one_id", "other_id").select("one_id", "other_id").iter_rows())
    if not pairs:
        return
    lines = [_line(2 * n + side + 1, n, rows[key]) for n, pair in enumerate(pairs) for side, key in enumerate(pair)]
    texts = [(line.text, str(line.said_at)) for line in lines]
    (answer,) = ask([Question(key=make_id("cmp", texts), purpose=COMPARE, lines=tuple(lines))])
    said = {tuple(claim.lines): claim for claim in (answer.value.claims if answer.value else [])}
    for n, (one, other) in enumerate(pairs):
        claim = said.get((2 * n + 1, 2 * n + 2))
        if claim is not None and claim.value in VERDICTS:
            yield VerdictRow(one_id=one, other_id=other, verdict=claim.value, model=ask.model)


def _line(number: int, session: int, row: Mapping[str, Any]) -> Line:
    return Line(
        number=number,
        speaker=row["subject"],
        role="user",
        text=row["text"],
        said_at=row["last_seen_at"],
        session=session,
        msg_key=row["evidence"][0]["source_id"],
    )


def repeated(told: Told, memories: pl.DataFrame) -> pl.DataFrame:
    """`id` and `head` of memories that are one by a verdict, where their words allow it; the head is the one said first."""
    pairs = told.pairs.filter(pl.col("verdict") == SAME)
    rows = {row["id"]: row for row in memories.filter(pl.col("id").is_in(_ids(pairs))).iter_rows(named=True)}
    heads: dict[str, str] = {}
    for one, other in pairs.select("one_id", "other_id").iter_rows():
        if may_be_one(rows[one], rows[other]):
            group = {one, other} | {
                key for key, head in heads.items() if head in (heads.get(one, one), heads.get(other, other))
            }
            first = min(group, key=lambda key: (str(rows[key]["first_seen_at"]), key))
            heads |= dict.fromkeys(group, first)
    return pl.DataFrame(sorted(heads.items()), schema={"id": pl.String, "head": pl.String}, orient="row")


def may_be_one(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two memories may be told once: nothing that is counted, named, dated, denied or limited in one is otherwise in the other."""
    fields = ("polarity", "due_at", "valid_to", "trust")
    return all(one[name] == other[name] for name in fields) and _marks(one["text"]) == _marks(other["text"])


def _marks(text: str) -> tuple[set[str], set[str], int, int]:
    names = {name.casefold() for name in _NAME.findall(text)}
    return set(_NUMBER.findall(text)), names, len(_NO.findall(text)), len(_ONLY.findall(text))


def stood(memories: pl.DataFrame, told: Told, heads: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The memories with their links, and what a verdict supersedes or disputes; and a decision for each verdict that was followed."""
    pairs = _as_told(told.pairs.filter(pl.col("verdict").fill_null("") != UNRELATED), heads)
    judged = pairs.filter(pl.col("verdict").is_in([UPDATES, CONTRADICTS])).sort("one_id", "other_id")
    rows = {row["id"]: row for row in memories.filter(pl.col("id").is_in(_ids(judged))).iter_rows(named=True)}
    fates: dict[str, tuple[str, str | None]] = {}
    for one, other, verdict in judged.select("one_id", "other_id", "verdict").iter_rows():
        if one in rows and other in rows:
            old, new = sorted((rows[one], rows[other]), key=lambda row: (str(row["said_at"]), row["id"]))
            fates |= _fate(verdict, old, new, fates)
    linked = _linked(pairs, memories)
    return _written(memories, linked, _fated(fates, rows, memories.schema["valid_to"])), _decisions(fates)


def _as_told(pairs: pl.DataFrame, heads: pl.DataFrame) -> pl.DataFrame:
    """The pairs of what is left once repeats are told as one."""
    if heads.is_empty():
        return pairs
    made = pairs
    for name in ("one_id", "other_id"):
        known = heads.select(**{name: "id"}, now="head")
        made = made.join(known, on=name, how="left").with_columns(pl.coalesce("now", name).alias(name)).drop("now")
    return made.filter(pl.col("one_id") != pl.col("other_id"))


def _linked(pairs: pl.DataFrame, memories: pl.DataFrame) -> pl.DataFrame:
    """For each memory the others that it is linked to, the likeliest."""
    places = memories.select(pl.col("id").sort()).with_row_index("n")
    one, other = (places.select(**{f"{name}_id": "id", name: "n"}) for name in ("one", "other"))
    # Places are sorted where ids would be.
    met = pairs.join(one, on="one_id").join(other, on="other_id").select("one", "other", "likeness")
    back = met.select(one="other", other="one", likeness="likeness")
    best = pl.concat([met, back]).sort("one", "likeness", "other", descending=[False, True, False])
    # Where repeats are told as one, the same two may be a pair more than once.
    few = best.group_by("one", maintain_order=True).agg(pl.col("other").unique(maintain_order=True).head(_MOST_LINKS))
    flat = few.explode("other")
    lists = (
        flat.select("one", linked=places["id"].gather(flat["other"])).group_by("one", maintain_order=True).agg("linked")
    )
    return lists.select(places["id"].gather(lists["one"]), "linked")


def _fate(
    verdict: str | None, old: Mapping[str, Any], new: Mapping[str, Any], fates: Mapping[str, tuple[str, str | None]]
) -> dict[str, tuple[str, str | None]]:
    """What becomes of the two: the newer word of no lesser voice takes the older's place; at one instant both are disputed."""
    may = TRUST_RANK[new["trust"]] <= TRUST_RANK[old["trust"]] and not old["is_pinned"]
    if verdict not in (UPDATES, CONTRADICTS) or not may or old["id"] in fates or new["id"] in fates:
        return {}
    if verdict == UPDATES and old["said_at"] != new["said_at"]:
        return {old["id"]: (Status.SUPERSEDED, new["id"])}
    return {old["id"]: (Status.DISPUTED, None), new["id"]: (Status.DISPUTED, None)}


def _fated(fates: Mapping[str, tuple[str, str | None]], rows: Mapping[str, dict[str, Any]], time: Any) -> pl.DataFrame:
    told = [(key, fate, heir, rows[heir]["said_at"] if heir else None) for key, (fate, heir) in sorted(fates.items())]
    schema = {"id": pl.String, "fate": pl.String, "heir": pl.String, "until": time}
    return pl.DataFrame(told, schema=schema, orient="row")


def _written(memories: pl.DataFrame, linked: pl.DataFrame, fated: pl.DataFrame) -> pl.DataFrame:
    if linked.is_empty():
        return memories
    known = linked.join(memories.select("id", "related_ids"), on="id")
    links = known.select("id", linked=pl.col("related_ids").list.set_union("linked").list.sort())
    is_old = pl.col("fate") == Status.SUPERSEDED
    return (
        beside(beside(memories, links), fated)
        .with_columns(
            status=pl.coalesce("fate", "status"),
            superseded_by=pl.coalesce("heir", "superseded_by"),
            valid_to=pl.when(is_old).then(pl.min_horizontal("valid_to", "until")).otherwise("valid_to"),
            related_ids=pl.coalesce("linked", "related_ids"),
        )
        .select(memories.columns)
    )


def _decisions(fates: Mapping[str, tuple[str, str | None]]) -> pl.DataFrame:
    ended = [
        (key, heir or "", Action.SUPERSEDE if heir else Action.DISPUTE) for key, (_, heir) in sorted(fates.items())
    ]
    ends = pl.DataFrame(ended, schema={"id": pl.String, "other": pl.String, "action": pl.String}, orient="row")
    return decided(
        ends, stage="reconcile", item="id", other="other", action=pl.col("action"), reason="a model's verdict"
    )
