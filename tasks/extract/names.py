"""Words, numbers and names of a statement, for checking them against the lines it cites. Compares; never rewrites."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from functools import lru_cache

from models.cue import Cue, heads
from slowwave.text import INVISIBLE

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
# "One" and "zero" are too often no numbers.
_NO_COUNT = re.compile(r"\b(?:one|zero)\b", re.IGNORECASE)
_GENITIVE = re.compile(r"['’]s?$")
_CAPITAL = re.compile(r"(?<![\w’'-])[A-ZÀ-ÖØ-ÞĀ-ŽͰ-ϿЀ-Я][\w’'-]*")
_NEGATION = Cue(
    re.compile(
        r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|stop(?:s|ped)?|quit|gave up"
        r"|hates?|dislikes?|pas|plus|jamais|nicht|kein\w*"
        r"|nichts|niemals|nie|niemand|aucune?|rien|ne|geen|niet|nooit|niets|nunca|não|nada|nem|nenhuma?|jamás|tampoco)\b"
        r"|n[’']t\b|ない|ません|不",
        re.IGNORECASE,
    ),
    "no not never none nobody nothing neither nor without cannot stop quit gave hate dislike t pas plus jamais nicht kein nichts"
    " niemals nie niemand aucun rien ne geen niet nooit niets nunca não nada nem nenhum jamás tampoco",
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_MANY = {"dozen": "12", "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000"}
_COUNTED = (
    {word: str(i) for i, word in enumerate(re.findall(r"\w+", _ONES))}
    | {word: str(10 * i) for i, word in enumerate(re.findall(r"\w+", _TENS), 2)}
    | _MANY
    | {f"{word}s": digits for word, digits in _MANY.items()}
)
_COUNTED_HEADS = heads(" ".join(_COUNTED))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


DATE_WORDS = _set(
    "january february march april may june july august september october november december monday tuesday"
    " wednesday thursday friday saturday sunday week weekend month year summer winter spring autumn since about"
)
_FUNCTION_WORDS = _set(
    "a an the and or but if of to in on at by for from with as is are was were be been being has have had do"
    " does did will would can could should may might must not no so than that this these those there it its he"
    " she they his her their them him i me my mine we us our you your user assistant says said who which what"
    " when where while because about into over after before up out also just very too own some any all one more"
    " most such only now then"
)


# Words that open a statement with a capital and are no names.
_OPENING_WORDS = _set(
    "prefers likes loves wants uses lives works plans needs enjoys hates dislikes keeps moved started"
    " stopped switched asked promised"
    " every each never always please answer reply replies reports"
)


def plain(text: str) -> str:
    """Text for comparing: NFKC, case folded, one kind of apostrophe, nothing invisible."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).casefold().replace("’", "'")


# A line and what is said of it are looked at by one check after another.
@lru_cache(maxsize=4_096)
def content_words(text: str) -> tuple[str, ...]:
    """Words that carry content; for Chinese, Japanese and Korean each sign is one."""
    signs: list[str] = [] if text.isascii() else _CJK.findall(text)
    rest = _CJK.sub(" ", text) if signs else text
    return tuple(signs + [w for w in _WORD.findall(plain(rest)) if w not in _FUNCTION_WORDS and len(w) > 1])


def is_sign(word: str) -> bool:
    """Whether it is a sign of Chinese, Japanese or Korean."""
    return _CJK.match(word) is not None


# Every claim's words are compared with those of its lines, and a night says the same few thousand words again and again.
@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A crude stem: enough for "moves" to meet "moved" and "move"; at most six letters of a longer word."""
    for ending in ("'s", "ing", "ied", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:6]


def stems(words: Iterable[str]) -> set[str]:
    """The stems of words."""
    return {stem(word) for word in words}


@lru_cache(maxsize=4_096)
def stems_of(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stems(content_words(text)))


@lru_cache(maxsize=4_096)
def numbers(text: str) -> frozenset[str]:
    """Numbers in digits, and number words as digits; thousands marks are gone."""
    if text.isascii() and _COUNTED_HEADS.isdisjoint(heads(text)) and not _DIGIT.search(text):
        return frozenset()
    digits = frozenset(n.replace(",", "").rstrip(".:") for n in _NUMBER.findall(INVISIBLE.sub("", text)))
    return digits | {_COUNTED[w] for w in _LETTERS.findall(plain(text)) if w in _COUNTED}


def claimed_numbers(text: str) -> frozenset[str]:
    """Numbers that a statement must not invent, in digits or words; "one" is too often no number."""
    return numbers(_NO_COUNT.sub(" ", text)) if numbers(text) else frozenset()


def is_negative(text: str) -> bool:
    """Whether the text says no to something."""
    return bool(_NEGATION.search(text))


def proper_names(text: str) -> list[str]:
    """Words with a capital, without their genitive: names, and now and then more. An opening verb is none."""
    found = [_GENITIVE.sub("", name) for name in _CAPITAL.findall(text) if name[0].isupper()]
    return [n for n in found if not _is_plain_word(n)]


def strange(text: str, known: Iterable[str]) -> set[str]:
    """The proper names of a text that stand in none of the known texts, nor a word of their stem."""
    found = proper_names(text)
    source = plain(" ".join(known)) if found else ""
    return {name for name in found if not stands_in(name, source)}


def _is_plain_word(name: str) -> bool:
    """Whether a word with a capital is no name: "They" or "They're", and a verb that opens a statement."""
    word = plain(name)
    return word in _FUNCTION_WORDS or word.partition("'")[0] in _FUNCTION_WORDS or word in _OPENING_WORDS


def stands_in(name: str, source: str) -> bool:
    """Whether the source (in plain form) holds the name, or a word of its stem: "Teaches" stands in "I teach"."""
    return plain(name) in source or stem(plain(name)) in stems(_WORD.findall(source))


def coverage(statement: str, held: Container[str]) -> float:
    """Share of the statement's content words whose stem the source holds; 1 where it has none."""
    words = content_words(statement)
    return sum(stem(w) in held or w in DATE_WORDS for w in words) / len(words) if words else 1.0
