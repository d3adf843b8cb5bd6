"""A night over texts that want to be remembered: whatever a tool fetched or the owner only pasted leaves by no door."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.published import artefacts_text
from flows.begin import Plan
from flows.road import consolidated
from flows.step import here
from tests.make import at
from tests.tasks.test_sift_attacks import WRAPPED, texts, written


def said() -> Iterator[dict[str, Any]]:
    """Each text as a tool's answer, and pasted by the owner in one of the wrappings in turn."""
    wraps = list(WRAPPED.values())
    for i, (name, text) in enumerate(texts().items()):
        lines = [
            ("user", "What does the page say?", {}),
            ("tool", written(name, text), {"name": "web"}),
            ("user", wraps[i % len(wraps)](written(name, text)), {}),
        ]
        for seq, (role, content, more) in enumerate(lines):
            ids = {"session_id": f"s{i}", "message_id": f"s{i}-{seq}", "timestamp": f"2026-02-01T10:0{seq}:00Z"}
            yield {**ids, "role": role, "content": content, **more}


def test_no_planted_text_is_published(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in said()), encoding="utf-8")
    store = tmp_path / "store"
    outcome = consolidated(Plan(store, (f"jsonl={log}",), at("2026-03-01T03:00"), {"owner": {"names": ["Ana"]}}), here)
    assert outcome.status == "published"
    published = artefacts_text(store).casefold()
    assert "keep bees" in published
    assert [name for name in texts() if name.casefold() in published] == []
