"""What a sentence says to be done, or called off: such words close the commitment that they speak of, which reconcile finds.

Belongs here: the wording. English first; a few plain forms in Dutch, German, French and Portuguese.
"""

from __future__ import annotations

import re
from typing import NamedTuple

DONE, CALLED_OFF = "done", "called_off"


class Close(NamedTuple):
    """How a commitment ended; `is_plain` where the words speak of the commitment itself ("tick it off", "that promise is kept")."""

    attribute: str
    is_plain: bool


_OFF = re.compile(
    r"\b(?:called off|calls? (?:it|that|the \w+) off|cancell?ed|scrapped|fell through|falls through|won[’']t (?:come"
    r"|happen|take place)"
    r"|(?:is|are|was|were)(?:n[’']t| not) (?:happening|going ahead|coming after all|needed any ?more)|(?:is|are"
    r"|was) off now"
    r"|abgesagt|afgelast|geannuleerd|gaat niet door|fällt aus|annulée?s?|cancelad[oa]s?)\b",
    re.IGNORECASE,
)
# "Cancel the reminder about the notary, it's done", "don't remind me of it any more": what an agent is told to leave off.
_REMINDER = re.compile(
    r"^(?:please |and |so |ok(?:ay)?,? |hey,? )*(?:(?:cancel|drop|delete|remove|clear|scrap|take (?:off|away)|turn off"
    r"|stop) (?:the|my|that|this|all"
    r"|those) (?:[\w-]+ ){0,2}?(?:reminders?|alarms?|to-?dos?|tasks?|nudges?)\b(?! (?:list|app|bar|file)\b)"
    r"|(?:don[’']?t|do not|no need to|stop|you can stop|you needn[’']t) remind(?:ing)? me (?:about|of|to) "
    r"(?=.*(?:\bany ?more\b|\bany longer\b|,|;|\bbecause\b|\bsince\b|\bafter all\b)))",
    re.IGNORECASE,
)
_IS_OVER = re.compile(
    r"(?:\b(?:it|that|this|he|she|they)(?:[’']s| is| has| are|[’']ve| was)(?: been| all)?|\b(?:i|we)(?:[’']ve| have"
    r"|)) (?:already |just |now )*"
    r"(?:done|sorted|finished|settled|handled|happened|been|went|called|paid|sent|booked|took care|did)\b",
    re.IGNORECASE,
)
_PLAIN_DONE = re.compile(
    r"\b(?:tick(?:ed)? (?:it|that|this|them) off|cross (?:it|that|this|them|the \w+) off|crossed off|close (?:it|that"
    r"|the \w+)\b"
    r"|(?:that|this|it)(?:[’']s| is| are) (?:now )?(?:closed|sorted|settled|dealt with|taken care of|done and dusted)"
    r"|promise is kept|(?:both|all|all of (?:it|that)|everything) (?:is |are )?(?:done|sorted|closed)|can be (?:closed"
    r"|crossed off|ticked off)"
    r"|off (?:my|the) list)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^(?:so |and |ok(?:ay)?,? )?(?:tick (?:it|that|them|both) off|cross (?:it|that|them|both) off|(?:that[’']s |both "
    r"|all )?(?:done|sorted|closed)"
    r"(?: and dusted)?|check(?:ed)? off|close (?:it|that|them)|you can (?:close|tick|cross)(?: \w+){0,3}(?: off)?"
    r"|klaar|erledigt|gedaan|fait|feito)\W*$",
    re.IGNORECASE,
)
_BARE_OFF = re.compile(
    r"^(?:so |and |please )*(?:drop|scrap|take|remove|delete|strike|cross|cancel) (?:it|that|this|them"
    r"|the [\w ]{2,20}?)(?: off| out)?"
    r"(?: (?:of|from) (?:the|my|our) [\w ]{2,20})?\W*$",
    re.IGNORECASE,
)
_PARTICIPLE = (
    r"(?:(?!promis|agree|offer|decid|intend|want|hoped|wish|aimed|start"
    r"|used|diagnos|marri|engag|divorc|separat|widow|hospitali|injur|rais|infect|surpris|disappoint|confus|bor?n|need"
    r"|exceed|succeed|suppos|plann|call|allow|bas|locat|schedul|interest|tir|worri|pleas|excit"
    r"|ti?red)\w{2,}ed|sent|paid|done|made|built|cut"
    r"|written|bought|brought|told|rung|sold|given|gone|read|found|fixed|met|spoken|taught|drawn|hung|laid|lent|swept"
    r"|kept|put up|set up"
    r"|picked up|handed in)"
)
_DONE = re.compile(
    rf"(?:\b(?:is|are|was|were|[’']s|has been|have been|got) (?:now |already |all |finally |both )?{_PARTICIPLE}\b"
    rf"|^(?:the |my |our )?(?:[\w.’'-]+ ){{1,4}}{_PARTICIPLE}(?:[,.;!]| (?:this|last|yesterday|today|and|at|on)\b)"
    r"|^(?:the |my |our )?(?:[\w.’'-]+ ){1,2}(?:called|gebeld|angerufen|appelée?)[,.;!]"
    rf"|^(?:i|we)(?:[’']ve| have|) (?:now |just |already |finally )?(?:{_PARTICIPLE}|called|rang)\b"
    rf"|^{_PARTICIPLE} (?:the|my|our|it|them)\b|\bwent (?:out|off|to|in|through)\b"
    r"|\bgot (?:it|them|the (?!house|flat|car|dog|cat|kids|children|job|custody)\w+)\b"
    r"|\b(?:is|are) (?:here|attached|with (?-i:[A-Z])\w+|in (?:the|my) (?:post|mail|shed|bag|car)|on (?:my|its|the"
    r"|their) (?!list|way|agenda|plan)(?-i:[a-z])\w+|out)\b"
    r"|, (?:all )?(?:done|finished|sorted)\W*$|^(?:done|finished|sorted)[:!,]"
    r"|\bha(?:s|ve) (?:it|them|(?:the|my|our|all|both)\b[^.!?]{1,60}?) now\b"
    r"|\b(?:ist|sind|is|zijn|heb|habe|ai|a été|foi) (?:\w+ ){0,4}(?:ge\w{3,}[tdn]|(?:ver|be|er)\w{3,}[tn]|envoyée?s?|payée?s?"
    r"|rendue?s?|enviad[oa]|pag[oa]|entregue)\b)",
    re.IGNORECASE,
)
# What is not over yet, or only would be.
_NOT_OVER = re.compile(
    r"\b(?:not|never|no longer|still|yet|almost|nearly|half|until|till|unless|if|when|once|will|would|should|must|may"
    r"|might|can|could|to be"
    r"|has to|have to|had to|need|needs|going to|due|want|wants|always|usually|every|nog|noch|niet|nicht|pas|não"
    r"|hardly|barely|scarcely|dream\w*|dreamt|imagin\w+|suppos\w+|pretend\w*|made (?:of|from|out of)"
    r"|booked (?:out|up|solid)|fully booked|sold out)\b"
    r"|n[’']t\b|[’']ll\b",
    re.IGNORECASE,
)


# What was so years ago ended no promise that is still remembered.
_LONG_OVER = re.compile(
    r"\b(?:years|decades) ago\b|\bas a (?:child|kid|teenager|student|boy|girl)\b|\bex-?(?:husband|wife|partner|boyfriend"
    r"|girlfriend|boss)\b"
    r"|\bgot (?:married|engaged|divorced|hired|fired|promoted|pregnant)\b",
    re.IGNORECASE,
)


def closing(text: str) -> Close | None:
    """How the sentence says that something ended that was to be done; None where it doesn't."""
    if reminder := closing_reminder(text):
        return reminder
    if _OFF.search(text):
        return Close(CALLED_OFF, is_plain=True)
    if _PLAIN_DONE.search(text) and not re.search(r"\b(?:not|never|still|until)\b|n[’']t\b", text, re.IGNORECASE):
        return Close(DONE, is_plain=True)
    if _DONE.search(text) and not _NOT_OVER.search(text) and not _LONG_OVER.search(text):
        return Close(DONE, is_plain=False)
    return None


def closing_reminder(text: str) -> Close | None:
    """How an order to remind of something no more ends it: done where it says so, else called off."""
    if not _REMINDER.match(text):
        return None
    return Close(DONE if _IS_OVER.search(text) and not _OFF.search(text) else CALLED_OFF, is_plain=True)


def bare_closing(text: str) -> Close | None:
    """How a sentence ends a commitment that only the sentence before it names: "Tick it off.", "Drop that from the plan."."""
    if _BARE.match(text):
        return Close(DONE, is_plain=True)
    return Close(CALLED_OFF, is_plain=True) if _BARE_OFF.match(text) else None


def says(text: str, attribute: str) -> bool:
    """Whether a line's own words end something in the way that `attribute` names, whatever leads up to it or whomever it is said to."""
    parts = (text, re.sub(r"^(?:[\w’'-]+,|(?:[\w’'-]+ ){0,4}[\w’'-]+:) +", "", text))
    return any(end.attribute == attribute for part in parts for end in (closing(part), bare_closing(part)) if end)
