"""Embedders: unit vectors that depend on the text alone, identities that follow the weights, and errors with a way out."""

from __future__ import annotations

import logging
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from slowwave.embed import Embedder, load
from slowwave.errors import ModelError, ModelUnavailable, UsageError

WORDS = ["[PAD]", "[UNK]", "tea", "green", "car", "red"]
TABLE = np.array([[9, 9], [0.5, 0.5], [1, 0], [1, 0.2], [0, 1], [0.2, 1]], dtype=np.float32)


def encoder(folder: Path, table: np.ndarray = TABLE) -> Path:
    """A tiny sentence encoder: `input_ids` looked up in a table; with a mask input, as real exports have."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "t"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["n", "t"])
    out = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["n", "t", 2])
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph([node], "tiny", [ids, mask], [out], [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    # As published files have it: padded to a fixed length, which must not reach the vectors.
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]", length=128)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def static() -> Embedder:
    return load("static")


def test_static_vectors_are_unit_and_follow_meaning(static: Embedder) -> None:
    made = static.embed_documents(["I love dogs", "my favourite pet is a puppy", "the stock market fell"])
    assert made.dtype == np.float32 and made.shape == (3, static.dimension)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert made[0] @ made[1] > made[0] @ made[2] + 0.2


@settings(max_examples=30, deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=8))
def test_a_vector_depends_on_its_text_alone(static: Embedder, texts: list[str]) -> None:
    together = static.embed_documents(texts)
    assert together.shape == (len(texts), static.dimension)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(static.embed_query(text), vector)
        assert np.isclose(np.linalg.norm(vector), 1, atol=1e-4) or not vector.any()


def test_loading_static_leaves_the_root_logger_and_the_network_alone() -> None:
    """In a process of its own, since other tests may have imported what this must not."""
    script = (
        "import logging, socket, sys\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from slowwave.embed import load; load('static').embed_query('hello')\n"
        "assert not logging.getLogger().handlers and 'wordllama' not in sys.modules and 'lance' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])
    assert logging.getLogger("wordllama").handlers == []


def test_onnx_pools_over_tokens_and_not_over_padding(tmp_path: Path) -> None:
    embedder = load(f"onnx:{encoder(tmp_path)}")
    assert embedder.dimension == 2
    alone, padded = embedder.embed_documents(["green tea", "red car red car red car"])
    mean = TABLE[[3, 2]].mean(axis=0)
    assert np.allclose(alone, mean / np.linalg.norm(mean), atol=1e-6)
    assert np.isclose(np.linalg.norm(padded), 1, atol=1e-6)
    assert np.array_equal(embedder.embed_query("green tea"), alone)


def test_onnx_keeps_the_order_of_texts_over_batches(tmp_path: Path) -> None:
    embedder = load(f"onnx:{encoder(tmp_path)}")
    texts = [f"{'green ' * (i % 7)}{WORDS[2 + i % 4]}" for i in range(75)]
    made = embedder.embed_documents(texts)
    assert all(
        np.allclose(embedder.embed_query(text), vector, atol=1e-6) for text, vector in zip(texts, made, strict=True)
    )
    assert embedder.embed_documents([]).shape == (0, 2)


def test_the_digest_follows_the_weights_and_not_the_place(tmp_path: Path) -> None:
    here, there = (load(f"onnx:{encoder(tmp_path / name)}") for name in ("here", "there"))
    changed = load(f"onnx:{encoder(tmp_path / 'changed', TABLE * np.float32(1.5))}")
    assert here.digest == there.digest != changed.digest
    assert len(load("static").digest) == 64


def test_a_folder_changed_in_place_is_another_embedder(tmp_path: Path) -> None:
    before = load(f"onnx:{encoder(tmp_path)}").digest
    after = load(f"onnx:{encoder(tmp_path, TABLE + np.float32(1))}").digest
    assert before != after


def test_none_has_no_dimension() -> None:
    nothing = load("none")
    assert nothing.dimension == 0 and nothing.embed_documents(["a", "b"]).shape == (2, 0)


@pytest.mark.parametrize("name", ["", "bert", "onnx:", "static:x", "none:1", "litellm:"])
def test_an_unknown_name_lists_the_choices(name: str) -> None:
    with pytest.raises(UsageError) as error:
        load(name)
    assert "static, onnx:DIR" in error.value.hint


def test_a_wrong_folder_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no model\.onnx and no tokenizer\.json"):
        load(f"onnx:{tmp_path}")
    encoder(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UsageError, match="cannot be loaded"):
        load(f"onnx:{tmp_path}")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(UsageError, match="is not a tokenizer"):
        load(f"onnx:{tmp_path}")


@pytest.mark.parametrize("name", ["fastembed", "litellm"])
def test_a_library_that_is_not_here_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModelError, match=f"the library {name} is not installed here") as error:
        load(f"{name}:some-model")
    assert "static" in error.value.hint


def fake(name: str, **members: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


def test_litellm_asks_in_batches_and_scales_to_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def embedding(model: str, input: list[str]) -> dict[str, Any]:
        assert model == "some/model"
        asked.append(len(input))
        return {"data": [{"embedding": [3.0, 4.0, len(text)]} for text in input]}

    monkeypatch.setitem(sys.modules, "litellm", fake("litellm", embedding=embedding))
    embedder = load("litellm:some/model")
    made = embedder.embed_documents(["x" * i for i in range(70)])
    assert (embedder.dimension, made.shape) == (3, (70, 3)) and max(asked) == 32
    assert np.allclose(made[0], [0.6, 0.8, 0])


def test_a_model_that_does_not_answer_may_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def embedding(model: str, input: list[str]) -> None:
        raise ConnectionError("refused")

    monkeypatch.setitem(sys.modules, "litellm", fake("litellm", embedding=embedding))
    with pytest.raises(ModelUnavailable, match="did not answer: refused"):
        load("litellm:some/model")


def test_fastembed_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class TextEmbedding:
        def __init__(self, model_name: str, threads: int) -> None:
            if model_name != "good":
                raise ValueError("unknown model")
            self.model = types.SimpleNamespace(_model_dir=tmp_path)

        def embed(self, texts: list[str]) -> Any:
            return (np.array([len(text), 1.0]) for text in texts)

        query_embed = embed

    (tmp_path / "model.onnx").write_bytes(b"weights")
    monkeypatch.setitem(sys.modules, "fastembed", fake("fastembed", TextEmbedding=TextEmbedding))
    embedder = load("fastembed:good")
    assert embedder.dimension == 2 and embedder.embed_documents(["abc"]).shape == (1, 2)
    (tmp_path / "model.onnx").write_bytes(b"other weights")
    assert load("fastembed:good").digest != embedder.digest
    with pytest.raises(ModelError, match="cannot load 'bad'"):
        load("fastembed:bad")
