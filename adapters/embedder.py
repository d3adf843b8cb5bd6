"""The embedder as a night sees it: `models.ask.Embed` over `slowwave.embed`, with a count of what it was asked.

Belongs here: the wrapping and the count. Does not belong here: how a backend works, which readers share.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from slowwave.embed import Embedder, load
from slowwave.format import EmbedderRef


class Embedding:
    """Embeds documents; `n_embedded` counts the texts so far. Vectors are plain lists: tables hold no arrays."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimension, self.digest = embedder.name, embedder.dimension, embedder.digest
        self.n_embedded = 0

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.n_embedded += len(texts)
        return self._embedder.embed_documents(list(texts)).tolist() if texts else []

    @property
    def ref(self) -> EmbedderRef:
        """The identity that goes into the manifest."""
        return EmbedderRef(name=self.name, dimension=self.dimension, digest=self.digest)


def open_embedder(
    name: str, *, allowed: tuple[str, ...] = (), proxies: tuple[str, ...] = (), api_base: str | None = None
) -> Embedding:
    """The embedder of that name; texts leave the machine only for a model in `allowed`, as for the models that are asked.

    Raises ModelError for a model that is not allowed, else UsageError and ModelError as `slowwave.embed.load` does.
    """
    kind, _, model = name.partition(":")
    if kind == "litellm" and model:
        from adapters.llm import access

        access.require_allowed(model, api_base, allowed, proxies)
        # Where the library is absent, loading the embedder says so, with what to do.
        with suppress(ImportError):
            access.load("litellm")
    return Embedding(_static() if name == "static" else load(name, api_base))


@cache
def _static() -> Embedder:
    """Reading its tokenizer takes a third of a small night; it keeps nothing of what it embeds, and many nights of a process share it."""
    return load("static")
