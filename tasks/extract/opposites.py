"""A word in the place of its opposite: "sold" told as "bought", "before" as "after", "rarely" as "often".

Such words say nothing new by themselves, so that a statement may bring them along (`added`); against a line that has the opposite they
say what is false. English wording, both sides in all their forms. Belongs here: those pairs, and where one stands for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.extract.roles import words_of


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LIKING = _set("like likes liked love loves loved enjoy enjoys enjoyed adore adores prefer prefers preferred fond keen")
_HAVING = _set(
    "get gets got join joins joined start starts started begin begins began have has take takes took adopt adopts adopted"
)
_GIVING = _set("lend lends lent loan loaned")
_TAKING = _set("borrow borrows borrowed got get gets receive receives received owe owes owed")
_PAIRS = (
    (_LIKING, _set("hate hates hated dislike dislikes disliked detest detests loathe loathes stop stops stopped quit quits")),
    (_HAVING, _set("quit quits leave leaves left lose loses lost sell sells sold end ends ended resign resigned cancel cancelled")),
    (_set("buy buys bought"), _set("sell sells sold rent rents rented borrow borrows borrowed return returned")),
    (_set("finish finishes finished complete completed end ends ended"), _set("start starts started begin begins began begun")),
    (_GIVING, _TAKING),
    (_set("pay pays paid"), _set("owe owes owed forget forgot forgets refuse refuses refused")),
    (_set("agree agrees agreed accept accepts accepted promise promises promised"),
     _set("refuse refuses refused decline declines declined reject rejects rejected")),
    (_set("often always usually frequently regularly daily mostly"), _set("rarely seldom hardly never occasionally barely")),
    (_set("before"), _set("after")),
    (_set("most maximum"), _set("least minimum")),
    (_set("above over more"), _set("below under less fewer")),
    (_set("increase increases increased raise raises raised grew rose"), _set("decrease decreased lower lowered cut fell shrank")),
    (_set("win wins won"), _set("lose loses lost")),
    (_set("early earlier earliest"), _set("late later latest")),
    (_set("open opens opened"), _set("close closes closed shut")),
    (_set("arrive arrives arrived"), _set("depart departs departed leave leaves left")),
    (_set("passed succeeded"), _set("failed")),
    (_set("learn learns learned learnt"), _set("teach teaches taught")),
)  # fmt: skip
_ANY = frozenset[str]().union(*(side for pair in _PAIRS for side in pair))
# What a line says only of a case, or says of one and of no other, a statement says so too.
_TURNS = (
    (re.compile(r"^(?:if|unless)\b|\b(?:, if|, unless|only if|provided that)\b"), _set("if unless when would could should provided")),
    (re.compile(r"\b(?:forgot|failed|meant|tried|refused|declined) to\b"),
     _set("forgot forgotten forget failed fail meant means tried try tries refused refuses declined not didn't never")),
    (re.compile(r"\b(?:nobody|no one|none|nothing|everyone|everybody|all) (?:but|except)\b"),
     _set("but except only besides other apart alone")),
)  # fmt: skip


def opposed(statement: str, lines: list[str]) -> Iterator[str]:
    """What a statement turns into its opposite, in words; `lines` are the texts that it cites."""
    said, told = words_of(statement), frozenset[str]().union(*map(words_of, lines))
    if not said.isdisjoint(_ANY):
        for one, other in _PAIRS:
            for mine, theirs in ((one, other), (other, one)):
                if said & mine and not told & mine and told & theirs and not said & theirs:
                    yield f"the cited lines say {min(told & theirs)!r}, not {min(said & mine)!r}"
    for turn, kept in _TURNS:
        if all(turn.search(line.casefold()) for line in lines) and said.isdisjoint(kept):
            yield f"the cited lines say it only with {min(kept & told, default='a condition')!r}: keep that"
