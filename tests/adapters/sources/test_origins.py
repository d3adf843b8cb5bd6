"""Who vouches for an imported record, platform by platform, and that the number set for each travels with the message."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from adapters.capture import capture, load_messages
from adapters.settings import TrustSettings, load
from adapters.sources import Source, claude_code, hermes, openclaw, openloomi
from adapters.sources.protocol import Item, Origin, RawMessage
from slowwave.errors import UsageError
from tests.adapters.sources.workspace import write_tables
from tests.adapters.test_sources import GOOD, write


def origins(items: list[Item]) -> dict[str, str | None]:
    return {item.text: item.origin for item in items if isinstance(item, RawMessage)}


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_the_settings_name_every_origin_and_rank_them() -> None:
    trust = TrustSettings()
    assert set(TrustSettings.model_fields) == {origin.value for origin in Origin}
    assert (trust.owner_curated, trust.agent_curated) == (1.0, 0.9)
    assert trust.raw_notes < trust.agent_curated
    assert load(trust={"raw_notes": 0.2}).trust.raw_notes == 0.2
    with pytest.raises(UsageError, match=r"trust\.raw_notes"):
        load(trust={"raw_notes": 1.2})


def test_openclaws_files_have_the_origin_of_their_place(tmp_path: Path) -> None:
    for name in ("MEMORY.md", "DECISIONS.md", "ERRORS.md", "memory/2026-04-02.md", "memory/2026/2026-04-03-evening.md"):
        put(tmp_path / name, f"- kept in {name}\n")
    put(tmp_path / "memory" / "topics" / "kelp.md", "- a topic\n")
    assert origins(list(openclaw.read(tmp_path))) == {
        "- kept in DECISIONS.md": Origin.OWNER_CURATED,
        "- kept in ERRORS.md": Origin.RAW_NOTES,
        "- kept in MEMORY.md": Origin.AGENT_CURATED,
        "- kept in memory/2026-04-02.md": Origin.RAW_NOTES,
        "- kept in memory/2026/2026-04-03-evening.md": Origin.RAW_NOTES,
        "- a topic": Origin.AGENT_CURATED,
    }


def test_openclaws_index_says_which_stretch_is_the_owners(tmp_path: Path) -> None:
    put(tmp_path / "memory" / "2026-04-02.md", "- Noor said so\n- the agent thought so\n")
    with closing(sqlite3.connect(tmp_path / "openclaw-agent.sqlite")) as con:
        con.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT)")
    write_tables(
        tmp_path / "openclaw-agent.sqlite",
        {
            "memory_index_chunks": [{"id": "c1", "path": "memory/2026-04-02.md", "text": "- Noor said so"}],
            "memory_index_chunk_provenance": [{"chunk_id": "c1", "origin_class": "owner"}],
        },
    )
    found = [item for item in openclaw.read(tmp_path) if isinstance(item, RawMessage)]
    assert [(m.origin, m.trust) for m in found] == [(Origin.OWNER_CURATED, "imported"), (Origin.RAW_NOTES, "imported")]


def test_what_hermes_and_claude_code_note_is_agent_curated(tmp_path: Path) -> None:
    put(tmp_path / "memories" / "USER.md", "Drinks rooibos")
    put(tmp_path / "projects" / "-shed" / "memory" / "MEMORY.md", "- Plots use Altair\n")
    assert set(origins(list(hermes.read(tmp_path / "memories"))).values()) == {Origin.AGENT_CURATED}
    assert origins(list(claude_code.read(tmp_path / "projects"))) == {"- Plots use Altair": Origin.AGENT_CURATED}


def test_openloomis_insights_are_raw_unless_the_owner_wrote_or_chose_them(tmp_path: Path) -> None:
    path = write_tables(
        tmp_path / "data.db",
        {
            "raw_messages": [{"message_id": "m1", "content": "hi"}],
            "Insight": [
                {"id": "1", "title": "made", "is_favorited": 0},
                {"id": "2", "title": "kept", "is_favorited": 1},
            ],
            "insight_notes": [
                {"id": "3", "content": "by hand", "source": "manual"},
                {"id": "4", "content": "of a chat", "source": "ai_conversation"},
            ],
        },
    )
    found = origins(list(openloomi.read(path)))
    assert found == {
        "hi": None,
        "made": Origin.RAW_NOTES,
        "kept": Origin.OWNER_CURATED,
        "by hand": Origin.OWNER_CURATED,
        "of a chat": Origin.RAW_NOTES,
    }


def test_the_number_travels_with_the_message_and_a_changed_setting_is_news_once(tmp_path: Path) -> None:
    store, notes = tmp_path / "store", tmp_path / "notes"
    put(notes / "MEMORY.md", "- chosen\n")
    put(notes / "memory" / "2026-04-02.md", "- raw\n")
    sources = [Source("openclaw", notes), Source("jsonl", write(tmp_path / "a.jsonl", GOOD))]
    capture(store, sources)
    assert numbers(store) == {"- chosen": 0.9, "- raw": 0.6, GOOD["content"]: None}
    for expected in (1, 0):
        assert capture(store, sources, trust=TrustSettings(raw_notes=0.3)).n_new == expected
    assert numbers(store) == {"- chosen": 0.9, "- raw": 0.3, GOOD["content"]: None}


def numbers(store: Path) -> dict[str, float | None]:
    return dict(load_messages(store).select("text", "origin_trust").iter_rows())


def test_a_snapshot_from_before_the_columns_is_read(tmp_path: Path) -> None:
    store = tmp_path / "store"
    capture(store, [Source("jsonl", write(tmp_path / "a.jsonl", GOOD))])
    (file,) = (path for path in (store / "snapshots").rglob("*.parquet") if path.parent.name != "places")
    pl.read_parquet(file).drop("kind", "origin_trust").write_parquet(file)
    assert numbers(store) == {GOOD["content"]: None}
    assert capture(store, [Source("jsonl", tmp_path / "a.jsonl")]).n_new == 0
