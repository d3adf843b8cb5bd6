"""One call: a request goes out through instructor and litellm, and what came back is named. Nothing is retried here.

Every outcome is a value, never an exception, so that whoever decides about retries sees all of them in one form. An
answer has a size that it may not pass; how long a call may take in all, `slots` knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ValidationError

from adapters.llm.access import is_local, load
from adapters.llm.outcome import Outcome, arrived_with, chain, named, retry_after
from adapters.llm.prices import Prices
from adapters.llm.prompt import Messages
from adapters.llm.wire import ROWS, Form
from models.ask import Usage
from models.claim import Claims

Mode = Literal["json_schema", "json", "md_json", "tools"]
# More characters than this a token are no answer to what was asked: what a runaway server sends is not even parsed.
_MOST_CHARS_A_TOKEN = 16
_MOST_PROBLEMS = 5
Admit = Callable[[Mapping[str, Any]], bool]
Run = Callable[[Callable[[], Any]], Any]


@dataclass(frozen=True)
class Endpoint:
    """Where and how a model is called. `mode` is instructor's, in lower case; without `prices`, litellm's list is asked.

    `client` stands in for the provider's own, where a request shall not go over the wire by itself.
    """

    model: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    mode: Mode = "json_schema"
    timeout_seconds: float = 120.0
    max_output_tokens: int = 4000
    temperature: float = 0.0
    prices: Prices | None = None
    client: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Reply:
    """What came back. `is_metered` is false where the server may have worked without saying how much.

    `fits_halved`: no ceiling had room for it, and would for one with half as much to read.
    """

    outcome: Outcome
    claims: Claims | None = None
    text: str = ""
    detail: str = ""
    usage: Usage = Usage()
    retry_after_seconds: float | None = None
    is_metered: bool = True
    fits_halved: bool = False


@dataclass
class _Wire:
    """What one call saw, whatever instructor made of it."""

    response: Any = None
    error: Exception | None = None
    is_admitted: bool = True


class Late(Exception):
    """An answer that did not come within the time that a call may take in all."""


class TooLong(ValueError):
    """An answer far beyond the limit that it was asked to keep."""


def call(
    endpoint: Endpoint,
    messages: Messages,
    admit: Admit = lambda _: True,
    run: Run = lambda work: work(),
    form: Form = ROWS,
) -> Reply:
    """Put one request to the model and name what came back, an answer in its `form`.

    `admit` sees it as it would go over the wire, and may keep it here; `run` does the waiting for the server, and may give up.
    """
    started = time.monotonic()
    wire = _Wire()
    try:
        claims, error = form.read(_send(endpoint, messages, wire, admit, run, form)), None
    except Exception as caught:
        claims, error = None, caught
    seconds = time.monotonic() - started
    if not wire.is_admitted:
        return Reply(Outcome.OVER_BUDGET)
    if wire.response is None:
        return _failed(wire.error or error or RuntimeError("nothing came back"), seconds)
    return _answered(endpoint, wire.response, claims, error, seconds)


def _send(endpoint: Endpoint, messages: Messages, wire: _Wire, admit: Admit, run: Run, form: Form) -> Any:
    litellm, instructor = load("litellm"), load("instructor")

    def complete(**request: Any) -> Any:
        wire.is_admitted = admit(request)
        if not wire.is_admitted:
            raise RuntimeError("kept here")
        try:
            wire.response = run(lambda: litellm.completion(**request))
        except Exception as error:
            wire.error = error
            raise
        if len(_text(_message(wire.response))) > endpoint.max_output_tokens * _MOST_CHARS_A_TOKEN:
            raise TooLong
        return wire.response

    client = instructor.from_litellm(complete, mode=instructor.Mode[endpoint.mode.upper()])
    return client.chat.completions.create(
        response_model=form.response,
        model=endpoint.model,
        messages=[dict(message) for message in messages],
        api_base=endpoint.api_base,
        # The client refuses to start without any key, though a server on loopback asks for none.
        api_key=endpoint.api_key or ("none" if is_local(endpoint.model, endpoint.api_base) else None),
        temperature=endpoint.temperature,
        max_tokens=endpoint.max_output_tokens,
        timeout=endpoint.timeout_seconds,
        # Retries have one owner, and it is not here: zero for instructor, for litellm and for the client below it.
        max_retries=0,
        num_retries=0,
        **({"client": endpoint.client} if endpoint.client else {}),
    )


def _answered(
    endpoint: Endpoint, response: Any, claims: Claims | None, error: Exception | None, seconds: float
) -> Reply:
    choice = response.choices[0] if response.choices else None
    message = _message(response)
    usage = _usage(endpoint, response, seconds)
    is_long = any(isinstance(link, TooLong) for link in chain(error))
    # What is too long to be read is too long to be sent back with a complaint as well.
    kept: dict[str, Any] = {
        "text": "" if is_long else _text(message),
        "usage": usage,
        "is_metered": bool(usage.input_tokens),
    }
    finish = getattr(choice, "finish_reason", None)
    if finish == "content_filter" or getattr(message, "refusal", None):
        return Reply(Outcome.REFUSED, detail="the model refused", **kept)
    if finish == "length":
        return Reply(Outcome.TRUNCATED, detail="the answer ran into its token limit", **kept)
    if is_long or claims is None:
        return Reply(Outcome.INVALID, detail="the answer is far too long" if is_long else _parse_problem(error), **kept)
    if claims.malformed and not claims.claims:
        return Reply(Outcome.INVALID, detail="; ".join(claims.malformed[:_MOST_PROBLEMS]), **kept)
    return Reply(Outcome.ANSWERED, claims, **kept)


def _message(response: Any) -> Any:
    return getattr(response.choices[0], "message", None) if response.choices else None


def _text(message: Any) -> str:
    calls = getattr(message, "tool_calls", None)
    return getattr(message, "content", None) or (calls[0].function.arguments if calls else "") or ""


def _parse_problem(error: Exception | None) -> str:
    for link in chain(error):
        if isinstance(link, ValidationError):
            found = link.errors(include_url=False, include_input=False)[:_MOST_PROBLEMS]
            return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the answer'}: {e['msg']}" for e in found)
    return "the answer is not JSON of the schema asked for"


def _usage(endpoint: Endpoint, response: Any, seconds: float) -> Usage:
    found = getattr(response, "usage", None)
    details = getattr(found, "prompt_tokens_details", None)
    read, written = _count(found, "prompt_tokens"), _count(found, "completion_tokens")
    return Usage(
        calls=1,
        input_tokens=read,
        output_tokens=written,
        cached_tokens=_count(details, "cached_tokens"),
        cost=endpoint.prices.cost(read, written) if endpoint.prices else _listed_cost(response),
        seconds=seconds,
    )


def _count(found: Any, name: str) -> int:
    """A count as the server told it; one that cannot be is none."""
    told = getattr(found, name, 0)
    return max(told, 0) if isinstance(told, int) else 0


def _listed_cost(response: Any) -> float:
    try:
        return float(load("litellm").completion_cost(completion_response=response) or 0.0)
    except Exception:
        # A model whose price nobody knows costs nothing that we could state.
        return 0.0


def _failed(error: Exception, seconds: float) -> Reply:
    outcome, is_metered = named(error)
    return Reply(
        outcome,
        text=arrived_with(error),
        detail=type(error).__name__,
        usage=Usage(calls=1, seconds=seconds),
        retry_after_seconds=retry_after(error),
        is_metered=is_metered,
    )
