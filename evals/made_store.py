"""A published store of any size, made from a seed: what a reader costs by size, with no night to wait for.

Words follow Zipf's law as those of talk do, each memory rests on one turn of five, and vectors are drawn at random around a few hundred
topics: their directions mean nothing, so nothing here can say what is found. Does not belong here: clocks.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from flows.part import publish_part
from slowwave.embed import load

AS_OF = datetime(2026, 1, 1, tzinfo=UTC)
TURNS_A_MEMORY = 5
_N_WORDS, _ZIPF = 30_000, 1.1
_WORDS_A_SENTENCE, _TURNS_A_SESSION = 14, 25
_TURNS_AT_ONCE = 100_000
_N_TOPICS, _SPREAD = 400, 0.6
_SPAN = timedelta(days=5 * 365)
_KINDS = ("semantic_fact", "preference", "episodic_event", "goal_or_commitment", "routine", "collaborator")
_N_PEOPLE = 500


def publish(store: Path, n_memories: int, *, seed: int = 1) -> None:
    """Publish a store of so many memories and five times as many turns; a part at a time, so that memory does not bound its size."""
    draw = np.random.default_rng(seed)
    n_turns = n_memories * TURNS_A_MEMORY
    topics = draw.normal(size=(_N_TOPICS, load("static").dimension))
    with TemporaryDirectory(prefix="slowwave-made-") as folder:
        for at in range(0, n_turns, _TURNS_AT_ONCE):
            _write_part(Path(folder), draw, topics, range(at, min(at + _TURNS_AT_ONCE, n_turns)), n_turns)
        made = {name: pl.scan_parquet(f"{folder}/{name}-*.parquet") for name in ("memories", "turns", "vectors")}
        rest = {"entities": _people(), "documents": _snapshot()}
        tables = {"memories": made["memories"], "turns": made["turns"], **rest}
        publish_part(store, tables, vectors=made["vectors"], as_of=AS_OF)


def _write_part(folder: Path, draw: np.random.Generator, topics: np.ndarray, part: range, n_turns: int) -> None:
    turns = _turns(draw, part, n_turns)
    is_cited = pl.col("i") % TURNS_A_MEMORY == 0
    cited = pl.when(is_cited).then(pl.concat_list(_id("mem"))).otherwise(pl.lit([], pl.List(pl.String)))
    frames = {
        "turns": turns.with_columns(memory_ids=cited),
        "memories": _memories(draw, turns.filter(is_cited)),
        "vectors": turns.select("embedding_id", vector=_vectors(draw, topics, turns.height)),
    }
    for name, frame in frames.items():
        frame.write_parquet(folder / f"{name}-{part.start:09}.parquet")


def questions(n: int, *, seed: int = 2) -> list[str]:
    """Questions of the words that the store is made of, some about a person, some about a time."""
    draw = np.random.default_rng(seed)
    asked = _sentences(draw, n, 5)
    forms = ("What about {0}?", "When did {1} speak of {0}?", "What did I say of {0} in March 2024?", "Where is {0}?")
    return [forms[i % len(forms)].format(words, f"Person{i % _N_PEOPLE}") for i, words in enumerate(asked)]


def _sentences(draw: np.random.Generator, n: int, length: int) -> list[str]:
    weights = 1 / np.arange(1, _N_WORDS + 1) ** _ZIPF
    drawn = draw.choice(_N_WORDS, size=(n, length), p=weights / weights.sum())
    return [" ".join(row) for row in _vocabulary()[drawn]]


@cache
def _vocabulary() -> np.ndarray:
    return np.array([_word(i) for i in range(_N_WORDS)])


def _word(i: int) -> str:
    """A word that can be spoken, another for each number."""
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    syllables: list[str] = []
    while True:
        i, rest = divmod(i, len(consonants) * len(vowels))
        syllables.append(consonants[rest // len(vowels)] + vowels[rest % len(vowels)])
        if not i:
            # No language that the reader knows has a small word that ends so: else it would take all this for Dutch.
            return "".join(syllables) + "xt"


def _id(of: str) -> pl.Expr:
    """Ids in the order of their numbers."""
    return pl.format("{}_{}", pl.lit(of), pl.col("i").cast(pl.String).str.zfill(9))


def _turns(draw: np.random.Generator, part: range, n: int) -> pl.DataFrame:
    i = pl.col("i")
    rows = pl.DataFrame({"i": np.array(part), "text": _sentences(draw, len(part), _WORDS_A_SENTENCE)})
    return rows.with_columns(
        id=_id("msg"),
        session_id=pl.format("session-{}", i // _TURNS_A_SESSION),
        message_id=pl.format("m{}", i),
        seq=i % _TURNS_A_SESSION,
        platform=pl.lit("made"),
        owner=pl.lit("owner"),
        role=pl.when(i % 2 == 0).then(pl.lit("user")).otherwise(pl.lit("assistant")),
        speaker=pl.when(i % 2 == 0).then(pl.lit("user")).otherwise(pl.lit("assistant")),
        said_at=pl.lit(AS_OF - _SPAN) + pl.duration(seconds=i * int(_SPAN.total_seconds() / n)),
        trust=pl.lit("owner"),
        spans=pl.concat_list(pl.struct(start=pl.lit(0), end=pl.col("text").str.len_chars())),
        context=pl.col("text").shift(1).fill_null(""),
        embedding_id=_id("vec"),
    )


def _memories(draw: np.random.Generator, said: pl.DataFrame) -> pl.DataFrame:
    i = pl.col("i")
    person = pl.format("Person{}", i % _N_PEOPLE)
    evidence = pl.struct(
        source_kind=pl.lit("message"),
        source_id="id",
        session_id="session_id",
        message_id="message_id",
        start=pl.lit(0),
        end=pl.col("text").str.len_chars(),
        quote="text",
        said_at="said_at",
    )
    return said.with_columns(
        evidence=pl.concat_list(evidence),
        id=_id("mem"),
        kind=pl.Series(draw.choice(_KINDS, said.height)),
        subject=pl.when(i % 3 == 0).then(pl.lit("user")).otherwise(person),
        subject_key=pl.when(i % 3 == 0).then(pl.lit("user")).otherwise(pl.format("ent_{}", i % _N_PEOPLE)),
        entity_ids=pl.concat_list(pl.format("ent_{}", i % _N_PEOPLE)),
        confidence=pl.lit(0.8),
        importance=pl.lit(0.5),
        stability_days=pl.lit(30.0),
        tier=pl.lit("searchable"),
        status=pl.when(i % 50 == 0).then(pl.lit("archived")).otherwise(pl.lit("active")),
        valid_from="said_at",
        first_seen_at="said_at",
        last_seen_at="said_at",
        writer=pl.struct(stage=pl.lit("extract"), model=pl.lit("made"), prompt=pl.lit("")),
    )


def _people() -> pl.DataFrame:
    i = pl.int_range(_N_PEOPLE)
    return pl.select(
        id=pl.format("ent_{}", i),
        owner=pl.lit("owner"),
        name=pl.format("Person{}", i),
        kind=pl.lit("person"),
        n_mentions=pl.lit(1),
    )


def _snapshot() -> pl.DataFrame:
    text = "# Memory\n" + "".join(f"- Line {i} of what is remembered.\n" for i in range(100))
    row = {"name": "snapshot.md", "profile": "snapshot", "text": text, "n_tokens": 1_000, "n_chars": len(text)}
    return pl.DataFrame([row])


def _vectors(draw: np.random.Generator, topics: np.ndarray, n: int) -> pl.Series:
    """Unit vectors around topics, so that an index has something to cut."""
    near = topics[draw.integers(0, len(topics), n)] + _SPREAD * draw.normal(size=(n, topics.shape[1]))
    unit = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    return pl.Series(unit, dtype=pl.Array(pl.Float32, topics.shape[1])).cast(pl.List(pl.Float32))
