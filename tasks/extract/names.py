"""Words, numbers and names of a statement, for checking them against the lines it cites. Compares; never rewrites."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CAPITAL = re.compile(r"(?<![.!?:]\s)(?<!^)(?<![\"'“‘«(])\b[A-ZÀ-ÖØ-Þ][\w’'-]*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COUNTED = {
    word: str(i)
    for i, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}


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


def plain(text: str) -> str:
    """Text for comparing: NFKC, case folded, one kind of apostrophe."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def content_words(text: str) -> list[str]:
    """Words that carry content; for Chinese, Japanese and Korean each sign is one."""
    signs = _CJK.findall(text)
    return signs or [w for w in _WORD.findall(plain(text)) if w not in _FUNCTION_WORDS and len(w) > 1]


def stem(word: str) -> str:
    """A crude stem: enough for "moves" to meet "moved"; at most six letters of a longer word."""
    for ending in ("'s", "ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:6]


def numbers(text: str) -> set[str]:
    """Numbers in digits, and number words as digits; thousands marks are gone."""
    digits = {n.replace(",", "").rstrip(".:") for n in _NUMBER.findall(text)}
    return digits | {_COUNTED[w] for w in _WORD.findall(plain(text)) if w in _COUNTED}


def written_numbers(text: str) -> set[str]:
    """Numbers in digits alone: what a statement must not invent."""
    return {n.replace(",", "").rstrip(".:") for n in _NUMBER.findall(text)}


def proper_names(text: str) -> list[str]:
    """Words with a capital inside a sentence, without their genitive: names, and now and then more."""
    return [
        re.sub(r"['’]s?$", "", n)
        for n in _CAPITAL.findall(text)
        if plain(n) not in _FUNCTION_WORDS and n.split("'")[0] != "I"
    ]


def coverage(statement: str, source: str) -> float:
    """Share of the statement's content words that stand in the source, by stem; 1 where it has none."""
    words = content_words(statement)
    held = {stem(w) for w in content_words(source)}
    return sum(stem(w) in held or w in DATE_WORDS for w in words) / len(words) if words else 1.0
