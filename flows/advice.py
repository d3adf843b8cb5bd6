"""What to do about messages that a night put off, by why: the settings that decide it, named as they are written.

Belongs here: words for a person. Does not belong here: counting what was put off (`begin`, `road`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

_NOTHING_LOST = "Nothing is lost."
_BY_REASON = {
    "truncated": "raise max_output_tokens under [night], or max_splits to halve what is asked more often",
    "timed_out": "raise timeout_seconds under [night]; a server that answers one question at a time also needs max_concurrency = 1,"
    " since waiting for its turn counts",
    "rate_limited": "let a later night ask where the server wants a long wait, as it does once a day's share is used up; where waits are"
    " short, lower max_concurrency under [night], or raise max_attempts",
}


def ceiling(names: tuple[str, ...], held_back: str) -> str:
    """The ceilings that kept requests back, and why the smallest of them found no room."""
    return f"the ceiling {', '.join(names)}{f' ({held_back})' if held_back else ''}"


def about(reason: str) -> str:
    """What to change so that fewer messages are put off for a reason; empty where no setting is to blame."""
    return _BY_REASON.get(reason, "")


def next_step(counts: Mapping[str, int], names: tuple[str, ...], held_back: str) -> str:
    """What to do about a night that nothing was answered in."""
    if set(counts) == {"batch_under_way"}:
        return f"Its provider is still at work on a batch: run the night again later, and it takes the answers up. {_NOTHING_LOST}"
    if names and "over_budget" in counts:
        told = ceiling(names, held_back)
        return f"T{told[1:]} is reached: raise it under [night] in slowwave.toml, or wait. {_NOTHING_LOST}"
    if set(counts) <= {"truncated", "invalid_answer", "empty_answer"}:
        return (
            "The model was asked and its answers can't be used: raise max_output_tokens under [night] in slowwave.toml if they are cut"
            ' off, or max_splits to halve what is asked more often, or set extraction = "rewrite" for a small model: the rules then'
            f" choose the lines. {_NOTHING_LOST}"
        )
    if len(counts) == 1 and (told := about(*counts)):
        return f"{told[0].upper()}{told[1:]} in slowwave.toml. {_NOTHING_LOST}"
    return "Check the model's server, key and limits ([night] in slowwave.toml), then run the night again: nothing is lost."


def yet_to_come(n_later: int, as_of: datetime) -> list[str]:
    """What to know where the owner's hand said something after the time that a night is of: not to look for it in vain."""
    waits = "a word of the owner's hand is" if n_later == 1 else f"{n_later} words of the owner's hand are"
    return [f"{waits} of after {as_of:%Y-%m-%d %H:%M} UTC: a night of later takes them up"] if n_later else []
