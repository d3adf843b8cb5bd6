"""Names that are one: by equality, by a given link, or because what people said shows it; with the evidence of each.

Belongs here: gathering every pair of names, and the one key that names share. Does not belong here: how a sentence says it (`stated`),
parts of names (`parts`), who speaks to whom (`heard`), and what follows where pairs disagree (`clusters`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from models.decision import Action
from models.ids import make_id
from models.rules import LinkRules, Owner
from models.table import beside
from slowwave.format import Evidence, Kind
from slowwave.text import normalise
from tasks.link.clusters import Clusters, cluster
from tasks.link.heard import heard_pairs
from tasks.link.parts import Known, part_pairs
from tasks.link.spoken import people_turns, said_in_claims, sentences
from tasks.link.stated import CLAIM_HINT, HINT, Pair, apart_in, pairs_in, pairs_said
from tasks.merge.identity import normalised
from tasks.verdict import verdicts

USER, ASSISTANT = "user", "assistant"
# What may hold somebody's name at the end of an answer, or a signature.
_ADDRESS = r", \p{Lu}[\w’'-]*[.!?]*(?:$|\s)"
_SIGNATURE = r"(?:^|[\s.!?])\p{Lu}[\w’'-]+ \p{Lu}[\w’'-]+\s*$"
_MIN_WORD = 2


class Join(NamedTuple):
    """A pair of names with the sentence that shows that they are one."""

    pair: Pair
    proof: Evidence

    @property
    def rank(self) -> tuple[str, str, int, str]:
        """Which of several proofs of one pair is kept, whatever came first: the one that was said first."""
        at = self.proof.said_at.isoformat() if self.proof.said_at else "~"
        return at, self.proof.source_id, self.proof.start, self.pair.reason


Joins = dict[tuple[str, str], Join]


@dataclass(frozen=True)
class Names:
    """The key of every name that is known under another, per owner, what shows it, and what was decided about names."""

    canonical: dict[tuple[str, str], str]
    own: frozenset[str]
    joins: dict[str, Joins] = field(default_factory=dict[str, Joins])
    decisions: tuple[pl.DataFrame, ...] = field(default=(), compare=False)

    @staticmethod
    def learn(claims: pl.DataFrame, turns: pl.DataFrame, rules: LinkRules, owner: Owner) -> Names:
        """Learn from what people said in `claims` and `turns` which names are one; `rules` give joins and splits of their own."""
        own = frozenset(normalise(name) for name in owner.names)
        told = _Told.of(claims, turns, own, rules)
        given = {(normalise(one), normalise(other)) for one, other in rules.links}
        apart = {(normalise(one), normalise(other)) for one, other in rules.apart}
        canonical: dict[tuple[str, str], str] = {}
        decided: list[pl.DataFrame] = []
        for person in sorted(set(claims["owner"].to_list())):
            made = cluster(told.joins[person], given, apart | told.apart[person], own)
            canonical |= {(person, name): head for name, head in made.heads.items()}
            decided.append(_decisions(made, told.joins[person]))
        return Names(canonical, own, dict(told.joins), tuple(decided))

    def key(self, owner: str, name: str) -> str:
        """The key of a normalised name: `user`, `assistant`, or the id of its entity."""
        if name in (USER, ASSISTANT):
            return name
        if name in self.own:
            return USER
        head = self.canonical.get((owner, name), name)
        return USER if head == USER else make_id("ent", owner, head)

    def forms(self) -> Iterator[tuple[str, str, str, Evidence]]:
        """(owner, key, a name as it was said, the sentence that shows it) for both names of every pair that holds."""
        for owner, joins in sorted(self.joins.items()):
            for (alias, name), join in sorted(joins.items()):
                key, both = self.key(owner, name), ((alias, join.pair.shown), (name, join.pair.whole))
                if key == self.key(owner, alias):
                    yield from ((owner, key, shown, join.proof) for one, shown in both if one not in {*self.own, USER})


@dataclass(frozen=True)
class _Told:
    """Every pair of names that somebody's words join, and every pair they call two, per owner."""

    joins: dict[str, Joins]
    apart: dict[str, set[tuple[str, str]]]

    @staticmethod
    def of(claims: pl.DataFrame, turns: pl.DataFrame, own: frozenset[str], rules: LinkRules) -> _Told:
        told = _Told(defaultdict(dict), defaultdict(set))
        known = _known(claims, turns, own)
        likeness = rules.min_name_similarity
        read = said_in_claims(claims, CLAIM_HINT)
        heard = sentences(_worth_hearing(people_turns(turns), known))
        for one in read:
            told.add(one.owner, ((pair, one.proof) for pair in pairs_in(one.text, likeness)))
        for one in heard:
            told.add(one.owner, ((pair, one.proof) for pair in pairs_said(one, likeness)))
            told.apart[one.owner].update(apart_in(one.text))
        for owner, names in known.items():
            told.add(owner, part_pairs([one for one in heard if one.owner == owner], names))
        clusters = {owner: cluster(joins).heads for owner, joins in told.joins.items()}
        for owner, pair, proof in heard_pairs(heard, _forms_by(clusters), likeness):
            told.add(owner, [(pair, proof)])
        return told

    def add(self, owner: str, pairs: Iterable[tuple[Pair, Evidence]]) -> None:
        """Take pairs in; of two proofs of one pair the first said is kept."""
        joins = self.joins[owner]
        for pair, proof in pairs:
            join, key = Join(pair, proof), (pair.alias, pair.name)
            joins[key] = min(join, joins.get(key, join), key=lambda one: one.rank)


def _forms_by(heads: dict[str, dict[str, str]]) -> Callable[[str, str], set[str]]:
    """Tells every name that is one with an owner's name so far, itself included."""

    def forms(owner: str, name: str) -> set[str]:
        known = heads.get(owner, {})
        return {name} | {other for other, head in known.items() if head == known.get(name, name)}

    return forms


def _known(claims: pl.DataFrame, turns: pl.DataFrame, own: frozenset[str]) -> dict[str, Known]:
    """The names that claims and platforms know of already, per owner."""
    if turns.is_empty():
        return {}
    is_person = pl.col("kind") == Kind.COLLABORATOR
    named = claims.select("owner", is_person=is_person, name=pl.concat_list("mentions", pl.concat_list("subject")))
    rows = named.explode("name").drop_nulls("name").unique()
    plain = rows.with_columns(name=normalised(rows["name"]))
    spoke = turns.filter(pl.col("role") == "participant").select("owner", name="speaker").unique()
    speakers = spoke.with_columns(name=normalised(spoke["name"]))
    return {
        owner: Known(
            own,
            frozenset(speakers.filter(pl.col("owner") == owner)["name"]),
            frozenset(plain.filter((pl.col("owner") == owner) & pl.col("is_person"))["name"]),
            frozenset(plain.filter(pl.col("owner") == owner)["name"]),
        )
        for owner in sorted({*plain["owner"], *speakers["owner"]})
    }


def _worth_hearing(turns: pl.DataFrame, known: dict[str, Known]) -> pl.DataFrame:
    """The turns that may say something of names."""
    words = sorted({word for names in known.values() for word in names.words if len(word) >= _MIN_WORD})
    text = pl.col("text")
    has_word = text.str.to_lowercase().str.contains_any(words) if words else pl.lit(False)
    is_answer = (pl.col("after") != "") & text.str.contains(_ADDRESS)
    is_signed = (pl.col("role") == "participant") & text.str.contains(_SIGNATURE)
    return turns.filter(text.str.contains(HINT) | has_word | is_answer | is_signed)


def name_claims(claims: pl.DataFrame, names: Names) -> pl.DataFrame:
    """The claims with `subject_key` set to the key of their subject; a key that was given from outside stays."""
    said = ["owner", "subject", "subject_key"]
    distinct = claims.select(said).unique()
    plain, given = normalised(distinct["subject"]), normalised(distinct["subject_key"])
    keys = [names.key(*row) for row in zip(distinct["owner"], plain, strict=True)]
    key = pl.col("subject_key")
    is_ours = key.str.starts_with("ent_") | key.is_in([USER, ASSISTANT, ""]) | (given == plain)
    derived = pl.when(is_ours).then(pl.Series(keys, dtype=pl.String)).otherwise(key)
    known = distinct.with_columns(derived=derived)
    return claims.with_columns(beside(claims.select(said), known, on=said)["derived"].alias("subject_key"))


def _decisions(made: Clusters, joins: Joins) -> pl.DataFrame:
    """A link for each joined name, with the kind of evidence and the message that has it; a split for each that stays apart."""
    shown: dict[str, Join] = {}
    for (alias, name), join in sorted(joins.items(), key=lambda item: item[1].rank):
        for one in (alias, name):
            shown.setdefault(one, join)
    links = [(name, head, *_reason(shown.get(name))) for name, head in sorted(made.heads.items()) if name != head]
    splits = [(name, "ambiguous_name", rivals) for name, rivals in sorted(made.ambiguous.items())]
    splits += [(name, "said_to_be_two", others) for name, others in sorted(made.cut.items())]
    rows = [("name", "head", "reason", "detail"), ("name", "reason", "detail")]
    frames = [
        pl.DataFrame(links, schema=dict.fromkeys(rows[0], pl.String), orient="row"),
        pl.DataFrame(
            [(name, why, " / ".join(sorted(others))) for name, why, others in splits],
            schema=dict.fromkeys(rows[1], pl.String),
            orient="row",
        ),
    ]
    reason, detail = pl.col("reason"), pl.col("detail")
    return pl.concat(
        [
            verdicts(
                frames[0], stage="link", item="name", other="head", action=Action.LINK, reason=reason, detail=detail
            ),
            verdicts(frames[1], stage="link", item="name", action=Action.SPLIT, reason=reason, detail=detail),
        ]
    )


def _reason(join: Join | None) -> tuple[str, str]:
    return (join.pair.reason, f"{join.proof.session_id}/{join.proof.message_id}") if join else ("given", "")
