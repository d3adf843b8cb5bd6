"""One export from beginning to end: what may go out, where it goes, what stands there, what becomes of it.

Belongs here: the list of platforms, and the walk over their files. Does not belong here: which memory may enter (`choice`), how a file
is merged (`region`, `entries`, `whole`), and any layout (a file a platform).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from slowwave.errors import SlowwaveError, UsageError
from slowwave.export import claude_code, entries, files, hermes, openclaw, plain, region, seraph, whole
from slowwave.export.caps import Caps, read_caps
from slowwave.export.choice import Choice, choose
from slowwave.export.known import STATE, Files, Known, read_state, state_json
from slowwave.export.target import Form, Made, Merged, Target

if TYPE_CHECKING:
    from slowwave.format import Manifest
    from slowwave.reader.tables import Tables

__all__ = ["PLATFORMS", "Exported", "FileChange", "export"]

Layout = Callable[[Choice, Path, Caps], list[Target]]
PLATFORMS: dict[str, Layout] = {
    "hermes": hermes.targets,
    "openclaw": openclaw.targets,
    "claude-code": claude_code.targets,
    "seraph": seraph.targets,
    "markdown": plain.markdown,
    "json": plain.as_json,
}
_MERGE = {Form.REGION: region.merge, Form.ENTRIES: entries.merge, Form.WHOLE: whole.merge}
_ATTEMPTS = 3


@dataclass(frozen=True)
class FileChange:
    """What became of one file: written, removed, unchanged or left alone (`why` says), and what is in it."""

    name: str
    action: str
    memory_ids: list[str]
    omitted_ids: list[str]
    kept: list[str]
    held_ids: list[str]
    why: str = ""
    diff: str = ""


@dataclass(frozen=True)
class Exported:
    """One export: the version it was made of, and its files. After a dry run nothing was written.

    `n_beyond` counts the memories that might go out and were not looked at, since there are more than the cap.
    """

    platform: str
    version: str
    profile: str
    folder: str
    is_dry_run: bool
    files: list[FileChange]
    n_beyond: int = 0

    @property
    def written(self) -> list[str]:
        """Names of the files that were (or would be) written or removed."""
        return [one.name for one in self.files if one.action in ("written", "removed")]


class _Done(NamedTuple):
    change: FileChange
    known: Known


def export(
    tables: Tables,
    manifest: Manifest,
    store: Path,
    platform: str,
    to: str | Path,
    *,
    profile: str = "snapshot",
    max_privacy: str | None = None,
    dry_run: bool = False,
    caps: Caps | None = None,
) -> Exported:
    """Write what a version remembers into an agent's folder; with `dry_run` only say what would change.

    `profile` names the version's document whose memories may be exported, `max_privacy` lowers what it lets through. Raises
    UsageError, VersionGone, SlowwaveError.
    """
    if platform not in PLATFORMS:
        raise UsageError(f"{platform!r} is no platform to export to", f"Use one of: {', '.join(sorted(PLATFORMS))}.")
    root = Path(to).expanduser()
    _refuse_store(root, store)
    caps = caps or read_caps(store)
    files.require_folder(root)
    choice = choose(tables, manifest, profile, max_privacy, caps.max_memories)
    place = _place(root)
    with files.locked(place, is_needed=not dry_run):
        done = _walked(root, place, platform, manifest.owner, choice, PLATFORMS[platform](choice, root, caps), dry_run)
    return Exported(platform, choice.version, profile, str(root), dry_run, done, choice.n_beyond)


def _refuse_store(root: Path, store: Path) -> None:
    """What is exported is no part of the store: a night would neither know it nor forget it there."""
    if root.resolve().is_relative_to(store.resolve()):
        raise UsageError(
            f"{root} lies in the store itself", "Name the agent's own folder: --to DIR, outside of the store."
        )


def _walked(
    root: Path, place: Path, platform: str, owner: str, choice: Choice, targets: list[Target], dry_run: bool
) -> list[FileChange]:
    """Every file, then our record of them; of files without marks the record says beforehand what may be ours."""
    before = _read(place)
    state = read_state(before, owner, str(place))
    last = state.get(platform, {})
    if not dry_run and (announced := _announced(root, targets, last)) != last:
        content = state_json(owner, {**state, platform: announced})
        files.write(place, content, before)
        before, last = content, announced
    every = [*targets, *_stale(platform, targets, last)]
    done = [_one(root, target, last.get(target.name, Known()), dry_run) for target in every]
    ids = {row["id"] for row in choice.rows}
    now = {one.change.name: _still(one.known, ids) for one in done}
    after = state_json(owner, {**state, platform: now})
    is_first = before is None and all(known.is_empty for known in now.values())
    if not (dry_run or is_first or after == before):
        files.write(place, after, before)
    return [one.change for one in done]


def _announced(root: Path, targets: list[Target], last: Files) -> Files:
    """What is known of each file, with the entries that are about to be written: an export may end in the middle."""
    found = dict(last)
    for target in targets:
        known = last.get(target.name, Known())
        if target.form == Form.ENTRIES and (done := _one(root, target, known, dry_run=True)).change.action == "written":
            found[target.name] = replace(known, maybe={**known.maybe, **done.known.lines})
    return found


def _place(root: Path) -> Path:
    try:
        return files.place_of(root, STATE)
    except files.LeftAlone as error:
        raise _unusable(root, error) from error


def _read(place: Path) -> bytes | None:
    try:
        return files.read(place)
    except files.LeftAlone as error:
        raise _unusable(place.parent, error) from error


def _unusable(root: Path, error: Exception) -> UsageError:
    return UsageError(f"{root / STATE}: {error}", "Move it away, or name another folder with --to DIR.")


def _still(known: Known, ids: set[str]) -> Known:
    """A line stays held as long as its memory may be exported at all: nothing is remembered of what was forgotten."""
    return replace(known, held={key: memory for key, memory in known.held.items() if memory in ids})


def _stale(platform: str, targets: list[Target], last: Files) -> list[Target]:
    """Files of the last export that have no place in this one: what is ours goes out of them."""
    names = {target.name for target in targets}
    return [Target(name, lambda _: Made([]), _form(platform, name)) for name in sorted(last) if name not in names]


def _form(platform: str, name: str) -> Form:
    if name.endswith(".json"):
        return Form.WHOLE
    return Form.ENTRIES if platform == "hermes" else Form.REGION


def _one(root: Path, target: Target, known: Known, dry_run: bool) -> _Done:
    try:
        place = files.place_of(root, target.name)
        with files.locked(place, is_needed=target.is_locked and not dry_run):
            for _ in range(_ATTEMPTS):
                before = files.read(place)
                merged = _merged(target, before, known)
                content = None if merged.text is None else merged.text.encode("utf-8", "surrogateescape")
                if dry_run or content == before or files.write(place, content, before):
                    return _Done(_change(target.name, before, content, merged), merged.known)
    except files.LeftAlone as error:
        return _left(target.name, str(error), known)
    raise SlowwaveError(
        f"{place} changes faster than it can be merged", "Export when the agent is idle, e.g. right after the night."
    )


def _merged(target: Target, before: bytes | None, known: Known) -> Merged:
    text = None if before is None else before.decode("utf-8", "surrogateescape")
    return _MERGE[target.form](text, target, known)


def _left(name: str, why: str, known: Known) -> _Done:
    return _Done(FileChange(name, "left alone", [], [], [], [], why=why), known)


def _change(name: str, before: bytes | None, after: bytes | None, merged: Merged) -> FileChange:
    action = "unchanged" if before == after else "removed" if after is None else "written"
    return FileChange(
        name=name,
        action="left alone" if merged.why else action,
        memory_ids=merged.memory_ids,
        omitted_ids=list(merged.omitted_ids),
        kept=list(merged.kept),
        held_ids=list(merged.held_ids),
        why=merged.why,
        diff=_diff(name, before, after),
    )


def _diff(name: str, before: bytes | None, after: bytes | None) -> str:
    old, new = (_lines(content) for content in (before, after))
    was, becomes = (
        f"{side}/{name}" if content is not None else "/dev/null" for side, content in (("a", before), ("b", after))
    )
    return "".join(difflib.unified_diff(old, new, was, becomes))


def _lines(content: bytes | None) -> list[str]:
    """Lines with their breaks; a last one without is marked as `diff` does."""
    text = (content or b"").decode("utf-8", "replace")
    lines = [f"{line}\n" for line in text.split("\n")]
    return (
        lines[:-1] if text.endswith("\n") or not text else [*lines[:-1], f"{lines[-1]}\\ No newline at end of file\n"]
    )
