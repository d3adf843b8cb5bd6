"""Calls: one request that left for a model, whom it went to, which messages were in it, and what it cost. Never a text."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from models.table import Table


class Call(Table):
    """One request to a model or an embedder; written down before it is sent."""

    key = ("call_id",)
    call_id: str = Field(description="The run and the call's number in it.")
    run: str = Field(description="The night it was made in.")
    store: str = Field(description="Name of the store's folder.")
    stage: str = Field(description="The stage that asked.")
    model: str = Field(description="The model, as its setting names it.")
    prompt: str = Field(description="Version of the prompt; empty for an embedder.")
    host: str = Field(description="Where the request went: host and port, or the provider's name.")
    has_left: bool = Field(description="Whether it left this machine.")
    sent_at: datetime = Field(description="When it was sent, UTC.")
    outcome: str = Field(description="What became of it; `unknown` where the night was killed before an answer came.")
    input_tokens: int = Field(
        ge=0,
        description="Tokens read; where nobody said, an estimate if something came back, else the most it can have been.",
    )
    output_tokens: int = Field(
        ge=0, description="Tokens written; where nobody said, those of what came back, else the most it can have been."
    )
    cached_tokens: int = Field(ge=0, description="Of the tokens read, those that the provider had cached.")
    cost: float = Field(ge=0, description="Money, in the unit of the price list; 0 where no price is known.")
    seconds: float = Field(ge=0, description="How long it took.")
    messages: list[str] = Field(description="Keys of the messages whose words were in it.")
