"""The owner's hand: pin, archive, correct and approve, written to the inbox for the next night.

Belongs here: what the owner decides or states about one memory. Does not belong here: what comes of it (the night), and the
commands (`owning`).
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from slowwave import inbox
from slowwave.errors import UsageError
from slowwave.format import Cardinality, Kind, Memory, Status, Verdict
from slowwave.reader import Reader
from slowwave.reader import open as open_reader
from slowwave.text import normalise

# What each command decides, and the statuses of the memories over which it can be decided.
VERBS: dict[str, str] = {
    "pin": Verdict.PINNED,
    "unpin": Verdict.UNPINNED,
    "archive": Verdict.ARCHIVED,
    "restore": Verdict.RESTORED,
    "approve": Verdict.APPROVED,
    "decline": Verdict.DECLINED,
}
_FITTING: dict[str, frozenset[str]] = {
    "archive": frozenset({Status.ACTIVE, Status.DISPUTED, Status.EXPIRED}),
    "restore": frozenset({Status.ARCHIVED}),
}


def decide(store: str | Path, verb: str, memory_id: str, *, at: datetime | None = None) -> Memory:
    """Decide over a memory: pin, unpin, archive, restore, approve or decline; returns it as it stands before the night.

    Raises UsageError for an unknown verb or id, and where the memory's status leaves nothing to decide; StoreNotFound.
    """
    if verb not in VERBS:
        raise UsageError(f"{verb!r} is nothing that can be decided", f"Use one of: {', '.join(VERBS)}.")
    memory = _known(open_reader(store), memory_id)
    fitting = _FITTING.get(verb)
    if fitting is not None and memory.status not in fitting:
        raise UsageError(
            f"{memory_id} is {memory.status}: there is nothing to {verb}",
            f"slowwave why --store {store} {memory_id} tells how it came to be so.",
        )
    inbox.decide(store, memory_id, VERBS[verb], at=at)
    return memory


def correct(
    store: str | Path,
    memory_id: str,
    text: str,
    *,
    value: str | None = None,
    is_pinned: bool = False,
    at: datetime | None = None,
) -> dict[str, Any]:
    """Say what is true in a memory's place: the next night retracts it and remembers `text` as it stands.

    `value` is the value that `text` gives the memory's attribute; left out, it is what stands in `text` where the memory's text has
    its own. Without one, the statement stands outside the slot. Returns the slot. Raises UsageError, StoreNotFound.
    """
    memory = _known(open_reader(store), memory_id)
    if normalise(text) == normalise(memory.text):
        raise UsageError(f"{memory_id} says so already", "Write what is true instead, or confirm it with feedback.")
    slot = slot_of(memory, text, value) | {"is_pinned": is_pinned or memory.is_pinned}
    inbox.state(store, text, slot, memory_id=memory_id, at=at)
    return slot


def state(
    store: str | Path,
    text: str,
    kind: str = Kind.SEMANTIC_FACT,
    *,
    owner: str = "",
    project: str | None = None,
    is_pinned: bool = True,
    at: datetime | None = None,
) -> str:
    """Have a sentence of the owner remembered as it stands; returns its message's id. Raises UsageError, StoreNotFound."""
    if kind not in frozenset(Kind):
        raise UsageError(f"{kind!r} is no kind of memory", f"Use one of: {', '.join(Kind)}.")
    slot = {"owner": owner, "project": project, "kind": kind, "subject": "user", "cardinality": Cardinality.MULTI}
    return inbox.state(store, text, {**slot, "is_pinned": is_pinned}, at=at)


def slot_of(memory: Memory, text: str, value: str | None = None) -> dict[str, Any]:
    """Under which slot `text` takes the memory's place."""
    found = value or _value_in(text, memory)
    return {
        "owner": memory.owner,
        "project": memory.project,
        "kind": memory.kind,
        "subject": memory.subject,
        "attribute": memory.attribute if found else None,
        "value": found,
        "cardinality": memory.cardinality,
        "old_value": memory.value,
        "old_text": memory.text,
    }


def _value_in(text: str, memory: Memory) -> str | None:
    """What the new text has where the old one has its value, the words around it being the same."""
    if not (memory.attribute and memory.value and memory.value in memory.text):
        return None
    before, _, after = memory.text.partition(memory.value)
    bare = text.strip().removesuffix(".")
    after = after.rstrip().removesuffix(".")
    is_same = bare.startswith(before) and bare.endswith(after) and len(bare) > len(before) + len(after)
    return bare[len(before) : len(bare) - len(after)].strip() or None if is_same else None


def _known(reader: Reader, memory_id: str) -> Memory:
    memory = reader.get(memory_id)
    if memory is None:
        raise UsageError(
            f"this version has no memory {memory_id}", "Take `id` of what `slowwave recall` or `slowwave show` gives."
        )
    return memory
