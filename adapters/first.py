"""A store's first settings, as a file that its owner may edit: only what was said, so that defaults stay defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.files import make_folder, write_bytes
from adapters.settings import load
from adapters.sources import parse_source
from slowwave.errors import SlowwaveError, UsageError

FILE = "slowwave.toml"
_HEAD = "# Settings of this store, over the checkout's. docs/settings.md lists all that can be set; `slowwave config` what is in force.\n"


def make(store: Path, settings: Mapping[str, Mapping[str, Any]]) -> Path:
    """Make the store's folder and its settings; returns the file. Raises UsageError for what can't be, and then leaves no file."""
    path = store / FILE
    if path.exists():
        raise UsageError(f"{path} is there already", "Edit it: `slowwave config --store DIR` shows what is in force.")
    for source in settings.get("night", {}).get("sources", ()):
        parse_source(source)
    make_folder(store)
    write_bytes(path, as_toml(settings).encode())
    try:
        load(store)
    except SlowwaveError:
        path.unlink()
        raise
    return path


def as_toml(settings: Mapping[str, Mapping[str, Any]]) -> str:
    """The file: a table a section. A JSON string or list of strings is one of TOML too."""
    tables = [
        f"\n[{section}]\n"
        + "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
        for section, values in settings.items()
        if values
    ]
    return _HEAD + "".join(tables)
