"""What became of a call, by name: which errors of which library mean what, whether they cost tokens, and how long to wait.

Does not belong here: making calls (`call`), and what is done about an outcome (`sending`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from enum import StrEnum


class Outcome(StrEnum):
    """What became of a call; the word is also the reason that a deferred answer gives."""

    ANSWERED = "answered"
    INVALID = "invalid_answer"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    SERVER_ERROR = "server_error"
    UNREACHABLE = "unreachable"
    DENIED = "not_authorised"
    REJECTED = "request_rejected"
    EMPTY = "empty_answer"
    OVER_BUDGET = "over_budget"
    BATCHED = "batch_under_way"
    EXPIRED = "batch_expired"
    FAILED = "batch_failed"
    UNKNOWN = "unknown"


def arrived_with(error: Exception) -> str:
    """What a server sent that was no JSON at all; empty where nothing is known of it."""
    return next((link.doc for link in chain(error) if isinstance(link, json.JSONDecodeError)), "")


def named(error: Exception) -> tuple[Outcome, bool]:
    """The outcome that an error means, and whether it is certain that it cost no tokens."""
    kinds = {type(link).__name__ for link in chain(error)}
    if kinds & {"ConnectError", "ConnectTimeout", "ClientConnectorError"}:
        return Outcome.UNREACHABLE, True
    if kinds & {"Late", "Timeout", "APITimeoutError", "ReadTimeout"}:
        return Outcome.TIMED_OUT, False
    if "ContextWindowExceededError" in kinds:
        return Outcome.TRUNCATED, True
    if "ContentPolicyViolationError" in kinds:
        return Outcome.REFUSED, True
    return _by_status(status_of(error), has_response=bool(_headers(error)))


def status_of(error: Exception) -> int:
    """The status that a server answered with; 0 where it said none."""
    found = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return found if isinstance(found, int) else 0


def _by_status(status: int, *, has_response: bool) -> tuple[Outcome, bool]:
    if status == 429:
        return Outcome.RATE_LIMITED, True
    if status in (401, 403, 404):
        return Outcome.DENIED, True
    if 400 <= status < 500 and status != 408:
        return Outcome.REJECTED, True
    return Outcome.SERVER_ERROR, has_response


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and all that led to it, each once."""
    seen: set[int] = set()
    queue = [error]
    while queue:
        link = queue.pop()
        if link is not None and id(link) not in seen:
            seen.add(id(link))
            queue += [link.__cause__, link.__context__]
            yield link


def _headers(error: Exception) -> dict[str, str]:
    found = getattr(getattr(error, "response", None), "headers", None)
    found = found or getattr(error, "litellm_response_headers", None)
    return {str(name).lower(): str(value) for name, value in dict(found or {}).items()}


def retry_after(error: Exception) -> float | None:
    """Seconds that the server asked to wait; None where it asked for none."""
    text = _headers(error).get("retry-after", "").strip()
    if not text:
        return None
    try:
        return max(float(text), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
