"""The answer cache: one small file an answer, named by what was asked, written the moment it arrives.

A night that is killed pays for no answer twice, and a night that is repeated asks nothing. Deferrals are never written:
what could not be answered tonight is asked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from models.claim import Claims
from slowwave import private

LAYOUT = 1


class State(StrEnum):
    """Where the question stands: answered for good, answered but to be asked again, or too long for one answer."""

    FINAL = "final"
    ARRIVED = "arrived"
    TRUNCATED = "truncated"


@dataclass(frozen=True)
class Entry:
    """What is known of a question; `text` is the model's own words where it has to be asked again."""

    state: State
    claims: Claims | None = None
    text: str = ""


def key_of(**asked: Any) -> str:
    """The content hash of a request: model, parameters, prompt version, schema and messages."""
    plain = json.dumps(asked, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


class AnswerCache:
    """Answers in a folder, by key. Without a folder it remembers nothing; one that is read only never changes."""

    def __init__(self, folder: Path | None, *, is_read_only: bool = False) -> None:
        self.folder, self._is_read_only = folder, is_read_only

    def get(self, key: str) -> Entry | None:
        """The entry of a key; none if there is none, or if its file is damaged."""
        if self.folder is None:
            return None
        try:
            row = json.loads(self._path(self.folder, key).read_text("utf-8"))
            claims = row["claims"]
            return Entry(State(row["state"]), None if claims is None else Claims.model_validate(claims), row["text"])
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None

    def put(self, key: str, entry: Entry, about: Mapping[str, Any]) -> None:
        """Write an entry, readable by this user alone; `about` names model, prompt, question, and its messages for purges."""
        if self.folder is None or self._is_read_only:
            return
        claims = None if entry.claims is None else entry.claims.model_dump(mode="json", exclude_defaults=True)
        row = {"layout": LAYOUT, "state": entry.state, "text": entry.text, "claims": claims, **about}
        _write(self._path(self.folder, key), json.dumps(row, ensure_ascii=False, sort_keys=True))

    def purge(self, msg_keys: Collection[str]) -> int:
        """Remove every answer to a question that held words of these messages; how many there were.

        Every entry is looked at, so that no index can have missed one; an entry that doesn't say what it is about goes too, and so
        does what a killed process left half written.
        """
        if self.folder is None:
            return 0
        found = [path for path in sorted(self.folder.rglob("*.json")) if _is_about(path, set(msg_keys))]
        for path in [*found, *self.folder.rglob("*.part")]:
            path.unlink(missing_ok=True)
        return len(found)

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / f"{key}.json"


def _is_about(path: Path, msg_keys: set[str]) -> bool:
    try:
        return bool(msg_keys & set(json.loads(path.read_text("utf-8"))["messages"]))
    except (OSError, ValueError, KeyError, TypeError):
        return True


def _write(path: Path, text: str) -> None:
    for folder in (path.parent.parent, path.parent):
        private.make_folder(folder)
    # mkstemp makes the file 0600, and a rename is seen whole or not at all.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
