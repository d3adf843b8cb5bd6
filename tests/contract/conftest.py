"""Fixtures of the contract tests: the loopback server, and the naps that a retry would have taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract import loopback as lb


@pytest.fixture
def server() -> Iterator[lb.Loopback]:
    with lb.Loopback() as running:
        yield running


@pytest.fixture
def naps() -> list[float]:
    return []
