"""Injected: memory that a prompt was given, ours or another's, found again in what is read. It must never be evidence of itself.

Belongs here: how our snapshots, the soul and recalled results look, and what others put around recalled memories.
Does not belong here: list lines without any mark, which are known by having been said before (`echoes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from models.decision import Action
from slowwave.format import Kind
from slowwave.text import holds_any
from tasks.sift.pasted import ODD_I, paired

Block = tuple[int, int, str]

# A longer line is no line of ours.
_MAX_LINE_CHARS, _MAX_LABEL_CHARS = 2_000, 160
_KINDS = "|".join(kind.value.replace("_", " ") for kind in Kind) + "|turn|episode"
_ACTIONS = "|".join(Action)
_STATUS = "(?:SUPERSEDED|DISPUTED|ARCHIVED|EXPIRED|RETRACTED)"
_LEAD = r"[ \t]*(?:[>|#*-]+[ \t]*)*"
_DATED = r"(?:since|until|from|said|open|overdue|fulfilled|cancelled)\b[^\n]*"
_ID, _VERSION = r"(?:mem|epi|msg|clm)_[0-9a-f]{12,}", r"\d{8}-[0-9a-f]{8}"
# What `recall`, `show`, `why`, `bundle`, `diff` and `log` print, a line each; of the first, what stands under a memory's text.
_RESULT = re.compile(
    rf"^{_LEAD}(?:(?:{_STATUS} · )?(?:{_KINDS})(?: · {_DATED})+|{_STATUS} · (?:{_KINDS})\b[^\n]*"
    r"|(?:promise\? |preference\? )?“[^\n]+” — \S[^\n]*, \S[^\n]*"
    r"|(?:before|later): [^\n]+ \((?:since|until|from) [^\n)]+\)|was replaced by"
    rf"|(?:[^\n]*(?:[)→,]|[^\n] ) )?{_ID}|(?:since|until|from) [^\n]* · \d+ turns · (?:open|closed)\b[^\n]*"
    rf"|{_VERSION}  as of [^\n]*|{_VERSION} → {_VERSION}|rows: \w+ \d+ → \d+[^\n]*|documents that read otherwise: [^\n]*"
    r"|\S[^\n]* \((?:active|superseded|disputed|archived|expired|retracted), (?:since|until|from) (?:\d{4}-\d\d-\d\d|\?)[^\n]*"
    r"|(?:\d{4}-\d\d-\d\d|\?) [^\n:]{1,60}: [^\n]+  \([^\n,]+, [^\n,]+\)"
    rf"|(?:sift|extract|link|merge|reconcile|reinforce|learn|digest|project): (?:{_ACTIONS}) \([\w ]+\)[^\n]*)[ \t]*$",
    re.MULTILINE,
)
_TITLE = re.compile(
    rf"{_LEAD}(?:answer|commitments|collaborators|project|episodes|preferences|guidance|said|replaced|decided|learned|changed"
    r"|disputed|archived|forgotten)[ \t]*$"
)
_FACTS = re.compile(rf"^{_LEAD}(?:{_STATUS} · )?(?:{_KINDS})\b", re.MULTILINE)
# The same as data: JSON, or Python's own way of writing it.
_DATA = re.compile(
    r"\bBundle\((?=version=)|\b(?:Recalled|Memory|Story|Manifest)\((?=[^\n]{0,40}\bid='(?:mem|msg|epi)_)"
    r"|[{\[](?=[\s{\[>|]{0,16}(?:[\"']\w{1,20}[\"']: ?[{\[][\s{\[>|]{0,16})?[\"'](?:id|memory_id|source_id)[\"']: ?[\"'](?:mem|msg"
    r"|epi|clm)_[0-9a-f]{8})"
    r"|[{\[](?=[\s\"']{1,20}version[\"']: ?[\"']\d{8}-[0-9a-f]{8}[\"'])"
)
# Headings of our own documents: some are nobody else's, of the others it takes two.
_OURS = r"(?:Goals and promises|When to speak up|How to talk|Who you are to [^\n]{1,60}|Nothing is remembered yet\.)"
_USUAL = r"(?:Pinned|Constraints|Preferences|Routines|People|Projects|Lessons|Facts|Milestones|Events|Promises|Others|Current thread)"
_OWN_HEADING = re.compile(rf"^{_LEAD}#{{0,6}} *(?:{_OURS}|Soul|{_USUAL})[ \t]*$", re.MULTILINE)
_OURS_ALONE = re.compile(rf"^{_LEAD}#{{1,6}} *{_OURS}[ \t]*$", re.MULTILINE)
_MADE = re.compile(r"<!-- *(?:Made by )?slowwave\b(?:(?!-->)[\s\S]){0,400}-->", re.IGNORECASE)
# What opens the last talk's own words, which are quoted in a list under it.
_THREAD = re.compile(
    rf"^(?:{_LEAD}Current thread[ \t]*\n)?{_LEAD}Last talk(?: on \d{{1,2}} [A-Z][a-z]+ \d{{4}})?(?: \([^\n]{{1,80}}\))?,"
    r" word for word:[ \t]*$",
    re.MULTILINE,
)
# A line of our documents that shows whose it is without its heading.
_OWN_LINE = re.compile(
    rf"^{_LEAD}[^\n]* \((?:was )?due \d{{1,2}} [A-Z][a-z]+ \d{{4}}\)[ \t]*$|^{_LEAD}Nudges [^\n]+: \d+ of \d+ since [^\n]+$",
    re.MULTILINE,
)
# What others call such a block.
_LABEL = re.compile(
    rf"^{_LEAD}(?:#{{1,6}} *|\[|\*\*|=+ *|\()?(?:begin |end )?(?:(?:relevant|recalled|retrieved|injected|stored|saved"
    rf"|long[- ]term|user|persistent|core|archival|your|my|past|previous)[ _-])*"
    r"(?:memor(?:y|ies)|recollections?|recalled (?:facts|context|items|notes)|known facts(?: about (?:the )?(?:user|owner"
    r"|\w+))?|user (?:profile|facts|context)"
    r"|facts about (?:the )?(?:user|owner)|what (?:i|you|we) (?:know|remember)(?: about (?:you|me|the user|the owner|\w+))?"
    r"|things (?:i|to) remember(?: about you)?"
    r"|here(?:['’]s| is| are) what (?:i|you) (?:know|remember)[^\n]{0,40}|soul|snapshot|(?:[\w./-]{{0,80}}/)?(?:agents?|claude"
    r"|soul|user|identity|memory)\.md)"
    r"(?:[ _-](?:context|block|snapshot|bank|store|entries|summary|index|notes|recall|update|results?|file"
    r"|from [^\n:\]]{1,60}))*(?: \([^)\n]{0,60}\))?"
    r"(?:[:：]|\]:?|\*\*:?| *[=-]+|\))?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED = re.compile(r"^[ \t]*(?:[>|]+[ \t]*)*(?:#{1,6}|\[|\*\*|=+|-{2,})|(?:[:：\]*]|\.md)\s*$", re.IGNORECASE)
_PAIRS = (
    (
        re.compile(
            r"\[(?:(?:relevant|recalled|retrieved|injected|long[- ]term|user|system)[ _-])?memor(?:y|ies)\b[^\]\n]{0,80}\]",
            re.IGNORECASE,
        ),
        re.compile(r"\[(?:/|end (?:of )?)(?:\w+[ _-])?memor(?:y|ies)\b[^\]\n]{0,80}\]", re.IGNORECASE),
    ),
    (
        re.compile(r"\{\{ ?#?(?:memor(?:y|ies)|soul|snapshot|recall\w{0,10}) ?\}\}", re.IGNORECASE),
        re.compile(r"\{\{ ?/(?:memor(?:y|ies)|soul|snapshot|recall\w{0,10}) ?\}\}", re.IGNORECASE),
    ),
)
_ITEM = re.compile(r"[ \t]*(?:[>|]+[ \t]*)*(?:[-*•+] |\d+[.)] |#{1,6} |\[[ x\d-]|\|)")
_BLANK = re.compile(r"[ \t>|]*$")
# A text without one of these holds none: the cheap look before the dear one. A single line shows less than a block does.
LINE_SIGNS = (
    *("memor", "recalled", "mem_", "msg_", "epi_", "clm_", " · ", "” — ", "nudges ", "due ", "slowwave"),
    *("{{", 'version"', "version'", *ODD_I),
)
SIGNS = (
    *LINE_SIGNS,
    *(
        "recall",
        "recollect",
        "known facts",
        "user profile",
        "user facts",
        "user context",
        "facts about",
        "i know",
        "you know",
    ),
    *(
        "we know",
        "remember",
        "soul",
        "snapshot",
        "promises",
        "speak up",
        "how to talk",
        "who you are to",
        "nudges",
        "last talk",
        "was replaced by",
        "  as of ",
        " → ",
        "later: ",
        "read otherwise: ",
        "## ",
    ),
    *(
        "pinned",
        "constraints",
        "preferences",
        "routines",
        "people",
        "projects",
        "lessons",
        "facts",
        ".md",
        "before: ",
        "  (",
    ),
    *("(active, ", "(superseded, ", "(disputed, ", "(archived, ", "(expired, ", "(retracted, "),
    *("sift: ", "extract: ", "link: ", "merge: ", "reconcile: ", "reinforce: ", "learn: ", "digest: ", "project: "),
)
_INLINE = re.compile(
    rf"^{_LEAD}(?:\[(?:\w+[ _-])?memor(?:y|ies)\b[^\]\n]{{0,80}}\]|(?:relevant|recalled|retrieved|stored|injected) memor(?:y"
    rf"|ies):)[ \t]*\S[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


def injected(text: str) -> list[Block]:
    """Stretches that are memory put before a model, each with its reason; they may overlap."""
    folded = text.casefold()
    if not holds_any(folded, SIGNS if "\n" in text else LINE_SIGNS):
        return []
    found = [block for opens, closes in _PAIRS for block in paired(text, opens, closes, "injected")]
    found += [(m.start(), m.end(), "injected") for m in _INLINE.finditer(text)]
    lines = _lines(text)
    return found + _results(text, lines) + _data(text) + _documents(text, lines) + _labelled(text, lines)


def _lines(text: str) -> list[tuple[int, int]]:
    """Where each line stands."""
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _results(text: str, lines: list[tuple[int, int]]) -> list[Block]:
    """The lines of printed results; the one above a result's facts is the memory's own text, or a title above them."""
    is_shape = [end - start < _MAX_LINE_CHARS and bool(_RESULT.match(text, start, end)) for start, end in lines]
    found: list[Block] = []
    for i, (start, end) in enumerate(lines):
        if is_shape[i]:
            found.append((start, end, "own text"))
            if i and not is_shape[i - 1] and (_FACTS.match(text, start, end) or _TITLE.match(text, *lines[i - 1])):
                found.append((*lines[i - 1], "own text"))
    return found


def _data(text: str) -> list[Block]:
    """Results as data: from the first bracket to the last one of the text."""
    first = _DATA.search(text)
    if first is None:
        return []
    last = max(text.rfind(closing) for closing in "}])")
    return [(first.start(), max(last + 1, first.end()), "own text")]


def _documents(text: str, lines: list[tuple[int, int]]) -> list[Block]:
    """Our snapshot or soul: from a heading of ours through its list."""
    headings = {m.start() for m in _OWN_HEADING.finditer(text)}
    made = {m.start(): m.end() for m in _MADE.finditer(text)}
    is_ours = bool(made) or len(headings) > 1 or _OURS_ALONE.search(text) is not None
    short = (line for line in lines if line[1] - line[0] < _MAX_LINE_CHARS)
    found = [(start, end, "own text") for start, end in short if _OWN_LINE.match(text, start, end)]
    if is_ours:
        found += _under(text, lines, lambda _, start, end: start in headings, "own text")
    found += _under(text, lines, lambda _, start, __: _THREAD.match(text, start) is not None, "own text")
    return found + [(start, end, "own text") for start, end in made.items()]


def _labelled(text: str, lines: list[tuple[int, int]]) -> list[Block]:
    """A block under a label such as "[MEMORY CONTEXT]" or "# Memory": its list, or its paragraph."""
    return _under(text, lines, _is_label, "injected")


def _is_label(text: str, start: int, end: int) -> bool:
    is_short = end - start < _MAX_LABEL_CHARS
    return is_short and _LABELLED.search(text[start:end]) is not None and _LABEL.match(text, start, end) is not None


def _under(text: str, lines: list[tuple[int, int]], is_head: Callable[[str, int, int], bool], why: str) -> list[Block]:
    """Each head with what is listed under it; a head inside another's list opens none of its own."""
    found: list[Block] = []
    for i, (start, end) in enumerate(lines):
        if (not found or start >= found[-1][1]) and is_head(text, start, end):
            found.append((start, _list_end(text, lines, i), why))
    return found


def _list_end(text: str, lines: list[tuple[int, int]], i: int) -> int:
    """Where the list under line i ends; the paragraph's end where there is no list."""
    end, is_listed = lines[i][1], False
    for start, stop in lines[i + 1 :]:
        if _ITEM.match(text, start, stop):
            end, is_listed = stop, True
        elif not _BLANK.match(text, start, stop):
            break
    return end if is_listed else _paragraph_end(text, lines, i)


def _paragraph_end(text: str, lines: list[tuple[int, int]], i: int) -> int:
    end = lines[i][1]
    for start, stop in lines[i + 1 :]:
        if _BLANK.match(text, start, stop):
            break
        end = stop
    return end
