"""Borders by words, where no time tells: how far what follows has to do with what went before, and how people begin and end.

Belongs here: the score of each place between two turns, and the pick. A border depends on no turn more than `LOOK_AHEAD` turns after
it, so later talk moves none that lies further back. Does not belong here: silences and sessions (`stretches`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from models.ask import Embed
from tasks.segment.stretches import MAX_END_CHARS, Heard

Floats = NDArray[np.floating[Any]]

# Ten turns on each side: half of an ordinary chat, so that its middle looks like its ends.
BLOCK_TURNS = 10
# Nobody begins and ends a conversation within fewer turns.
MIN_TURNS = 5
# Through the neighbours' scale, depths and blocks.
LOOK_AHEAD = 3 * BLOCK_TURNS + MIN_TURNS
# Three standard deviations, which chance seldom reaches; an opening does by itself unless the talk plainly goes on.
MIN_SCORE = 3.0
# Where nothing changes, a small dip is noise however rare; where everything does, one whose depth is a whole cosine is a border still.
MIN_DEVIATION, MAX_DEVIATION, MAX_MEAN = 0.1, 0.25, 0.25
OPENING, LEAVE_TAKING, ANSWERED_OPENING = 4.0, 2.0, -2.0

_WORD = re.compile(r"[^\W\d_]{4,}")
_HASHED = 512
_CHUNK_TURNS = 2048
_GREETING = re.compile(
    r"^\W*(?:(?:oh|well|ah|wow)\W+)?(?:hey|hi|hiya|hello|howdy|greetings|good (?:morning|afternoon|evening)"
    r"|hallo|guten (?:morgen|tag|abend)|bonjour|salut|hola|buenos d[ií]as|ciao|buongiorno|ol[áa]|bom dia)\b"
    r"|^\W*(?:こんにちは|おはよう|こんばんは|你好|您好|안녕)",
    re.IGNORECASE,
)
_REUNION = re.compile(
    r"\blong time\b|\bbeen a (?:while|long)\b|\bhow(?:[’']ve| have) you been\b"
    r"|\b(?:since|when) (?:we|i|you)(?:[’'](?:ve|d))? ?(?:last|talked|spoke|chatted|caught)\b"
    r"|\blast (?:time )?(?:we )?(?:talked|spoke|chatted)\b",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"\b(?:(?:good)?bye|good ?night|see (?:you|ya)|take care|until next time|keep in touch"
    r"|(?:talk|catch|speak) (?:(?:to|with) )?(?:(?:you|ya|up) )?(?:soon|later)"
    r"|have a (?:great|good|nice|lovely) (?:\w+ )?(?:day|night|evening|weekend|one|time|trip)"
    r"|tsch[üu]ss|auf wiedersehen|bis (?:bald|morgen|dann)|au revoir|[àa] bient[ôo]t|hasta (?:luego|pronto|mañana)"
    r"|adi[óo]s|arrivederci|a presto|at[ée] (?:logo|amanhã))\b"
    r"|さようなら|またね|再见|안녕히",
    re.IGNORECASE,
)


def find_borders(stretch: Sequence[Heard], embed: Embed) -> list[int]:
    """Places in the stretch at which a new topic begins, ascending; never 0.

    The score of a place is how many standard deviations its dip in cohesion lies above the usual (Hearst, 1997, over vectors
    and words together), plus what openings and leave-takings add (Schegloff and Sacks, 1973). A border is the highest score
    among its neighbours, and at least `MIN_SCORE`.
    """
    if len(stretch) <= 2 * MIN_TURNS:
        return []
    around = _scores(_depths(cohesion([turn.words for turn in stretch], embed)), conventions(stretch))
    before, here, after = np.split(around, [MIN_TURNS, MIN_TURNS + 1], axis=1)
    is_peak = (here[:, 0] >= MIN_SCORE) & (here[:, 0] >= before.max(axis=1)) & (here[:, 0] > after.max(axis=1))
    is_peak[:MIN_TURNS] = False
    return [int(place) for place in np.flatnonzero(is_peak)]


def cohesion(texts: Sequence[str], embed: Embed) -> Floats:
    """For each text, the cosine of the ten before it with the ten from it on, `(n,)`.

    Where one side has no words, the value before holds on.
    """
    made = [_cohesion(texts, begin, embed) for begin in range(0, len(texts), _CHUNK_TURNS)]
    return _filled(np.concatenate(made)) if made else np.zeros(0)


def _cohesion(texts: Sequence[str], begin: int, embed: Embed) -> Floats:
    """One chunk's, so that a session of any length takes bounded memory."""
    end = min(begin + _CHUNK_TURNS, len(texts))
    low, high = max(0, begin - BLOCK_TURNS), min(len(texts), end + BLOCK_TURNS)
    rows = _rows(texts[low:high], embed)
    sums = np.vstack([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)])
    at = np.arange(begin, end) - low
    left = sums[at] - sums[np.maximum(at - BLOCK_TURNS, 0)]
    right = sums[np.minimum(at + BLOCK_TURNS, high - low)] - sums[at]
    norms = np.sqrt(np.einsum("ij,ij->i", left, left) * np.einsum("ij,ij->i", right, right))
    dots = np.einsum("ij,ij->i", left, right)
    return np.where(norms > 0, dots / np.where(norms > 0, norms, 1), np.nan)


def _filled(values: Floats) -> Floats:
    known = ~np.isnan(values)
    if not known.any():
        return np.zeros(len(values))
    last = np.maximum.accumulate(np.where(known, np.arange(len(values)), 0))
    return values[np.maximum(last, np.argmax(known))]


def _rows(texts: Sequence[str], embed: Embed) -> Floats:
    """One row a text: its vector, where there is an embedder, beside its words."""
    words = np.stack([_hashed(text) for text in texts])
    if not embed.dimension:
        return words
    # A text that the embedder keeps back is told by its words alone.
    vectors = [vector or [0.0] * embed.dimension for vector in embed(texts)]
    return np.hstack([np.asarray(vectors, dtype=np.float32), words])


def _hashed(text: str) -> Floats:
    """The distinct longer words of a text as a unit vector, by signed hashing (Weinberger et al., 2009): no vocabulary to keep."""
    row = np.zeros(_HASHED, dtype=np.float32)
    for word in set(_WORD.findall(text.lower())):
        mark = crc32(word.encode())
        row[mark % _HASHED] += 1 if mark & 1 << 20 else -1
    norm = float(np.sqrt(row @ row))
    return row / norm if norm else row


def _depths(values: Floats) -> Floats:
    """How far each value lies below the highest of its neighbourhood on both sides, summed."""
    around = _windowed(values, BLOCK_TURNS)
    left, right = around[:, : BLOCK_TURNS + 1].max(axis=1), around[:, BLOCK_TURNS:].max(axis=1)
    return left + right - 2 * values


def _scores(depths: Floats, added: Floats) -> Floats:
    """The score of each place and its neighbours, `(n, 2 * MIN_TURNS + 1)`, all on that place's scale.

    The scale is the mean and deviation of the depths up to a block after it: what comes later must not move what was found.
    """
    known = np.minimum(np.arange(len(depths)) + BLOCK_TURNS, len(depths) - 1)
    mean = np.cumsum(depths)[known] / (known + 1)
    variance = np.cumsum(depths**2)[known] / (known + 1) - mean**2
    deviation = np.clip(np.sqrt(np.maximum(variance, 0)), MIN_DEVIATION, MAX_DEVIATION)
    usual = np.minimum(mean, MAX_MEAN)
    return (_windowed(depths, MIN_TURNS) - usual[:, None]) / deviation[:, None] + _windowed(added, MIN_TURNS)


def _windowed(values: Floats, reach: int) -> Floats:
    """Each value with its neighbours up to `reach` on both sides, `(n, 2 * reach + 1)`; beyond the ends nothing is high."""
    padded = np.pad(values, reach, constant_values=-np.inf)
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)


def conventions(stretch: Sequence[Heard]) -> Floats:
    """What the way people begin and end adds at each turn: an opening, one just answered, a leave-taking just before."""
    opens = _flags(stretch, lambda turn: bool(_GREETING.search(turn.beginning)))
    meets = _flags(stretch, lambda turn: bool(_REUNION.search(turn.beginning)))
    leaves = _flags(stretch, lambda turn: takes_leave(turn.ending))
    answered = _lately(np.maximum(opens, meets), 3)
    return OPENING * (opens + meets) + LEAVE_TAKING * _lately(leaves, 2) + ANSWERED_OPENING * answered


def takes_leave(text: str) -> bool:
    """Whether a text ends as people do who part."""
    return bool(_LEAVE.search(text[-MAX_END_CHARS:]))


def _flags(stretch: Sequence[Heard], test: Callable[[Heard], bool]) -> Floats:
    return np.array([float(test(turn)) for turn in stretch])


def _lately(flags: Floats, n: int) -> Floats:
    """Whether one of the `n` turns before each was flagged."""
    shifted = np.concatenate([np.zeros(n), flags])
    return np.lib.stride_tricks.sliding_window_view(shifted, n)[: len(flags)].max(axis=1)
