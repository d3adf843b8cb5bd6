"""Archives, elements and trees: hostile zips are refused by name, damage stays where it is, the rest is read."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sources import archive
from adapters.sources import elements as elements_module
from adapters.sources.archive import Member, members
from adapters.sources.elements import Record, elements, sound
from adapters.sources.protocol import BadLine, Damaged, RawMessage
from adapters.sources.tree import depths, standing
from slowwave.errors import SourceError

GOOD = b'[{"a": 1}]'


def is_json(name: str) -> bool:
    return name.endswith(".json")


def packed(path: Path, *files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as opened:
        for name, content in files:
            opened.writestr(name, content)
    return path


def found(path: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """What was read, and what was refused and why."""
    read: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    for item in members(path, is_json):
        if isinstance(item, Damaged):
            refused[item.file] = item.reason
            continue
        try:
            read[item.name] = b"".join(item.chunks())
        except BadLine as error:
            refused[item.name] = str(error)
    return read, refused


def test_a_zip_is_read_in_order_and_only_what_is_wanted(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.zip", ("b.json", b"2"), ("a/c.json", b"1"), ("photo.png", b"no"), ("a/", b""))
    read, refused = found(path)
    assert list(read.items()) == [("x.zip/a/c.json", b"1"), ("x.zip/b.json", b"2")]
    assert not refused
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.zip"]


@pytest.mark.parametrize(
    "name", ["../up.json", "a/../../up.json", "/etc/up.json", "..\\up.json", "C:\\up.json", "\\up.json"]
)
def test_a_name_that_points_out_of_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    read, refused = found(packed(tmp_path / "x.zip", (name, b"1"), ("good.json", b"2")))
    assert read == {"x.zip/good.json": b"2"}
    assert list(refused.values()) == ["unsafe path in a zip"]


def test_links_and_unknown_methods_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    squeezed = zipfile.ZipInfo("squeezed.json")
    squeezed.compress_type = zipfile.ZIP_BZIP2
    read, refused = found(packed(tmp_path / "x.zip", (link, b"/etc/passwd"), (squeezed, b"2"), ("good.json", b"3")))
    assert list(read) == ["x.zip/good.json"]
    assert refused == {"x.zip/link.json": "a link in a zip", "x.zip/squeezed.json": "unknown compression"}


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.zip", ("a.json", b"1"), ("b.json", b"2"))
    raw = bytearray(path.read_bytes())
    for magic, place in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        raw[raw.index(magic) + place] |= 1
    path.write_bytes(raw)
    assert found(path) == ({"x.zip/b.json": b"2"}, {"x.zip/a.json": "encrypted"})


def test_a_bomb_is_refused_before_it_goes_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MIN_BOMB_BYTES", 1000)
    path = packed(tmp_path / "x.zip", ("a.json", bytes(10**6)), ("b.json", b"2"))
    assert found(path) == ({"x.zip/b.json": b"2"}, {"x.zip/a.json": "grows too much when unpacked"})


def test_all_files_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 15)
    path = packed(tmp_path / "x.zip", ("a.json", bytes(10)), ("b.json", bytes(10)))
    assert found(path) == ({"x.zip/a.json": bytes(10)}, {"x.zip/b.json": "grows too much when unpacked"})


def test_a_file_that_claims_to_be_small_gives_no_more_than_it_claims(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.zip", ("a.json", b"x" * 10**6))
    raw = path.read_bytes().replace((10**6).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    path.write_bytes(raw)
    assert found(path) == ({}, {"x.zip/a.json": "broken zip"})


def test_a_damaged_file_in_a_zip_leaves_the_others(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.zip", ("a.json", b"first"), ("b.json", b"second"), method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"first", b"fired"))
    assert found(path) == ({"x.zip/b.json": b"second"}, {"x.zip/a.json": "broken zip"})


def test_a_broken_zip_is_refused_by_name_and_damage_in_a_folder(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.zip", ("a.json", b"1"))
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(SourceError, match=r"x\.zip"):
        found(path)
    (tmp_path / "a.json").write_bytes(GOOD)
    assert found(tmp_path) == ({"a.json": GOOD}, {"x.zip": "broken zip"})


def test_pipes_loops_and_missing_files_do_not_hold_up_a_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "self.json").symlink_to(tmp_path / "self.json")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "good.json").write_bytes(GOOD)
    read, refused = found(tmp_path)
    assert read == {"good.json": GOOD}
    assert refused == {"pipe.json": "unreadable file", "self.json": "unreadable file"}
    with pytest.raises(SourceError, match="nothing"):
        found(tmp_path / "nothing.json")


def test_a_hostile_name_can_be_stored_and_shown(tmp_path: Path) -> None:
    _, refused = found(packed(tmp_path / "x.zip", ("../\x1b[2J\n" + "a" * 5000, b"1")))
    (name,) = refused
    assert name.isprintable() and len(name) < 300


@settings(deadline=None)
@given(st.binary(max_size=400), st.integers(0, 300))
def test_a_zip_with_any_damage_ends_in_errors_that_are_ours(noise: bytes, place: int) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        opened.writestr("a.json", b"1" * 50)
        opened.writestr("b.json", b"2" * 50)
    raw = made.getvalue()
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"slowwave-noise-{os.getpid()}.zip"
    path.write_bytes(raw[:4] + raw[4:place] + noise + raw[place + len(noise) :])
    try:
        read, _ = found(path)
    except SourceError:
        read = {}
    finally:
        path.unlink()
    # What passes its checksum is what was packed.
    assert set(read.values()) <= {b"1" * 50, b"2" * 50, b""}


def member(raw: bytes, size: int = 7) -> Member:
    def chunks() -> Iterator[bytes]:
        for start in range(0, len(raw), size):
            yield raw[start : start + size]

    return Member("x.json", "x.json", chunks)


def outcome(raw: bytes, size: int = 7) -> list[Any]:
    return [i.found if isinstance(i, Record) else (i.line, i.reason) for i in elements(member(raw, size))]


TEXTS = st.text(alphabet='ab"\\[]{}, é\U0001f30a\n', max_size=12)
OBJECTS = st.lists(
    st.dictionaries(
        TEXTS, st.recursive(TEXTS | st.none() | st.integers(), lambda v: st.lists(v, max_size=3), max_leaves=4)
    ),
    max_size=5,
)


@given(OBJECTS, st.integers(1, 40), st.booleans(), st.booleans())
def test_an_array_is_split_as_a_parser_would(objects: list[Any], size: int, is_ascii: bool, is_wide: bool) -> None:
    raw = json.dumps(objects, ensure_ascii=is_ascii, indent=1 if is_wide else None).encode()
    assert outcome(raw, size) == objects


@settings(deadline=None)
@given(st.binary(max_size=100) | st.text(alphabet='[]{}",:\\1', max_size=60).map(str.encode), st.integers(1, 9))
def test_any_bytes_are_elements_or_reasons(raw: bytes, size: int) -> None:
    assert all(isinstance(item, Record | Damaged) for item in elements(member(raw, size)))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'\xef\xbb\xbf \n[{"a": 1}, {"a": 2}] \n', [{"a": 1}, {"a": 2}]),
        (b'{"a": [1, "]"]}', [{"a": [1, "]"]}]),
        (b'[{"a": 1}, {"a": tru}, {"a": 3}]', [{"a": 1}, (2, "broken JSON"), {"a": 3}]),
        (b'[{"a": 1}, null, "x", {"a": 3}]', [{"a": 1}, (2, "not an object"), {"a": 3}]),
        (b'[{"a": 1}, [2], {"a": 3}, 4]', [{"a": 1}, (2, "not an object"), {"a": 3}, (4, "not an object")]),
        (b'[{"a": 1}, {"a": "half', [{"a": 1}, (2, "cut short")]),
        (b'[{"a": 1}', [{"a": 1}, (2, "cut short")]),
        (b'[{"a": "\0"}, {"a": 2}]', [(1, "broken JSON"), {"a": 2}]),
        (b"hello", [(0, "not JSON")]),
        (b"SQLite format 3\0", [(0, "not JSON")]),
        (b"", [(0, "empty file")]),
        (b"  ", [(0, "empty file")]),
        (b"[]", []),
    ],
)
def test_damage_is_named_by_its_number(raw: bytes, expected: list[Any]) -> None:
    assert outcome(raw) == outcome(raw, 1000) == expected


def test_deep_nesting_is_damage_and_no_crash() -> None:
    raw = b'[{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b'}, {"b": 1}]'
    assert outcome(raw, 1000) == [(1, "nested too deeply"), {"b": 1}]


def test_an_element_beyond_the_limit_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements_module, "MAX_ELEMENT_BYTES", 100)
    raw = json.dumps([{"a": 1}, {"a": "x" * 500}, {"a": 3}]).encode()
    assert outcome(raw) == [{"a": 1}, (2, "conversation too long"), {"a": 3}]


def test_a_byte_that_is_no_text_damages_its_message_alone() -> None:
    first, second = outcome(b'[{"a": "caf\xe9", "b": "caf\xc3\xa9", "c": "\\ud83d"}, {"a": 2}]')

    def said(text: str) -> RawMessage:
        return sound(RawMessage("p", "x", "s", "m", 0, "user", text))

    assert said(first["b"]).text == "café" and second == {"a": 2}
    with pytest.raises(BadLine, match="invalid UTF-8"):
        said(first["a"])
    with pytest.raises(BadLine, match="half a character"):
        said(first["c"])


def test_an_edit_and_a_new_answer_leave_one_way() -> None:
    parents = {"root": None, "q": "root", "q2": "root", "a": "q2", "a2": "q2", "z": "a"}
    assert standing(parents, parents, "z") == {"root", "q2", "a", "z"}
    assert standing(parents, parents, "a2") == {"root", "q2", "a2"}
    assert standing(parents, ["root", "q2", "a", "z", "a2", "q"]) == {"root", "q"}
    assert standing(parents, parents, "q2") == {"root", "q2"}


def test_a_missing_parent_loses_nothing_and_a_loop_does_not_stand() -> None:
    gap = {"a": None, "b": "a", "d": "gone", "e": "d"}
    assert standing(gap, gap, "e") == set(gap)
    assert standing({"a": "zero", "b": "zero"}, ["a", "b"]) == {"b"}
    loop = {"a": "b", "b": "a", "c": None, "d": "d"}
    assert standing(loop, loop) == {"c"}
    assert depths(loop) == {"c": 0, "a": 0, "b": 0, "d": 0}


@given(st.lists(st.integers(-1, 12), max_size=12), st.integers(0, 12))
def test_at_most_one_of_siblings_stands_and_parents_of_what_stands_stand(links: list[int], leaf: int) -> None:
    parents = {str(n): None if link < 0 else str(link) for n, link in enumerate(links)}
    stands = standing(parents, parents, str(leaf))
    named = [parents[name] for name in stands if parents[name] is not None]
    assert len(named) == len(set(named))
    assert all(parent in stands or parent not in parents for parent in named)
    assert set(depths(parents)) == set(parents)
