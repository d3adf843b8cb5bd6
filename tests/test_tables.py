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
    modules = [importlib.import_module(f"models.{found.name}") for found in pkgutil.iter_modules(models.__path__)]
    declared = {one for module in modules for one in vars(module).values() if _is_table(one, module.__name__)}
    assert declared == {*NIGHTLY, *PUBLISHED}


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


def _is_table(one: object, module: str) -> bool:
    is_declared_there = isinstance(one, type) and one.__module__ == module
    return is_declared_there and issubclass(one, Table) and bool(one.key)
