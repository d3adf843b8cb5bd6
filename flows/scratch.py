"""A scratch store: a store as it stands, to be walked in without a trace. What it holds goes when it is left.

Belongs here: what a walk reads of a store, and where it lies. Does not belong here: why one walks there (`rehearse`, `replay`).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slowwave.format import Manifest
from slowwave.store import CURRENT, version_folder


@contextmanager
def scratch(store: Path, parent: Manifest | None, *, folders: tuple[str, ...] = ()) -> Iterator[Path]:
    """A private folder that holds what a night after `parent` reads, and the store's `folders`; all of it copies."""
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        made = Path(name) / store.resolve().name
        made.mkdir(mode=0o700)
        for folder in folders:
            if (store / folder).is_dir():
                shutil.copytree(store / folder, made / folder)
        if parent is not None:
            _go_on_from(store, parent, made)
        yield made


def _go_on_from(store: Path, parent: Manifest, made: Path) -> None:
    for ref in parent.state.values():
        (made / ref.path).parent.mkdir(parents=True, exist_ok=True)
        if (store / ref.path).is_file():
            shutil.copyfile(store / ref.path, made / ref.path)
    published = version_folder(store, parent.version)
    shutil.copytree(published, made / published.relative_to(store))
    (made / CURRENT).write_text(parent.version + "\n", encoding="utf-8")
