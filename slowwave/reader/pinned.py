"""One version of a store, pinned, and what is loaded of it when it is first needed.

Belongs here: which version that is, and what happens where it is gone. Does not belong here: what is asked of it (`Reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from slowwave import store as layout
from slowwave.errors import (
    EmbedderMismatch,
    SlowwaveError,
    StoreNotFound,
    StoreUnreachable,
    StoreUnwritable,
    UsageError,
    VersionGone,
)
from slowwave.format import Entity, Manifest
from slowwave.strength import DAY_SECONDS

if TYPE_CHECKING:
    from slowwave.embed import Embedder
    from slowwave.rank import Weights
    from slowwave.reader.names import Index
    from slowwave.reader.tables import Tables
    from slowwave.remote.reading import Remote
    from slowwave.rerank import Reranker

T = TypeVar("T")
RERANK_TOP, MOST_RERANKED = 20, 200
# A table of up to so many MiB, its vectors included, is held in memory from the first question on.
HELD_MB = 64.0


class Pinned:
    """A version that stays the same until `refresh`. `warnings` says what it had to do without."""

    def __init__(
        self,
        store: str | Path,
        version: str | None = None,
        *,
        embedder: str | None = None,
        max_age_days: float | None = None,
        held_mb: float = HELD_MB,
        reranker: str | None = None,
        is_logged: bool = False,
    ) -> None:
        if max_age_days is not None and not max_age_days >= 0:
            raise UsageError(f"max_age_days is {max_age_days}", "Give a number of days: 0 or more.")
        self._remote: Remote | None = _remote(store)
        # Of a remote store, the folder that what is read of it is brought to.
        self.store = Path(store) if self._remote is None else self._remote.folder
        self._chosen, self._embedder_name, self._max_age_days = version, embedder, max_age_days
        self._held_mb, self._reranker_name, self.is_logged = held_mb, reranker, is_logged
        self._inbox_of = store
        self._look()
        current = version or layout.required_current(self.store)
        try:
            self._pin(current)
        except VersionGone:
            # Removed between the two reads: another one serves by now.
            if version is not None or self._current() == current:
                raise
            self._pin(layout.required_current(self.store))

    def _look(self) -> None:
        if self._remote is not None:
            self._remote.look()

    def _current(self) -> str:
        self._look()
        return layout.required_current(self.store)

    def _pin(self, version: str) -> None:
        if self._remote is not None:
            self._remote.bring(version)
        self.manifest: Manifest = layout.read_whole(self.store, version)
        self.warnings: list[str] = [*self._aged()]
        self._tables_: Tables | None = None
        self._index_: Index | None = None
        self._embedder_: Embedder | None = None
        self._is_embedder_loaded = False
        self._weights_: Weights | None = None
        self._reranker_: Reranker | None = None
        self._is_reranker_loaded = False

    def _aged(self) -> Iterator[str]:
        """That nights have stopped, where the version is older than its reader wants it."""
        days = (datetime.now(UTC) - self.manifest.as_of).total_seconds() / DAY_SECONDS
        if self._max_age_days is not None and days > self._max_age_days:
            yield (
                f"the version {self.manifest.version} is {days:.0f} days old: nights may have stopped. "
                "slowwave log lists what was published, and slowwave night makes the next version"
            )

    @property
    def version(self) -> str:
        """The version that is pinned."""
        return self.manifest.version

    def refresh(self) -> bool:
        """Pin the store's current version; true if it is another one. A reader opened at a named version stays there."""
        if self._chosen is not None:
            return False
        current = self._current()
        if current == self.version:
            return False
        self._pin(current)
        return True

    def _again(self, ask: Callable[[], T]) -> T:
        """What `ask` answers; once more from the version that serves, where the pinned one was removed meanwhile, which is said."""
        if self._remote is not None and self._remote.has_changed(self.version):
            self._moves_on()
        try:
            return ask()
        except VersionGone:
            if not self._moves_on():
                raise
        return ask()

    def _moves_on(self) -> bool:
        """Pin what serves where the pinned version is gone; whether it was."""
        gone = self.version
        if self._chosen is not None or not self._is_gone():
            return False
        self._pin(layout.required_current(self.store))
        if self.version != gone:
            self.warnings.append(f"the version {gone} was removed meanwhile; from here on {self.version} answers")
        return True

    def _is_gone(self) -> bool:
        """Whether the version is not there any more, or lies elsewhere since its tables were built again."""
        if self._remote is not None:
            self._remote.has_changed(self.version)
        try:
            layout.read_whole(self.store, self.version)
        except VersionGone:
            return True
        return bool(layout.missing_of(self.store, self.manifest))

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)

    def _log_shown(self, query: str, ids: list[str]) -> None:
        """Tell the inbox what was shown; where it can't be written, the answer stands all the same."""
        from slowwave.inbox import showing

        try:
            showing(self._inbox_of, query, ids, self.version)
        except (StoreNotFound, StoreUnreachable, StoreUnwritable) as error:
            self._warn(f"what was shown is not logged: {error}")

    def _tables(self) -> Tables:
        from slowwave.reader.tables import Tables

        self._tables_ = self._tables_ or Tables(self.store, self.manifest, self._held_mb, self._warn)
        return self._tables_

    def _index(self) -> Index:
        from slowwave.reader.names import Index

        if self._index_ is None:
            has_entities = self._tables().n_rows("entities") > 0
            self._index_ = Index(self._tables().where("entities", Entity) if has_entities else [])
        return self._index_

    def _weights(self) -> Weights:
        """What the parts of a score weigh, as the version's settings have it."""
        from slowwave.rank import weights_of

        if self._weights_ is None:
            self._weights_, alien = weights_of(self.manifest.recall.get("weights"))
            if alien:
                self.warnings.append(f"what the version sets as weights of {', '.join(alien)} is none, and is left out")
        return self._weights_

    def _reranker(self) -> Reranker | None:
        """The reranker that was named here, else that of the version's settings; None where there is none or it can't be loaded."""
        name = self._reranker_name or str(self.manifest.recall.get("reranker") or "none")
        if not self._is_reranker_loaded and name != "none":
            from slowwave.rerank import Reranker

            try:
                self._reranker_ = Reranker(name)
            except SlowwaveError as error:
                self.warnings.append(f"ranked without the reranker {name}: {error}. {error.hint}")
        self._is_reranker_loaded = True
        return self._reranker_

    def _rerank_top(self) -> int:
        """How many of the first results are ranked again: as the version's settings have it, within reason."""
        told = self.manifest.recall.get("rerank_top", RERANK_TOP)
        return min(max(told, 1), MOST_RERANKED) if isinstance(told, int) else RERANK_TOP

    def _rerank(self, question: str, texts: list[str]) -> list[float]:
        """What the reranker says; nothing, with a warning, and from then on none, where it does not answer."""
        from slowwave.errors import ModelError

        reranker = self._reranker()
        try:
            return [0.0] * len(texts) if reranker is None else reranker(question, texts)
        except ModelError as error:
            self.warnings.append(f"ranked without the reranker: {error}. {error.hint}")
            self._reranker_ = None
            return [0.0] * len(texts)

    def _embedder(self) -> Embedder | None:
        """The embedder that made the version's vectors, or None for full text only; loaded once."""
        if not self._is_embedder_loaded:
            self._embedder_ = self._load_embedder()
            self._is_embedder_loaded = True
        return self._embedder_

    def _load_embedder(self) -> Embedder | None:
        wanted = self.manifest.embedder
        if not wanted.dimension or self._embedder_name == "none":
            return None
        from slowwave.embed import REMOTE, load

        if self._embedder_name is None and wanted.name.partition(":")[0] in REMOTE:
            # A store that somebody hands over must not decide where its reader's questions go.
            self.warnings.append(
                f"full text only, since the embedder {wanted.name} uses the network and was not named here; if it may be used, "
                f'open with embedder="{wanted.name}" (recall --embedder {wanted.name})'
            )
            return None
        try:
            found = load(self._embedder_name or wanted.name)
        except SlowwaveError as error:
            if self._embedder_name is not None:
                raise
            self.warnings.append(f"full text only, since the embedder {wanted.name} is not here: {error}. {error.hint}")
            return None
        if (found.digest, found.dimension) != (wanted.digest, wanted.dimension):
            raise EmbedderMismatch(
                f"the vectors of {self.version} were made by {wanted.name} ({wanted.digest[:12]}, {wanted.dimension} "
                f"dimensions), and the embedder here is {found.name} ({found.digest[:12]}, {found.dimension})",
                'Open with the same embedder (embedder="onnx:DIR" names a folder), with embedder="none" for full text only, '
                "or run a night with yours: slowwave night --embedder NAME.",
            )
        return found


def _remote(store: str | Path) -> Remote | None:
    from slowwave.remote import is_remote

    if not is_remote(store):
        return None
    from slowwave.remote.reading import opened

    return opened(store)
