"""The only writes an agent may make, all append-only: what was said, what it thought of a memory, and "consolidate now".

Each call is one `write` to a file opened for appending, so that several agents never mix lines; in an object store, which knows no
appending, it is an object of its own. Nothing here touches a published table; the next night reads the inbox.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from slowwave import private
from slowwave.closed import FlushReason
from slowwave.errors import StoreNotFound, StoreUnwritable, UsageError
from slowwave.flushing import FLUSHES
from slowwave.format import Verdict
from slowwave.remote import is_remote
from slowwave.text import normalise

try:
    import fcntl
except ImportError:  # Windows has no advisory locks of this kind; there a torn line may cost an empty one.
    fcntl = None

VERDICTS = (Verdict.REUSED, Verdict.CONFIRMED, Verdict.CONTRADICTED, Verdict.IGNORED)
# What the owner alone decides over a memory.
DECISIONS = (
    *(Verdict.PINNED, Verdict.UNPINNED, Verdict.ARCHIVED, Verdict.RESTORED),
    *(Verdict.APPROVED, Verdict.DECLINED),
)
# Where words stand that the owner states by hand.
HAND_PLATFORM, HAND_SESSION = "slowwave", "owner"
TRUSTS = ("agent", "owner")
_NEEDED = ("session_id", "role", "content")


def record(store: str | Path, messages: Iterable[Mapping[str, Any]]) -> int:
    """Append messages to the inbox, all of them or none; returns how many.

    A message is a mapping with at least `session_id`, `role` and `content`; `message_id`, `user_id`, `created_at` (ISO, with
    offset), `platform`, `project` and `tool_name` are kept too. Raises UsageError, StoreNotFound, StoreUnreachable,
    StoreUnwritable.
    """
    lines: dict[str, list[str]] = {}
    # In an object store a call is one object, whichever sessions it is of.
    called = f"{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}" if is_remote(store) else ""
    for i, message in enumerate(messages):
        session_id = _session(message, i)
        kept = _named(message, f"{called}-{i}") if called else message
        lines.setdefault("" if called else session_id, []).append(_line(kept, f"message {i}"))
    for session_id, said in lines.items():
        _append(store, "sessions", f"{file_stem(session_id)}.jsonl", said)
    return sum(map(len, lines.values()))


def retract(
    store: str | Path, session_id: str, message_id: str, *, platform: str | None = None, at: datetime | None = None
) -> None:
    """Append that a message was deleted: the next night takes back what rests on it, and it stays deleted.

    `platform` is the one the message was recorded with, if any. Raises UsageError, StoreNotFound, StoreUnreachable, StoreUnwritable.
    """
    if not (session_id and message_id):
        raise UsageError("retract needs the ids of a session and a message", "Pass both as they were recorded.")
    at = (at or datetime.now(UTC)).astimezone(UTC)
    said = {"deleted": True, "session_id": session_id, "message_id": message_id, "at": at}
    said |= {"platform": platform} if platform else {}
    _append(store, "sessions", f"{file_stem(session_id)}.jsonl", [_line(said, "retract")])


def feedback(
    store: str | Path,
    memory_id: str,
    verdict: str,
    session_id: str | None = None,
    *,
    trust: str = "agent",
    at: datetime | None = None,
) -> None:
    """Append what came of a memory: reused, confirmed, contradicted or ignored; `trust` is whose verdict it is.

    Raises UsageError, StoreNotFound, StoreUnreachable, StoreUnwritable.
    """
    _one_of("verdict", verdict, VERDICTS)
    _one_of("trust", trust, TRUSTS)
    if not memory_id:
        raise UsageError("feedback needs the id of a memory", "Take `id` of what recall returned.")
    at = (at or datetime.now(UTC)).astimezone(UTC)
    said = {"memory_id": memory_id, "verdict": verdict, "at": at, "session_id": session_id, "trust": trust}
    _append(store, "feedback", f"{at:%Y-%m-%d}.jsonl", [_line(said, "feedback")])


def decide(store: str | Path, memory_id: str, verdict: str, *, at: datetime | None = None) -> None:
    """Append what the owner decided over a memory: one of `DECISIONS`. Raises UsageError, StoreNotFound, StoreUnwritable."""
    _one_of("decision", verdict, DECISIONS)
    if not memory_id:
        raise UsageError("a decision needs the id of a memory", "Take `id` of what recall returned.")
    at = (at or datetime.now(UTC)).astimezone(UTC)
    said = {"memory_id": memory_id, "verdict": verdict, "at": at, "trust": "owner"}
    _append(store, "feedback", f"{at:%Y-%m-%d}.jsonl", [_line(said, "decision")])


def state(
    store: str | Path, text: str, slot: Mapping[str, Any], *, memory_id: str = "", at: datetime | None = None
) -> str:
    """Append words of the owner that are remembered as they stand, and under which `slot`; returns their message's id.

    With `memory_id` they are the truth in that memory's place, and `slot` holds its `old_value` and `old_text` too; the other keys are
    `owner`, `project`, `kind`, `subject`, `attribute`, `value` and `cardinality`. The same words at the same time are said once.
    Raises UsageError, StoreNotFound, StoreUnwritable.
    """
    if not text.strip():
        raise UsageError("there are no words to remember", "Write the sentence as it shall be remembered.")
    at = (at or datetime.now(UTC)).astimezone(UTC)
    message_id = sha256(json.dumps([memory_id, text, at.isoformat()]).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    said = {"session_id": HAND_SESSION, "message_id": message_id, "role": "user", "content": text, "created_at": at}
    named = {name: slot[name] for name in ("project",) if slot.get(name)} | (
        {"user_id": slot["owner"]} if slot.get("owner") else {}
    )
    record(store, [{**said, **named, "platform": HAND_PLATFORM}])
    told = {
        "memory_id": memory_id,
        "verdict": Verdict.CORRECTED if memory_id else Verdict.STATED,
        "at": at,
        "trust": "owner",
    }
    line = _line({**told, "message_id": message_id, "slot": dict(slot)}, "statement")
    _append(store, "feedback", f"{at:%Y-%m-%d}.jsonl", [line])
    return message_id


def showing(
    store: str | Path, question: str, memory_ids: Iterable[str], version: str, *, at: datetime | None = None
) -> None:
    """Append which memories and turns were shown for a question, of which only a hash is kept. No night takes it for a confirmation.

    Raises StoreNotFound, StoreUnreachable, StoreUnwritable.
    """
    at = (at or datetime.now(UTC)).astimezone(UTC)
    asked = sha256(normalise(question).encode("utf-8", "surrogatepass")).hexdigest()
    said = {"shown": list(memory_ids), "asked": asked, "version": version, "at": at}
    _append(store, "shown", f"{at:%Y-%m-%d}.jsonl", [_line(said, "showing")])


def flush(
    store: str | Path, session_id: str, reason: str = FlushReason.NEAR_COMPACTION, *, at: datetime | None = None
) -> Path | str:
    """Ask for an early night for a session, for one of `FlushReason`; returns the file or the address asked in.

    What an observer saw may belong to no session: with `observer_transition` its id may be empty. Raises UsageError, StoreNotFound,
    StoreUnreachable, StoreUnwritable.
    """
    _one_of("reason", reason, tuple(FlushReason))
    if not session_id and reason != FlushReason.OBSERVER_TRANSITION:
        raise UsageError("flush needs the id of a session", "Pass the session id as the platform writes it.")
    asked = {"session_id": session_id, "reason": str(reason), "at": (at or datetime.now(UTC)).astimezone(UTC)}
    return _append(store, FLUSHES, f"{file_stem(session_id)}.jsonl", [_line(asked, "flush")])


def file_stem(name: str) -> str:
    """A file name for any id: its tame characters for the eye, its hash so that two ids never share a file."""
    tame = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40].strip("_")
    return f"{tame or 'id'}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{value!r} is no {what}", f"Use one of: {', '.join(choices)}.")


def _session(message: Any, i: int) -> str:
    if not isinstance(message, Mapping):
        raise UsageError(f"message {i} is no mapping", f"Give each message as a mapping with {', '.join(_NEEDED)}.")
    found = dict(cast("Mapping[str, Any]", message))
    missing = [name for name in _NEEDED if not isinstance(found.get(name), str)]
    if missing or not found["session_id"]:
        raise UsageError(
            f"message {i} lacks {', '.join(missing) or 'a session_id'}",
            f"A message needs {', '.join(_NEEDED)} as text.",
        )
    return found["session_id"]


def _line(content: Mapping[str, Any], what: str) -> str:
    try:
        return json.dumps(dict(content), allow_nan=False, default=_plain) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{what} cannot be written as JSON: {error}", "Use text, numbers, lists and times.") from error


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _named(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A message with an id: of the same words in two objects nobody could tell whether they were said twice."""
    return dict(message) if message.get("message_id") else {**message, "message_id": name}


def _append(store: str | Path, folder: str, name: str, lines: list[str]) -> Path | str:
    if is_remote(store):
        from slowwave.remote.appending import append

        return append(store, folder, "".join(lines).encode())
    store = Path(store)
    if not store.is_dir():
        raise StoreNotFound(f"there is no store at {store}", "Check the path, or make the folder first: mkdir DIR")
    path = store / "inbox" / folder / name
    try:
        private.make_folder(path.parent)
        descriptor = private.open_to_append(path)
        try:
            _write(descriptor, "".join(lines).encode())
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreUnwritable(
            f"cannot write {path}: {error.strerror or error}",
            "Check that this user may write to the store's inbox and that the disk is not full.",
        ) from error
    return path


def _write(descriptor: int, content: bytes) -> None:
    # One writer at a time, so that a line half written by another is not taken for a torn one; let go when the file is closed.
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    size = os.fstat(descriptor).st_size
    # What a full disk cut short stays a line of its own, so that it spoils nobody else's.
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    content = b"\n" + content if torn else content
    if os.write(descriptor, content) != len(content):
        raise OSError("the disk is full: only a part was written")
