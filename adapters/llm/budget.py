"""The token ceiling: what a call may cost at most is set aside before it is made, and put right when it is known.

Bytes bound tokens: no tokenizer makes more tokens of a text than it has UTF-8 bytes. The bound is loose for one call
and exact over a night, since each call's true usage replaces it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from threading import Condition
from typing import Any

_TOKENS_A_MESSAGE = 16


def most_input_tokens(messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> int:
    """The most tokens a request can be read as, whatever the tokenizer and its chat layout."""
    texts = [message["content"] for message in messages] + [json.dumps(schema)]
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) + _TOKENS_A_MESSAGE * len(texts)


class TokenBudget:
    """Tokens that may still be spent tonight; none as a ceiling means as many as it takes."""

    def __init__(self, ceiling: int | None, *, spent: int = 0) -> None:
        self.ceiling = ceiling
        self.spent = spent
        self._held = 0
        self._changed = Condition()

    def reserve(self, tokens: int) -> bool:
        """Set `tokens` aside. Waits for calls under way to settle where that could make room; false if nothing can."""
        with self._changed:
            while not self._fits(tokens):
                if not self._held:
                    return False
                self._changed.wait()
            self._held += tokens
            return True

    def settle(self, reserved: int, used: int) -> None:
        """Put what a call truly used in the place of what was set aside for it."""
        with self._changed:
            self._held -= reserved
            self.spent += used
            self._changed.notify_all()

    def _fits(self, tokens: int) -> bool:
        return self.ceiling is None or self.spent + self._held + tokens <= self.ceiling
