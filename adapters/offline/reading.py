"""Reads a question's lines as rules can: who says what, which sentences assert something, and which are worth keeping.

Belongs here: the walk over the lines and what earlier ones tell about later ones. Does not belong here: what a kept sentence says
(`stating`), and how single sentences are judged (`assertion`, `salience`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from adapters.offline import assertion, people, play, salience
from adapters.offline.choices import choices_of
from adapters.offline.kinds import LESSON, sort_of
from adapters.offline.scene import Scene, Weighed
from adapters.offline.slots import slots_of
from adapters.offline.stating import closing_claim, own_commitment, state
from adapters.offline.unreal import is_unreal
from models import closing
from models.ask import Line, Question
from models.claim import Claim
from models.supposed import supposes
from slowwave.format import Kind

_LEAD = re.compile(
    r"^(?:[^:,.!?]{1,30}, )?(?:but )?(?:one (?:more )?thing|seriously|no, seriously|remember|note|fyi"
    r"|also|reminder|settled in)\s*:\s*",
    re.I,
)
# "No, you got it wrong: my daughter is called Mila": what follows is a fact of one's life, and no lesson on how to work.
_PUT_RIGHT = re.compile(
    r"^(?:(?:no|nope|wrong|sorry|actually|hey|but|and)[,.!:;]? )*(?:you(?:[’']ve| have)? (?:again |still |just )?(?:got"
    r"|had|have|wrote|remember(?:ed)?"
    r"|noted|saved)\b[^.:;,]{0,30}\bwrong(?:ly)?|you(?:[’']re| are| were) (?:wrong|mistaken)|that(?:[’']s| is"
    r"| was) (?:wrong|not right|incorrect)"
    r"|wrong|not quite)(?:[:;,]| [–—-]) (?=(?:my|our|i[’']m|i am|i live|i work|i was born|he[’']s|she[’']s|his|her|we live|we[’']re)\b)",
    re.IGNORECASE,
)
# What a user says of these holds for later, however it is worded.
_STANDING_KINDS = (
    Kind.CONSTRAINT,
    Kind.COMMUNICATION_PREFERENCE,
    Kind.TOOL_OR_WORKFLOW_LESSON,
    Kind.ROUTINE,
)
# What an owner says right after finding fault with the agent is how it should have been.
_CORRECTED_KINDS = (Kind.SEMANTIC_FACT, Kind.CONSTRAINT, Kind.EPISODIC_EVENT, Kind.PREFERENCE)


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
        claims += _read_turn(list(run), scene)
    # What was put right a moment later was never meant.
    return [claim for claim in claims if len(claim.lines) > 1 or claim.lines[0] not in scene.slips]


def _read_turn(lines: list[Line], scene: Scene) -> Iterator[Claim]:
    """The claims of one speaker's lines in a row."""
    scene.begin_turn()
    weighed = [w for line in lines if (w := _read_line(line, scene)) is not None]
    stated = {w.line.number: w.line for w in weighed}
    for kept in _worth_keeping(weighed):
        scene.before = stated.get(kept.line.number - 1)
        yield from state(kept, scene)
    for line in lines:
        if line.role == "assistant":
            yield from own_commitment(line, scene)
        elif line.role == "user" and line.is_evidence and (before := stated.get(line.number - 1)):
            yield from closing_claim(line, before, scene)


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
    body = _PUT_RIGHT.sub("", body) if line.role == "user" else body
    was_corrected = line.role == "user" and scene.is_corrected
    scene.listen(line, body)
    if line.role == "user" and not is_quoted and line.is_evidence and (mended := scene.mended(line, body)):
        return mended
    if is_quoted or not line.is_evidence or not _is_said(line, body, scene):
        return None
    sort = sort_of(body, is_owner=line.role == "user")
    if was_corrected and sort.kind in _CORRECTED_KINDS:
        sort = LESSON
    return Weighed(line, body, sort, _worth(line, body, sort.kind, scene))


def _worth(line: Line, body: str, kind: Kind, scene: Scene) -> float:
    is_end = line.role == "user" and closing.closing(body) is not None
    is_standing = line.role == "user" and (assertion.is_standing(body) or kind in _STANDING_KINDS or is_end)
    hints = salience.Hints(kind is not Kind.SEMANTIC_FACT, is_standing, scene.is_answer, bool(line.caption))
    score = salience.score(body, hints, scene.hearers)
    # A user tells an agent few things in vain; between peers most of it is talk.
    is_worth = hints.is_sorted or is_end or not salience.is_bare(body)
    if line.role == "user" and (is_worth or slots_of(body) or choices_of(body)):
        score += salience.USER_BONUS
    return score


def _worth_keeping(run: list[Weighed]) -> list[Weighed]:
    """Of one speaker's lines in a row, those above the threshold; between peers else the best one, if it says anything."""
    kept = [w for w in run if w.score >= salience.THRESHOLD]
    best = max(run, key=lambda w: w.score, default=None)
    if not kept and best and best.line.role == "participant" and best.score >= salience.BEST_THRESHOLD:
        return [best]
    return kept


def _is_said(line: Line, body: str, scene: Scene) -> bool:
    """Whether the line asserts something: no question, hypothesis, irony (or what follows it), scene, small talk, order, nothing unreal."""
    spot = (line.speaker, line.said_at)
    if assertion.is_irony(line.text):
        scene.ironic = spot
        return False
    was_ironic, scene.ironic = scene.ironic == spot, None
    plain = assertion.without_quotes(body)
    # A game often begins with words that state nothing by themselves: it is heard before they are judged.
    is_played = scene.fiction.is_inside(line, plain)
    return not (
        was_ironic
        or is_played
        or (assertion.is_question(plain) and not assertion.is_standing_request(plain))
        or supposes(plain)
        or is_unreal(line.text)
        or plain.endswith(":")
        or (line.role == "user" and _is_passing(plain))
    )


def _is_passing(plain: str) -> bool:
    """Whether a user's sentence is for this moment alone: an order, the state of the work, small talk, or a word that closes something."""
    if closing.closing_reminder(plain):
        return False
    if closing.bare_closing(plain) or assertion.is_residue(plain) or play.is_small_talk(plain):
        return True
    return assertion.is_order(plain) and not any(
        choice.kind is Kind.COMMUNICATION_PREFERENCE for choice in choices_of(plain)
    )
