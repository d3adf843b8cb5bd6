"""Tool output: the lines that say how it ended, without the middle of its tables, and never a line that speaks to a model.

Belongs here: which lines of foreign text stay as context. Does not belong here: how a planted line looks (`planted`).
"""

from __future__ import annotations

from collections import defaultdict

from slowwave import planted
from tasks.sift import noise
from tasks.sift.sentences import Span

# How much of a message is left out, by the reason.
LeftOut = defaultdict[str, int]
_MAX_SAME_ROWS = 3


def told(
    text: str, spans: list[Span], max_lines: int, left_out: LeftOut, *, may_plant: bool
) -> tuple[list[Span], list[str]]:
    """The lines that stay, and the planted ones that don't; what else is left out is counted by its reason."""
    kept = _unplanted(text, spans) if may_plant else spans
    if len(kept) < len(spans):
        left_out["instruction"] += len(spans) - len(kept)
    planted_lines = [text[start:end] for start, end in sorted(set(spans) - set(kept))]
    apart = _without_rows(text, kept)
    if len(apart) < len(kept):
        left_out["repeated rows"] += len(kept) - len(apart)
    if len(apart) > max_lines:
        left_out["tool output"] += len(apart) - max_lines
        apart = _outcome(text, apart, max_lines)
    return apart, planted_lines


def _unplanted(text: str, spans: list[Span]) -> list[Span]:
    """Without what speaks to a model; after a line that takes over, the rest of its paragraph goes too, but for how it ended."""
    kept: list[Span] = []
    end_before, is_taken, is_beside = 0, False, False
    for start, end in spans:
        line, between = text[start:end], text[end_before:start]
        is_taken = is_taken and between.count("\n") < 2 and not noise.is_outcome(line)
        # What stands on the same line as an order to a model goes with it.
        is_beside = is_beside and "\n" not in between
        if planted.speaks_to_model(line):
            is_beside, is_taken = True, is_taken or planted.hijacks(line)
        elif not is_taken and not is_beside:
            kept.append((start, end))
        end_before = end
    return kept


def _without_rows(text: str, spans: list[Span]) -> list[Span]:
    """Without the middle of a table or a progress log: of many lines that differ in their numbers, the first and the last stay."""
    if len(spans) <= _MAX_SAME_ROWS:
        return spans
    places: dict[str, list[int]] = {}
    for i, (start, end) in enumerate(spans):
        places.setdefault(noise.skeleton(text[start:end]), []).append(i)
    rows = {i for same in places.values() if len(same) > _MAX_SAME_ROWS for i in same[1:-1]}
    return [span for i, span in enumerate(spans) if i not in rows]


def _outcome(text: str, spans: list[Span], n: int) -> list[Span]:
    """The n lines that say most about how it ended: outcome lines, then the last ones."""
    ranked = sorted(range(len(spans)), key=lambda i: (not noise.is_outcome(text[slice(*spans[i])]), -i))
    return [spans[i] for i in sorted(ranked[:n])]
