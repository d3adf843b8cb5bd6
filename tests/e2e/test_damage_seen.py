"""The same damage through `slowwave sources PATH` and `auto=PATH`: it is named, and ends nothing."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from adapters.sources import KINDS, Damaged, RawMessage, parse_source
from flows.look import look
from slowwave.cli import main
from slowwave.errors import SourceError, UsageError
from tests.e2e.nights import GOOD, SECRET, Capture, plain, several
from tests.e2e.platforms import EXPORTS, LINES, TABLES, Exported, Lines
from tests.e2e.test_damage import small, write_exports, write_lines
from tests.e2e.test_damaged_databases import databases, short

__all__ = ["short", "small"]


@pytest.mark.parametrize("platform", [*LINES, *EXPORTS, *TABLES], ids=lambda platform: platform.kind)
def test_a_look_names_all_damage(platform: Any, tmp_path: Path, capsys: Capture) -> None:
    root = tmp_path / "logs"
    with ExitStack() as stack:
        damaged = _written(platform, root, stack)
        assert main(["sources", str(root)]) == 0
        shown = capsys.readouterr().out
        assert SECRET not in shown
        assert all(letter.isprintable() or letter == "\n" for letter in shown)
        (found,) = (one for one in look(root) if one.kind == platform.kind)
        counts = Counter[str]()
        for reason, n in found.damaged.items():
            counts[plain(reason)] += n
        assert counts == Counter(damaged.values())
        assert all(reason in shown for reason in damaged.values())
        source = parse_source(f"auto={root}")
        items = list(source.read())
    assert source.kind == platform.kind
    assert GOOD in {item.text for item in items if isinstance(item, RawMessage)}
    assert {f"{item.file}:{item.line}": plain(item.reason) for item in items if isinstance(item, Damaged)} == damaged


@pytest.mark.parametrize("platform", [*several(LINES), *several(EXPORTS), *several(TABLES)])
def test_each_damaged_file_alone_is_looked_at(platform: Any, tmp_path: Path, capsys: Capture) -> None:
    """A file that nothing can be told of is refused with a hint, by either command; another is read as far as it can be."""
    root = tmp_path / "logs"
    with ExitStack() as stack:
        _written(platform, root, stack)
        for file in sorted(root.rglob("*")):
            status = main(["sources", str(file)])
            said = capsys.readouterr()
            assert SECRET not in said.out + said.err and "Traceback" not in said.err
            assert status == 0 or (status in (2, 4) and "next:" in said.err)
            for kind in ("auto", platform.kind):
                # Whatever else is raised would be a traceback.
                with suppress(SourceError, UsageError):
                    items = list(parse_source(f"{kind}={file}").read())
                    assert SECRET not in repr([item for item in items if isinstance(item, Damaged)])


def _written(platform: Any, root: Path, stack: ExitStack) -> dict[str, str]:
    if isinstance(platform, Lines):
        return write_lines(platform, root, root.with_name("outside"))
    if isinstance(platform, Exported):
        return write_exports(platform, root, root.with_name("outside"))
    return stack.enter_context(databases(platform, root))


@pytest.mark.parametrize("kind", ["auto", *KINDS])
def test_a_path_that_is_none(kind: str, tmp_path: Path, capsys: Capture) -> None:
    closed = tmp_path / "x"
    closed.symlink_to(closed)
    for place in ("a" * 5000, f"{tmp_path}/{'a' * 300}", f"{tmp_path}/x/y", "a\0b", str(closed)):
        for argv in (["sources", place], ["night", "--store", str(tmp_path / "s"), "--source", f"{kind}={place}"]):
            status = main(argv)
            assert status in (2, 4) and "next:" in capsys.readouterr().err
