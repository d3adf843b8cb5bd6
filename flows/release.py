"""What a night hands to publish: the tables and documents of its last stage, the state for the next night, its provenance."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl

from adapters import lake
from adapters.pointer import Lease
from adapters.publish import Built, build, withdraw
from adapters.publish.probe import probe
from expectations.probes import probe_promises
from expectations.promise import Promise
from flows import early, ledger
from flows.audit import consume
from flows.embedding import HostedEmbed
from flows.fingerprint import semantics
from flows.night import Night, Ref, Walk
from flows.rollback import clear, hold_on
from flows.step import tables_of
from models.memory import MemoryRow
from models.turn import Turn
from slowwave.errors import PublishConflict
from slowwave.format import PUBLISHED, EmbedderRef
from slowwave.store import Rollback
from tasks.project import project
from tasks.project.home import home_zone

NAMES = (*PUBLISHED, "vectors")


def release(night: Night, walk: Walk, lease: Lease) -> str:
    """Publish the walked night as it is; returns the version's name. Raises PublishConflict, StoreUnwritable."""
    return go_live(night, assemble(night, walk), lease)


def assemble(night: Night, walk: Walk, sessions: frozenset[str] | None = None) -> Built:
    """Build the walked night's version beside the one that serves; of `sessions` alone it is early. Raises StoreUnwritable."""
    state, mark = ({}, {}) if sessions is None else early.marked(night, sessions)
    return build(
        night.store,
        refs={name: walk[f"project.{name}"] for name in NAMES},
        frames=_frames(night, walk),
        parent=night.parent,
        owner=night.owner.id,
        as_of=night.as_of,
        rules=ledger.read(night.store, night.run)["rules"],
        embedder=EmbedderRef(name=night.embed.name, dimension=night.embed.dimension, digest=night.embed.digest),
        state={**state_of(night, walk), **state},
        provenance={**provenance(night, walk), **mark},
        zone=home_zone(lake.read_table(night.store, walk["sift.heard"], Turn), night.owner),
        recall=night.recall,
    )


def probed(night: Night, walk: Walk, built: Built) -> list[Promise]:
    """Look at a built version as a reader will; a service is not asked anew for vectors."""
    before = lake.open_table(night.store, night.known.memories, MemoryRow) if night.parent else None
    embed = None if isinstance(night.embed, HostedEmbed) else night.embed
    return probe_promises(probe(night.store, built.manifest, _frames(night, walk), before, embed))


def go_live(night: Night, built: Built, lease: Lease, held: Rollback | None = None) -> str:
    """Make a built version current; returns its name. A store that is `held` stays so.

    Raises PublishConflict, and then the version is gone again.
    """
    try:
        lease.move(built.manifest.version)
    except PublishConflict:
        withdraw(night.store, built)
        raise
    clear(night.store) if held is None else hold_on(night.store, held, built.manifest.version)
    return built.manifest.version


def _frames(night: Night, walk: Walk) -> dict[str, pl.DataFrame | pl.LazyFrame]:
    """What is published; what is large is yet to be read."""
    _, makes = tables_of(project)
    return {name: lake.open_table(night.store, walk[f"project.{name}"], makes[name]) for name in NAMES}


def go_on(night: Night, lease: Lease) -> str:
    """Nothing is new: what the night went on from serves, which after a rollback was something else. Returns the night's status."""
    if night.parent is None or night.parent.version == lease.serving:
        return "nothing_to_do"
    lease.move(night.parent.version)
    clear(night.store)
    return "published"


def state_of(night: Night, walk: Walk) -> dict[str, Ref]:
    """What the next night goes on from."""
    return {
        "turns": walk["sift.heard"],
        "claims": walk["link.claims"],
        "vectors": walk["project.vectors"],
        "memories": walk["reinforce.memories"],
        "settled": walk["reconcile.settled"],
        "verdicts": walk["reconcile.verdicts"],
        "consumed": consume(night, walk),
        "signals": night.signals,
        "feedback": night.feedback,
    }


def provenance(night: Night, walk: Walk) -> dict[str, Any]:
    """Where the version came from; not part of its name."""
    taken = walk.taken.values()
    return {
        "run": night.run,
        "semantics": semantics(night.rules),
        "parent": night.parent.version if night.parent else None,
        "heard_at": ledger.read(night.store, night.run).get("heard_at"),
        "published_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "model": night.ask.model,
        "prompt": night.ask.prompt,
        "calls": sum(t.calls for t in taken),
        "input_tokens": sum(t.input_tokens for t in taken),
        "output_tokens": sum(t.output_tokens for t in taken),
        "cost": round(sum(t.cost for t in taken), 6),
        "n_embedded": sum(t.n_embedded for t in taken),
        "seconds": round(sum(t.seconds for t in taken), 3),
    }
