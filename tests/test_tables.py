"""The data dictionary is the declared tables, no more and no less."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import models
from models.dictionary import NIGHTLY, PUBLISHED, render
from models.table import Table, columns

PAGE = Path(__file__).parent.parent / "docs" / "tables.md"


def test_the_committed_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run `make docs`"


def test_every_declared_table_is_on_the_page() -> None:
    for found in pkgutil.iter_modules(models.__path__):
        importlib.import_module(f"models.{found.name}")
    declared = {one for one in _descendants(Table) if one.__module__.startswith("models.") and one.key}
    # Classes made from a dataclass are the bases of tables, not tables of their own.
    tables = {
        one
        for one in declared
        if one.__name__ in vars(importlib.import_module(one.__module__)) and one.__subclasses__() == []
    }
    assert tables == {*NIGHTLY, *PUBLISHED}


def test_every_column_has_a_line_and_a_sentence() -> None:
    page = render()
    for table in (*NIGHTLY, *PUBLISHED):
        section = page.split(f"### {table.__name__}\n", 1)[1].split("\n### ")[0]
        for column in columns(table):
            assert f"`{column.name}`" in section and column.about, (table.__name__, column.name)


def test_the_page_is_a_table_that_renders() -> None:
    for line in render().splitlines():
        if line.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", line)) == 4, line


def _descendants(kind: type[Table]) -> set[type[Table]]:
    return {one for child in kind.__subclasses__() for one in (child, *_descendants(child))}
