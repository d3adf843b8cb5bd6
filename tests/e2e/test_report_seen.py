"""The night's pages in a real browser: they are drawn without a network, light and dark."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from flows import docs, ledger

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium is installed; `apt-get install chromium` brings one"
)
GROUNDS = {"light": (253, 253, 251), "dark": (22, 22, 26)}


def shot(page: Path, folder: Path, scheme: str, width: int) -> tuple[int, tuple[int, ...], int]:
    """A picture of a page: its width, its first pixel, and how many different bytes it has."""
    picture = folder / "page.png"
    preferred = ["--blink-settings=preferredColorScheme=0", "--force-dark-mode"] if scheme == "dark" else []
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *preferred]
    where = [f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900", f"--screenshot={picture}"]
    # No name resolves: a page that needed one would look bare.
    alone = ["--host-resolver-rules=MAP * ~NOTFOUND", page.as_uri()]
    subprocess.run([*command, *where, *alone], check=True, capture_output=True, timeout=120)
    content = picture.read_bytes()
    at, packed = 8, b""
    while at < len(content):
        (size,) = struct.unpack(">I", content[at : at + 4])
        packed += content[at + 8 : at + 8 + size] if content[at + 4 : at + 8] == b"IDAT" else b""
        at += size + 12
    # The first pixel of a picture is as it is, whatever the filter of its line.
    raw = zlib.decompress(packed)
    return struct.unpack(">I", content[16:20])[0], tuple(raw[1:4]), len(set(raw))


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 600)])
def test_report_and_data_docs_are_drawn(week: Path, tmp_path: Path, scheme: str, width: int) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    run = ledger.runs(store)[0]
    home = docs.make(store, ledger.read(store, run))
    for page in (store / "runs" / run / "report.html", home, home.with_name("memories.html")):
        wide, first, n_bytes = shot(page, tmp_path, scheme, width)
        assert wide == width and first == GROUNDS[scheme] and n_bytes > 50, page.name
