"""What a conversation costs with a model that meters itself: calls, tokens, and how many calls are under way at once.

Belongs here: the nights that are walked to find out, and the sums. Does not belong here: what the model says (`metered`), and what the
memory is worth (`locomo`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals import metered
from evals.dataset import Conversation, read
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here

# Windows this long make more questions of one conversation than may be under way at once.
SHORT_WINDOW_TOKENS = 600
# Calls alone are counted of these nights.
_UNEMBEDDED: dict[str, Any] = {"embed": {"embedder": "none"}}


class Bill:
    """Adds up what the server counted, conversation by conversation."""

    def __init__(self, server: metered.Model, flags: dict[str, Any]) -> None:
        self._server = server
        self._flags = flags
        self._counts: Counter[str] = Counter()
        self._most = Counter[str]()

    def take(self, talk: Conversation, store: Path, *, told: dict[str, int]) -> dict[str, int]:
        """What the night cost that has just been walked over a conversation; then what it costs to go on from there.

        `told` is what the night's own ledger says: the server's count is returned, and where they differ is noted.
        """
        cost = self._read()
        self._counts.update(cost, rows=self._server.n_rows, ledger_differs=int(told != cost), conversations=1)
        self._counts["messages"] += len(talk.turns)
        self._most |= Counter(calls=cost["calls"], unchanged_calls=self._night(talk, store))
        with TemporaryDirectory(prefix="slowwave-session-") as folder:
            self._most |= Counter(one_more_session_calls=self._one_more(talk, Path(folder)))
            if not self._most["in_flight"]:
                self._most |= Counter(in_flight=self._at_once(talk, Path(folder) / "short"))
        self._server.forget()
        return cost

    def figures(self) -> dict[str, Any]:
        """Means over conversations, and the most of any."""
        counts, n = self._counts, self._counts["conversations"]
        return {
            "calls_per_conversation": round(counts["calls"] / n, 2),
            "input_tokens_per_conversation": round(counts["input_tokens"] / n),
            "output_tokens_per_message": round(counts["output_tokens"] / counts["messages"], 2),
            "rows_per_message": round(counts["rows"] / counts["messages"], 2),
            "output_tokens_per_row": round(counts["output_tokens"] / max(counts["rows"], 1), 1),
            "most_calls": self._most["calls"],
            "most_calls_unchanged": self._most["unchanged_calls"],
            "most_calls_one_more_session": self._most["one_more_session_calls"],
            "most_in_flight": self._most["in_flight"],
            "nights_whose_ledger_differs": counts["ledger_differs"],
            "encoding": metered.ENCODING,
        }

    def _read(self) -> dict[str, int]:
        server = self._server
        return {
            "calls": len(server.requests),
            "input_tokens": server.input_tokens,
            "output_tokens": server.output_tokens,
        }

    def _night(self, talk: Conversation, store: Path, **other: Any) -> int:
        """Walk a night, and count the calls that it made."""
        self._server.forget()
        flags = {**self._flags, **other}
        consolidated(Plan(store, (f"locomo={talk.path}",), talk.as_of, flags, trigger="eval"), here)
        return len(self._server.requests)

    def _one_more(self, talk: Conversation, folder: Path) -> int:
        """The calls of a night after one more session: the conversation without its last one first, then the whole."""
        file = folder / talk.path.name
        file.write_text(json.dumps(_without_last_session(talk.path)), encoding="utf-8")
        self._night(read(file), folder / "store", **_UNEMBEDDED)
        file.write_bytes(talk.path.read_bytes())
        return self._night(read(file), folder / "store", **_UNEMBEDDED)

    def _at_once(self, talk: Conversation, store: Path) -> int:
        """How many calls were under way at once at most, with windows short enough for many."""
        self._night(talk, store, **_UNEMBEDDED, rules={"segment": {"window_tokens": SHORT_WINDOW_TOKENS}})
        return self._server.most_in_flight


def _without_last_session(path: Path) -> dict[str, Any]:
    sample: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    talk: dict[str, Any] = sample["conversation"]
    last = max(int(found[1]) for name in talk if (found := re.fullmatch(r"session_(\d+)", name)) and talk[name])
    return {**sample, "conversation": {name: said for name, said in talk.items() if name != f"session_{last}"}}
