"""Language models behind the protocol `ask`: any litellm model string, through instructor, hosted or on loopback.

Belongs here: egress, the prompt, calls, retries, the answer cache and the token ceiling. Does not belong here: what an
answer means and which of its claims are kept; that is the stage `extract`. The libraries load at the first call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import cast, get_args

from adapters.llm.access import is_local, require_allowed, require_known
from adapters.llm.ask import ModelAsk, Patience
from adapters.llm.budget import TokenBudget
from adapters.llm.cache import AnswerCache
from adapters.llm.call import Endpoint, Mode
from adapters.llm.prompt import PROMPT
from slowwave.errors import UsageError

__all__ = ["PROMPT", "ModelAsk", "Patience", "is_local", "open_model"]


def open_model(
    model: str,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    allowed: tuple[str, ...] = (),
    cache: Path | None = None,
    max_concurrency: int = 8,
    timeout_seconds: float = 120.0,
    max_output_tokens: int = 4000,
    max_night_tokens: int | None = None,
    temperature: float = 0.0,
    mode: str = "json_schema",
    patience: Patience | None = None,
    sleep: Callable[[float], object] = time.sleep,
) -> ModelAsk:
    """A language model as an `Ask`, once it is clear that it may be called and can be.

    `model` is a litellm model string. `cache` is a folder for answers; without one every night pays again.
    `max_night_tokens` bounds input and output tokens of this opening together. Raises ModelError where the model is not
    allowed, its provider is unknown or its key is missing, and UsageError where `mode` is no known one.
    """
    if mode not in get_args(Mode):
        raise UsageError(f"there is no mode {mode!r} to ask a model in", f"Choose one of {', '.join(get_args(Mode))}.")
    require_allowed(model, api_base, allowed)
    require_known(model, api_base, api_key)
    asked_in = cast("Mode", mode)
    endpoint = Endpoint(
        model, api_base or None, api_key or None, asked_in, timeout_seconds, max_output_tokens, temperature
    )
    return ModelAsk(
        endpoint,
        cache=AnswerCache(cache),
        budget=TokenBudget(max_night_tokens),
        max_concurrency=max_concurrency,
        patience=patience,
        sleep=sleep,
    )
