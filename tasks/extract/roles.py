"""Who does what: a statement gives each deed to whom the cited lines give it, and each end of a move its own place.

All words of "Jonas owes me 40 euros" stand in "the user owes Jonas 40 euros", and it is false. English wording: where a line's
own words don't tell who does it, nothing is found wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from models.ask import Line
from models.claim import Claim
from models.closing import CALLED_OFF, DONE
from tasks.extract import names

ME, OTHER, PRONOUN = "the user", "somebody else", "he, she or they"
TOKEN = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*|[.,;:!?…()\"“”]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_I = _set("i we i'm we're i've we've i'd we'd i'll we'll ik wij ich wir")
_THEY = _set("he she they he's she's they're they've he'd she'd they'd he'll she'll they'll")
_KIN = _set("""mother mom mum father dad brother sister son daughter wife husband partner aunt uncle cousin nephew niece grandmother
grandfather grandma grandpa boyfriend girlfriend friend colleague boss manager neighbour neighbor doctor dentist teacher landlord
roommate flatmate coworker client customer parents kids children""")
# Between who does it and what is done.
_BETWEEN = _set("""is are was were be been am has have had do does did will would can could may might shall should must not never no always
often also just already now really still usually probably only ever both to going used isn't aren't wasn't weren't
hasn't haven't hadn't don't doesn't didn't won't wouldn't can't couldn't""")
_SAYING = _set("say says said")
_PAST = _set(
    """asked ate became began bought broke brought built came caught chose did drank drew drove fell felt flew forgot found gave got
grew heard held hired hit hurt kept knew laid led left lent lost made meant met paid put quit ran rang read rode sang sat saw sent
slept sold spent spoke stole swam taught told took thought threw understood went woke won wore wrote"""
)
_I_SAY = re.compile(r"\b(?:that|because|and|but|,) (?:i|we)\b(?! and\b)|\b(?:that|because|but|,) (?:i|we)['’]")
_PARTS = re.compile(r"[,;.!?]\s+")
_HELPING, _DID = _BETWEEN - {"to", "no", "not"}, _SAYING | _PAST
_RULED = frozenset(("from", "to", "than", "not", "into", "over"))


class Deed(NamedTuple):
    """Who does what, as a statement says it: `who` is ME, OTHER, PRONOUN or a person's name in small letters; `what` is a stem."""

    who: str
    what: str


def misplaced(claim: Claim, cited: list[Line], owners: Iterable[str]) -> Iterator[str]:
    """What is wrong with who does what in a claim, in words; nothing where its lines come from several people."""
    if len({line.speaker for line in cited}) != 1:
        return
    speaker = cited[-1]
    mine = _parts([speaker.speaker, *(owners if speaker.role == "user" else ())])
    lines = [line.text for line in cited]
    if claim.statement:
        yield from _deeds_wrong(claim.statement, lines, mine)
        yield from _ends_wrong(claim.statement, lines)
    slot = (claim.attribute or "").replace("_", " ")
    if (
        claim.subject == "user"
        and slot
        and claim.attribute not in (DONE, CALLED_OFF)
        and _is_anothers(slot, claim.value or "", lines, mine)
    ):
        yield f"{claim.attribute} is said of somebody else there, not of the user: name whom it is said of as the subject"
    if slot and speaker.role == "user" and _is_the_speakers(claim, lines):
        yield f"{claim.attribute} is what the speaker says of themselves, not of {claim.subject}: the subject is `user`"


def _is_the_speakers(claim: Claim, lines: list[str]) -> bool:
    """Whether between the naming of somebody and what is said to be theirs stands an "I": "I told Sofie that I move to Porto"."""
    if claim.subject in ("user", "assistant") or not claim.value:
        return False
    told = names.plain(" ".join(lines))
    at = told.find(names.plain(claim.value))
    before = told[: max(at, 0)].rpartition(names.plain(claim.subject))
    return bool(before[1]) and _I_SAY.search(before[2]) is not None


def _parts(known: Iterable[str]) -> frozenset[str]:
    return frozenset(part for name in known for part in names.plain(name).split())


def _deeds_wrong(statement: str, lines: list[str], mine: frozenset[str]) -> Iterator[str]:
    told = [deed for line in lines for deed in deeds(line, mine)]
    for deed in deeds(_unframed(statement, mine), mine):
        doers = {other.who for other in told if other.what == deed.what}
        # Whom a pronoun of the statement means, its own first words say.
        if doers and deed.who != PRONOUN and not any(_is_same(deed.who, doer) for doer in doers):
            yield f"it is {' or '.join(sorted(doers))} who does so in the cited lines, not {deed.who}"


def _unframed(statement: str, mine: frozenset[str]) -> str:
    """The statement without "Ana says:" before it, where Ana spoke the lines: what she says there, others may say in them."""
    speaker, says, told = statement.partition(" says: ")
    return told if says and mine.issuperset(names.plain(speaker).split()) else statement


def _is_same(one: str, other: str) -> bool:
    """Whether two doers may be one: "she" may be any person, and never the speaker."""
    return one == other or (ME not in (one, other) and not {OTHER, PRONOUN}.isdisjoint((one, other)))


# A line is gone through once by each of these checks, for each claim that cites it.
@lru_cache(maxsize=4_096)
def tokens_of(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words and marks of a text in their order: as they stand there, and in plain form."""
    tokens = tuple(TOKEN.findall(text))
    return tokens, tuple(map(names.plain, tokens))


def deeds(text: str, mine: frozenset[str]) -> Iterator[Deed]:
    """Every deed whose doer stands right before it."""
    tokens, words = tokens_of(text)
    who: str | None = None
    for place, (token, word) in enumerate(zip(tokens, words, strict=True)):
        if doer := _doer(tokens, words, place, mine):
            who = doer
        elif word in _BETWEEN:
            continue
        elif who is not None and word not in names.DATE_WORDS and (word in _SAYING or names.content_words(token)):
            yield Deed(who, names.stem(word))
            who = None
        else:
            who = None


def _doer(tokens: Sequence[str], words: Sequence[str], place: int, mine: frozenset[str]) -> str | None:
    """Who a word names as the doer of what follows; an object ("promised Jonas to send") is followed by no verb of its own."""
    token, word = tokens[place], words[place]
    before = words[place - 1] if place else ""
    following = words[place + 1] if place + 1 < len(words) else ""
    if word in _I or (word == "user" and before == "the"):
        return ME
    if following in ("and", "&", "or", "to") or before in ("and", "&", "or", "with"):
        return None
    if word in _THEY:
        return PRONOUN
    if word in _KIN and before in ("my", "our", "his", "her", "their", "the", "user's"):
        return OTHER
    if word in mine and token[:1].isupper():
        return ME
    if not token[:1].isupper() or word in names.DATE_WORDS or (place and before in _RULED):
        return None
    return word if _is_verbal(following) and names.proper_names(token) else None


def _is_verbal(word: str) -> bool:
    return word in _HELPING or word in _DID or bool(re.fullmatch(r"[a-z]{2,}(?:s|ed)", word))


def _ends_wrong(statement: str, lines: list[str]) -> Iterator[str]:
    """What stands after "from", "to", "than" or "not", where the lines have something else there that the statement names as well."""
    for rule, what in _ruled(statement):
        there = {other for line in lines for said, other in _ruled(line) if said == rule}
        everything = names.stems_of(statement)
        if there and what not in there and there <= everything and _is_ruled_otherwise(rule, what, lines):
            yield f"after {rule!r} the cited lines have something else: keep who and what in their places"


def _is_ruled_otherwise(rule: str, what: str, lines: list[str]) -> bool:
    return rule in ("than", "not", "over") or any(
        what == other and said != rule for line in lines for said, other in _ruled(line)
    )


def _ruled(text: str) -> Iterator[tuple[str, str]]:
    for word, following in pairwise(tokens_of(text)[1]):
        if word in _RULED and names.content_words(following):
            yield word, names.stem(following)


def words_of(text: str) -> set[str]:
    """The words of a text in small letters; the month May is no "may"."""
    return {word for token, word in zip(*tokens_of(text), strict=True) if token != "May"}


def _is_anothers(slot: str, value: str, lines: list[str], mine: frozenset[str]) -> bool:
    """Whether a slot of the user's is filled from lines in which only others do something, and which don't name the slot."""
    spoken = {word for line in lines for word in words_of(line)}
    if spoken & (_I | {"me", "us", "mine", "ours", "myself", "mij", "mir", "mich"}) or spoken & mine:
        return False
    named = names.stems_of(slot)
    owned = re.findall(r"\b(?:my|our) ([^\W_]+)", names.plain("\n".join(lines)))
    # "Ana is my dentist" fills the slot "dentist"; "my sister lives in Lyon" fills none of the user's.
    if named & names.stems(owned):
        return False
    # A line's first word may be a name or any other: "Jonas prefers", "Reminders come". It is taken for none.
    parts = _holding(value, lines)
    doers = {deed.who for part in parts for deed in deeds(part[:1].lower() + part[1:], mine)}
    # "The report as PDF goes into the annex": what the slot holds is a thing, and does nothing to anybody.
    return bool(doers - set(names.plain(value).split())) and ME not in doers


def _holding(value: str, lines: list[str]) -> list[str]:
    """The parts of the lines in which a value stands, or all: "use Signal, WhatsApp is muted" says nothing else of Signal."""
    parts = [part for line in lines for part in _PARTS.split(line)]
    return [part for part in parts if value and names.plain(value) in names.plain(part)] or lines
