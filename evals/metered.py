"""A model on loopback that states every informative line and meters itself: what a diligent model would cost, to the token.

Its tokenizer is a real one (o200k_base, which litellm carries), and it reads system prompt, schema and layout as they are sent. Belongs
here: what it says. Does not belong here: HTTP (`chat`), and any figure. What it says proves the plumbing and its price, not a model.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from evals.chat import Loopback, Reply, Request, Said

NAME = "metered"
MODEL = f"openai/{NAME}"
ENCODING = "o200k_base"
# A line of fewer words that carry content says "That's great" or "Long time no see".
LEAST_CONTENT_WORDS = 3
# Long enough that calls which may overlap do, short enough not to matter.
THINKING_SECONDS = 0.2


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The first statement of a pair, where it is asked how two stand to each other.
_PAIR = re.compile(r"^\[(\d+)a\] ", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FUNCTION_WORDS = _words(
    "a about after again all also always am an and another any are as at back be because been before being but by can could did do"
    " does doing done down each even ever every few for from get getting go going gonna good got great had has have having he her here"
    " hers him his how i if in into is it its just know let like lot lots made make many may me might mine more most much my need no"
    " nor not now of off oh on one only or other our out over own pretty really right same see she should so some something soon"
    " still such sure than thank thanks that the their them then there these they thing things think this those though through time"
    " to together too totally up us very want wanted was way we well were what when where which while who why will wish with wow"
    " would yeah yep yes yet you your yours hey hi hello awesome amazing cool nice glad happy love loved"
)
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_SPOKEN = {
    "I'm": "{0} is", "I've": "{0} has", "I'd": "{0} would", "I'll": "{0} will", "I": "{0}",
    "my": "their", "My": "Their", "me": "them", "we": "they", "We": "They", "our": "their", "Our": "Their",
}  # fmt: skip
_KINDS = (
    ("goal", r"\b(?:going to|gonna|will|plan(?:ning)?|want to|hope|hoping|'ll|can't wait)\b"),
    ("preference", r"\b(?:love|like|enjoy|prefer|favou?rite|hate|fan of)\w*\b"),
    ("routine", r"\b(?:every|always|usually|often|each|weekly|daily)\b"),
    ("event", r"\b(?:yesterday|last|ago|went|was|were|had|got|made|did|took|tried|started|finished|joined)\b"),
)


class Model(Loopback):
    """The server; `n_rows` is how many rows it has stated."""

    def __init__(self) -> None:
        super().__init__(self._state, counter())
        self.n_rows = 0

    def forget(self) -> None:
        """Begin to count anew."""
        super().forget()
        self.n_rows = 0

    def _state(self, request: Request) -> Reply:
        if pairs := _PAIR.findall(request.messages[-1]["content"]):
            words = [{"pair": int(number), "verdict": "unrelated"} for number in pairs]
            return cut(json.dumps({"verdicts": words}, separators=(",", ":")), request, self._count)
        rows = rows_of(request)
        with self._lock:
            self.n_rows += len(rows)
        return cut(json.dumps({"rows": rows}, ensure_ascii=False, separators=(",", ":")), request, self._count)


@lru_cache(maxsize=1)
def counter() -> Callable[[str], int]:
    """Counts tokens as the tokenizer of the encoding does; its vocabulary is a file of litellm's, so nothing is fetched."""
    found = importlib.util.find_spec("litellm")
    folders = found.submodule_search_locations if found else None
    if folders:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(folders[0]) / "litellm_core_utils" / "tokenizers")
    import tiktoken

    encoding = tiktoken.get_encoding(ENCODING)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def rows_of(request: Request) -> list[list[str]]:
    """One row for every informative line, three in ten of them with a statement."""
    said = [line for line in request.said if is_informative(line)]
    return [row(line, has_statement=place % 10 in (0, 3, 6)) for place, line in enumerate(said)]


def cut(text: str, request: Request, count: Callable[[str], int]) -> Reply:
    """The answer, or its beginning where it passes the limit that was set: as a model's answer is cut off."""
    most = int(request.body.get("max_tokens") or request.body.get("max_completion_tokens") or 10**9)
    if count(text) <= most:
        return Reply(text, delay_seconds=THINKING_SECONDS)
    return Reply(text[: 2 * most], finish="length", delay_seconds=THINKING_SECONDS)


def is_informative(line: Said) -> bool:
    """Whether a line tells of something: no question, words enough that carry content, and not of the listener alone."""
    if line.text.rstrip(" \"'”’)*").endswith("?") or len(content_words(line.text)) < LEAST_CONTENT_WORDS:
        return False
    return bool(_FIRST_PERSON.search(line.text)) or not _SECOND_PERSON.search(line.text)


def row(line: Said, *, has_statement: bool) -> list[str]:
    """Lines, kind, subject, attribute and value of a line, and a statement where asked for."""
    words = content_words(line.text)
    attribute = "_".join(word[0].casefold() for word in words[:2])
    stated = [str(line.number), _kind(line.text), line.speaker, attribute, _value(line.text, words)]
    return [*stated, _statement(line)] if has_statement else stated


def content_words(text: str) -> list[re.Match[str]]:
    """Where the words stand that carry content."""
    return [w for w in _WORD.finditer(text) if re.split(r"['’]", w[0].casefold())[0] not in _FUNCTION_WORDS]


def _value(text: str, words: list[re.Match[str]]) -> str:
    """The last words that carry content and stand side by side, three at most: "old harpsichords"."""
    first = last = words[-1]
    for word in reversed(words[-3:-1]):
        if text[word.end() : first.start()] != " ":
            break
        first = word
    return text[first.start() : last.end()]


def _kind(text: str) -> str:
    return next((kind for kind, cue in _KINDS if re.search(cue, text, re.IGNORECASE)), "fact")


def _statement(line: Said) -> str:
    """The line in the third person, its speaker named."""
    text = line.text.replace("’", "'")
    told = re.sub(
        r"\b(?:I'm|I've|I'd|I'll|I|[Mm]y|me|[Ww]e|[Oo]ur)\b", lambda m: _SPOKEN[m[0]].format(line.speaker), text
    )
    return told if line.speaker in told else f"{line.speaker} says: {told}"
