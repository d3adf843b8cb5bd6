"""The store's own `soul.md`, which its owner may edit: read before a night, written after it, never over an edit that no night has read.

Belongs here: the file, and what was last written or read of it. Does not belong here: what an edit says (`sources.soul_edits`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from adapters.files import write_bytes
from adapters.sources.soul_edits import Edit, edits
from slowwave import hand
from slowwave.errors import UsageError
from slowwave.format import Manifest
from slowwave.reader.tables import Tables

NAME, BASE = "soul.md", ".soul.json"
_DOCUMENT = "soul.md"
# A longer file is no soul, and would be somebody's mistake.
_MAX_BYTES = 256 * 1024


@dataclass(frozen=True)
class Base:
    """The text that was last written or read, and the memory of each line of ours in it."""

    text: str = ""
    ids: dict[str, str] = field(default_factory=dict[str, str])


def collect(store: Path, serving: Manifest | None, as_of: datetime) -> list[str]:
    """Write what a person changed in the file since to the inbox, as the owner's hand; returns warnings.

    The same edits read twice are said once: their time is the file's, or the night's where that is earlier: a night that reads an
    edit takes it up. A file that is gone or unreadable takes nothing back. One that
    was there before any night is all the owner's.
    """
    path = store / NAME
    if not path.is_file() or path.is_symlink():
        return []
    base = _base(store) or (_published(store, serving) if serving else None) or Base()
    try:
        text = _text(path)
    except (OSError, ValueError) as error:
        return [f"{path} was not read, and is left as it is: {error}"]
    if text == base.text:
        return []
    at = min(datetime.fromtimestamp(path.stat().st_mtime, UTC), as_of)
    for edit in edits(base.text, text, base.ids):
        _say(store, edit, at)
    _keep(store, Base(text, base.ids))
    return []


def write(store: Path, manifest: Manifest) -> bool:
    """Write the version's soul to the file; False where a person changed it meanwhile: the next night reads that first."""
    base, path = _base(store), store / NAME
    made = _published(store, manifest)
    if made is None or path.is_symlink():
        return False
    if path.exists() and (base is None or _text_or_none(path) != base.text):
        if base is not None:
            # What the night made of the edits that it read has memories by now, which the next edits may be of.
            _keep(store, Base(base.text, {**base.ids, **made.ids}))
        return False
    if base != made or not path.exists():
        # The file first: a base without its file reads as deleted, which takes nothing back.
        write_bytes(path, made.text.encode())
        _keep(store, made)
    return True


def _say(store: Path, edit: Edit, at: datetime) -> None:
    try:
        if edit.text is None:
            hand.decide(store, "decline", edit.memory_id or "", at=at)
        elif edit.memory_id is None:
            hand.state(store, edit.text, edit.kind, at=at)
        else:
            hand.correct(store, edit.memory_id, edit.text, is_pinned=True, at=at)
    except UsageError:
        # The memory is not there any more, or says so already: what was written stands by itself.
        if edit.text is not None:
            hand.state(store, edit.text, edit.kind, at=at)


def _published(store: Path, manifest: Manifest) -> Base | None:
    rows = Tables(store, manifest).rows("documents", ["name", "text", "memory_ids"], f"name = '{_DOCUMENT}'")
    if not rows:
        return None
    bullets = [line[2:] for line in rows[0]["text"].splitlines() if line.startswith("- ")]
    return Base(rows[0]["text"], dict(zip(bullets, rows[0]["memory_ids"], strict=False)))


def _base(store: Path) -> Base | None:
    try:
        found = json.loads((store / BASE).read_text(encoding="utf-8"))
        return Base(str(found["text"]), {str(line): str(memory) for line, memory in found["ids"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _keep(store: Path, base: Base) -> None:
    write_bytes(store / BASE, json.dumps({"text": base.text, "ids": base.ids}, ensure_ascii=False).encode())


def _text(path: Path) -> str:
    if path.stat().st_size > _MAX_BYTES:
        raise ValueError(f"it is longer than {_MAX_BYTES // 1024} KiB")
    return path.read_bytes().decode("utf-8")


def _text_or_none(path: Path) -> str | None:
    try:
        return _text(path)
    except (OSError, ValueError):
        return None
