"""What guards see in tests: a folder of fixtures and a few published memories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from adapters.watched import read_watched
from expectations.guards.seen import DOCUMENT_COLUMNS, MEMORY_COLUMNS, Seen
from expectations.guards.watch import facts
from expectations.promise import Fact
from models.guarding import GuardName, GuardRules
from models.memory import PublishedMemory
from models.rules import Profile
from models.table import polars_schema
from tests.expectations.healthy import memory, night, wrong
from tests.make import at

FIXTURES = Path(__file__).parent / "guards"
NOW = at("2026-03-09T09:00")


def seen(folder: Path | None = None, *rows: dict[str, Any], rules: GuardRules | None = None, **more: Any) -> Seen:
    """What a guard is given: the files of a folder, and these memories or those of a small healthy night."""
    tables = night()
    schema = {name: polars_schema(PublishedMemory)[name] for name in MEMORY_COLUMNS}
    picked = [{name: row.get(name) for name in MEMORY_COLUMNS} for row in rows]
    memories = pl.DataFrame(picked, schema=schema) if rows else tables["memories"].select(MEMORY_COLUMNS)
    given = {
        "as_of": NOW,
        "profiles": {"snapshot": Profile()},
        "documents": tables["documents"].select(DOCUMENT_COLUMNS),
    }
    files = tuple(read_watched(watching(folder, rules), folder)) if folder else ()
    return Seen(memories=memories, **{**given, "files": files, **more})


def watching(folder: Path, rules: GuardRules | None = None) -> GuardRules:
    return (rules or GuardRules()).model_copy(update={"folders": (str(folder),)})


def looked(guard: GuardName, given: Seen, rules: GuardRules | None = None) -> dict[str, Fact]:
    """The facts of one guard by name."""
    return {fact.name: fact for fact in facts(given, rules or GuardRules(), [guard])}


def broken(guard: GuardName, given: Seen, rules: GuardRules | None = None) -> dict[str, tuple[str, ...]]:
    """What one guard finds broken, with the places."""
    found = looked(guard, given, rules)
    return {name: found[name].examples for name in wrong(found.values())}


__all__ = ["FIXTURES", "NOW", "broken", "looked", "memory", "seen", "watching"]
