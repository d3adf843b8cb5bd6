"""The whole story of a memory: its words in place, the decisions of the nights that led to it, what came before and after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slowwave import store as layout
from slowwave.errors import SlowwaveError, UsageError
from slowwave.format import Manifest, Memory, Turn
from slowwave.reader.results import Story
from slowwave.reader.tables import Tables, quoted

MAX_CHAIN = 64


def chain(store: Path, manifest: Manifest) -> Iterator[Manifest]:
    """The manifest and its parents, newest first, as far as they are still there."""
    seen: set[str] = set()
    while manifest.version not in seen:
        seen.add(manifest.version)
        yield manifest
        parent = manifest.provenance.get("parent")
        if not isinstance(parent, str):
            return
        try:
            manifest = layout.read_manifest(store, parent)
        except SlowwaveError:
            return


def tell(store: Path, manifest: Manifest, tables: Tables, memory_id: str) -> Story:
    """The story of one memory. Raises UsageError for an id that this version does not have."""
    memory = tables.by_ids("memories", Memory, [memory_id]).get(memory_id)
    if memory is None:
        raise UsageError(
            f"the version {manifest.version} has no memory {memory_id!r}",
            "Take an id from recall; `slowwave log` lists the other versions.",
        )
    cited = [e.source_id for e in memory.evidence]
    turns = tables.by_ids("turns", Turn, cited)
    ids = {memory.id, *cited, *_claims(store, manifest, memory.id)}
    return Story(
        memory=memory,
        turns=tuple(sorted(turns.values(), key=lambda t: (str(t.said_at), t.session_id, t.seq))),
        decisions=tuple(_decisions(store, manifest, ids)),
        replaces=tuple(_before(tables, memory.id)),
        replaced_by=tuple(_after(tables, memory)),
    )


def _before(tables: Tables, memory_id: str) -> Iterator[Memory]:
    """All that this memory took the place of, nearest first."""
    front, seen = [memory_id], {memory_id}
    while front and len(seen) < MAX_CHAIN:
        found = tables.where("memories", Memory, f"superseded_by IN ({', '.join(map(quoted, front))})")
        fresh = [memory for memory in found if memory.id not in seen]
        yield from fresh
        front = [memory.id for memory in fresh]
        seen.update(front)


def _after(tables: Tables, memory: Memory) -> Iterator[Memory]:
    """All that took the place of this memory, nearest first."""
    seen = {memory.id}
    while memory.superseded_by is not None and memory.superseded_by not in seen:
        seen.add(memory.superseded_by)
        found = tables.by_ids("memories", Memory, [memory.superseded_by])
        if memory.superseded_by not in found:
            return
        memory = found[memory.superseded_by]
        yield memory


def _claims(store: Path, manifest: Manifest, memory_id: str) -> list[str]:
    """The claims folded into the memory, where the night's own table is still there."""
    ref = manifest.state.get("memories")
    if ref is None or not (store / ref.path).is_file():
        return []
    rows = _read(store / ref.path, ["id", "claim_ids"], [("id", "=", memory_id)])
    return [claim for row in rows for claim in row["claim_ids"]]


def _decisions(store: Path, manifest: Manifest, ids: set[str]) -> Iterator[dict[str, Any]]:
    """Decisions on or about any of the ids, oldest night first, each with the run that made it."""
    runs = [m.provenance["run"] for m in chain(store, manifest) if isinstance(m.provenance.get("run"), str)]
    columns = ["stage", "item_id", "action", "reason", "other_id", "detail"]
    either = [[("item_id", "in", sorted(ids))], [("other_id", "in", sorted(ids))]]
    for run in dict.fromkeys(reversed(runs)):
        # A manifest is a file that anybody may have edited: its run is a name, never a path.
        folder = store / "runs" / Path(run).name
        for path in sorted(folder.glob("*.decisions.parquet")):
            yield from ({"run": run, **row} for row in _read(path, columns, either))


def _read(path: Path, columns: list[str], filters: Any) -> list[dict[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet

    try:
        return parquet.read_table(path, columns=columns, filters=filters).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise SlowwaveError(
            f"cannot read {path}: {error}", "The memory itself is whole; restore the run's folder from a backup."
        ) from error
