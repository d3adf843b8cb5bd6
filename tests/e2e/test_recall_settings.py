"""How readers rank is a setting of the store: it reaches them with the next version, and a wrong one stops the night."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slowwave
from slowwave import rank
from slowwave.cli import main
from slowwave.store import version_folder

SAID = (("m1", "I keep bees on the roof."), ("m2", "I prefer letters to calls."))


def night(store: Path) -> int:
    return main(["night", "--store", str(store), "--source", f"jsonl={store.parent / 'said.jsonl'}", "--quiet"])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    rows = [
        {"session_id": "s1", "message_id": i, "user_id": "u", "role": "user", "content": text, "created_at": at}
        for (i, text), at in zip(SAID, ("2026-02-01T10:00Z", "2026-02-01T10:01Z"), strict=True)
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert night(tmp_path / "store") == 0
    return tmp_path / "store"


def test_a_weight_reaches_readers_with_the_next_night_though_nothing_is_new(store: Path) -> None:
    before = slowwave.open(store)
    (store / "slowwave.toml").write_text("[recall.weights]\ndense = 0.0\nfull_text = 2.0\n")
    assert night(store) == 0
    after = slowwave.open(store)
    assert after.version != before.version and after.manifest.recall == {"weights": {"dense": 0.0, "full_text": 2.0}}
    was, now = (next(r for r in reader.recall("bees") if "bees" in r.text) for reader in (before, after))
    told = {**rank.WEIGHTS, "dense": 0.0, "full_text": 2.0}
    assert now.parts == was.parts and now.score == pytest.approx(rank.score(now.parts, told), abs=1e-3) != was.score


@pytest.mark.parametrize(("line", "named"), [("dense = -1", "dense"), ("echo = 0.5", "echo"), ("charm = 1", "charm")])
def test_a_weight_that_is_none_stops_the_night_and_is_named(
    store: Path, capsys: pytest.CaptureFixture[str], line: str, named: str
) -> None:
    (store / "slowwave.toml").write_text(f"[recall.weights]\n{line}\n")
    assert night(store) == 2
    assert f"recall.weights.{named}" in capsys.readouterr().err


def test_a_manifest_with_odd_weights_is_read_without_them(store: Path) -> None:
    path = version_folder(store, slowwave.open(store).version) / "manifest.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "recall": {"weights": {"dense": 99, "charm": 1}}}))
    reader = slowwave.open(store)
    assert reader.recall("bees")[0].text and [w for w in reader.warnings if "charm, dense" in w]
    path.write_text(json.dumps({**told, "recall": ["weights"]}))
    with pytest.raises(slowwave.errors.SlowwaveError):
        slowwave.open(store)
