"""The words of worlds, read from `bank.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("bank.toml")


@cache
def bank() -> dict[str, Any]:
    """Everything a made person can tell, by what it is told of."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
