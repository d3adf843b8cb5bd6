"""Whoever reads that messages were put off reads which setting decides it."""

from __future__ import annotations

import pytest

from flows.advice import next_step


@pytest.mark.parametrize(
    ("counts", "settings"),
    [
        ({"truncated": 3}, ("max_output_tokens", "max_splits")),
        ({"timed_out": 3}, ("timeout_seconds",)),
        ({"rate_limited": 3}, ("max_concurrency",)),
        ({"unreachable": 2, "timed_out": 1}, ("[night]",)),
    ],
)
def test_the_next_step_names_the_setting(counts: dict[str, int], settings: tuple[str, ...]) -> None:
    told = next_step(counts, (), "")
    assert all(name in told for name in settings)
    assert "othing is lost" in told


def test_a_ceiling_says_what_it_had_no_room_for() -> None:
    told = next_step({"over_budget": 3}, ("max_night",), "one request may take 900 tokens; max_night_tokens = 800")
    assert told.startswith("The ceiling max_night (one request may take 900 tokens; max_night_tokens = 800) is reached")


def test_a_server_that_failed_is_named_before_the_ceiling_that_kept_its_retry_back() -> None:
    told = next_step({"unreachable": 3}, ("max_night",), "one request may take 900 tokens; max_night_tokens = 800")
    assert told.startswith("Check the model's server")
