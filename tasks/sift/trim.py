"""Trim: a message over its budget of tokens keeps the sentences that say most; the whole sentence stays or goes, never a part.

A sentence says as much as its words surprise on average: the mean of -log2(n(w) / N) over its words w, where w stands n(w) times
among the N words of its message. That is self-information (Shannon 1948) as used to prune contexts by Li et al., "Compressing
Context to Enhance Inference Efficiency of Large Language Models" (2023), with counts in place of a language model's odds. The
counts are the message's own, so the same message is cut alike in every night.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from slowwave.tokens import count
from tasks.sift.sentences import Span

_WORD = re.compile(r"\w+")
# Without a bound a sentence like these is lost: it denies, counts, dates, promises or names.
_PROTECTED = re.compile(
    r"\d|n[’']t\b|\b(?:not|no|never|none|nor|neither|nobody|nothing|without|cannot|stop(?:ped)?|nicht|kein\w*|nie|niemals|ohne"
    r"|geen|niet|nooit|zonder"
    r"|pas|jamais|aucun\w*|sans|nunca|jamás|sin|não|nem|sem|non|mai|senza|нет|не|никогда|без"
    r"|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july"
    r"|august|september|october"
    r"|november|december|(?:this|next|last) (?:week|month|year|weekend)|morgen|gisteren|vandaag|heute|gestern|demain|hier"
    r"|mañana|ayer|amanhã|ontem"
    r"|will|shall|must|promis\w*|agree\w*|decid\w*|due|deadline|remind\w*|commit\w*|going to|have to|has to|need to|needs to"
    r"|always|from now on"
    r"|prefer\w*|allerg\w*|remember|beloof\w*|moet\w*|werde|muss|verspr\w+|promets|dois|prometo|debo|devo)\b|[’']ll\b"
    r"|[不没沒未別别无無]|ない|ません|안 |않|没有|لا |لم |ليس",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÞА-Я][\w’'-]+|\b[A-Z]{2,}\b")


def is_protected(sentence: str) -> bool:
    """Whether a sentence denies, counts, dates, promises or names: it is never trimmed."""
    return _PROTECTED.search(sentence) is not None or _NAME.search(sentence) is not None


def trim(text: str, spans: list[Span], max_tokens: int) -> list[Span]:
    """The spans within the budget, in order: the protected ones, then those that say most; 0 means no budget."""
    # A token is at least one character, so a short text needs no counting.
    if not max_tokens or len(text) <= max_tokens or sum(end - start for start, end in spans) <= max_tokens:
        return spans
    costs = [count(text[start:end]) for start, end in spans]
    if sum(costs) <= max_tokens:
        return spans
    kept = {i for i, (start, end) in enumerate(spans) if is_protected(text[start:end])}
    left = max_tokens - sum(costs[i] for i in kept)
    worth = _information(text, spans)
    for i in sorted(set(range(len(spans))) - kept, key=lambda i: (-worth[i], i)):
        if costs[i] <= left:
            kept.add(i)
            left -= costs[i]
    return [span for i, span in enumerate(spans) if i in kept]


def _information(text: str, spans: list[Span]) -> list[float]:
    """Mean self-information of each span's words, in bits."""
    words = [_WORD.findall(text[start:end].casefold()) for start, end in spans]
    counts = Counter(word for said in words for word in said)
    n = max(1, counts.total())
    bits = {word: -math.log2(k / n) for word, k in counts.items()}
    return [math.fsum(bits[word] for word in said) / len(said) if said else 0.0 for said in words]
