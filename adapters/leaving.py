"""The settings of what may leave the machine. Which messages those are is judged where questions are put (`flows.egress`)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from models.rules import Rules


class EgressSettings(Rules):
    """What may leave the machine: by default nothing, and only to models allowed by name."""

    allowed_models: tuple[str, ...] = Field(
        default=(), description="Hosted models that may be called, by name; a server on loopback needs no permission."
    )
    proxies: tuple[str, ...] = Field(
        default=(),
        description="Servers on loopback that hand text on, e.g. `127.0.0.1:4000` of a gateway; their models count as hosted.",
    )
    max_privacy: Literal["personal", "sensitive"] = Field(
        default="personal",
        description="Highest privacy of a message that may leave; health, money, minors, beliefs and troubles are sensitive.",
    )
    sources: tuple[str, ...] = Field(
        default=(), description="Sources whose messages may leave, by kind or platform; empty means all."
    )
    kept_sources: tuple[str, ...] = Field(
        default=(), description="Sources whose messages never leave, by kind or platform."
    )
    projects: tuple[str, ...] = Field(
        default=(),
        description="Projects whose messages may leave; empty means all, and those of no project.",
    )
    kept_projects: tuple[str, ...] = Field(default=(), description="Projects whose messages never leave.")
    kept_words: tuple[str, ...] = Field(
        default=(), description="A message that holds a word or phrase that begins like one of these never leaves."
    )
    kept_messages: Literal["offline", "defer"] = Field(
        default="offline",
        description="What becomes of a message that may not leave: `offline` reads it here by rules, `defer` leaves it unread.",
    )
