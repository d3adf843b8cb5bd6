"""What is no evidence, by its look: machine text in a person's place, injected blocks, wrappers, and words that say nothing.

Belongs here: the patterns and word lists. Does not belong here: what is done about them.
"""

from __future__ import annotations

import re
import string

from slowwave.text import holds_any
from tasks.sift.injected import injected
from tasks.sift.pasted import Block, enclosed, open_ended, unseen

# A message that a clock, a harness or our own job wrote in the user's place; what answers it is no conversation either.
_MACHINE = re.compile(
    r"\s*(?:\[(?:scheduled|cron|heart-?beat|nightly|job|task|hook|webhook|dream\w*)\b[^\]\n]{0,200}\]"
    r"|System: \[|Pre-compaction memory flush|Read HEARTBEAT\.md|HEARTBEAT(?:_OK)?\b|NO_REPLY\b"
    r"|<slowwave(?![\s\S]*</slowwave)|\[slowwave\b)",
    re.IGNORECASE,
)
# Machine text that the conversation goes on after.
_HARNESS = re.compile(
    r"\s*(?:\[Request interrupted by user|This session is being continued from a previous conversation"
    r"|\[carried-over summary|Caveat: The messages below were generated|\[context compaction|You are a sub-?agent\b)",
    re.IGNORECASE,
)
_BOOT = re.compile(
    r"\s*(?:(?:[\w./-]*/)?(?:AGENTS?|CLAUDE|SOUL|USER|IDENTITY|TOOLS|MEMORY|HEARTBEAT|CHARTER|GEMINI|BOOTSTRAP|SYSTEM)\.md\b"
    r"|#+ *(?:AGENT|AGENTS|SOUL|CHARTER|SYSTEM PROMPT|MEMORY INDEX)\b)"
)
# Marks that a harness puts on a message as if it were a tool's name.
_MARK = re.compile(
    r"summar|compact|sub-?agent|brief|heartbeat|cron|schedul|hook|inject|reminder|memory|snapshot", re.IGNORECASE
)

_TAGS = (
    r"memory-?context|memor(?:y|ies)|relevant[_-]memories|recalled[\w-]*|system-reminder|slowwave[\w-]*|injected[\w-]*"
    r"|user-prompt-submit-hook|command-(?:name|message|args|contents)|local-command-\w+|bash-(?:input|stdout|stderr)"
    r"|supermemory[\w-]*|(?:core|user|long[_-]?term|past|persistent)[_-]memor(?:y|ies)|user[_-](?:profile|facts)|recollections?|context[_-]memory|retrieved[\w-]*|search[_-]results?"
)
_WRAPPER = r"\[/?envelope\b[^\[\]\n]{0,500}\]|\[\[[a-z_]+(?::[^\]\n]{0,80})?\]\]|^\[message_id: [^\]\n]{0,200}\]"
_CHECKS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    # A tag that is never closed reaches to the end: what follows can't be told from it.
    ("<", "injected", re.compile(rf"<({_TAGS})\b[^>]{{0,500}}>(?:[\s\S]*?</\1\s*>|[\s\S]*)", re.IGNORECASE)),
    ("<!--", "own text", re.compile(r"<!-- *slowwave\b[\s\S]*?(?:<!-- */slowwave[^>]*-->|\Z)", re.IGNORECASE)),
    ("<!--", "hidden", re.compile(r"<!--[\s\S]*?(?:-->|\Z)")),
    ("untrusted metadata", "envelope", re.compile(r"[^\n]{0,60}\(untrusted metadata\):\s*```[\s\S]*?(?:```|\Z)")),
    ("```", "code", re.compile(r"```[\s\S]*?(?:```|\Z)")),
    ("~~~", "code", re.compile(r"~~~[\s\S]*?(?:~~~|\Z)")),
    ("base64,", "encoded", re.compile(r"data:[\w/+.-]{0,60};base64,[A-Za-z0-9+/=]+")),
    ("[", "envelope", re.compile(_WRAPPER, re.IGNORECASE | re.M)),
    (
        "[",
        "envelope",
        re.compile(
            r"\A\s*\[(?=[^\]\n]*\d\d:\d\d)[^\]\n]{0,120}\](?: {0,2}(?:<[^>\n]{1,40}>|[A-Z][\w .'-]{0,38}):(?=\s))?",
        ),
    ),
)  # fmt: skip
SIGNS = ("<", "[", "`", "~~~", "base64,", "untrusted metadata")
_MIN_ENCODED = 400
ENCODED = rf"[A-Za-z0-9+/=_-]{{{_MIN_ENCODED}}}"
_ENCODED = re.compile(rf"{ENCODED}[A-Za-z0-9+/=_-]*")
_OUTCOME = re.compile(
    r"\b(?:error|errors|fail\w*|fatal|exception|warn\w*|denied|refused|timeout|timed out|not found|passed|succe\w+|done|ok|exit|total"
    r"|result|summary|created|updated|deleted|written|deployed|finished|complete\w*|published)\b",
    re.IGNORECASE,
)

_CORE = frozenset(
    """thanks thank thankyou thx ty ok okay kk hi hey heya hello hiya yo ohayo bye goodbye cheers ciao wow whoa awesome great cool nice
    amazing lovely congrats congratulations haha hahaha lol yay woohoo sounds welcome noted understood perfect fantastic
    wonderful gotcha incredible impressive ttyl gn morning afternoon evening merci danke gracias aww awww aw sweet good glad
    appreciate wishes care posted""".split()  # noqa: SIM905
)
_FILLING = frozenset(
    """that that's thats this it it's its is are so very really super pretty much a an lot to you you're your too all the for of i i'm
    i'll im oh ah well and hear see seeing hearing meet talk chat how how's how've what's up have been it'll going doing things day
    week night everyone there again guys man dude friend buddy mate sound looks look such just keep work job idea take later soon then
    in touch sharing support kind words means help luck fun with on from know let me goes nothing yet saying best wish wishing
    hope stay safe what doing today lately catch catching always time been stuff enjoy long as beaucoup bien sehr muchas
    encouragement nicely absolutely truly quite must feel feels rest""".split()  # noqa: SIM905
)
# A run of such signs is looked at from its beginning alone.
_NUMBER = re.compile(r"(?<![\w.:+-])(?=[\w.:+-]*\d)[\w.:+-]+")
_WORN = _CORE | _FILLING
_AROUND_WORDS = string.punctuation + "…“”‘«»–—¡¿"
# A sentence longer than this says something.
MAX_FILLER_CHARS = 80
_MIN_SHORT_NAME = 3


def machine_reason(text: str) -> str | None:
    """Why a message is a clock's, a harness's or our own job's; what answers it is dropped with it."""
    return "scheduled job" if _MACHINE.match(text) else None


def harness_reason(text: str) -> str | None:
    """Why a message in the user's or a tool's place is no speech, though the conversation goes on."""
    if _HARNESS.match(text):
        return "harness text"
    return "boot file" if _BOOT.match(text) else None


def is_machine_mark(tool_name: str) -> bool:
    """Whether a tool's name on an assistant's message is a harness's mark."""
    return _MARK.search(tool_name) is not None


def blocks(text: str, *, is_persons: bool = True) -> list[Block]:
    """Stretches that are no speech, each with its reason, in order and not overlapping. `is_persons`: a person wrote the message."""
    text = _as_lines(text)
    found = _marked(text) + unseen(text)
    found += enclosed(text) if is_persons else []
    # An open end stops where a block that shows its own ends begins.
    bare = _emptied(text, found) if found else text
    found += injected(bare)
    return _apart(found + (open_ended(bare) if is_persons else []))


def _as_lines(text: str) -> str:
    """The text, sign for sign, with the line ends that all patterns know: a block may come from a machine that has others."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def _emptied(text: str, found: list[Block]) -> str:
    """The text with line breaks in the place of these blocks."""
    parts: list[str] = []
    at = 0
    for start, end, _ in _apart(found):
        parts += (text[at:start], "\n" * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def _marked(text: str) -> list[Block]:
    """Code, wrappers, encoded and hidden stretches."""
    if len(text) < _MIN_ENCODED and not holds_any(text, SIGNS):
        return []
    found = [(m.start(), m.end(), why) for sign, why, mark in _CHECKS if sign in text for m in mark.finditer(text)]
    if len(text) >= _MIN_ENCODED:
        found += [(m.start(), m.end(), "encoded") for m in _ENCODED.finditer(text)]
    return found


def _apart(found: list[Block]) -> list[Block]:
    """The blocks in order, joined where they overlap; the one that begins first, or is longest, gives the reason."""
    kept: list[Block] = []
    for start, end, why in sorted(found, key=lambda b: (b[0], -b[1])):
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]), kept[-1][2])
        elif start < end:
            kept.append((start, end, why))
    return kept


def is_filler(sentence: str, names: frozenset[str]) -> bool:
    """Whether a sentence only greets, thanks or cheers: no number, no negation, no yes or no, nothing that could be a fact.

    `names` are those of `called`.
    """
    if len(sentence) > MAX_FILLER_CHARS:
        return False
    last = sentence.rpartition(" ")[2].casefold().strip(_AROUND_WORDS)
    if last.isalpha() and last not in _WORN and last not in names:
        return False
    has_core = has_other = False
    # Splitting and stripping, where a pattern would take three times as long: this runs for every sentence there is, and most end
    # in a word that says something.
    for piece in reversed(sentence.casefold().replace("’", "'").split()):
        word = piece.strip(_AROUND_WORDS)
        if word in _CORE:
            has_core = True
        elif word in _FILLING:
            has_other = True
        elif word not in names and any(map(str.isalnum, word)):
            return False
    # Names alone, and marks or emoji alone, say nothing either.
    return has_core or not has_other


def called(name: str) -> set[str]:
    """What somebody of this name is called in a greeting: each part of it, and what it begins with."""
    parts = name.casefold().split()
    return {part[:n] for part in parts for n in range(_MIN_SHORT_NAME, len(part))} | set(parts)


def is_outcome(line: str) -> bool:
    """Whether a line of tool output says how it ended."""
    return _OUTCOME.search(line) is not None


def skeleton(line: str) -> str:
    """A line without what changes from row to row: its numbers, and the letters glued to them."""
    return _NUMBER.sub("#", line)
