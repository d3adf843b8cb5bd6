"""Whether a claim says yes where its lines say yes: a denial or a taking back needs words that deny, stop or correct.

English first; the usual words of Dutch, German, French, Portuguese and Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from models.claim import Claim
from models.closing import CALLED_OFF, closing
from models.cue import Cue
from slowwave.format import Kind, Polarity
from tasks.extract import names

# Something was so, and is over.
_OVER = Cue(
    re.compile(
        r"\b(?:any ?more|used to|former(?:ly)?|previous(?:ly)?|left|leav(?:e|es|ing)|quit\w*|gave|given up|giv(?:e|es|ing) up"
        r"|drop(?:s|ped)?|end(?:s|ed)|over|sold|lost|died|gone|moved|switch\w*|swap\w*|replac\w*|instead|chang\w*|resign\w*|retir\w*"
        r"|divorc\w*|separat\w*|broke(?:n)? (?:up|off)|split up|cancel\w*|remov\w*|delet\w*|finish\w*|expir\w*|clos(?:ed|es|ing)|fired"
        r"|laid off|past|until|(?:was|were)(?! (?:\w+ed|born|given|made|told|chosen|sent)\b)|had"
        r"|avoid\w*|refus\w*|allergic|intolerant|can[’']?t stand|ex-\w+"
        r"|gestopt|opgehouden|verhuisd|vroeger|voorbij|aufgehört|früher|vorbei|umgezogen|arrêté|quitté|déménagé|fini|avant"
        r"|deixei|parei|mudei|antes|acabou|dejé|dejado|mudé|acabó)\b",
        re.IGNORECASE,
    ),
    "more anymore used former previous left leave leaving quit gave given give giving drop end ends ended over sold lost died gone moved"
    " switch swap replace instead change resign retire divorce separate split broke cancel remove delete finish expire close closing fired"
    " laid past until was were had avoid refuse allergic intolerant stand ex gestopt opgehouden verhuisd vroeger voorbij aufgehört früher"
    " vorbei umgezogen arrêté quitté déménagé fini avant deixei parei mudei antes acabou dejé dejado mudé acabó",
)
# Something was said that never was so.
_MISTAKEN = re.compile(
    r"\b(?:wrong\w*|mistak\w*|mistook|incorrect\w*|correct(?:ion|ed|ing)|error|actually|in fact|scratch|strike|disregard|ignore|forget"
    r"|kidding|joking|joke|lied|lie|false|untrue|mixed|mix-up|misspoke|misremember\w*|misread|confus\w*|typo|meant|mean|take (?:it|that)"
    r" back|taking (?:it|that) back|made (?:it|that) up|oops|sorry|apolog\w*|retract\w*|withdraw\w*|instead|rather"
    r"|vergist|fout|eigenlijk|grapje|bedoel\w*|falsch|irrtum|geirrt|fehler|eigentlich|meinte|gelogen|erreur|trompée?|faux|fausse"
    r"|en fait|plutôt|enganei|engano|errado|errada|erro|aliás|na verdade|quis dizer|equivoqu[ée]|equivocad[oa]|en realidad"
    r"|quise decir)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:.!?…()\n]|\s[–—-]\s|\b(?:but|and|because|so|though|although|since|while|when|maar|aber|mais|mas|pero)\b"
)
_DENIED = Cue(
    re.compile(
        r"\b(?:not|never|no longer|no|cannot|neither|nor|nicht|nie|niemals|kein\w*|niet|nooit|geen|não|nunca|jamais|pas)\b|n[’']t\b",
        re.IGNORECASE,
    ),
    "not never no cannot neither nor nicht nie niemals kein niet nooit geen não nunca jamais pas t",
)
# A "not" that denies nothing: "don't forget to call", "not only", "not until Friday", "why don't we".
_MILD = re.compile(
    r"(?:\bnot|\bnever|n[’']t) (?:forget|wait|only|just|mind|fail|miss|worry|even)\b|\bno (?:more|less|later|earlier|fewer|problem|doubt)\b"
    r"|\b(?:until|till|before|without|unless|except|why|if|enough|too|vergeet|vergiss|oublie\w*|esque[çc]\w*|olvid\w*)\b",
    re.IGNORECASE,
)
# Verbs and openings that say no by themselves.
_SAYS_NO = re.compile(
    r"\b(?:avoid\w*|refus\w*|lack\w*|skip\w*|abstain\w*|against|free|forbid\w*|only|\w+less|un\w+|dis\w+)\b",
    re.IGNORECASE,
)


_DOUBT = Cue(
    re.compile(
        r"\b(?:might|maybe|perhaps|possibly|almost|nearly|consider(?:ing|ed)?|(?:thinking|thought|dream\w*) (?:of|about)"
        r"|misschien|vielleicht"
        r"|peut-être|quizás?|talvez|forse|bijna|fast|presque|casi|quase)\b",
        re.IGNORECASE,
    ),
    "might maybe perhaps possibly almost nearly consider thinking thought dream misschien vielleicht peut quizá talvez forse bijna fast"
    " presque casi quase",
)

# Kinds whose slots say how things are; a constraint's or a lesson's may well hold what is never to be done.
_PLAIN_KINDS = (Kind.SEMANTIC_FACT, Kind.ROUTINE, Kind.TIMELINE_MILESTONE, Kind.EPISODIC_EVENT, Kind.PROJECT)


def inverted(claim: Claim, lines: list[str]) -> Iterator[str]:
    """What is wrong with the claim's yes or no, in words; `lines` are the texts it cites."""
    if claim.polarity is Polarity.RETRACT and not any(map(_takes_back, lines)):
        yield "it takes back what the cited lines do not: no word there says that it never was so"
    elif claim.polarity is Polarity.NEGATE and not any(map(_denies, lines)):
        yield "it denies what the cited lines do not: no word there says that it is not so, or over"
    elif claim.polarity is Polarity.ASSERT and claim.statement and _is_denied(claim.statement, "\n".join(lines)):
        yield "the statement says yes to what the cited lines deny: keep their 'not'"


def is_filled_against(claim: Claim, lines: list[str]) -> bool:
    """Whether a slot holds what its lines deny: "home_city: Bonn" of "I don't live in Bonn". A rule or a dislike may say no."""
    slot = (claim.attribute or "").replace("_", " ")
    if claim.polarity is not Polarity.ASSERT or claim.kind not in _PLAIN_KINDS:
        return False
    if not (slot and claim.value) or _SAYS_NO.search(slot) or names.is_negative(slot):
        return False
    return _is_denied(claim.value, "\n".join(lines)) or _is_doubted(claim.value, lines)


def _is_doubted(value: str, lines: list[str]) -> bool:
    """Whether each clause that names a value only thinks of it: "I might adopt a greyhound" gives nobody a pet."""
    if not any(map(_DOUBT.search, lines)):
        return False
    clauses = _clauses_with(names.stems_of(value), "\n".join(lines))
    return bool(clauses) and all(map(_DOUBT.search, clauses))


def _takes_back(text: str) -> bool:
    """Whether a clause says no, or that something was wrong: "don't forget that" takes nothing back."""
    told = (clause for clause in _CLAUSE.split(text) if not _MILD.search(clause))
    return any(names.is_negative(clause) or _MISTAKEN.search(clause) for clause in told)


def _denies(text: str) -> bool:
    ends = closing(text)
    # "I was promoted" does something, and ends nothing.
    return (
        _takes_back(text) or bool(_OVER.search(text)) or bool(ends and (ends.is_plain or ends.attribute == CALLED_OFF))
    )


def _is_denied(statement: str, source: str) -> bool:
    """Whether each clause that holds all that the statement says denies it; a clause that says more of it, or yes, clears it."""
    # A source that denies nothing has no clause that does.
    if not _DENIED.search(source):
        return False
    if names.is_negative(statement) or _OVER.search(statement) or _SAYS_NO.search(statement):
        return False
    said = names.stems_of(statement)
    clauses = _clauses_with(said, source)
    return bool(clauses) and all(_denies_it(clause, said) and not _MILD.search(clause) for clause in clauses)


def _clauses_with(said: frozenset[str], source: str) -> list[str]:
    """The clauses that hold all that is said."""
    return [clause for clause in _CLAUSE.split(source) if said and said <= names.stems_of(clause)]


def _denies_it(clause: str, said: frozenset[str]) -> bool:
    """Whether its "not" stands before what is said, or at the end: "tea not coffee" says yes to tea."""
    *before, after = _DENIED.pattern.split(clause)
    return bool(before) and (not names.stems_of(after) or bool(names.stems_of(after) & said))
