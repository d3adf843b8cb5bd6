"""What the scripts beside it share: generated pages are written, or with `--check` compared with what is there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # these are run as scripts, which know only their own folder


def write_or_check(pages: Mapping[Path, str], arguments: list[str]) -> int:
    """Write the pages, or with `--check` name those that are not current: exit status 1 if there is one."""
    if arguments != ["--check"]:
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    print(f"stale: {', '.join(stale)}; run `make docs`" if stale else "current")
    return 1 if stale else 0
