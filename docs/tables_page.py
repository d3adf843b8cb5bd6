"""Writes `docs/tables.md` from the classes that declare the tables. `--check` only says whether it is current."""

from __future__ import annotations

import sys

from pages import ROOT, write_or_check

from models.dictionary import render

if __name__ == "__main__":
    raise SystemExit(write_or_check({ROOT / "docs" / "tables.md": render()}, sys.argv[1:]))
