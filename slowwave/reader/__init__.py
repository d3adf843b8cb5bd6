"""A reader pins one version of a store and answers from it until it is told to refresh.

Opening reads `CURRENT`, the manifest and documents with the standard library alone; tables and the embedder are loaded at the
first recall. Nothing here writes, but `export` into an agent's own folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from slowwave import store as layout
from slowwave.context import at_time
from slowwave.errors import FormatTooNew, StoreNotFound, StoreUnreachable, UsageError, VersionGone
from slowwave.format import Manifest, Memory, Review, WorkingSet
from slowwave.reader.pinned import HELD_MB, Pinned
from slowwave.zones import zone_of

if TYPE_CHECKING:
    from slowwave.export.write import Exported
    from slowwave.reader.bundles import Bundle
    from slowwave.reader.request import Only, Request, Said
    from slowwave.reader.results import Recalled, Story
    from slowwave.reader.sections import Sections

_NEVER = datetime.min.replace(tzinfo=UTC)


def open(
    store: str | Path,
    version: str | None = None,
    *,
    embedder: str | None = None,
    max_age_days: float | None = None,
    held_mb: float = HELD_MB,
    reranker: str | None = None,
    is_logged: bool = False,
) -> Reader:
    """A reader of the store's current version, or of the named one; the store is a folder, or an address `s3://BUCKET/PREFIX`.

    `embedder` says where the vectors' model lies in this environment (e.g. `onnx:DIR`); `none` searches by words alone. What
    goes over the network (`litellm:`, `fastembed:`) is used only if it is named here, whatever the store was made with. A version
    older than `max_age_days` is named in `warnings`. A table of up to `held_mb` MiB is held in memory from the first question on; a
    larger one is read from disk and answers alike. `reranker` is a cross-encoder's folder in place of the one that the store's settings
    name, or `none`. Where `is_logged`, each answer's ids, its time and a hash of its question are appended to the inbox, for feedback
    to refer to. Raises StoreNotFound, StoreUnreachable, VersionGone, FormatTooNew.
    """
    given: dict[str, Any] = {"embedder": embedder, "max_age_days": max_age_days, "held_mb": held_mb}
    return Reader(store, version, **given, reranker=reranker, is_logged=is_logged)


def bundle(
    store: str | Path,
    query: str,
    budget_tokens: int = 2000,
    *,
    version: str | None = None,
    embedder: str | None = None,
    max_age_days: float | None = None,
    reranker: str | None = None,
    is_logged: bool = False,
    **asked: Any,
) -> Bundle:
    """`Reader.bundle` of a store that may not be there: where nothing can be read, an empty bundle whose warnings say why.

    Raises UsageError and EmbedderMismatch alone, so that an agent can call it before its first night.
    """
    from slowwave.reader.bundles import Bundle

    try:
        given: dict[str, Any] = {"embedder": embedder, "max_age_days": max_age_days, "reranker": reranker}
        reader = open(store, version, **given, is_logged=is_logged)
        return reader.bundle(query, budget_tokens, **asked)
    except (StoreNotFound, StoreUnreachable, VersionGone, FormatTooNew) as error:
        return Bundle(warnings=(f"{error}. {error.hint}",))


class Reader(Pinned):
    """One version of a memory. `warnings` says what it had to do without."""

    def snapshot(self, profile: str = "snapshot") -> str:
        """The bounded text of a profile, ready for a prompt. Raises UsageError for a profile that was not published."""
        return self._again(lambda: self._document(profile))

    def _document(self, profile: str) -> str:
        names = [name for name in self.manifest.documents if name in (profile, f"{profile}.md")]
        if not names:
            published = ", ".join(sorted(self.manifest.documents)) or "none"
            raise UsageError(
                f"the version {self.version} has no document {profile!r}", f"It has: {published}. Choose one of them."
            )
        path = layout.version_folder(self.store, self.version) / Path(names[0]).name
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VersionGone(
                f"cannot read {path}: {error}", "Call refresh(), or open another version: slowwave log lists them."
            ) from error

    def recall(
        self,
        query: str,
        k: int = 10,
        budget_tokens: int | None = None,
        *,
        at: datetime | None = None,
        as_of: datetime | None = None,
        zone: str | None = None,
        **only: Unpack[Only],
    ) -> list[Recalled]:
        """At most `k` memories and turns that answer `query`, best first, within `budget_tokens`.

        By default what holds or has faded, what is disputed (marked so) and, where the question looks back, what has ended;
        a superseded memory is only ever shown in its successor's `history`. `at` is the time the question is asked (default: now).
        `as_of` asks what held in the world at that time, by what this version knows: what was superseded since is then a result of
        its own, marked so and with its `successor`.

        What narrows it: `kinds`, `statuses`, `tiers` (kinds and tiers leave turns out); `entity`, by name or id; `project`; `thread`;
        `platform` and `channel` on which a piece of its evidence was said, `person` who said one or whom it is about; `max_privacy`,
        the highest level; `since` (inclusive) and `until`, when it was true or said; `min_score`; `offset`, how many of the
        best to pass over. Raises UsageError, EmbedderMismatch, VersionGone.
        """
        then = None if as_of is None else _utc(as_of)
        asked = {"query": query, "k": k, "budget_tokens": budget_tokens, "now": _utc(at or as_of), "as_of": then}
        return self._answer(**asked, zone=zone, **_narrowed(only))

    def bundle(
        self,
        query: str,
        budget_tokens: int = 2000,
        *,
        profile: str = "snapshot",
        at: datetime | None = None,
        zone: str | None = None,
        context: Mapping[str, str] | None = None,
        **only: Unpack[Only],
    ) -> Bundle:
        """What to have in mind for `query`: the answer, the snapshot of `profile`, and sections (promises, people, work, guidance).

        Everything together fits `budget_tokens`; nothing is said twice. `context` is the moment's (user_state, mode, channel,
        urgency). `only` narrows the answer as `recall` does. A table that can't be read costs its section, with a warning. Raises
        UsageError, EmbedderMismatch.
        """
        from slowwave.reader.bundling import Asked, bundled

        asked = Asked(
            query=query,
            budget_tokens=budget_tokens,
            profile=profile,
            now=_utc(at),
            zone=zone,
            facts={**self._moment(at, zone), **(context or {})},
            only=only,
        )
        self._moves_on()
        return bundled(self, self._tables(), asked)

    def guidance(
        self,
        *,
        user_state: str | None = None,
        mode: str | None = None,
        channel: str | None = None,
        urgency: str | None = None,
        at: datetime | None = None,
        zone: str | None = None,
        k: int = 10,
    ) -> list[Recalled]:
        """Whether and how to speak up in a moment: lessons of such moments, the narrowest first; then what was asked for.

        `at` gives the part of the day and the week, in `zone` (default: the memory's). Raises VersionGone.
        """
        facts = {"user_state": user_state, "mode": mode, "channel": channel, "urgency": urgency}
        said = {name: value.strip().lower() for name, value in facts.items() if value}
        return self._again(lambda: self._sections(_utc(at)).guidance({**said, **self._moment(at, zone)}, k))

    def sessions(self, query: str, k: int = 10, **only: Unpack[Said]) -> list[Recalled]:
        """Verbatim turns that answer `query`, best first, apart from what became of them.

        `only` narrows as in `recall`, but for what turns do not have: kinds, statuses and tiers. Raises as `recall` does.
        """
        return self._answer(query=query, k=k, **only, now=_utc(None), has_memories=False)

    def working(self, session: str | None = None, k: int = 10) -> list[WorkingSet]:
        """What the last `k` sessions were about, the newest first, or the session of that id: candidates, which no recall returns.

        Empty for a version that was made before there were working sets. Raises UsageError, VersionGone.
        """
        if k < 1:
            raise UsageError(f"k is {k}", "Ask for at least one working set.")
        from slowwave.reader.tables import quoted

        condition = None if session is None else f"session_id = {quoted(session)}"
        rows = self._again(lambda: self._tables().where("working", WorkingSet, condition))
        return sorted(rows, key=lambda row: (row.ended_at or _NEVER, row.id), reverse=True)[:k]

    def get(self, memory_id: str) -> Memory | None:
        """One memory whole, in whatever status; None where this version has no such id."""
        return self._again(lambda: self._tables().by_ids("memories", Memory, [memory_id])).get(memory_id)

    def reviewed(self, review: Review = Review.WAITING) -> list[Memory]:
        """The memories that wait for the owner's approval, or that were approved or declined, by id."""
        if not self._again(lambda: self._tables().has("memories", "review")):
            return []
        return self._again(lambda: self._tables().where("memories", Memory, f"review = '{Review(review)}'"))

    def why(self, memory_id: str) -> Story:
        """The story of a memory, down to the quotes and the decisions of its nights. Raises UsageError for an unknown id."""
        from slowwave.reader.story import tell

        if self._remote is not None:
            self._remote.bring_story(self.log())
        return self._again(lambda: tell(self.store, self.manifest, self._tables(), memory_id))

    def log(self) -> list[Manifest]:
        """The pinned version and those it came from, newest first."""
        from slowwave.reader.story import chain

        return list(chain(self.store, self.manifest))

    def export(
        self,
        platform: str,
        to: str | Path,
        *,
        profile: str = "snapshot",
        max_privacy: str | None = None,
        dry_run: bool = False,
    ) -> Exported:
        """Write what is remembered into an agent's folder, in its own files; with `dry_run` only say what would change.

        `profile` names the document whose memories may go out, `max_privacy` lowers what it lets through. What is not ours in those
        files stays. Raises UsageError, VersionGone, SlowwaveError where a file can't be written.
        """
        from slowwave.export.write import export

        chosen: dict[str, Any] = {"profile": profile, "max_privacy": max_privacy, "dry_run": dry_run}
        return self._again(lambda: export(self._tables(), self.manifest, self.store, platform, to, **chosen))

    def _moment(self, at: datetime | None, zone: str | None) -> dict[str, str]:
        return at_time(_utc(at).astimezone(zone_of(zone or self.manifest.zone)))

    def _sections(self, now: datetime, *where: str) -> Sections:
        from slowwave.reader.sections import Sections

        return Sections(self._tables(), now, where)

    def _answer(self, **asked: Any) -> list[Recalled]:
        from slowwave.reader.request import Request

        request = Request(**asked, weights=self._weights())
        found = self._again(lambda: self._found(self._reranking(self._placed(request))))
        if self.is_logged:
            self._log_shown(request.query, [one.id for one in found])
        return found

    def _reranking(self, request: Request) -> Request:
        if self._reranker() is None:
            return request
        return replace(request, rerank=self._rerank, rerank_top=self._rerank_top())

    def _placed(self, request: Request) -> Request:
        """The request, of turns alone where a version does not say of its memories where they were said."""
        if not request.is_placed or not request.has_memories or self._tables().has("memories", "platforms"):
            return request
        self._warn(
            f"the memories of {self.version} do not say where and by whom: only turns answer; the next night's version says it"
        )
        return replace(request, has_memories=False)

    def _found(self, request: Request) -> list[Recalled]:
        from slowwave.reader.recall import answer
        from slowwave.reader.topic import topic

        embedder = self._embedder()
        about = topic(request.query.encode("utf-8", "replace").decode(), self._index())
        vector = None if embedder is None else embedder.embed_query(about)
        return answer(self._tables(), self._index(), request, vector)


def _utc(at: datetime | None) -> datetime:
    if at is None:
        return datetime.now(UTC)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _narrowed(only: Only) -> dict[str, Any]:
    """What narrows a question as a request takes it: lists as sets."""
    sets = ("kinds", "statuses", "tiers")
    return {name: frozenset(v) if name in sets and v is not None else v for name, v in dict(only).items()}  # pyright: ignore[reportArgumentType]
