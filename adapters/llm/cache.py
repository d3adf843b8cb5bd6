"""The answer cache: one small file an answer, named by what was asked, written the moment it arrives.

A night that is killed pays for no answer twice, and a night that is repeated asks nothing. Deferrals are never written:
what could not be answered tonight is asked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from models.claim import Claims

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
    """Answers in a folder, by key. Without a folder it remembers nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

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

    def put(self, key: str, entry: Entry, about: Mapping[str, str]) -> None:
        """Write an entry, readable by this user alone; `about` names model, prompt and question for later purges."""
        if self.folder is None:
            return
        claims = None if entry.claims is None else entry.claims.model_dump(mode="json", exclude_defaults=True)
        row = {"layout": LAYOUT, "state": entry.state, "text": entry.text, "claims": claims, **about}
        _write(self._path(self.folder, key), json.dumps(row, ensure_ascii=False, sort_keys=True))

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / f"{key}.json"


def _write(path: Path, text: str) -> None:
    for folder in (path.parent.parent, path.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
