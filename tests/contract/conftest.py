"""Fixtures of the contract tests: the loopback servers, and the naps that a retry would have taken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract import loopback as lb
from tests.contract.objects import Home, ObjectServer


@pytest.fixture
def server() -> Iterator[lb.Loopback]:
    with lb.Loopback() as running:
        yield running


@pytest.fixture
def naps() -> list[float]:
    return []


@pytest.fixture(scope="session")
def object_server() -> Iterator[ObjectServer]:
    with ObjectServer() as running:
        yield running


@pytest.fixture
def bucket(object_server: ObjectServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A new bucket, with the environment that leads to it."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_server.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.setenv("SLOWWAVE_CACHE", str(tmp_path / "machine"))
    object_server.well_again()
    yield object_server.bucket()
    object_server.well_again()


@pytest.fixture
def remote(bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    """A store under a prefix."""
    return Home(f"s3://{bucket}/stores/ana", lambda name: monkeypatch.setenv("SLOWWAVE_CACHE", str(tmp_path / name)))


@pytest.fixture(params=["folder", "s3"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """A store in a folder, and one under a prefix: the same tests hold of both."""
    if request.param == "s3":
        return request.getfixturevalue("remote")
    (tmp_path / "store").mkdir(mode=0o700)
    return Home(tmp_path / "store", lambda _: None)
