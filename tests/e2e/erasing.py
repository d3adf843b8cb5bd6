"""A store and the log that it is read from, for tests of what leaves a store and what stays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import slowwave
from adapters.capture import load_messages
from adapters.forget.scan import texts
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.step import here
from tests.make import at

TALK = [
    ("s1", "m1", "user", "My sister Carlota is going through a divorce. Also I play the oboe.", "2026-01-30T20:00"),
    ("s1", "m2", "assistant", "Sorry to hear about Carlota. The oboe is a fine instrument!", "2026-01-30T20:01"),
    ("s1", "m3", "user", "I like rye bread from the bakery on the corner.", "2026-01-30T20:02"),
    ("s2", "m4", "user", "I live in Porto. My locker code at the gym is zq7741x.", "2026-02-01T09:00"),
    ("s2", "m5", "assistant", "Noted: zq7741x.", "2026-02-01T09:01"),
]
GONE = ("carlota", "divorce")


def line(session: str, message: str, role: str, content: str, said: str, **more: Any) -> dict[str, Any]:
    row = {"session_id": session, "message_id": message, "role": role, "content": content, "user_id": "u-ana"}
    return {**row, "created_at": f"{said}:00+00:00", "platform": "chat", **more}


class Store:
    """A store and the log it is read from."""

    def __init__(self, folder: Path) -> None:
        self.path, self.log = folder / "store", folder / "log.jsonl"

    def night(self, lines: Sequence[dict[str, Any]], when: str, **flags: Any) -> Outcome:
        self.log.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
        return consolidated(Plan(self.path, (f"jsonl={self.log}",), at(when), flags), here)

    def says(self, *words: str) -> list[str]:
        """Every file of the store that holds one of these words, compressed pages decoded."""
        return sorted({name for name, text in self.texts() if any(word in text.casefold() for word in words)})

    def texts(self) -> Iterator[tuple[str, str]]:
        for path in self.path.rglob("*"):
            if path.is_file():
                yield from ((path.relative_to(self.path).as_posix(), text) for _, text in texts(path))

    def left(self) -> dict[str, str]:
        return dict(load_messages(self.path).select("message_id", "text").iter_rows())

    def recalls(self, question: str) -> str:
        return " ".join(found.text for found in slowwave.open(self.path).recall(question, 5))
