"""What a question is about, for its vector: without the people it names and the words that only make it a question.

A vector is one mean over all words. Whom a question names is scored by `subject`, and "what does ... do" is in every question:
on five conversations of LoCoMo, static vectors of the whole question found 41.6 % of evidence that lies in several places among
ten results, and vectors of its topic, weighted higher, 44.6 %.
"""

from __future__ import annotations

import re

from slowwave.language import is_small_word, language, opened
from slowwave.reader.names import ADDS_S, MAX_NAME_WORDS, Index, singular

_WORD = re.compile(r"[\w'’-]+")
# Question words, pronouns, articles, auxiliaries and prepositions; in other languages those that are no English word. What is one
# (`die`, `on`, `was`) is left out of questions in its language.
_EMPTY = frozenset(
    re.findall(
        r"\S+",
        "a about an and any are as at be been by can could did do does for from had has have he her his how i in is it its kind "
        "kinds long many may me might much my of on or our she should some that the their these they this those to type types "
        "us was we were what when where which who whom whose why will with would you your wat wanneer waar wie welke hoe waarom "
        "heeft hebben zijn haar hij zij het een voor met naar ik jij mijn quand où qui que quoi quel quelle quels quelles "
        "comment pourquoi est-ce le la les un une des du au aux et dans pour avec sur son sa ses je tu il elle mon ma mes notre "
        "nos wann wo wer wem wen wessen warum welche welcher welches haben ist sind der das ein eine einen von mit für nach ich "
        "mein meine unser",
    )
)


# An agent asks of the one it works for in the third person, whose words do so in the first: `subject` scores whom it means.
_USER = re.compile(r"\bthe user(?:['’]s)?(?!\w)", re.IGNORECASE)


def without_user(question: str) -> str:
    """The question without "the user", which stands in few texts and would find those; the question itself where nothing is left."""
    rest = " ".join(_USER.sub(" ", question).split())
    return rest if _WORD.search(rest) else question


def topic(question: str, index: Index) -> str:
    """The words of a question that say what it is about, in order; the question itself where none is left."""
    question = without_user(question)
    of = language(question)
    words = _WORD.findall(opened(question, of))
    named = _people(words, index, of)
    kept = [word for i, word in enumerate(words) if i not in named and not _is_empty(singular(word.casefold()), of)]
    return " ".join(kept) or question


def _is_empty(word: str, of: str) -> bool:
    return word in _EMPTY or is_small_word(word, of)


def _people(words: list[str], index: Index, of: str) -> set[int]:
    """Places of words that name somebody the memory knows."""
    bare = [singular(word) for word in words]
    if of in ADDS_S:
        bare = [word if index.is_person(word) else word.removesuffix("s") for word in bare]
    runs = [(i, i + n) for n in range(1, MAX_NAME_WORDS + 1) for i in range(len(bare) - n + 1)]
    return {i for start, end in runs if index.is_person(" ".join(bare[start:end])) for i in range(start, end)}
