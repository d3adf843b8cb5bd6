"""A hosted embedder is sent only what may leave, at the address that was set, and each request is in the books."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import slowwave
from slowwave.cli import main
from tests.contract import loopback as lb
from tests.e2e import hosted

EMBEDDER = "openai/embed-x"
SAID = (
    "I live in Tromso.",
    "My doctor at the clinic says it is diabetes.",
    "I keep the burial map in a drawer.",
    "I grow figs.",
)


def vectors(request: lb.Request) -> lb.Reply:
    """Answers as an embeddings endpoint does: a vector a text, of its length and its vowels."""
    assert request.path == "/v1/embeddings"
    made = [[float(len(text)), float(sum(map(text.count, "aeiou"))), 1.0] for text in texts(request)]
    data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(made)]
    usage = {"prompt_tokens": 3, "total_tokens": 3}
    return lb.Reply(raw=json.dumps({"object": "list", "data": data, "model": request.body["model"], "usage": usage}))


def texts(request: lb.Request) -> list[str]:
    given = request.body["input"]
    return [given] if isinstance(given, str) else given


@pytest.fixture
def server() -> Iterator[lb.Loopback]:
    with lb.Loopback(vectors) as running:
        yield running


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def settings(store: Path, server: lb.Loopback, *, is_hosted: bool = True, more: str = "") -> Path:
    """A store whose embedder is a server at `api_base`, which hands text on where it `is_hosted`."""
    proxies = [server.api_base.split("/")[2]] if is_hosted else []
    allowed = [EMBEDDER] if is_hosted else []
    store.mkdir()
    store.joinpath("slowwave.toml").write_text(
        f'[embed]\nembedder = "litellm:{EMBEDDER}"\napi_base = "{server.api_base}"\n'
        f"[egress]\nallowed_models = {json.dumps(allowed)}\nproxies = {json.dumps(proxies)}\n"
        f'kept_words = ["burial"]\n{more}'
    )
    return store


def heard(server: lb.Loopback) -> set[str]:
    """The texts that were sent, but for the one that asks how long a vector is."""
    return {text for request in server.requests for text in texts(request)} - {"."}


def published(store: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The turns of the version that serves, and its vectors."""
    manifest = slowwave.open(store, embedder="none").manifest
    run = store / "runs" / manifest.provenance["run"]
    return pl.read_parquet(run / "project.turns.parquet"), pl.read_parquet(store / manifest.state["vectors"].path)


def calls(store: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in (store / "ledger").glob("*.parquet")])


def test_texts_that_stay_get_no_vector_and_what_left_is_in_the_books(
    tmp_path: Path, server: lb.Loopback, capsys
) -> None:
    store = settings(tmp_path / "store", server)
    assert hosted.night(store, f"jsonl={hosted.log(tmp_path / 'log.jsonl', *SAID)}") == 0
    sent = "\n".join(heard(server))
    assert "Tromso" in sent and "figs" in sent
    assert not any(word in sent for word in ("clinic", "diabetes", "burial"))
    turns, made = published(store)
    has_vector = {
        text: embedding_id in set(made["embedding_id"])
        for text, embedding_id in turns.select("text", "embedding_id").iter_rows()
    }
    assert has_vector == {SAID[0]: True, SAID[1]: False, SAID[2]: False, SAID[3]: True}
    booked = calls(store)
    keys = dict(turns.select("text", "id").iter_rows())
    assert {key for row in booked["messages"] for key in row} == {keys[SAID[0]], keys[SAID[3]]}
    # One request, to learn the length of a vector, is made before the night has books; it holds no words.
    assert booked.height == len(server.requests) - 1
    assert set(booked["outcome"]) == {"embedded"} and booked["has_left"].all()
    assert (booked["input_tokens"] > 0).all()
    assert f"left this machine: {EMBEDDER}" in capsys.readouterr().out


def test_what_stays_is_found_by_its_words(tmp_path: Path, server: lb.Loopback) -> None:
    store = settings(tmp_path / "store", server)
    hosted.night(store, f"jsonl={hosted.log(tmp_path / 'log.jsonl', *SAID)}")
    found = slowwave.open(store, embedder="none").recall("burial map", k=1)
    assert [result.text for result in found] == [SAID[2]]


def test_a_server_that_hands_nothing_on_is_this_machine_and_needs_no_permission(
    tmp_path: Path, server: lb.Loopback
) -> None:
    store = settings(tmp_path / "store", server, is_hosted=False)
    assert hosted.night(store, f"jsonl={hosted.log(tmp_path / 'log.jsonl', *SAID)}") == 0
    assert set(SAID) <= heard(server)
    assert {request.body["model"] for request in server.requests} == {"embed-x"}


def test_a_ceiling_keeps_texts_here(tmp_path: Path, server: lb.Loopback, capsys) -> None:
    store = settings(tmp_path / "store", server, more="[night]\nmax_night_tokens = 1\n")
    assert hosted.night(store, f"jsonl={hosted.log(tmp_path / 'log.jsonl', *SAID)}") in (0, 5)
    assert heard(server) == set()
    assert published(store)[1].is_empty()
    assert main(["costs", "--store", str(store), "--json"]) == 0


def test_an_unnamed_embedder_is_refused_with_the_line_that_allows_it(
    tmp_path: Path, server: lb.Loopback, capsys
) -> None:
    store = settings(tmp_path / "store", server)
    path = store / "slowwave.toml"
    path.write_text(path.read_text().replace(json.dumps([EMBEDDER]), "[]"))
    assert hosted.night(store, f"jsonl={hosted.log(tmp_path / 'log.jsonl', *SAID)}") == 4
    assert f'allowed_models = ["{EMBEDDER}"]' in capsys.readouterr().err
    assert server.requests == []
