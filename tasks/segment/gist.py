"""What a session was about, in its own words: the few sentences that say most of it, and the names in it.

Belongs here: the formula and the rule, which need no model. Does not belong here: promises and tastes (`cues`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tasks.extract.names import DATE_WORDS, content_words, plain
from tasks.segment.borders import takes_leave
from tasks.segment.said import Sentence

# Fewer different words say too little to stand alone.
MIN_WORDS = 4
MAX_NAME_CHARS = 60
MAX_PARTING_CHARS = 80
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof"})
_TOKEN = re.compile(r"[^\W\d_][\w’'-]*")
_OWN = re.compile(r"['’](?:s|S)?$")
_BETWEEN = re.compile(r" (?:(?:van|von|der|den|de|di|da|dos|la|le|bin|al|el) ){0,2}")


def summary(sentences: Sequence[Sentence], n: int) -> list[Sentence]:
    """At most `n` sentences of people, in the order they were said.

    The worth of a sentence is the mean, over its different content words, of the share of the session's sentences that hold the
    word (SumBasic; Nenkova and Vanderwende, 2005), times `(1 + place / last) / 2`: what was said last counts twice as much as what
    was said first. Once a sentence is chosen the shares of its words are squared, so that the next one says something else.
    """
    words = {one.place: list(dict.fromkeys(content_words(one.text))) for one in sentences}
    counts = Counter(word for held in words.values() for word in held)
    share = {word: count / len(words) for word, count in counts.items()}
    open_ = [one for one in sentences if one.is_of_people and _stands_alone(one.text, words[one.place])]
    last = max(1, len(sentences) - 1)
    chosen: list[Sentence] = []
    while open_ and len(chosen) < n:
        worth = {one: sum(map(share.__getitem__, words[one.place])) / len(words[one.place]) for one in open_}
        best = max(open_, key=lambda one: (worth[one] * (1 + one.place / last), one.place))
        chosen.append(best)
        share.update({word: share[word] ** 2 for word in words[best.place]})
        open_ = [one for one in open_ if one.text != best.text]
    return sorted(chosen, key=lambda one: one.place)


def _stands_alone(text: str, words: Sequence[str]) -> bool:
    return len(words) >= MIN_WORDS and not (len(text) <= MAX_PARTING_CHARS and takes_leave(text))


def names(sentences: Sequence[Sentence], n: int) -> list[str]:
    """At most `n` names, those in most sentences first: words with a capital where the language asks for none.

    A capital at the beginning of a sentence tells only beside another one, or where the same word has one elsewhere. Whoever speaks to
    or as the assistant is no name of the session's; nor is a part of just one longer name.
    """
    speakers = {plain(one.speaker) for one in sentences if one.role in ("user", "assistant")}
    found = [(name, is_sure, one.place) for one in sentences for name, is_sure in _names(one.text)]
    sure = {name for name, is_sure, _ in found if is_sure and plain(name) not in speakers}
    counts = Counter(name for name, _, _ in found if name in sure)
    latest = {name: place for name, _, place in found}
    # A name of one word is among its own words, so that in two names means in just one longer.
    n_holding = Counter(word for name in counts for word in {*name.split()})
    whole = (name for name in counts if n_holding[name] != 2)
    return sorted(whole, key=lambda name: (-counts[name], -latest[name], name))[:n]


def _names(text: str) -> Iterator[tuple[str, bool]]:
    """The runs of words with a capital in a sentence, and whether each is surely a name."""
    tokens = list(_TOKEN.finditer(text))
    capitals = [token for token in tokens if token[0][0].isupper() and _is_telling(token[0])]
    if not capitals or (len(tokens) >= 4 and 2 * sum(token[0][0].isupper() for token in tokens) > len(tokens)):
        # A heading, or somebody shouting: there a capital says nothing.
        return
    run: list[re.Match[str]] = []
    for token in capitals:
        if run and not _BETWEEN.fullmatch(text, run[-1].end(), token.start()):
            yield _joined(text, run, tokens[0])
            run = []
        run.append(token)
    if run:
        yield _joined(text, run, tokens[0])


def _joined(text: str, run: list[re.Match[str]], first: re.Match[str]) -> tuple[str, bool]:
    name = _OWN.sub("", text[run[0].start() : run[-1].end()])[:MAX_NAME_CHARS]
    return name, len(run) > 1 or run[0].start() != first.start()


# A few names are said again and again.
@lru_cache(maxsize=4_096)
def _is_telling(word: str) -> bool:
    """Whether a word with a capital may be a name: not "I'll", "The" or "Monday"."""
    bare = plain(_OWN.sub("", word))
    is_other = bare.startswith("i'") or bare in _TITLES or {bare, bare.removesuffix("s")} & DATE_WORDS
    return bool(content_words(bare)) and not is_other
