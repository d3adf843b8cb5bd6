"""The published tables, derived from the published format, and the vectors beside them."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from models.table import Table, published
from slowwave import format as fmt

# Where a memory's evidence was said stands in the turns; it is put beside the memory when it is published.
PLACES = ("platforms", "channels", "speakers")
# What the night puts beside a memory only when it is published.
AT_LAST = (*PLACES, "review")


class MemoryRow(published(fmt.Memory, without=AT_LAST)):
    """A memory with what the night alone needs: the claims it was made of."""

    key = ("id",)
    claim_ids: list[str] = Field(description="Claims folded into it.")
    period: int = Field(ge=0, description="Ordinal of this value's period in its slot.")
    said_at: datetime | None = Field(
        default=None, description="Event time that decides order: the period's first statement."
    )


class VerdictRow(Table):
    """What a model said of two memories whose slots do not settle how they stand to each other; code decides what follows."""

    key = ("one_id", "other_id")
    one_id: str = Field(description="The memory with the smaller id.")
    other_id: str = Field(description="The other.")
    verdict: str = Field(description="same, updates, contradicts or unrelated.")
    model: str = Field(description="Who said so.")


class PublishedMemory(published(fmt.Memory)):
    """A memory as published."""

    key = ("id",)


class PublishedTurn(published(fmt.Turn)):
    """A turn as published."""

    key = ("id",)


class EntityRow(published(fmt.Entity)):
    """An entity."""

    key = ("id",)


class EdgeRow(published(fmt.Edge)):
    """A relation."""

    key = ("id",)


class EpisodeRow(published(fmt.Episode)):
    """An episode."""

    key = ("id",)


class WorkingRow(published(fmt.WorkingSet)):
    """What a session was about when it was last heard."""

    key = ("id",)


class DocumentRow(published(fmt.Document, key=("name",))):
    """A published text."""

    key = ("name",)


class Vector(Table):
    """A text's vector, kept so that an unchanged text is never embedded twice."""

    key = ("embedding_id",)
    embedding_id: str = Field(description="Hash of the text and the embedder's digest.")
    vector: list[float] = Field(description="Unit vector.")
