"""How much an export may put into a file, where the platform's own configuration does not say.

Belongs here: the numbers, each with its sentence; a store's `slowwave.toml` may state others under `[export]`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

from slowwave.errors import UsageError
from slowwave.format import column


@dataclass(frozen=True)
class Caps:
    """Most that a file may hold, other people's text in it included; a kilobyte is 1,024 bytes of UTF-8."""

    hermes_memory_chars: int = column("Most characters of Hermes' MEMORY.md, delimiters included.", default=2200)
    hermes_user_chars: int = column("Most characters of Hermes' USER.md, delimiters included.", default=1375)
    openclaw_l0_bytes: int = column("Most bytes of OpenClaw's memory/MEMORY-L0.md.", default=8192)
    openclaw_l1_bytes: int = column("Most bytes of OpenClaw's MEMORY.md.", default=14336)
    openclaw_l1_chars: int = column("Most characters of OpenClaw's MEMORY.md; it cuts a longer one.", default=12000)
    claude_lines: int = column("Most lines of Claude Code's MEMORY.md; it reads no more.", default=200)
    claude_bytes: int = column("Most bytes of Claude Code's MEMORY.md; it reads no more.", default=25600)
    seraph_soul_tokens: int = column("Most tokens of Seraph's soul.md.", default=2000)
    max_memories: int = column(
        "Most memories that an export reads, the best first; the rest are counted and found by asking.", default=20000
    )
    topic_bytes: int = column("Most bytes of a topic's file, and of the lists of decisions and errors.", default=32768)


def read_caps(store: Path) -> Caps:
    """The caps that the store's own settings state. Raises UsageError."""
    path = store / "slowwave.toml"
    try:
        stated: Any = tomllib.loads(path.read_text(encoding="utf-8")).get("export", {})
    except FileNotFoundError:
        return Caps()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}", "Mend the file; it must be valid TOML.") from error
    known = {one.name for one in fields(Caps)}
    found = cast("dict[str, Any]", stated) if isinstance(stated, dict) else {"": stated}
    wrong = [name for name, value in found.items() if name not in known or type(value) is not int or value < 0]
    if wrong:
        raise UsageError(
            f"export.{wrong[0]} in {path} is no cap", f"Set whole numbers, of these: {', '.join(sorted(known))}."
        )
    return Caps(**found)
