"""How readers of a store rank: settings of the night, published with each version, since a reader has no settings of its own.

Belongs here: what may be set. Does not belong here: what a part is and why it weighs what it does (`slowwave.rank`).
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, create_model

from models.rules import Rules
from slowwave.rank import MOST, PARTS, Part, is_penalty
from slowwave.reader.pinned import MOST_RERANKED, RERANK_TOP


def _weight(name: str, part: Part) -> Any:
    least, most = (-MOST, 0.0) if is_penalty(name) else (0.0, MOST)
    return float, Field(default=part.weight, ge=least, le=most, allow_inf_nan=False, description=part.about)


WeightSettings = create_model(
    "WeightSettings",
    __base__=Rules,
    __doc__="What each part of a result's score weighs (each lies in 0 to 1); 0 leaves it out, penalties are below 0.",
    **{name: _weight(name, part) for name, part in PARTS.items()},
)


class RecallSettings(Rules):
    """How readers of this store rank what they find; published with each version."""

    reranker: str = Field(
        default="",
        description="Folder of a cross-encoder (model.onnx, tokenizer.json) that reads question and text together and ranks the first "
        "results again, on the reader's machine; empty for none. A reader that can't load it says so and ranks without.",
    )
    rerank_top: int = Field(
        default=RERANK_TOP, ge=1, le=MOST_RERANKED, description="How many of the first results are ranked again."
    )
    weights: WeightSettings = WeightSettings()  # pyright: ignore[reportInvalidTypeForm]

    @property
    def told(self) -> dict[str, Any]:
        """What is set otherwise than by default, as a manifest holds it: a later reader's better default still counts for the rest."""
        told = self.model_dump(exclude_defaults=True)
        return {name: value for name, value in told.items() if value != {}}
