"""Batches of a model, once it is clear that its provider takes them in the shape that was asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from adapters.llm.access import load
from adapters.llm.batch.anthropic_shape import AnthropicBatches
from adapters.llm.batch.between import Between
from adapters.llm.batch.collect import Collecting
from adapters.llm.batch.going import Asked, Shape, Terms
from adapters.llm.batch.notes import Notes
from adapters.llm.batch.openai_shape import OpenAIBatches
from adapters.llm.batch.send import Sending
from adapters.llm.batch.wait import Batches
from adapters.llm.books import Addressee, Books
from adapters.llm.call import Endpoint
from adapters.llm.prices import Prices
from adapters.llm.slots import within
from slowwave.errors import UsageError

# A file of many answers may take longer than one answer.
_PATIENCE = 5


def shape_of(model: str, asked: Asked) -> Shape:
    """The shape of a model's batches; `asked` is one, or `auto`. Raises UsageError where its provider has no such batches."""
    provider = model.partition("/")[0]
    from_litellm = load("litellm").types.utils.OPENAI_COMPATIBLE_BATCH_AND_FILES_PROVIDERS
    if asked in ("openai", "auto") and provider in from_litellm:
        return "openai"
    if asked in ("anthropic", "auto") and provider == "anthropic":
        return "anthropic"
    kind = "" if asked == "auto" else f" of the shape {asked!r}"
    raise UsageError(
        f"the provider of {model!r} has no batches{kind} that can be asked for",
        'Set `[night] batch = "off"`, or name the model as openai/NAME (with the api_base of its server) or anthropic/NAME.',
    )


def opened(
    endpoint: Endpoint,
    terms: Terms,
    *,
    prompt: str,
    notes: Path | None,
    books: Books,
    to: Addressee,
    max_attempts: int = 3,
    sleep: Callable[[float], object] = time.sleep,
) -> Batches:
    """Batches of this endpoint, with their notes in a folder, entered in the books at their own price. Raises UsageError."""
    shape = shape_of(endpoint.model, terms.shape)
    provider = OpenAIBatches(endpoint) if shape == "openai" else AnthropicBatches(endpoint)
    between, kept, seconds = Between(endpoint), Notes(notes), endpoint.timeout_seconds * _PATIENCE
    prices = Prices(to.prices.input * terms.price, to.prices.output * terms.price)
    cheaper = Addressee(to.model, to.host, to.has_left, to.tokenizer, prices, to.max_output_tokens)
    sending = Sending(
        provider,
        between,
        terms,
        prompt=prompt,
        notes=kept,
        books=books,
        to=cheaper,
        run=lambda work: within(seconds, work),
        max_attempts=max_attempts,
        sleep=sleep,
    )
    collecting = Collecting(provider, between, kept, books, price=terms.price, run=lambda work: within(seconds, work))
    return Batches(sending, collecting, terms, tell=books.tell, sleep=sleep)
