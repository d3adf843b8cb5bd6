"""Small JSON of a store: a person can read it, and a program reads back what was written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.files import write_json


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"a": {}},
        {"run": "r", "stages": {"sift": {"n": [1, {"deep": None}]}, 'é "quoted"\n': {"a": {"b": {}}}}, "left": []},
    ],
)
def test_what_is_written_is_read_back(tmp_path: Path, content: dict[str, Any]) -> None:
    write_json(tmp_path / "x.json", content)
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == content


def test_each_member_and_each_of_its_members_has_a_line(tmp_path: Path) -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    write_json(tmp_path / "x.json", {"as_of": at, "stages": {"sift": {"rows": [1, 2]}, "link": {}}})
    assert (tmp_path / "x.json").read_text().splitlines() == [
        "{",
        ' "as_of": "2026-03-01 00:00:00+00:00",',
        ' "stages": {',
        '  "sift": {"rows": [1, 2]},',
        '  "link": {}',
        " }",
        "}",
    ]
