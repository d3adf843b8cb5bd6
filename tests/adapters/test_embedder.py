"""The embedder as a night sees it."""

from __future__ import annotations

import pytest

from adapters.embedder import open_embedder
from slowwave.embed import load
from slowwave.errors import UsageError


def test_vectors_are_plain_lists_and_texts_are_counted() -> None:
    embed = open_embedder("static")
    made = embed(["green tea", "a red car"])
    assert made == load("static").embed_documents(["green tea", "a red car"]).tolist()
    assert isinstance(made[0][0], float)
    assert embed([]) == [] and embed.n_embedded == 2


def test_its_identity_is_what_the_reader_compares() -> None:
    embed, known = open_embedder("static"), load("static")
    assert (embed.ref.name, embed.ref.dimension, embed.ref.digest) == ("static", known.dimension, known.digest)
    assert open_embedder("none").ref.dimension == 0
    with pytest.raises(UsageError):
        open_embedder("nonsense")
