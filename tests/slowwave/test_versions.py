"""Versions as they lie in a store: listed, marked, and refused where nothing of them is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import slowwave
from slowwave import store as layout
from slowwave.errors import VersionGone
from slowwave.format import Manifest
from tests.make import at, memory
from tests.stores import build

TEA = memory("I prefer green tea.", id="mem_tea", message_id="m5")
CAT = memory("My cat is called Miso.", id="mem_cat", message_id="m6")


def purge(store: Path, manifest: Manifest) -> Manifest:
    """Leave the stub of a version, as forgetting does."""
    stub = replace(manifest, tables={}, documents={}, state={}, purged_at=at("2026-03-05"))
    (layout.version_folder(store, manifest.version) / "manifest.json").write_text(layout.manifest_json(stub))
    return stub


def test_a_purged_version_is_named_and_not_opened(tmp_path: Path) -> None:
    first = build(tmp_path, memories=[TEA])
    second = build(tmp_path, memories=[TEA, CAT], parent=first)
    assert layout.read_manifest(tmp_path, first.version) == first
    stub = purge(tmp_path, first)
    assert layout.read_manifest(tmp_path, first.version) == stub
    with pytest.raises(VersionGone, match="purged on 2026-03-05") as error:
        slowwave.open(tmp_path, first.version)
    assert f"that are there: {second.version}." in error.value.hint
    assert slowwave.open(tmp_path).version == second.version
