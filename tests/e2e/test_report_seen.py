"""The night's pages in a real browser: they are drawn without a network, light and dark."""

from __future__ import annotations

import html
import json
import os
import re
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
# The file `axe.min.js` of the package axe-core, which is not shipped here.
AXE = os.environ.get("SLOWWAVE_AXE", "")
ASK = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}).then(found => {
document.body.innerHTML = "<pre id=found>" + JSON.stringify([found.passes.length,
found.violations.map(one => [one.id, one.nodes[0].html])]).replace(/</g, "&lt;") + "</pre>"})"""
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


def complaints(page: Path, folder: Path, scheme: str) -> tuple[int, list[list[str]]]:
    """How many of axe's rules a page passes, and the rules that it breaks with an example of each."""
    # Its own policy lets no script run, so the page that is looked at is a copy without it.
    text = re.sub(r"<meta[^>]*Content-Security-Policy[^>]*>", "", page.read_text(encoding="utf-8"), flags=re.IGNORECASE)
    looked_at = folder / "looked_at.html"
    script = f"<script>{Path(AXE).read_text(encoding='utf-8')}</script><script>{ASK}</script>"
    looked_at.write_text(text.replace("</body>", f"{script}</body>"), encoding="utf-8")
    preferred = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    command = [
        str(BROWSER),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder / 'profile'}",
        *preferred,
    ]
    waits = ["--virtual-time-budget=20000", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", looked_at.as_uri()]
    told = subprocess.run([*command, *waits], check=True, capture_output=True, text=True, timeout=120).stdout
    found = re.search(r'<pre id="found">(.*?)</pre>', told, re.DOTALL)
    assert found, "axe said nothing"
    n_passed, broken = json.loads(html.unescape(found[1]))
    return n_passed, broken


@pytest.mark.slow
@pytest.mark.skipif(not AXE, reason="set SLOWWAVE_AXE to the file axe.min.js of the package axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_checker_has_nothing_to_say(week: Path, tmp_path: Path, scheme: str) -> None:
    store = shutil.copytree(week, tmp_path / "store")
    run = ledger.runs(store)[0]
    for name in ("report.html", "audit.html"):
        n_passed, broken = complaints(store / "runs" / run / name, tmp_path, scheme)
        assert broken == [] and n_passed > 20, name
