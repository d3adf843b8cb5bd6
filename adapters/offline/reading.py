"""Reads a question's lines as rules can: keeps what is said, types it, and says whom it is about and since when."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from adapters.offline import assertion, people, salience
from adapters.offline.dating import clauses, dates_of
from adapters.offline.kinds import Sort, sort_of
from adapters.offline.slots import Slot, slots_of
from models.ask import Line, Question
from models.claim import Claim
from slowwave.format import Cardinality, Kind, Polarity
from slowwave.text import squash

_OWN_WORD = re.compile(
    r"\bi(?:[’']ll| will| promise| shall)\b(?!.*\b(?:be happy|be glad|be here|if you)\b)", re.IGNORECASE
)
_FICTION = re.compile(
    r"\b(?:scene|story|novel|chapter|poem|script|lyrics|fiction|role-?play|character|in first person"
    r"|monologue)\b.*:\s*$",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^(?:and |so |then )?i(?:[’']ll| will|[’']m going to| must| need to| have to| want to) (?:\w+"
    r" ){1,3}(?:it|them|that|this)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:[^:,.!?]{1,30}, )?(?:but )?(?:one (?:more )?thing|seriously|no, seriously|remember|note|fyi"
    r"|also|reminder|settled in)\s*:\s*",
    re.I,
)
# What a user says of these holds for later, however it is worded.
_STANDING_KINDS = (Kind.CONSTRAINT, Kind.COMMUNICATION_PREFERENCE, Kind.TOOL_OR_WORKFLOW_LESSON)


@dataclass
class Scene:
    """What the lines so far tell about the ones to come."""

    question: Question
    hearers: frozenset[str]
    known: frozenset[str]
    quote: assertion.Quote = field(default_factory=assertion.Quote)
    cast: people.Cast = field(default_factory=people.Cast)
    ironic: object = None
    previous: Line | None = None
    before: Line | None = None
    asker: str | None = None
    is_answer: bool = False

    def hear(self, line: Line) -> None:
        """Note whether this line stands in a turn that answers another speaker's question."""
        if self.previous is None or self.previous.speaker != line.speaker:
            self.is_answer, self.asker = self.asker is not None, None
        if assertion.is_question(line.text):
            self.asker = line.speaker
        self.previous = line


class Weighed(NamedTuple):
    """A line that asserts something: its words without greeting, its sort, and its worth."""

    line: Line
    body: str
    sort: Sort
    score: float


def read(question: Question) -> list[Claim]:
    """Every claim that the rules find, in the order of the lines; nothing is carried from one session to the next."""
    sessions = groupby(question.lines, key=lambda line: line.session)
    return [claim for _, lines in sessions for claim in _read_session(replace(question, lines=tuple(lines)))]


def _read_session(question: Question) -> list[Claim]:
    speakers = frozenset(
        part.casefold() for line in question.lines for part in line.speaker.split() if line.role == "participant"
    )
    inner = [n for line in question.lines if line.role in ("user", "participant") for n in people.names_in(line.text)]
    known = (
        speakers
        | frozenset(n.split()[0].casefold() for n in inner)
        | frozenset(n.split()[0].casefold() for n in question.owner_names)
    )
    scene = Scene(question, speakers | _short(speakers), known)
    claims: list[Claim] = []
    for _, run in groupby(question.lines, key=lambda x: (x.speaker, x.role, x.said_at)):
        lines = list(run)
        weighed = [w for line in lines if (w := _read_line(line, scene)) is not None]
        stated = {w.line.number: w.line for w in weighed}
        for kept in _worth_keeping(weighed):
            scene.before = stated.get(kept.line.number - 1)
            claims += _state(kept, scene)
        claims += [claim for line in lines if line.role == "assistant" for claim in _own_commitment(line, scene)]
    return claims


def _short(names: frozenset[str]) -> frozenset[str]:
    """Short forms by which people address each other: "Mel" for Melanie."""
    return frozenset(name[:n] for name in names for n in (3, 4) if len(name) > n)


def _read_line(line: Line, scene: Scene) -> Weighed | None:
    """The line's words and their worth, or none where it states nothing. Also tells the scene of it."""
    scene.hear(line)
    if line.role not in ("user", "participant"):
        return None
    is_quoted = scene.quote.is_inside((line.speaker, line.said_at), line.text)
    body = _LEAD.sub("", assertion.without_opener(line.text)).strip()
    _introduce(line, body, scene)
    if is_quoted or not line.is_evidence or not _is_said(line, body, scene):
        return None
    sort = sort_of(body)
    is_standing = line.role == "user" and (assertion.is_standing(body) or sort.kind in _STANDING_KINDS)
    is_sorted = sort.kind is not Kind.SEMANTIC_FACT
    hints = salience.Hints(is_sorted, is_standing, scene.is_answer, bool(line.caption))
    score = salience.score(body, hints, scene.hearers)
    # A user tells an agent few things in vain; between peers most of it is talk.
    if line.role == "user" and (hints.is_sorted or not salience.is_bare(body) or slots_of(body)):
        score += salience.USER_BONUS
    return Weighed(line, body, sort, score)


def _worth_keeping(run: list[Weighed]) -> list[Weighed]:
    """Of one speaker's lines in a row, those above the threshold; between peers else the best one, if it says anything."""
    kept = [w for w in run if w.score >= salience.THRESHOLD]
    best = max(run, key=lambda w: w.score, default=None)
    if not kept and best and best.line.role == "participant" and best.score >= salience.BEST_THRESHOLD:
        return [best]
    return kept


def _state(weighed: Weighed, scene: Scene) -> list[Claim]:
    parts = clauses(weighed.body, weighed.line, scene.question.zone)
    return [claim for part in parts for claim in _claims(weighed, part, scene, is_part=len(parts) > 1)]


def _introduce(line: Line, body: str, scene: Scene) -> None:
    if kin := people.kin_of(body):
        scene.cast.note(line, kin[0], kin[1])


def _is_said(line: Line, body: str, scene: Scene) -> bool:
    """Whether the line asserts something: neither question nor order, hypothesis, irony (or what follows it), scene or residue."""
    spot = (line.speaker, line.said_at)
    if assertion.is_irony(line.text):
        scene.ironic = spot
        return False
    was_ironic, scene.ironic = scene.ironic == spot, None
    plain = assertion.without_quotes(body)
    return not (
        was_ironic
        or (assertion.is_question(plain) and not assertion.is_standing_request(plain))
        or assertion.is_hypothesis(plain)
        or _FICTION.search(plain)
        or plain.endswith(":")
        or (line.role == "user" and (assertion.is_order(plain) or assertion.is_residue(plain)))
    )


def _claims(weighed: Weighed, body: str, scene: Scene, *, is_part: bool) -> list[Claim]:
    slots: list[Slot | None] = list(slots_of(body)) or [None]
    return [_claim(weighed.line, body, scene, weighed.sort, slot, is_part=is_part) for slot in slots]


def _claim(line: Line, body: str, scene: Scene, sort: Sort, slot: Slot | None, *, is_part: bool) -> Claim:
    subject, statement, lines = _about(line, body, scene)
    if slot and slot.statement:
        statement = slot.statement
    dates = dates_of(body, line, sort.kind, scene.question.zone)
    kind = sort.kind
    if dates.due and kind in (Kind.SEMANTIC_FACT, Kind.EPISODIC_EVENT, Kind.PROJECT, Kind.TIMELINE_MILESTONE):
        kind = Kind.GOAL_OR_COMMITMENT
    is_own = subject in ("user", line.speaker)
    slot = slot if slot is None or _fits(slot, is_own) else None
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


def _fits(slot: Slot, is_own: bool) -> bool:
    """An "I" form speaks of the speaker alone; an allergy may be anyone's."""
    return is_own or slot.attribute == "allergy"


def _about(line: Line, body: str, scene: Scene) -> tuple[str, str | None, list[int]]:
    """Subject, a statement where a pronoun had to be replaced, and the lines that say so."""
    speaker = "user" if line.role == "user" else line.speaker
    if line.role == "user" and (word := people.pronoun_of(body)):
        return _pronominal(line, body, word, scene, speaker)
    if name := people.japanese_kin(body):
        return name, None, [line.number]
    kin = people.kin_of(body)
    if kin and not re.search(r"\b(?:I|we|We)\b", body[: body.find(kin[0])]):
        return kin[0], None, [line.number]
    if line.role == "user" and scene.before is not None and _POINTS_BACK.search(body) and not kin:
        # "I'll pick it up tomorrow" says nothing alone: the sentence before it says what.
        first = squash(scene.before.text).rstrip(".")
        return speaker, f"{first}; {body}", [scene.before.number, line.number]
    return people.opening_name(body, scene.known - scene.hearers) or speaker, None, [line.number]


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


def _own_commitment(line: Line, scene: Scene) -> list[Claim]:
    """The assistant's own word, where it names a time; its intentions of the moment are work, not memory."""
    if not line.is_evidence or not _OWN_WORD.search(line.text) or assertion.is_question(line.text):
        return []
    dates = dates_of(line.text, line, Kind.GOAL_OR_COMMITMENT, scene.question.zone)
    if not dates.due:
        return []
    return [
        Claim(
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
    ]
