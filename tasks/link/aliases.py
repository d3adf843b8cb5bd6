"""Names that are one: by equality, by a given link, or because a person said so.

Belongs here: reading "X, also called Y" out of claims, and the one key that names share. Does not belong here: rows of
entities. A short name that is said of two different people joins neither.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl
from rapidfuzz.distance import JaroWinkler

from models.decision import Action
from models.ids import make_id
from models.rules import LinkRules, Owner
from slowwave.format import Trust
from slowwave.text import normalise
from tasks.merge.identity import normalised
from tasks.verdict import verdicts

USER, ASSISTANT = "user", "assistant"
_PEOPLE = (Trust.OWNER, Trust.PARTICIPANT, Trust.IMPORTED)

_WORD = r"[^\W\d_a-z][\w.'’&-]*"
_NAME = rf"{_WORD}(?:[ -](?:(?:de|da|del|di|van|von|der|den|la|le|of|the) )*{_WORD}){{0,4}}"
_QUOTED = r"""["'“‘«](?P<quoted>[^"'”’»]{2,40})["'”’»]"""
_CALLED = (
    r"(?:is |was |are )?(?:also |otherwise |sometimes |usually |better )?(?:called|known as|nicknamed|a\.?k\.?a\.?)"
)
_GOES_BY = r"goes by(?: the name(?: of)?)?|(?:is )?short for"
_STATED = re.compile(rf"(?P<one>{_NAME}),?\s*\(?(?:{_CALLED}|{_GOES_BY})\s+(?:{_QUOTED}|(?P<other>{_NAME}))")
# "tfr is Tomasz Ferreira-Ruhl", "Tom, my colleague Tomasz": one only where one name is plainly a form of the other.
_SAME = re.compile(rf"(?<![\w-])(?P<one>[^\W_][\w.-]{{1,19}}) is (?P<other>{_WORD}(?:[ -]{_WORD}){{1,3}})")
_TITLED = re.compile(rf"(?P<one>{_NAME}), (?:my|our|his|her|their) (?:[a-z]+ ){{1,3}}(?P<other>{_NAME})")
_BRACKETED = re.compile(rf"(?P<one>{_NAME}) \((?:or )?(?P<other>{_NAME})\)")
_ARTICLE = re.compile(r"^(?:the|our|my|his|her|their|an?) ")
_HINT = (
    r"(?i:\(|called|known as|nicknamed|a\.?k\.?a|goes by|short for|, (?:my|our|his|her|their) )"
    r"|[\w.-]{2,20} is \p{Lu}[\w.'’-]+[ -]\p{Lu}"
)


@dataclass(frozen=True)
class Names:
    """The key of every name that is known under another, per owner, and what was decided about names."""

    canonical: dict[tuple[str, str], str]
    own: frozenset[str]
    decisions: pl.DataFrame = field(compare=False)

    @staticmethod
    def learn(claims: pl.DataFrame, rules: LinkRules, owner: Owner) -> Names:
        """Read the joins that people stated in `claims`, and add those that `rules.links` gives."""
        stated = _stated(claims, rules.min_name_similarity)
        own = frozenset(normalise(name) for name in owner.names)
        given = {(normalise(one), normalise(other)) for one, other in rules.links}
        canonical: dict[tuple[str, str], str] = {}
        apart: list[tuple[str, str, str]] = []
        for person in sorted(set(claims["owner"].to_list())):
            pairs = {(one, other) for who, one, other in stated if who == person}
            joined, ambiguous = _cluster(pairs, given)
            canonical |= {(person, name): head for name, head in joined.items()}
            apart += [(person, name, " / ".join(sorted(rivals))) for name, rivals in sorted(ambiguous.items())]
        return Names(canonical, own, _decisions(canonical, apart))

    def key(self, owner: str, name: str) -> str:
        """The key of a normalised name: `user`, `assistant`, or the id of its entity."""
        if name in (USER, ASSISTANT):
            return name
        if name in self.own:
            return USER
        head = self.canonical.get((owner, name), name)
        return USER if head in self.own else make_id("ent", owner, head)


def name_claims(claims: pl.DataFrame, names: Names) -> pl.DataFrame:
    """The claims with `subject_key` set to the key of their subject; a key that was given from outside stays."""
    keyed = claims.with_columns(subject_name=normalised(claims["subject"]))
    distinct = keyed.select("owner", "subject_name").unique()
    keys = [names.key(*row) for row in distinct.iter_rows()]
    known = distinct.with_columns(derived=pl.Series(keys, dtype=pl.String))
    joined = keyed.join(known, on=["owner", "subject_name"], how="left", maintain_order="left")
    key = pl.col("subject_key")
    is_ours = (
        key.str.starts_with("ent_")
        | key.is_in([USER, ASSISTANT, ""])
        | (normalised(claims["subject_key"]) == pl.col("subject_name"))
    )
    return joined.with_columns(subject_key=pl.when(is_ours).then("derived").otherwise(key)).drop(
        "derived", "subject_name"
    )


def _stated(claims: pl.DataFrame, likeness: float) -> set[tuple[str, str, str]]:
    """(owner, name, name) for every pair that a person's statement joins."""
    said = claims.filter(
        pl.col("trust").is_in([trust.value for trust in _PEOPLE])
        & (pl.col("polarity") == "assert")
        & pl.col("text").str.contains(_HINT)
    ).select("owner", "text")
    return {(owner, one, other) for owner, text in said.iter_rows() for one, other in pairs_in(text, likeness)}


def pairs_in(text: str, likeness: float) -> Iterable[tuple[str, str]]:
    """Normalised pairs of names that the text says are one.

    "X, also called Y" joins whatever Y is; "X (Y)", "X is Y" and "X, my friend Y" only where one name is plainly a form of the other,
    since a bracket holds a country or a firm as often as a name.
    """
    for found in _STATED.finditer(text):
        yield _plain(found["one"]), normalise(found["quoted"]) if found["quoted"] else _plain(found["other"])
    for pattern in (_BRACKETED, _SAME, _TITLED):
        for found in pattern.finditer(text):
            one, other = _plain(found["one"]), _plain(found["other"])
            if one != other and is_form(one, other, likeness):
                yield one, other


def _plain(name: str) -> str:
    """A name out of running text, normalised: an article at the head of a sentence is no part of it."""
    return _ARTICLE.sub("", normalise(name))


def is_form(one: str, other: str, likeness: float) -> bool:
    """Whether one name is a short form of the other: the start of a part of it, its initials, or nearly the same."""
    short, long = sorted((one, other), key=lambda name: (len(name), name))
    parts = re.split(r"[\s-]+", long)
    initials = "".join(part[0] for part in parts if part)
    starts = len(short) > 1 and any(part.startswith(short) for part in parts)
    return starts or short == initials or JaroWinkler.similarity(one, other) >= likeness


def _cluster(stated: set[tuple[str, str]], given: set[tuple[str, str]]) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Each name's head (the longest of its names), and the short names that would have joined different ones."""
    longer: dict[str, set[str]] = defaultdict(set)
    for one, other in stated:
        short, long = sorted((one, other), key=lambda name: (len(name), name))
        if short != long:
            longer[short].add(long)
    ambiguous = {
        short: longs for short, longs in longer.items() if _n_rivals({_top(long, longer) for long in longs}) > 1
    }
    pairs = given | {(short, long) for short, longs in longer.items() if short not in ambiguous for long in longs}
    return _heads(pairs), ambiguous


def _n_rivals(names: set[str]) -> int:
    """How many of the names are not just a word of another of them: "Tomasz" is no rival of "Tomasz Ruhl"."""
    words = {other: set(re.split(r"[\s-]+", other)) for other in names}
    return sum(not any(name in words[other] for other in names - {name}) for name in names)


def _top(name: str, longer: dict[str, set[str]]) -> str:
    seen = {name}
    while len(nexts := longer.get(name, set()) - seen) == 1:
        name = next(iter(nexts))
        seen.add(name)
    return name


def _heads(pairs: set[tuple[str, str]]) -> dict[str, str]:
    groups: dict[str, set[str]] = {}
    for one, other in sorted(pairs):
        merged = groups.get(one, {one}) | groups.get(other, {other})
        groups |= dict.fromkeys(merged, merged)
    return {name: min(group, key=lambda other: (-len(other), other)) for name, group in groups.items()}


def _decisions(canonical: dict[tuple[str, str], str], apart: list[tuple[str, str, str]]) -> pl.DataFrame:
    joined = [(name, head) for (_, name), head in sorted(canonical.items()) if name != head]
    links = pl.DataFrame(joined, schema={"name": pl.String, "head": pl.String}, orient="row")
    splits = pl.DataFrame(apart, schema={"owner": pl.String, "name": pl.String, "rivals": pl.String}, orient="row")
    return pl.concat(
        [
            verdicts(links, stage="link", item="name", other="head", action=Action.LINK, reason="said_to_be_one"),
            verdicts(
                splits, stage="link", item="name", action=Action.SPLIT, reason="ambiguous_name", detail=pl.col("rivals")
            ),
        ]
    )
