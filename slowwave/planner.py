"""What kind of question is this, and what time does it ask about? Rules only: no model, no store, no clock.

A plan only leans the ranking (kinds and times are never filters here): a question misread costs places, not answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from slowwave.format import Kind
from slowwave.language import language
from slowwave.text import normalise
from slowwave.when import Period, period

HISTORICAL = "historical"


@dataclass(frozen=True)
class Plan:
    """How a question will be answered: what it asks for, the kinds that answer it best, and the time it names."""

    mode: str
    kinds: frozenset[Kind] = frozenset()
    window: Period | None = None
    is_past: bool = False
    is_latest: bool = False
    is_own: bool = False
    is_to_assistant: bool = False
    is_about_time: bool = False
    is_for_a_date: bool = False

    @property
    def is_for_all_of_a_kind(self) -> bool:
        """Whether it asks for what the asker has of a kind ("what did I promise?"), whatever the words."""
        return self.is_own and bool(self.kinds) and self.mode != HISTORICAL


# The first mode whose words the question has. Words in several languages where they are unmistakable.
_MODES: tuple[tuple[str, re.Pattern[str], frozenset[Kind]], ...] = tuple(
    (mode, re.compile(rf"\b(?:{words})\b"), frozenset(kinds))
    for mode, words, kinds in (
        (
            "commitment",
            r"due|overdue|deadlines?|promised?|commitments?|committed|to-?dos?|owe[sd]?|supposed to|follow[- ]?ups?|open tasks?",
            (Kind.GOAL_OR_COMMITMENT,),
        ),
        (
            "communication",
            r"tone|phrase|reply to|respond to|interrupt|how (?:should|do) (?:i|you) (?:talk|write|speak|answer|address)",
            (Kind.COMMUNICATION_PREFERENCE, Kind.INTERVENTION_OUTCOME),
        ),
        (
            "preference",
            r"prefer\w*|favou?rites?|likes?|liked|dislikes?|hates?|enjoys?|loves?|taste",
            (Kind.PREFERENCE, Kind.COMMUNICATION_PREFERENCE, Kind.CONSTRAINT),
        ),
        (
            "collaborator",
            r"who|whom|whose|colleagues?|teammates?|collaborat\w*|works? with|reports? to|in charge",
            (Kind.COLLABORATOR,),
        ),
        (
            "project",
            r"project|repo(?:sitory)?|codebase|milestones?|left off|where were we|status of",
            (Kind.PROJECT, Kind.TIMELINE_MILESTONE, Kind.TOOL_OR_WORKFLOW_LESSON),
        ),
        (
            HISTORICAL,
            r"when|what happened|last time|did|was|were|had|used to|happened",
            (Kind.EPISODIC_EVENT, Kind.TIMELINE_MILESTONE),
        ),
    )
)
_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|ago|happened|previous(?:ly)?|formerly|before|last|yesterday|history)\b"
)
_LATEST = re.compile(
    r"\b(?:latest|most recent(?:ly)?|recently|lately|last time|newest|these days|what's new|currently|right now)\b"
)
_AUXILIARY = "am|are|can|could|did|do|does|had|has|have|is|shall|should|was|were|will|would"
_WHEN = re.compile(
    rf"\b(?:when(?:'s| (?:{_AUXILIARY})\b)|since when|how long|(?:what|which) (?:date|day|month|year|time)"
    r"|wanneer|hoe lang|quand|quelle (?:date|année)|quel (?:jour|mois)|wann|seit wann|wie lange)\b|いつ"
)
# "What happened last week?" asks for a time and for nothing in it.
_TOLD = re.compile(
    r"\b(?:what(?:'s| is| was| has| have| did| all)*(?: all)?"
    r" (?:happen\w*|go(?:ing|ne)? on|went on|been (?:going on|happening)|new|changed)"
    r"|what (?:did|have) (?:i|we) (?:do|done|been doing|been up to|get done|got done|work(?:ed)? on|accomplish\w*)"
    r"|catch me up(?: on)?|recap|summar(?:y|i[sz]e)(?: of)?|overview(?: of)?|tell me about|how (?:was|did)(?: my| the)?)\b"
)
_OF_TIME = frozenset(
    re.findall(
        r"\w+",
        "afternoon ago and april august between day days december during evening far february for friday from give go i in january "
        "july june last march may me monday month months morning my night november october of on our past please previous saturday "
        "september since so sunday the this thursday till to today tuesday until us we wednesday week weekend weeks year years "
        "yesterday",
    )
)
_YOURS = re.compile(r"\b(?:you|your|yours|yourself|assistant|agent)\b")
_OWN = re.compile(r"\b(?:i|i'm|i've|me|my|mine|myself|we|us|our|user|user's)\b")
# The same signs in other languages, looked for in questions of that language alone: their words are English ones for something else.
_FOREIGN_OWN = {
    "nl": re.compile(r"\b(?:ik|mij|me|mijn|mezelf|wij|we|ons|onze)\b"),
    "fr": re.compile(r"\b(?:je|j'|me|m'|moi|mon|ma|mes|nous|notre|nos)"),
    "de": re.compile(r"\b(?:ich|mich|mir|mein(?:e[mnrs]?)?|wir|uns|unser(?:e[mnrs]?)?)\b"),
    "ja": re.compile("私|僕|俺|わたし|自分|うちの|我々"),
}
_FOREIGN_YOURS = {
    "nl": re.compile(r"\b(?:jij|je|jou|jouw|jullie|u|uw)\b"),
    "fr": re.compile(r"\b(?:tu|toi|te|ton|ta|tes|vous|votre|vos)\b"),
    "de": re.compile(r"\b(?:du|dich|dir|dein(?:e[mnrs]?)?)\b"),
    "ja": re.compile("あなた|アシスタント"),
}
_FOREIGN_PAST = {
    "nl": re.compile(r"\b(?:was|waren|had|hadden|deed|ging|geleden|gisteren|vorige|vroeger|eerder)\b"),
    "fr": re.compile(r"\b(?:était|étais|étaient|avait|avais|avaient|hier|dernier|dernière|autrefois|avant)\b"),
    "de": re.compile(r"\b(?:war|waren|hatte|hatten|wurde|ging|gestern|letzte[mnrs]?|früher|vorher)\b"),
    "ja": re.compile("ました|でした|だった|以前|昨日|先週|先月|去年"),
}


def _has(sign: re.Pattern[str], foreign: dict[str, re.Pattern[str]], words: str, of: str) -> bool:
    also = foreign.get(of)
    return bool(sign.search(words)) or (also is not None and bool(also.search(words)))


def plan(question: str, now: datetime, zone: str | None = None) -> Plan:
    """The plan for a question asked at `now`; a question that fits no mode is general."""
    words = normalise(question).replace("\u2019", "'")
    of, window = language(question), period(question, now, zone)
    mode, kinds = next(
        ((m, kinds) for m, pattern, kinds in _MODES if pattern.search(words)), ("general", frozenset[Kind]())
    )
    return Plan(
        mode=mode,
        kinds=kinds,
        window=window,
        is_past=_has(_PAST, _FOREIGN_PAST, words, of) or (window is not None and _is_over(window, now)),
        is_latest=bool(_LATEST.search(words)),
        is_own=_has(_OWN, _FOREIGN_OWN, words, of),
        is_to_assistant=_has(_YOURS, _FOREIGN_YOURS, words, of),
        is_about_time=window is not None and _asks_for_time_alone(words),
        is_for_a_date=bool(_WHEN.search(words)),
    )


def _asks_for_time_alone(words: str) -> bool:
    rest, n_asked = _TOLD.subn(" ", words)
    left = re.findall(r"[^\W\d_]{2,}", re.sub(r"\d+(?:st|nd|rd|th)\b|'s?\b", " ", rest))
    return n_asked > 0 and all(word in _OF_TIME for word in left)


def _is_over(window: Period, now: datetime) -> bool:
    return window.ends_at is not None and window.ends_at <= now
