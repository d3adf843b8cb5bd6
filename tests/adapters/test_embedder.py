"""The embedder as a night sees it."""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from adapters.embedder import open_embedder
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from slowwave.embed import load
from slowwave.errors import ModelError, UsageError


def test_vectors_are_plain_lists_and_texts_are_counted() -> None:
    embed = open_embedder("static")
    made = embed(["green tea", "a red car"])
    assert made == load("static").embed_documents(["green tea", "a red car"]).tolist()
    assert isinstance(made[0][0], float)
    assert embed([]) == [] and embed.n_embedded == 2


def test_its_identity_is_what_the_reader_compares() -> None:
    embed, known = open_embedder("static"), load("static")
    assert (embed.ref.name, embed.ref.dimension, embed.ref.digest) == ("static", known.dimension, known.digest)
    assert open_embedder("none").ref.dimension == 0
    with pytest.raises(UsageError):
        open_embedder("nonsense")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a stand-in for litellm was asked."""
    asked: list[dict[str, Any]] = []

    def embedding(**given: Any) -> dict[str, Any]:
        asked.append(given)
        return {"data": [{"embedding": [1.0, 2.0]} for _ in given["input"]]}

    made = types.ModuleType("litellm")
    made.__dict__["embedding"] = embedding
    monkeypatch.setitem(sys.modules, "litellm", made)
    return asked


@pytest.mark.parametrize("allowed", [(), ("openai/other",)])
def test_a_hosted_embedder_is_refused_before_it_is_sent_anything(
    sent: list[dict[str, Any]], allowed: tuple[str, ...]
) -> None:
    with pytest.raises(ModelError, match="is not on this machine") as error:
        open_embedder("litellm:openai/embed-x", allowed=allowed)
    assert 'allowed_models = ["openai/embed-x"]' in error.value.hint
    with pytest.raises(ModelError):
        open_embedder("litellm:openai/embed-x", api_base="https://embed.example.invalid/v1")
    assert sent == []


def test_an_allowed_embedder_and_one_on_loopback_are_asked(
    sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_LOG"):
        monkeypatch.delenv(variable, raising=False)
    assert open_embedder("litellm:openai/embed-x", allowed=("openai/embed-x",)).ref.dimension == 2
    assert "api_base" not in sent[-1]
    assert open_embedder("litellm:openai/embed-x", api_base="http://127.0.0.1:8080/v1").ref.dimension == 2
    assert sent[-1]["api_base"] == "http://127.0.0.1:8080/v1"
    assert (os.environ["LITELLM_LOCAL_MODEL_COST_MAP"], os.environ["LITELLM_LOG"]) == ("True", "CRITICAL")


def test_a_night_asks_for_permission_before_it_reads(sent: list[dict[str, Any]], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"session_id": "s", "role": "user", "content": "I live in Ghent."}\n')
    store = tmp_path / "store"
    plan = Plan(store, (f"jsonl={log}",), flags={"embed": {"embedder": "litellm:openai/embed-x"}})
    with pytest.raises(ModelError):
        consolidated(plan, here)
    assert sent == [] and not (store / "snapshots").exists()
