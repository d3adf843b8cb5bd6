"""Writes `docs/tables.md`, the data dictionary, from the classes that declare the tables. `make docs` runs it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, the rooms are not on the path

from models.dictionary import render  # noqa: E402

if __name__ == "__main__":
    (ROOT / "docs" / "tables.md").write_text(render(), encoding="utf-8")
