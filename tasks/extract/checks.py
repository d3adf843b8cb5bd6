"""Judges a claim against the lines it cites: the same judge for rules and for any model.

Belongs here: what is wrong with a claim, in words that a model can act on. Does not belong here: what is done about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from models.ask import Line
from models.claim import Claim
from models.closing import CALLED_OFF, DONE, says
from models.phrases import holds
from models.rules import ExtractRules, Owner
from models.supposed import only_asks, supposes
from slowwave import when
from slowwave.format import Kind
from tasks.extract import names
from tasks.extract.added import added
from tasks.extract.dated import spoken
from tasks.extract.lines import Sheet
from tasks.extract.polarity import inverted, is_filled_against
from tasks.extract.roles import misplaced
from tasks.extract.telling import changed

_LABEL = re.compile(r"(?<=[^\W\d])\d+\b")
# What a tool prints is no one's taste, rule or habit.
_NEVER_FROM_TOOLS = (Kind.PREFERENCE, Kind.COMMUNICATION_PREFERENCE, Kind.CONSTRAINT, Kind.ROUTINE)
# Words that date a thing without naming a day, so that no date is found in them: "since about summer".
_SPANS = {"week", "weekend", "month", "year", "summer", "winter", "spring", "autumn"}
# No wording makes a claim of lines that claim nothing.
_PAST_MENDING = {"only_asked", "supposed", "forbidden"}
_IS_OF_ME = re.compile(r"^(?:i|we|my|our|ik|wij|mijn|ich|wir|mein\w*|je|j[’']|nous|mon|ma)\b", re.IGNORECASE)
_YOU = re.compile(
    r"\b(?:you\w*|assistant|agent|je|jij|jouw|u|du|dein\w*|dich|dir|tu|toi|ton|ta|vous|votre|te|usted)\b", re.IGNORECASE
)
_SELF = {"i", "me", "we", "myself", "the user"}


class Complaint(NamedTuple):
    """What is wrong: a reason that reports group by, and a sentence that says what to mend."""

    reason: str
    text: str


def faults(claim: Claim, sheet: Sheet, *, rules: ExtractRules, owner: Owner) -> list[str]:
    """What a claim would have to be put right in, for asking again; nothing where it is left out in the end whatever is answered."""
    if not claim.is_assertion:
        return []
    wrong = complaints(settled(claim, sheet, owner), sheet, rules=rules, owner=owner)
    return [] if any(one.reason in _PAST_MENDING for one in wrong) else [one.text for one in wrong]


def complaints(claim: Claim, sheet: Sheet, *, rules: ExtractRules, owner: Owner) -> list[Complaint]:
    """What is wrong with one claim that is `settled`; empty if it may be stored."""
    cited = sheet.cited(claim.lines)
    wrong = list(_lines(claim, sheet.by_number))
    if wrong or not cited:
        return wrong or [Complaint("no_evidence", "cite the numbers of the lines that state it")]
    wrong += _trust(claim, cited)
    wrong += _stated(cited)
    wrong += _subject(claim, cited, sheet, owner)
    wrong += _told(claim, cited, rules, owner)
    wrong += [Complaint("polarity", text) for text in inverted(claim, [line.text for line in cited])]
    wrong += [Complaint("misplaced", text) for text in misplaced(claim, cited, owner.names)]
    wrong += [Complaint("changed", text) for text in changed(claim, [line.text for line in cited])]
    return wrong + list(_forbidden(claim, cited, owner))


def _told(claim: Claim, cited: list[Line], rules: ExtractRules, owner: Owner) -> list[Complaint]:
    """What is wrong with its words and dates. What the lines' dates are is looked up only where the words alone don't bear it out."""
    is_dated = claim.valid_from or claim.valid_to or claim.due
    if not is_dated and not list(_words(claim, cited, [], rules, owner)):
        return []
    dates = resolved_dates(cited, owner)
    return [
        *_words(claim, cited, dates, rules, owner),
        *_dates(claim, cited, dates),
        *_due_before(claim, cited, owner),
    ]


def _due_before(claim: Claim, cited: list[Line], owner: Owner) -> Iterator[Complaint]:
    """A promise that falls due on a day that was over when it was made, where its lines name a later one: two dates were mixed up."""
    said_at, words = cited[-1].said_at, names.plain(claim.due or "").strip()
    if not words or said_at is None:
        return
    known = spoken(cited, owner)
    meant = [f for f in known if names.plain(f.phrase) in words or words in names.plain(f.phrase)]
    if meant and all(f.ends_at <= said_at for f in meant) and any(f.starts_at > said_at for f in known):
        yield Complaint(
            "invented_date", "due is a day that was over when it was said: take the day that it is to be done by"
        )


def settled(claim: Claim, sheet: Sheet, owner: Owner) -> Claim:
    """The claim with its subject in our words, and without a slot that its lines deny: their own words then say what is so."""
    cited = sheet.cited(claim.lines)
    claim = _with_subject(claim, cited, sheet, owner)
    if is_filled_against(claim, [line.text for line in cited]):
        return claim.model_copy(update={"attribute": None, "value": None})
    return claim


def _with_subject(claim: Claim, cited: list[Line], sheet: Sheet, owner: Owner) -> Claim:
    """An owner called by name, or "I", is the user (or the peer who spoke)."""
    speakers = {names.plain(line.speaker) for line in cited if line.role == "user"}
    called = names.plain(claim.subject).strip()
    if called in _SELF and cited and cited[-1].role == "participant":
        return claim.model_copy(update={"subject": cited[-1].speaker})
    owners = {names.plain(name) for name in owner.names} | speakers | _SELF
    is_owner = called in owners and any(line.role == "user" for line in sheet.beside(cited))
    return claim.model_copy(update={"subject": "user"}) if is_owner and claim.subject != "user" else claim


def unclosed(claim: Claim, sheet: Sheet) -> Claim:
    """A model's claim without the attribute that ends a commitment, where no line that it cites says that something ended."""
    if claim.attribute not in (DONE, CALLED_OFF):
        return claim
    if any(says(line.text, claim.attribute) for line in sheet.cited(claim.lines)):
        return claim
    return claim.model_copy(update={"attribute": None, "value": None})


def _lines(claim: Claim, by_number: dict[int, Line]) -> Iterator[Complaint]:
    for number in sorted(set(claim.lines)):
        if number not in by_number:
            yield Complaint("no_such_line", f"line {number} does not exist")
        elif not by_number[number].is_evidence:
            yield Complaint("not_evidence", f"line {number} is context, not evidence: cite the line that states it")


def _stated(cited: list[Line]) -> Iterator[Complaint]:
    if all(only_asks(line.text) for line in cited):
        yield Complaint("only_asked", "the cited lines only ask: a question states nothing, leave the claim out")
    elif all(supposes(line.text) for line in cited):
        yield Complaint("supposed", "the cited lines only suppose, play or jest: leave the claim out")


def _trust(claim: Claim, cited: list[Line]) -> Iterator[Complaint]:
    roles = {line.role for line in cited}
    is_own_word = claim.subject == "assistant" and claim.kind is Kind.GOAL_OR_COMMITMENT
    if "assistant" in roles and not is_own_word:
        yield Complaint("untrusted_origin", "an assistant's line states nothing but the assistant's own commitment")
    if "system" in roles:
        yield Complaint("untrusted_origin", "a system line is no evidence")
    if "tool" in roles and claim.kind in _NEVER_FROM_TOOLS:
        yield Complaint("untrusted_origin", f"a tool's line states no {claim.kind.value}")


def _subject(claim: Claim, cited: list[Line], sheet: Sheet, owner: Owner) -> Iterator[Complaint]:
    roles = {line.role for line in cited}
    if claim.subject == "user":
        if "user" not in roles and roles & {"participant", "assistant"}:
            yield Complaint("wrong_subject", "the subject is not the user: nobody of that role spoke these lines")
    elif claim.subject == "assistant":
        if roles != {"assistant"} and claim.kind is Kind.GOAL_OR_COMMITMENT:
            yield Complaint("wrong_subject", "only the assistant's own lines state its commitments")
        elif roles == {"user"} and all(_IS_OF_ME.search(line.text) and not _YOU.search(line.text) for line in cited):
            yield Complaint("wrong_subject", "the speaker tells of themselves there: the subject is `user`")
    elif not _is_named(claim.subject, cited, sheet, owner):
        yield Complaint("wrong_subject", f"the subject {claim.subject!r} stands in no line")


def _is_named(subject: str, cited: list[Line], sheet: Sheet, owner: Owner) -> bool:
    if not subject.strip():
        return False
    if any(subject == line.speaker for line in cited):
        return True
    shown = [sheet.shown(cited), *map(names.plain, owner.names)]
    return all(any(word in text for text in shown) for word in names.plain(subject).split())


def _words(claim: Claim, cited: list[Line], dates: list[str], rules: ExtractRules, owner: Owner) -> Iterator[Complaint]:
    """Numbers, names and enough of the content words of what the claim says in its own words."""
    named = (claim.attribute or "").replace("_", " ")
    own_words = " ".join(filter(None, (claim.statement, claim.value, named)))
    if not own_words:
        return
    source = "\n".join(line.text for line in cited)
    dated = " ".join(dates)
    told = [source, dated, claim.subject, *dict.fromkeys(line.speaker for line in cited)]
    # "a1" is a label, and counts nothing.
    is_label = claim.attribute is not None and _LABEL.search(claim.attribute) is not None
    claimed = names.claimed_numbers(own_words.replace(named, _LABEL.sub("", named)) if is_label else own_words)
    if invented := sorted(claimed and claimed - names.numbers(source) - _date_numbers(dated)):
        yield Complaint("invented_number", f"{', '.join(invented)} does not stand in the cited lines")
    if alien := sorted(names.strange(own_words, [*told, *owner.names])):
        yield Complaint("invented_name", f"{', '.join(alien)} does not stand in the cited lines")
    if names.is_negative(claim.statement or "") and not names.is_negative(source):
        yield Complaint("invented_negation", "the statement denies what the cited lines do not")
    if alien_dates := _added_dates(own_words, cited, dates, owner):
        yield Complaint("invented_date", f"{', '.join(alien_dates)} does not stand in the cited lines")
    held = frozenset[str]().union(*map(names.stems_of, told))
    for part, text in (("statement", claim.statement), ("value", claim.value)):
        if text and names.coverage(text, held) < rules.min_coverage:
            yield Complaint(
                "not_covered", f"too few words of the {part} stand in the cited lines: keep to their words and language"
            )
    words = " ".join(filter(None, (claim.statement, claim.value)))
    if extra := added(words, [*told, *owner.names]):
        yield Complaint("invented_word", f"{', '.join(extra)} does not stand in the cited lines: keep to their words")


def resolved_dates(cited: list[Line], owner: Owner) -> list[str]:
    """Every date that the cited lines speak of, in words and in ISO form."""
    found = spoken(cited, owner)
    said = [when.render(f) for f in found]
    return (
        said + [day.isoformat() for f in found for day in (f.first, f.last)] + [when.day_words(f.last) for f in found]
    )


def _added_dates(own_words: str, cited: list[Line], dates: list[str], owner: Owner) -> list[str]:
    """Date words that the cited lines neither hold nor mean: a "tomorrow" of the model's own would become a date."""
    last = cited[-1]
    own_spans = sorted(_SPANS & set(names.content_words(own_words)))
    own_dates = when.find(own_words, last.said_at, last.offset_minutes, owner.zone or None)
    if not (own_spans or own_dates):
        return []
    held = names.plain("\n".join(line.text for line in cited))
    known = spoken(cited, owner)
    meant = held + names.plain(" ".join(dates))
    return [word for word in own_spans if word not in meant] + [
        f.phrase
        for f in own_dates
        if names.plain(f.phrase) not in held and not any(s.first <= f.first and f.last <= s.last for s in known)
    ]


def _date_numbers(dated: str) -> set[str]:
    return {n for text in (dated, dated.replace("-", " ")) for n in names.numbers(text)} | {
        str(int(n)) for n in re.findall(r"\d+", dated)
    }


def _dates(claim: Claim, cited: list[Line], dates: list[str]) -> Iterator[Complaint]:
    stated = (("valid_from", claim.valid_from), ("valid_to", claim.valid_to), ("due", claim.due))
    if not any(words for _, words in stated):
        return
    source = names.plain(" ".join([*(line.text for line in cited), *dates]))
    for label, words in stated:
        if words and names.plain(words).strip().rstrip(".") not in source:
            yield Complaint("invented_date", f"{label} must be in the words of the cited lines")


def _forbidden(claim: Claim, cited: list[Line], owner: Owner) -> Iterator[Complaint]:
    """Sift leaves such lines out; this is for a word that a model brings along, and for lines given by themselves."""
    if not owner.forbidden_words:
        return
    told = [claim.statement or "", claim.value or "", claim.subject, *(line.text for line in cited)]
    if holds("\n".join(told), owner.forbidden_words):
        yield Complaint("forbidden", "the owner's rules keep this out of memory: leave the claim out")
