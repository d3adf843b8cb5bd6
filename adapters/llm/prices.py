"""What tokens cost: the owner's own prices first, nothing on this machine, else litellm's price list where it knows the model."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.llm.access import load


@dataclass(frozen=True)
class Prices:
    """Money for a token in and a token out, in the unit of the price list (US dollars in litellm's)."""

    input: float = 0.0
    output: float = 0.0

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Money for these tokens."""
        return self.input * input_tokens + self.output * output_tokens


def prices_of(model: str, *, is_local: bool, given: tuple[float, float] | None = None) -> Prices | None:
    """The prices of a model; `given` is money for a million tokens in and out. None where nobody knows them."""
    if given is not None:
        return Prices(given[0] / 1e6, given[1] / 1e6)
    if is_local:
        return Prices()
    listed = vars(load("litellm"))["model_cost"]
    found = listed.get(model) or listed.get(model.partition("/")[2]) or {}
    read, written = found.get("input_cost_per_token"), found.get("output_cost_per_token")
    return None if read is None or written is None else Prices(float(read), float(written))
