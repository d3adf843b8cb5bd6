"""The text of a claim: one sentence that stands alone, in the source's own words and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from models.ask import Line
from models.claim import Claim
from models.rules import Owner
from slowwave import when
from slowwave.text import squash
from tasks.extract.lines import Sheet

MAX_CONTEXT_CHARS = 300
_PEOPLE = ("user", "participant", "assistant")
_GREETING = re.compile(
    r"^(?:(?:hey|hi|hello|hiya|good (?:morning|afternoon|evening)|thanks|thank you|wow|oh|well|yeah"
    r"|yep|yes|ok|okay|haha|also|btw|by the way)\b"
    r"(?: (?!(?:I|We|My|Our|to|for|that|the|a|it|this)\b)[A-Z]\w+)?[,!.:–—-]+\s*)+(?=\S)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"(?<!\w)(?:I|I[’'](?:m|ve|ll|d)|[Mm]y|[Mm]ine|me|[Ww]e|[Ww]e[’'](?:re|ve|ll|d)|[Oo]ur|us|ours|[Mm]yself)(?!\w)"
)


def worded(claim: Claim, cited: list[Line], owner: Owner, others: set[str]) -> str:
    """The claim's statement, or its cited sentences: without greeting or address, dates resolved, the speaker named.

    `others` are the other speakers of the conversation: "Kob, we rewrite it" is said to Kob and says nothing of Kob.
    """
    if claim.statement:
        text = _resolved(claim.statement, cited[-1], owner)
    else:
        text = " ".join(_resolved(_unaddressed(squash(line.text), others), line, owner) for line in cited)
    text = squash(text)
    return _led(text[:1].upper() + text[1:] if text[:1].islower() and not _is_name_like(text) else text, claim, cited)


def _unaddressed(text: str, others: set[str]) -> str:
    """The sentence without its greeting and without the name it is said to."""
    greeted = _GREETING.sub("", text)
    named = re.match(r"([^\W\d]\w*), (?=\S)", greeted)
    return greeted[named.end() :] if named and named[1] in others else greeted


def _is_name_like(text: str) -> bool:
    """Whether the first word is written small on purpose: a file, a tool, a handle."""
    return bool(re.match(r"\S*[\d_./@]|\S*[a-z][A-Z]", text))


def _resolved(text: str, line: Line, owner: Owner) -> str:
    return when.resolve_words(text, line.said_at, line.offset_minutes, owner.zone or None)


def _led(text: str, claim: Claim, cited: list[Line]) -> str:
    """Name the speaker where the words are someone else's than the user's, and don't say whose."""
    speaker = cited[-1].speaker
    if cited[-1].role == "user" or text.casefold().startswith(speaker.casefold()):
        return text
    is_nameless = claim.subject == speaker and speaker.casefold() not in text.casefold()
    if _FIRST_PERSON.search(text) or is_nameless or claim.subject == "assistant":
        return f"{speaker[:1].upper()}{speaker[1:]}: {text}"
    return text


def context_of(sheet: Sheet, cited: list[Line]) -> str:
    """What the claim answers: another speaker's turn just before it, and what its picture shows. For the index alone."""
    said: list[str] = []
    answered = ""
    # Backwards from the first line: a session may have a thousand lines, and each claim asks.
    for line in _earlier(sheet, min(cited, key=lambda line: line.number)):
        if not answered and line.speaker != cited[0].speaker:
            answered = line.msg_key if line.role in _PEOPLE else "nobody's"
        if answered and line.msg_key != answered:
            break
        said += [line.text] if answered else []
    captions = dict.fromkeys(line.caption for line in cited if line.caption)
    return squash(" ".join([" ".join(said[::-1])[-MAX_CONTEXT_CHARS:], *captions]))


def _earlier(sheet: Sheet, line: Line) -> Iterator[Line]:
    """The lines of its session before a line, the nearest first."""
    before = map(sheet.by_number.get, range(line.number - 1, 0, -1))
    return takewhile(lambda other: other.session == line.session, filter(None, before))
