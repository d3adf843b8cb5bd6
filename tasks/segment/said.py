"""The sentences of a session's last turns, with the place of each in the captured text.

Belongs here: which sentences a working set may choose from. Does not belong here: which it chooses (`gist`, `cues`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

import polars as pl

# What is longer is a paste, and no sentence that anybody would be told again.
MAX_SENTENCE_CHARS = 400
_SECRET = "[secret:"
_COLUMNS = ("msg_key", "session_id", "message_id", "role", "speaker", "trust", "said_at", "text", "spans")


class Sentence(NamedTuple):
    """One kept sentence: whose, where, and at which place among the session's."""

    msg_key: str
    session_id: str
    message_id: str
    role: str
    speaker: str
    trust: str
    said_at: datetime | None
    start: int
    end: int
    text: str
    place: int

    @property
    def is_of_people(self) -> bool:
        """Whether a person said it, and not the assistant."""
        return self.role != "assistant"


def sentences_of(session: pl.DataFrame) -> list[Sentence]:
    """The kept sentences of a session's turns, which are in order; without what is too long or held a secret."""
    found: list[Sentence] = []
    for *about, text, spans in session.select(_COLUMNS).iter_rows():
        for start, end in _short(text, spans):
            found.append(Sentence._make((*about, start, end, text[start:end], len(found))))
    return found


def _short(text: str, spans: Iterable[dict[str, int]]) -> Iterator[tuple[int, int]]:
    for span in spans:
        words = text[span["start"] : span["end"]]
        start = span["start"] + len(words) - len(words.lstrip())
        bare = words.strip()
        if 0 < len(bare) <= MAX_SENTENCE_CHARS and _SECRET not in bare:
            yield start, start + len(bare)
