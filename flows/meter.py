"""Counts what a stage spends: calls and tokens asked, texts embedded."""

from __future__ import annotations

from collections.abc import Sequence

from models.ask import Answer, Ask, Embed, Question, Usage


class Meter:
    """An `Ask` that adds up what its answers cost."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.model, self.prompt = ask.model, ask.prompt
        self.usage = Usage()

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """Ask, and count."""
        answers = self._ask(questions)
        for answer in answers:
            self.usage = self.usage + answer.usage
        return answers


class MeteredEmbed:
    """An `Embed` that counts the texts it was given."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.name, self.dimension, self.digest = embed.name, embed.dimension, embed.digest
        self.n_embedded = 0

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed, and count."""
        vectors = self._embed(texts) if texts else []
        self.n_embedded += sum(map(bool, vectors))
        return vectors
