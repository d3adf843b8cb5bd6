"""A line is read as the standard library reads JSON, and refused for the same reason, by whichever reader is quicker."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sources.lines import parse, parse_strictly
from adapters.sources.protocol import BadLine

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=3),
    max_leaves=8,
)
_OBJECTS = st.dictionaries(st.sampled_from(["content", "role", "a", "\ud83d"]), _VALUES, max_size=4)
_PIECES = st.sampled_from(
    [
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud83d\\ude00",
        b"\\ud800",
        b"\xff",
        b"\0",
        b"\xef\xbb\xbf",
        b"{",
        b"]",
        b",",
        b"1e999",
        b"NaN",
        b"-0",
        b"9" * 30,
    ]
)


def _read(raw: bytes, strictly: bool) -> str:
    try:
        found: Any = parse_strictly(raw) if strictly else parse(raw)
    except BadLine as error:
        return f"refused: {error}"
    return repr(found) if isinstance(found, dict) else "refused: not an object"


@given(_OBJECTS, st.booleans(), st.lists(st.tuples(st.integers(0, 80), _PIECES), max_size=2))
def test_the_quicker_reader_reads_and_refuses_as_the_standard_one(
    made: dict[str, Any], is_ascii: bool, put: list[tuple[int, bytes]]
) -> None:
    raw = json.dumps(made, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    for at, piece in put:
        raw = raw[:at] + piece + raw[at:]
    assert _read(raw, strictly=False) == _read(raw, strictly=True)


@pytest.mark.parametrize("depth", [10, 197, 198, 199, 200, 201, 202, 5000])
@pytest.mark.parametrize("inside", ["", "1", "[], []"])
def test_both_refuse_what_is_nested_too_deeply(depth: int, inside: str) -> None:
    raw = ('{"content": ' + "[" * depth + inside + "]" * depth + "}").encode()
    assert _read(raw, strictly=False) == _read(raw, strictly=True)
    if abs(depth - 200) > 2:
        assert (_read(raw, strictly=False) == "refused: nested too deeply") == (depth > 200)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 18446744073709551616}',
        b'{"a": "\\ud800"}',
        b'{"a": 1e999}',
        b'{"a": -0.0}',
        b'{"a": 1, "b": 2, "a": 3}',
        b"[1]",
        b"{",
    ],
)
def test_odd_lines_are_read_alike(raw: bytes) -> None:
    assert _read(raw, strictly=False) == _read(raw, strictly=True)
