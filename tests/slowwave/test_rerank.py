"""A reranker: a real cross-encoder in a folder, made small, and a reader that has one, has none or has a broken one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

import slowwave
from slowwave import rank
from slowwave.errors import ModelError, UsageError
from slowwave.rerank import Reranker
from slowwave.store import version_folder
from tests.make import memory
from tests.stores import build

VOCABULARY = {"[UNK]": 0, "[SEP]": 1, "kiln": 2, "hot": 3}
MEMORIES = [memory("The kiln is old and grey.", message_id="m1"), memory("It is hot as the sun.", message_id="m2")]


def cross_encoder(folder: Path, *, width: int = 1) -> Path:
    """10 where the pair holds the word "hot", else -10, as `width` numbers a pair."""
    folder.mkdir(parents=True)
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP]", pair="$A [SEP] $B:1 [SEP]:1", special_tokens=[("[SEP]", 1)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    constants = {"hot": np.array(3, np.int64), "axis": np.array([1], np.int64)}
    constants |= {"scale": np.full((1, width), 20, np.float32), "base": np.full((1, width), -10, np.float32)}
    nodes = [
        helper.make_node("Equal", ["input_ids", "hot"], ["is_hot"]),
        helper.make_node("Cast", ["is_hot"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["ones", "axis"], ["most"]),
        helper.make_node("Mul", ["most", "scale"], ["scaled"]),
        helper.make_node("Add", ["scaled", "base"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "pairs",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "t"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", width])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), str(folder / "model.onnx")
    )
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    build(tmp_path / "store", memories=MEMORIES, embedder="none")
    return tmp_path / "store"


def first(reader: slowwave.Reader) -> slowwave.Recalled:
    return reader.recall("Is the kiln like the sun or grey and old?")[0]


def test_a_pair_is_read_together(tmp_path: Path) -> None:
    reranker = Reranker(str(cross_encoder(tmp_path / "model")))
    assert reranker("kiln?", ["so hot", "so cold", *["cold"] * 40]) == pytest.approx([1, *[0] * 41], abs=1e-3)
    assert reranker("kiln?", []) == []


def test_the_first_results_are_ranked_again_and_say_so(store: Path, tmp_path: Path) -> None:
    assert first(slowwave.open(store)).text == MEMORIES[0].text
    reader = slowwave.open(store, reranker=str(cross_encoder(tmp_path / "model")))
    found = first(reader)
    assert found.text == MEMORIES[1].text and reader.warnings == []
    assert found.parts["rerank"] == pytest.approx(1, abs=1e-3)
    assert found.score == pytest.approx(rank.score(found.parts), abs=1e-3)


def test_a_version_names_a_reranker_and_its_reader_may_do_without(store: Path, tmp_path: Path) -> None:
    path = version_folder(store, slowwave.open(store).version) / "manifest.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "recall": {"reranker": str(cross_encoder(tmp_path / "model"))}}))
    assert first(slowwave.open(store)).text == MEMORIES[1].text
    assert first(slowwave.open(store, reranker="none")).text == MEMORIES[0].text


def test_a_missing_or_broken_one_is_done_without_and_named(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Reranker(str(tmp_path / "nowhere"))
    wide = cross_encoder(tmp_path / "wide", width=3)
    with pytest.raises(ModelError):
        Reranker(str(wide))("kiln?", ["hot"])
    for folder in (tmp_path / "nowhere", wide):
        reader = slowwave.open(store, reranker=str(folder))
        assert first(reader).text == MEMORIES[0].text and first(reader).text == MEMORIES[0].text
        assert len([w for w in reader.warnings if "without the reranker" in w]) == 1
