"""A night over a folder that the last version was exported into: nothing of ours comes back as evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slowwave
from tests.e2e.nights import Nights

SAID = [
    ("s1", "2026-04-01T10:00:00Z", "I am allergic to walnuts. I live in Ghent."),
    ("s2", "2026-04-03T10:00:00Z", "I prefer tea to coffee. I will send Joris the plan by 20 June 2026."),
]


def test_an_export_read_back_changes_no_memory_and_a_persons_line_is_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, workspace = tmp_path / "talk.jsonl", tmp_path / "workspace"
    rows = [
        {"session_id": s, "message_id": f"{s}-1", "role": "user", "content": text, "created_at": at}
        for s, at, text in SAID
    ]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    workspace.mkdir()
    (workspace / "IDENTITY.md").write_text("OpenClaw's own.\n")
    night = Nights(tmp_path, capsys, f"jsonl={log}", f"openclaw={workspace}")
    assert night()[0] == 0
    first = slowwave.open(night.store)
    assert first.export("openclaw", workspace).written
    captured = night.texts()
    assert night()[0] == 0
    assert night.texts() == captured and slowwave.open(night.store).manifest.content == first.manifest.content
    assert not slowwave.open(night.store).export("openclaw", workspace).written

    file = workspace / "MEMORY.md"
    file.write_text(file.read_text().replace("I live in Ghent.", "Ana lives in Bruges."))
    assert night()[0] == 0
    assert night.texts() - captured == {"- Ana lives in Bruges."}
    slowwave.open(night.store).export("openclaw", workspace)
    told = file.read_text()
    assert "- Ana lives in Bruges." in told and "I live in Ghent." not in told
