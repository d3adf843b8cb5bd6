"""Damaged input, platform by platform, through the real command: the rest is published, each damaged place is named, nothing is quoted."""

from __future__ import annotations

import json
import os
import socket
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sources import archive, elements, lines
from tests.e2e.nights import GOOD, SECRET, Capture, Change, Nights, several
from tests.e2e.platforms import EXPORTS, LINES, Exported, Lines

# What stands in a line in the place of a message, and why it is none.
BAD_LINES: dict[str, tuple[Change, str]] = {
    "cut": (lambda good: good[:-9], "broken JSON"),
    "bytes": (lambda good: good.replace(b"quince", b"qu\xffnce"), "invalid UTF-8"),
    "latin1": (lambda good: good.replace(b"quince", "quincé".encode("latin-1")), "invalid UTF-8"),
    "nul": (lambda good: good.replace(b"quince", b"quin\0ce"), "NUL in line"),
    "power-cut": (lambda good: good[:30] + bytes(4096), "NUL in line"),
    "escaped-nul": (lambda good: good.replace(b"quince", b"quin\\u0000ce"), "NUL in text"),
    "half": (lambda good: good.replace(b"quince", b"quin\\ud83dce"), "half a character"),
    "deep": (lambda good: good[:-1] + b', "x": ' + b"[" * 980 + b"]" * 980 + b"}", "nested too deeply"),
    "deeper": (lambda good: good[:-1] + b', "x": ' + b"[" * 40_000 + b"]" * 40_000 + b"}", "nested too deeply"),
    "digits": (lambda good: good[:-1] + b', "x": ' + b"9" * 5000 + b"}", "broken JSON"),
    "list": (lambda good: b"[" + good + b"]", "not an object"),
    "string": (lambda good: json.dumps(good.decode()).encode(), "not an object"),
    "two": (lambda good: good + good, "broken JSON"),
    "long": (lambda good: good.replace(b"quince", b"quince" * 20_000), "line too long"),
}
# What is odd and can be read all the same.
ODD_LINES: dict[str, Change] = {
    "crlf": lambda good: b"\r\n\r\n" + good + b"\r\n",
    "nan": lambda good: good[:-1] + b', "x": NaN, "y": -Infinity, "z": 1e999}',
    "twice": lambda good: b'{"role": "ghost", "type": 5, "messages": 1, ' + good[1:],
    "big": lambda good: good[:-1] + b', "x": ' + b"9" * 4000 + b"}",
}


def write_odd_files(root: Path, place: Callable[[str], str], raw: bytes, outside: Path) -> dict[str, str]:
    """Files, links and folders that are none to read, each with why; no reading of one may hang."""
    folder = (root / place("x")).parent
    outside.mkdir()
    (outside / "private.jsonl").write_bytes(raw)
    made = {name: (root / place(name), reason) for name, reason in ODD_FILES.items()}
    made["utf16"][0].write_bytes(raw.decode().encode("utf-16"))
    made["packed"][0].write_bytes(b"\x1f\x8b" + bytes(100))
    made["empty"][0].touch()
    made["itself"][0].symlink_to(made["itself"][0])
    made["escaping"][0].symlink_to(outside / "private.jsonl")
    made["absent"][0].symlink_to(outside / "gone.jsonl")
    os.mkfifo(made["pipe"][0])
    made["device"][0].symlink_to("/dev/zero")
    with closing(socket.socket(socket.AF_UNIX)) as bound:
        # The path of a socket is short.
        here = os.open(folder, os.O_RDONLY)
        bound.bind(f"/proc/self/fd/{here}/{made['socket'][0].name}")
        os.close(here)
    (folder / "circle").symlink_to(root)
    (folder / "away").symlink_to(outside)
    prefix = folder.relative_to(root).as_posix().removeprefix(".")
    prefix = f"{prefix}/" if prefix else ""
    named = {f"{place(name)}:0": reason for name, (_, reason) in made.items()}
    return named | {f"{prefix}circle:0": "a link in a circle", f"{prefix}away:0": "a link out of the folder"}


ODD_FILES = {
    "utf16": "not text",
    "packed": "not text",
    "empty": "empty file",
    "itself": "unreadable file",
    "absent": "unreadable file",
    "escaping": "a link out of the folder",
    "device": "a link out of the folder",
    "pipe": "unreadable file",
    "socket": "unreadable file",
}
# Names that a terminal obeys, or that are no text, and how they are shown.
ODD_NAMES = {
    b"new\nline": "new\\nline",
    b"\x1b[2Jescape": "\\x1b[2Jescape",
    b"bytes-\xff": "bytes-\\udcff",
    "right\u202eleft".encode(): "right\\u202eleft",
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large is so at a size that a test can write."""
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 100_000)
    monkeypatch.setattr(elements, "MAX_ELEMENT_BYTES", 100_000)
    monkeypatch.setattr(archive, "MIN_BOMB_BYTES", 100_000)


def write_lines(platform: Lines, root: Path, outside: Path) -> dict[str, str]:
    """A folder with all damage that lines and their files have, beside what is good and what is odd; each damaged place and why."""
    platform.write(root, "a-good", platform.raw("a-good", GOOD))
    damaged = write_odd_files(root, platform.place, platform.raw("private", SECRET), outside)
    damaged |= write_odd_names(root, platform)
    for name, (change, reason) in BAD_LINES.items():
        bad = change(platform.raw(name, SECRET))
        file = platform.write(root, name, platform.raw(f"{name}-before", f"Before {name}."), bad)
        damaged[f"{file}:{platform.first + 1}"] = reason
    for name, change in ODD_LINES.items():
        platform.write(root, name, change(platform.raw(name, f"Odd {name}.")))
    bom = root / platform.write(root, "bom", platform.raw("bom", "Odd bom."))
    bom.write_bytes(b"\xef\xbb\xbf" + bom.read_bytes())
    return damaged


@pytest.mark.parametrize("platform", several(LINES))
def test_lines(platform: Lines, tmp_path: Path, capsys: Capture) -> None:
    root = tmp_path / "logs"
    damaged = write_lines(platform, root, tmp_path / "outside")
    nights = Nights(tmp_path, capsys, f"{platform.kind}={root}")
    nights.expect(damaged)
    assert {f"Odd {name}." for name in [*ODD_LINES, "bom"]} <= nights.texts()
    assert {f"Before {name}." for name in BAD_LINES} <= nights.texts()
    assert {f"Name {number}." for number in range(len(ODD_NAMES))} <= nights.texts()
    for name in BAD_LINES:
        mended = platform.raw(name, f"Mended {name}.")
        platform.write(root, name, platform.raw(f"{name}-before", f"Before {name}."), mended)
    (root / platform.place("empty")).unlink()
    platform.write(root, "empty", platform.raw("empty", "Mended empty."))
    nights.expect_mended(*(f"Mended {name}." for name in [*BAD_LINES, "empty"]))


def write_odd_names(root: Path, platform: Lines) -> dict[str, str]:
    """Files of odd names, each with a good and a bad line; no two may be taken for one, nor print what a terminal obeys."""
    damaged: dict[str, str] = {}
    for number, (name, shown) in enumerate(ODD_NAMES.items()):
        good, bad = platform.raw(f"n{number}", f"Name {number}."), platform.raw(f"b{number}", SECRET)[:-5]
        platform.write(root, os.fsdecode(name), good, bad)
        damaged[f"{platform.place(shown)}:{platform.first + 1}"] = "broken JSON"
    return damaged


# What stands in an export's file, given two good conversations and one with the secret; where it is named, and why.
ARRAYS: dict[str, tuple[Callable[[bytes, bytes, bytes], bytes], int, str]] = {
    "cut": (lambda one, two, bad: b"[" + one + b"," + two + b"," + bad[:-20], 3, "cut short"),
    "unended": (lambda one, two, bad: b"[" + one + b"," + two + b",", 3, "cut short"),
    "bytes": (lambda one, two, bad: _array(one, bad.replace(b"quince", b"qu\xffnce"), two), 2, "invalid UTF-8"),
    "half": (lambda one, two, bad: _array(one, bad.replace(b"quince", b"\\udc00"), two), 2, "half a character"),
    "nul": (lambda one, two, bad: _array(one, bad.replace(b"quince", b"q\\u0000e"), two), 2, "NUL in text"),
    "broken": (lambda one, two, bad: _array(one, bad.replace(b":", b"", 1), two), 2, "broken JSON"),
    "deep": (lambda one, two, bad: _array(one, b'{"a":' + b"[" * 980 + b"]" * 980 + b"}", two), 2, "nested too deeply"),
    "digits": (lambda one, two, bad: _array(one, b'{"a":' + b"9" * 5000 + b"}", two), 2, "broken JSON"),
    "junk": (lambda one, two, bad: _array(one, b"quince-marmalade", two), 2, "not an object"),
    "long": (
        lambda one, two, bad: _array(one, bad.replace(b"quince", b"quince" * 20_000), two),
        2,
        "conversation too long",
    ),
    "empty": (lambda one, two, bad: b"", 0, "empty file"),
    "utf16": (lambda one, two, bad: _array(one, bad).decode().encode("utf-16"), 0, "not JSON"),
    "binary": (lambda one, two, bad: bytes(500), 0, "not JSON"),
}


def _array(*elements: bytes) -> bytes:
    return b"[" + b",\n".join(elements) + b"]"


def _zips(root: Path, platform: Exported, outside: Path) -> dict[str, str]:
    """Zips that hold what a zip should not, each with a good conversation."""
    bad = _array(platform.raw("z-bad", SECRET))
    link = zipfile.ZipInfo("link/conversations.json")
    link.external_attr = 0o120777 << 16
    names = {
        f"{outside}/conversations.json": "unsafe path in a zip",
        "../../conversations.json": "unsafe path in a zip",
        "a/../../conversations.json": "unsafe path in a zip",
        "..\\conversations.json": "unsafe path in a zip",
        "C:\\conversations.json": "unsafe path in a zip",
        "bomb/conversations.json": "grows too much when unpacked",
        "link/conversations.json": "a link in a zip",
    }
    with zipfile.ZipFile(root / "z.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("conversations.json", _array(platform.raw("z", "In the zip.")))
        for name in names:
            made.writestr(link if name.startswith("link") else name, bytes(200_000) if "bomb" in name else bad)
    whole = (root / "z.zip").read_bytes()
    (root / "z-cut.zip").write_bytes(whole[:-40])
    (root / "z-not.zip").write_bytes(b"no zip at all " * 9)
    (root / "z-empty.zip").touch()
    broken = dict.fromkeys(("z-cut.zip:0", "z-not.zip:0", "z-empty.zip:0"), "broken zip")
    return {f"z.zip/{name}:0": reason for name, reason in names.items()} | broken


def write_exports(platform: Exported, root: Path, outside: Path) -> dict[str, str]:
    """A folder with all damage that exports have, beside what is good; each damaged place and why. Nothing is put `outside`."""
    root.mkdir()
    (root / "conversations.json").write_bytes(_array(platform.raw("good", GOOD)))
    damaged = _zips(root, platform, outside)
    for number, (name, (made, line, reason)) in enumerate(ARRAYS.items()):
        one, two, bad = (
            platform.raw(f"{name}-{n}", text) for n, text in enumerate((f"One {name}.", f"Two {name}.", SECRET))
        )
        (root / f"conversations-{number:03}.json").write_bytes(made(one, two, bad))
        damaged[f"conversations-{number:03}.json:{line}"] = reason
    _odd_exports(root, outside.with_name("away"), _array(platform.raw("private", SECRET)), damaged)
    return damaged


@pytest.mark.parametrize("platform", several(EXPORTS))
def test_exports(platform: Exported, tmp_path: Path, capsys: Capture) -> None:
    root = tmp_path / "export"
    damaged = write_exports(platform, root, tmp_path / "outside")
    nights = Nights(tmp_path, capsys, f"{platform.kind}={root}")
    nights.expect(damaged)
    whole = {f"{n} {name}." for name in ARRAYS if name not in ("empty", "utf16", "binary") for n in ("One", "Two")}
    assert {GOOD, "In the zip.", *whole} <= nights.texts()
    assert not (tmp_path / "outside").exists() and not (tmp_path / "conversations.json").exists()
    for number, name in enumerate(ARRAYS):
        (root / f"conversations-{number:03}.json").write_bytes(_array(platform.raw(f"{name}-2", f"Mended {name}.")))
    nights.expect_mended(*(f"Mended {name}." for name in ARRAYS))


def _odd_exports(root: Path, outside: Path, private: bytes, damaged: dict[str, str]) -> None:
    outside.mkdir()
    (outside / "conversations.json").write_bytes(private)
    (root / "conversations-900.json").symlink_to(outside / "conversations.json")
    (root / "conversations-901.json").symlink_to(root / "conversations-901.json")
    os.mkfifo(root / "conversations-902.json")
    os.mkfifo(root / "pipe.zip")
    (root / "circle").symlink_to(root)
    damaged |= {"conversations-900.json:0": "a link out of the folder", "circle:0": "a link in a circle"}
    damaged |= dict.fromkeys(("conversations-901.json:0", "conversations-902.json:0", "pipe.zip:0"), "unreadable file")
