"""Language models behind the protocol `ask`: any litellm model string, through instructor, hosted or on loopback.

Belongs here: egress, the prompt, calls, retries, the answer cache and the token ceiling. Does not belong here: what an
answer means and which of its claims are kept; that is the stage `extract`. The libraries load at the first call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import cast, get_args

from adapters.llm.access import host_of, is_local, require_allowed, require_known
from adapters.llm.ask import ModelAsk
from adapters.llm.batch import Batches, Terms
from adapters.llm.books import Addressee, Books, Limits
from adapters.llm.cache import AnswerCache
from adapters.llm.call import Endpoint, Mode
from adapters.llm.counting import counting
from adapters.llm.pool import Limiter
from adapters.llm.prices import Prices, prices_of
from adapters.llm.prompt import PROMPT
from adapters.llm.rewrite import REWRITE, Rewriting
from adapters.llm.sending import Patience, Sender
from slowwave.errors import ModelError, UsageError

__all__ = [
    "PROMPT",
    "Books",
    "Limits",
    "ModelAsk",
    "Patience",
    "Rewriting",
    "Terms",
    "is_local",
    "open_model",
    "remembering",
]


def open_model(
    model: str,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    allowed: tuple[str, ...] = (),
    proxies: tuple[str, ...] = (),
    cache: Path | None = None,
    books: Books | None = None,
    max_concurrency: int = 8,
    timeout_seconds: float = 120.0,
    max_output_tokens: int = 4000,
    temperature: float = 0.0,
    mode: str = "json_schema",
    tokenizer: str = "",
    prices: tuple[float, float] | None = None,
    patience: Patience | None = None,
    batch: Terms | None = None,
    notes: Path | None = None,
    limiter: Limiter | None = None,
    rewrites: int = 0,
    sleep: Callable[[float], object] = time.sleep,
) -> ModelAsk | Rewriting:
    """A language model as an `Ask`, once it is clear that it may be called and can be.

    `model` is a litellm model string. `cache` is a folder for answers; without one every night pays again. `books` hold the
    ceilings and the calls. `prices` is money for a million tokens in and out. `batch` are the terms on which questions are put in
    batches, noted in the folder `notes`; without them each is a call. Calls are made within the `limiter`, which many models may
    share. With `rewrites` the rules state the claims, and the model words so many of them a request. Raises ModelError where the
    model is not allowed, its provider is unknown, its key is missing, or money is bounded and its price unknown; UsageError where
    `mode` is no known one, or the provider has no such batches.
    """
    asked_in = _mode(mode)
    require_allowed(model, api_base, allowed, proxies)
    require_known(model, api_base, api_key)
    books = books or Books()
    if tokenizer:
        counting(model, tokenizer)
    stays = is_local(model, api_base, proxies)
    known = _required(model, prices_of(model, is_local=stays, given=prices), books.limits)
    # The price list itself knows of discounts; only a price that it does not hold is reckoned with here.
    own = known if prices is not None or stays else None
    endpoint = Endpoint(
        model,
        api_base or None,
        api_key or None,
        asked_in,
        timeout_seconds,
        max_output_tokens,
        temperature,
        own,
    )
    to = Addressee(model, host_of(model, api_base), not stays, tokenizer, known, max_output_tokens)
    prompt = REWRITE if rewrites else PROMPT
    sender = Sender(
        endpoint, books, to, prompt=prompt, width=max_concurrency, patience=patience, limiter=limiter, sleep=sleep
    )
    if rewrites:
        return Rewriting(sender, AnswerCache(cache), rewrites)
    return ModelAsk(sender, AnswerCache(cache), _batches(sender, batch, notes, sleep))


def _mode(name: str) -> Mode:
    if name not in get_args(Mode):
        raise UsageError(f"there is no mode {name!r} to ask a model in", f"Choose one of {', '.join(get_args(Mode))}.")
    return cast("Mode", name)


def _batches(
    sender: Sender, asked: Terms | None, notes: Path | None, sleep: Callable[[float], object]
) -> Batches | None:
    """Batches of the endpoint, if any are wanted or still under way. Raises UsageError where its provider has none of their shape."""
    is_under_way = notes is not None and any(notes.glob("*.jsonl"))
    if not (asked or is_under_way):
        return None
    from adapters.llm.batch.notes import Notes
    from adapters.llm.batch.open import opened
    from adapters.llm.batch.send import name_of

    if not (asked or Notes(notes).of(name_of(sender.to))):
        return None
    return opened(
        sender.endpoint,
        asked or Terms(is_open=False),
        prompt=sender.prompt,
        notes=notes,
        books=sender.books,
        to=sender.to,
        max_attempts=sender.patience.max_attempts,
        sleep=sleep,
    )


def remembering(
    model: str,
    *,
    cache: Path,
    max_output_tokens: int,
    temperature: float,
    mode: str,
    tokenizer: str = "",
    rewrites: int = 0,
) -> ModelAsk | Rewriting:
    """A language model of which only the recorded answers are known: no ceiling lets a request out."""
    endpoint = Endpoint(
        model, None, None, cast("Mode", mode), max_output_tokens=max_output_tokens, temperature=temperature
    )
    to = Addressee(model, "nobody", has_left=False, tokenizer=tokenizer, max_output_tokens=max_output_tokens)
    books, kept = Books(Limits(night=(0, None))), AnswerCache(cache, is_read_only=True)
    sender = Sender(endpoint, books, to, prompt=REWRITE if rewrites else PROMPT)
    return Rewriting(sender, kept, rewrites) if rewrites else ModelAsk(sender, kept)


def _required(model: str, prices: Prices | None, limits: Limits) -> Prices:
    """The prices, which must be known where money is bounded."""
    if prices is None and limits.bound_money:
        raise ModelError(
            f"no price is known for the model {model!r}, so a ceiling of money could not be kept",
            "State it under [night]: input_price and output_price, for a million tokens; or set ceilings of tokens instead.",
        )
    return prices or Prices()
