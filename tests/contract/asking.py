"""Short ways to ask the loopback server something."""

from __future__ import annotations

from pathlib import Path

from adapters.llm import Books, Limits, ModelAsk, open_model
from models.ask import Line, Question
from models.claim import Claims
from tests.contract import loopback as lb

ROOT = Path(__file__).parents[2]


def question(*texts: str, key: str = "", check=lambda _: [], **more) -> Question:
    lines = tuple(Line(n, "user", "user", text) for n, text in enumerate(texts or ("I live in Lisbon.",), 1))
    return Question(key or f"q-{'|'.join(texts)}", "extract", more.pop("lines", lines), check=check, **more)


def opened(server: lb.Loopback, cache: Path | None = None, *, tokens: int | None = None, **more) -> ModelAsk:
    """A model on the loopback server; `tokens` is the night's ceiling."""
    more.setdefault("sleep", lambda _: None)
    more.setdefault("books", Books(Limits(night=(tokens, None))))
    return open_model("openai/tiny", api_base=server.api_base, cache=cache, **more)


def six() -> Question:
    return question(*(f"Fact number {n} about me." for n in range(6)))


def cited(claims: Claims | None) -> list[int]:
    assert claims is not None
    return [line for claim in claims.claims for line in claim.lines]
