"""Stores that several end-to-end tests look at: walked once, never changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from tests.make import at

pytest.register_assert_rewrite("tests.e2e.nights")

ROOT = Path(__file__).parents[2]
WEEK = f"jsonl={ROOT / 'samples' / 'week.jsonl'}"
AFTER_WEEK = at("2026-04-01T03:00")


def data_folder() -> Path:
    return Path(os.environ.get("SLOWWAVE_DATA", ROOT / ".." / "shared" / "data")).resolve()


@pytest.fixture(scope="session")
def conv26() -> str:
    path = data_folder() / "locomo" / "conv-26.json"
    if not path.is_file():
        pytest.skip(f"LoCoMo is other people's data and not in the repository; {path} is absent (set SLOWWAVE_DATA)")
    return f"locomo={path}"


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("week") / "store"
    assert consolidated(Plan(store, (WEEK,), AFTER_WEEK), here).status == "published"
    return store


@pytest.fixture(scope="session")
def conv26_store(conv26: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("conv26") / "store"
    assert consolidated(Plan(store, (conv26,), at("2023-12-01T03:00")), here).status == "published"
    return store
