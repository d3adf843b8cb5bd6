"""What a kept sentence states: one claim or several, with kind, subject, slot and dates, and with the lines that say so.

Belongs here: from one sentence, and those just before it that it leans on, to claims. Does not belong here: which sentences are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adapters.offline import assertion, people
from adapters.offline.apart import wishes_apart
from adapters.offline.choices import Choice, choices_of
from adapters.offline.dating import Dates, clauses, dates_of
from adapters.offline.kinds import Sort
from adapters.offline.scene import Scene, Weighed
from adapters.offline.slots import Slot, slots_of
from adapters.offline.undertaken import is_undertaken
from models.ask import Line
from models.claim import Claim
from models.closing import CALLED_OFF, DONE, bare_closing, closing
from slowwave.format import Cardinality, Kind, Polarity
from slowwave.text import squash

_OWN_WORD = re.compile(
    r"\bi(?:[’']ll| will| promise| shall)\b(?!.*\b(?:be happy|be glad|be here|if you)\b)|\b(?:ik|ich)\b|\bje (?:te |t[’']|vous )\w+"
    r"|\b(?:eu )?vou\b|\bvoy a\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^(?:and |so |then )?i(?:[’']ll| will|[’']m going to| must| need to| have to| want to) (?:\w+"
    r" ){1,3}(?:it|them|that|this)\b",
    re.IGNORECASE,
)
_LEANS_BACK = re.compile(
    r"^keep (?:it|them|this) (?:that way|so)\b|^you (?:again )?\w+ed (?:it|them|those)\b|^(?:(?:and|so|but) )?(?:it"
    r"|they|them|those|these|that|this)\b(?![’']s (?:the|a|my|our)\b)",
    re.IGNORECASE,
)
_NAMELESS_OWN = re.compile(r"(?:and |but |well,? )?(?:mine|ours)\b(?! own\b)", re.IGNORECASE)
_NAMELESS_ALLERGY = re.compile(
    r"\b(?:an? (?:\w+ )?(?:severe|bad|serious|strong|heavy) |zware |schwere )(?:allergy|allergie)\b(?! (?:to|for|voor"
    r"|gegen))",
    re.IGNORECASE,
)
_OWED = re.compile(r"\b(?:must|has to|have to|needs?|gets?|owed?|expects?|muss|moet|doit|tem de|deve)\b", re.IGNORECASE)
_COMES_ROUND = re.compile(
    r"\b(?:birthday|anniversary|name ?day)(?:[’']s| is| was| falls)\b|\b(?:is|was)\b[^.]{0,40}\b(?:birthday|anniversary|name ?day)\b",
    re.IGNORECASE,
)
# What an owner lays down for later has to stand alone, so it takes the sentence before it along where it needs it.
_STANDING = (Kind.CONSTRAINT, Kind.TOOL_OR_WORKFLOW_LESSON, Kind.COMMUNICATION_PREFERENCE)
_LOOSE = (Kind.SEMANTIC_FACT, Kind.EPISODIC_EVENT, Kind.PROJECT, Kind.TIMELINE_MILESTONE)
_OWED_KINDS = (Kind.CONSTRAINT, Kind.COLLABORATOR, Kind.ROUTINE, Kind.PREFERENCE)
_CHOSEN_KINDS = (*_LOOSE, Kind.PREFERENCE, Kind.GOAL_OR_COMMITMENT)
MAX_FRAGMENT_WORDS = 3


def state(weighed: Weighed, scene: Scene) -> list[Claim]:
    """The claims of one kept line."""
    if weighed.statement:
        made = _claim(weighed.line, weighed.body, scene, weighed.sort, None, is_part=True)
        told = {"statement": weighed.statement, "lines": list(weighed.lines), "attribute": None, "value": None}
        return [made.model_copy(update=told)]
    is_user = weighed.line.role == "user"
    parts: list[tuple[str, Sort]] = wishes_apart(weighed.body, weighed.sort) if is_user else []
    if not parts:
        parts = [(part, weighed.sort) for part in clauses(weighed.body, weighed.line, scene.question.zone)]
    is_part = len(parts) > 1
    return [c for part, sort in parts for c in _claims(weighed._replace(sort=sort), part, scene, is_part=is_part)]


def _claims(weighed: Weighed, body: str, scene: Scene, *, is_part: bool) -> list[Claim]:
    line, sort = weighed.line, weighed.sort
    chosen = choices_of(body) if line.role == "user" else []
    if chosen:
        return [_claim(line, body, scene, _chosen(sort, one), one.slot, is_part=is_part) for one in chosen]
    slots: list[Slot | None] = list(slots_of(body)) or [None]
    return [_claim(line, body, scene, sort, slot, is_part=is_part) for slot in slots]


def _chosen(sort: Sort, choice: Choice) -> Sort:
    return sort._replace(kind=choice.kind) if sort.kind in _CHOSEN_KINDS else sort


def _claim(line: Line, body: str, scene: Scene, sort: Sort, slot: Slot | None, *, is_part: bool) -> Claim:
    subject, statement, lines = _about(line, body, scene, sort.kind)
    if slot and slot.statement:
        statement = slot.statement
    dates = dates_of(body, line, sort.kind, scene.question.zone)
    if (dates.due or sort.kind is Kind.GOAL_OR_COMMITMENT) and not is_undertaken(body):
        dates, sort = dates._replace(due=None), _unbound(sort)
    kind = _kind(sort.kind, body, dates)
    is_own = subject in ("user", line.speaker)
    slot = slot if slot is None or _fits(slot, is_own) else None
    end = closing(body) if slot is None and line.role == "user" else None
    # What falls due is not done: "is owed by Friday".
    if end and not (end.attribute == DONE and dates.due):
        slot = Slot(end.attribute, body)
        kind = Kind.GOAL_OR_COMMITMENT if end.is_plain else sort.kind
        dates = dates._replace(due=dates.due if end.attribute == CALLED_OFF else None)
    return Claim(
        kind=kind,
        subject=subject,
        lines=lines,
        statement=statement or (body if is_part or body != line.text else None),
        valid_from=dates.valid_from,
        valid_to=dates.valid_to,
        due=dates.due,
        confidence=_confidence(body, is_own=is_own),
        importance=min(1.0, sort.importance + (0.1 if assertion.is_standing(body) else 0.0)),
        mentions=people.names_in(body, scene.known),
        attribute=slot.attribute if slot else None,
        value=slot.value if slot else None,
        cardinality=slot.cardinality if slot else Cardinality.MULTI,
        polarity=slot.polarity if slot else Polarity.ASSERT,
        is_assertion=True,
    )


def _unbound(sort: Sort) -> Sort:
    """A plan that nobody undertakes is a fact about the speaker: never overdue."""
    return sort._replace(kind=Kind.SEMANTIC_FACT) if sort.kind is Kind.GOAL_OR_COMMITMENT else sort


def _kind(kind: Kind, body: str, dates: Dates) -> Kind:
    """What falls due is a commitment, unless it is plainly something else; what must be done by then is one all the same.

    A birthday comes round, whatever anybody does: nobody owes it, so it is never overdue.
    """
    if dates.due and not _COMES_ROUND.search(body) and (kind in _LOOSE or (kind in _OWED_KINDS and _OWED.search(body))):
        return Kind.GOAL_OR_COMMITMENT
    return kind


def _fits(slot: Slot, is_own: bool) -> bool:
    """An "I" form speaks of the speaker alone; an allergy may be anyone's."""
    return is_own or slot.attribute == "allergy"


def _about(line: Line, body: str, scene: Scene, kind: Kind) -> tuple[str, str | None, list[int]]:
    """Subject, a statement where a pronoun had to be replaced, and the lines that say so."""
    speaker = "user" if line.role == "user" else line.speaker
    if line.role == "user" and scene.topic and _NAMELESS_OWN.match(body):
        # "Mine is 900 litres" says of what only together with what was asked about.
        return speaker, f"About {scene.topic.words}: {body[0].lower()}{body[1:]}", [scene.topic.line, line.number]
    if line.role == "user" and (word := people.pronoun_of(body)):
        return _pronominal(line, body, word, scene, speaker)
    if name := people.japanese_kin(body):
        return name, None, [line.number]
    kin = people.kin_of(body)
    if kin and not re.search(r"\b(?:I|we|We)\b", body[: body.find(kin[0])]):
        return kin[0], None, [line.number]
    if line.role == "user" and scene.before is not None and not kin and _leans(body, kind):
        # "I'll pick it up tomorrow" says nothing alone: the sentence before it says what.
        return speaker, _joined(scene.before, body), [scene.before.number, line.number]
    other = people.other_doer(body) if line.role == "user" else None
    return other or people.opening_name(body, scene.known - scene.hearers) or speaker, None, [line.number]


def _leans(body: str, kind: Kind) -> bool:
    """Whether the sentence needs the one before it: it points back, or it is a mere fragment of what is to hold for later."""
    if _POINTS_BACK.search(body):
        return True
    return kind in _STANDING and bool(
        _LEANS_BACK.match(body) or len(body.split()) <= MAX_FRAGMENT_WORDS or _NAMELESS_ALLERGY.search(body)
    )


def _joined(before: Line, body: str) -> str:
    return f"{squash(before.text).rstrip('.!')}; {body}"


def _pronominal(line: Line, body: str, word: str, scene: Scene, speaker: str) -> tuple[str, str | None, list[int]]:
    kin = people.kin_of(body)
    person = scene.cast.meant(line, word) if not kin else _before(scene.cast, line, word, kin[0])
    if person is None:
        return (kin[0] if kin else speaker), None, [line.number]
    rest = body[len(word) :]
    is_owned = word in ("His", "Her")
    statement = f"{person.name}{'’s' if is_owned else ''}{rest}"
    subject = kin[0] if kin else person.name
    return subject, statement, sorted({person.number, line.number})


def _before(cast: people.Cast, line: Line, word: str, but: str) -> people.Person | None:
    earlier = people.Cast({s: [p for p in known if p.name != but] for s, known in cast.people.items()})
    return earlier.meant(line, word)


def _confidence(text: str, *, is_own: bool) -> float:
    """Lower for hedged words and for what is said of others."""
    hedged = re.search(
        r"\b(?:maybe|perhaps|might|probably|i think|i guess|not sure|possibly|kind of|sort of|seems?)\b", text, re.I
    )
    return (0.6 if hedged else 0.9) - (0.0 if is_own else 0.1)


def closing_claim(line: Line, before: Line, scene: Scene) -> Iterator[Claim]:
    """A commitment that two sentences end together: what the first names, the second ("Tick it off.") calls done or off."""
    if end := bare_closing(line.text):
        yield Claim(
            kind=Kind.GOAL_OR_COMMITMENT,
            subject="user",
            lines=[before.number, line.number],
            statement=_joined(before, line.text),
            valid_from=dates_of(before.text, before, Kind.EPISODIC_EVENT, scene.question.zone).valid_from
            if end.attribute == DONE
            else None,
            confidence=0.9,
            importance=0.6,
            mentions=people.names_in(before.text, scene.known),
            attribute=end.attribute,
            value=before.text,
            cardinality=Cardinality.MULTI,
            polarity=Polarity.ASSERT,
            is_assertion=True,
        )


def own_commitment(line: Line, scene: Scene) -> Iterator[Claim]:
    """The assistant's own word, where it names a time; its intentions of the moment are work, not memory."""
    if not line.is_evidence or not _OWN_WORD.search(line.text) or assertion.is_question(line.text):
        return
    dates = dates_of(line.text, line, Kind.GOAL_OR_COMMITMENT, scene.question.zone)
    if dates.due:
        yield Claim(
            kind=Kind.GOAL_OR_COMMITMENT,
            subject="assistant",
            lines=[line.number],
            due=dates.due,
            confidence=0.8,
            importance=0.6,
            mentions=people.names_in(line.text, scene.known),
            cardinality=Cardinality.MULTI,
            polarity=Polarity.ASSERT,
            is_assertion=True,
        )
