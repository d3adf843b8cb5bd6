"""Pasted: stretches of a person's message that are somebody else's words, by the marks around them.

Belongs here: quoted lines, forwarded mail, documents in tags, transcripts. Does not belong here: our own memory (`injected`).
"""

from __future__ import annotations

import re
from bisect import bisect_left

from slowwave.text import holds_any

Block = tuple[int, int, str]

_TAG = re.compile(
    r"<(/?)(documents?|docs?|email|e-mail|mail|web_?page|page|article|attachment|file|file_?contents?|paste[ds]?|transcript"
    r"|quote|blockquote"
    r"|untrusted[\w-]*|external[\w-]*|source|context|output|results?|tool_?(?:calls?|results?|use|output)|function_?(?:calls?|results?)"
    r"|antml:[\w-]+|system|assistant|user|human|instructions?|system_?prompt|example|data|html|body|script|style)\b[^<>\n]{0,300}>",
    re.IGNORECASE,
)
# Markup that shows nothing, or fetches something.
_UNSEEN = re.compile(
    r"<(\w{1,20})\b[^<>\n]{0,200}(?:display: ?none|visibility: ?hidden|font-size: ?0|opacity: ?0\b|color: ?(?:white|#fff)"
    r"|\bhidden\b)[^<>\n]{0,200}>"
    r"(?:[\s\S]*?</\1\s*>|[\s\S]*)|^\[//\]: # [^\n]*|!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)",
    re.IGNORECASE | re.MULTILINE,
)
# Marks in pairs: what opens, what closes.
_PAIRS = (
    ('"""', re.compile(r'"""'), re.compile(r'"""')),
    ("[quote", re.compile(r"\[quote\b[^\]\n]{0,80}\]", re.IGNORECASE), re.compile(r"\[/quote\]", re.IGNORECASE)),
    ("{quote}", re.compile(r"\{quote\}"), re.compile(r"\{quote\}")),
    (
        "\n",
        re.compile(r"^[-=*_#~]{2,} ?(?:begin|start)\b[^\n]{0,80}$", re.IGNORECASE | re.MULTILINE),
        re.compile(r"^[-=*_#~]{2,} ?(?:end|stop)\b[^\n]{0,80}$", re.IGNORECASE | re.MULTILINE),
    ),
)
_QUOTED = re.compile(r"^[ \t]*(?:>|&gt;)[^\n]*(?:\n[ \t]*(?:>|&gt;)[^\n]*)*", re.MULTILINE)
# What a mail program puts before a message that it passes on; no more of the person's own words follow.
_PASSED_ON = re.compile(
    r"^[-_*> ]{0,12}(?:begin )?(?:forwarded|original|doorgestuurd|oorspronkelijk|weitergeleitete|ursprüngliche|transféré"
    r"|reenviado)[\w ]{0,20}"
    r"(?:message|mail|bericht|nachricht|mensaje)[-_*: ]{0,12}$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER = re.compile(
    r"^(?:from|van|von|de|da): ?[^\n]{1,200}\n(?:(?:sent|date|to|subject|cc|reply-to|verzonden|datum|aan|onderwerp|gesendet|an"
    r"|betreff|envoyé|à"
    r"|objet|enviado|para|asunto|assunto|data|oggetto): ?[^\n]{0,300}(?:\n|\Z))+",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_WORDS = re.compile(
    r"@|^(?:subject|onderwerp|betreff|objet|asunto|assunto|oggetto):", re.IGNORECASE | re.MULTILINE
)
# A line of a transcript, and what goes on until a blank line. A field "Owner: Jo" in a note is none unless a model speaks too.
_REST = r"[^\n]*(?:\n(?!\s*\n)[^\n]+)*"
_MODEL_SAYS = re.compile(
    rf"^\W{{0,4}}(?:system(?: prompt)?|assistant|human)\W{{0,3}}[:：]{_REST}|^#{{1,6}} *(?:system|assistant|human|user"
    rf"|instructions?|response)\b[^\n]{{0,20}}$"
    rf"(?:\n(?!\s*\n)[^\n]+)*|<\|[\w/ ]{{1,30}}\|>{_REST}|\[INST\]{_REST}|<<SYS>>{_REST}",
    re.IGNORECASE | re.MULTILINE,
)
_PERSON_SAYS = re.compile(
    rf"^\W{{0,4}}(?:user|owner|you|me|chatgpt|claude)\W{{0,3}}[:：]{_REST}", re.IGNORECASE | re.MULTILINE
)
# Asked about a text that follows: what is to be summed up or explained is other people's words.
_ASKED = re.compile(
    r"^\W{0,4}(?:(?:please|can you|could you|hey|hi|ok|now|kannst du|peux-tu|puedes|kun je)\W{1,3}(?=\w))*(?:(?:summari[sz]e"
    r"|sum up|tl;?dr|explain|classify|decode"
    r"|what do(?:es)?|is this|vat|fasse?|résume|resume|explique|leg|erkläre?)\b[^.!?:\n]{0,60}\b)"
    r"(?:this|these|following|below|attached|page|mail|e-?mail|article|document|letter|post|spam|scam|legit|phishing|dit|deze"
    r"|tekst|diesen?|dies|cet?|cette"
    r"|texte|este|esta|texto)\b[^.!?:\n]{0,40}(?::|\?\s*\n)\s*",
    re.IGNORECASE | re.MULTILINE,
)

# The cheap looks before the dear ones: what stands in a text that holds a block of one of these sorts. An i that has another capital
# letter is one too for patterns that ignore case; this is how it is folded.
ODD_I = ("ı", "i̇")
SIGNS = ('"""', "{quote}", ">", "&gt;", "ı", "İ")
RULE = r"[-=*_#~]{2} ?(?:begin|start)"
ASKED = (
    *(
        "summari",
        "sum up",
        "tldr",
        "tl;dr",
        "explain",
        "classify",
        "decode",
        "what do",
        "is this",
        "vat",
        "fass",
        "résume",
    ),
    *("resume", "explique", "leg", "erklär"),
)
MAIL = (
    *(
        "from:",
        "van:",
        "von:",
        "de:",
        "da:",
        "forwarded",
        "original",
        "doorgestuurd",
        "oorspronkelijk",
        "weitergeleitete",
    ),
    *("ursprüngliche", "transféré", "reenviado", *ODD_I),
)
SPEAKERS = ("system", "assistant", "human", "#", "|>", "[inst", "<<sys", *ODD_I)
OPENING = (":", "：", "#", "|>", "[", "<<")
# A question at the end of its line, in the syntax of both engines, which take different signs for space.
QUESTION = r"\?[\s\x1c-\x1f]*[\r\n]"
_QUESTION = re.compile(QUESTION)


def enclosed(text: str) -> list[Block]:
    """Stretches of a person's message with marks at both ends that are not the person's own words; they may overlap."""
    found = _tagged(text) if "</" in text else []
    if "\n" in text or '"""' in text or "quote" in text:
        for sign, opens, closes in _PAIRS:
            found += paired(text, opens, closes, "pasted") if sign in text else []
    if ">" in text or "&gt;" in text:
        found += _all(_QUOTED, text, "quoted")
    return found


def open_ended(text: str) -> list[Block]:
    """Stretches that begin with a mark and end with their paragraph or the message: transcripts, mail, what is asked about."""
    is_opened = holds_any(text, OPENING) or _QUESTION.search(text) is not None
    return (_spoken(text) + _asked_about(text) if is_opened else []) + _mailed(text)


def unseen(text: str) -> list[Block]:
    """Markup whose words no reader of the page sees."""
    return _all(_UNSEEN, text, "hidden") if "<" in text or "](" in text or "[//]" in text else []


def _all(pattern: re.Pattern[str], text: str, why: str) -> list[Block]:
    return [(m.start(), m.end(), why) for m in pattern.finditer(text)]


def _tagged(text: str) -> list[Block]:
    """From a tag to the first closing one of its name. Each tag is looked at once, however many are never closed."""
    closing: dict[str, list[tuple[int, int]]] = {}
    opening: list[tuple[int, str]] = []
    for tag in _TAG.finditer(text):
        name = tag[2].casefold()
        if tag[1]:
            closing.setdefault(name, []).append(tag.span())
        else:
            opening.append((tag.start(), name))
    found: list[Block] = []
    for start, name in opening:
        ends = closing.get(name, [])
        place = bisect_left(ends, (start, start))
        if place < len(ends) and (not found or start >= found[-1][1]):
            found.append((start, ends[place][1], "pasted"))
    return found


def paired(text: str, opens: re.Pattern[str], closes: re.Pattern[str], why: str) -> list[Block]:
    """From each opening mark to the first closing one; what is never closed is no block."""
    found: list[Block] = []
    at = 0
    while (first := opens.search(text, at)) and (last := closes.search(text, first.end())):
        found.append((first.start(), last.end(), why))
        at = last.end()
    return found


def _spoken(text: str) -> list[Block]:
    """The lines of a transcript."""
    if not holds_any(text.casefold(), SPEAKERS):
        return []
    models = _all(_MODEL_SAYS, text, "pasted")
    return models + _all(_PERSON_SAYS, text, "pasted") if models else []


def _asked_about(text: str) -> list[Block]:
    """What follows a question about "this page:", to the end of the message."""
    asked = _ASKED.search(text)
    # Where a marked block follows, it is the text that is meant, and the blocks know its end.
    is_marked = asked is not None and "\n\n\n\n" in asked[0]
    return [(asked.end(), len(text), "pasted")] if asked and not is_marked and asked.end() < len(text) else []


def _mailed(text: str) -> list[Block]:
    """A mail passed on, from its head to the end of the message."""
    if "\n" not in text or not holds_any(text.casefold(), MAIL):
        return []
    heads = [m for m in _HEADER.finditer(text) if _MAIL_WORDS.search(m[0])]
    heads += [m for m in _PASSED_ON.finditer(text)]
    return [(min(m.start() for m in heads), len(text), "pasted")] if heads else []
