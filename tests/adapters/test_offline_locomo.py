"""What the rules keep of long conversations between peers: most of what questions rest on, little more than half the words."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.offline import Offline
from models.rules import ExtractRules, Owner
from models.table import rows_to_frame
from models.turn import Topic, Turn
from slowwave.tokens import count
from tasks.extract import extract
from tests.make import turn

DATA = Path(os.environ.get("SLOWWAVE_DATA", Path(__file__).parents[2] / "../shared/data")) / "locomo"
FILES = sorted(DATA.glob("conv-*.json"))
MIN_COVERAGE, MAX_TOKENS = 0.95, 0.58


def sessions(conversation: dict[str, Any]) -> list[list[Turn]]:
    made = []
    for n in range(1, len(conversation)):
        if said := conversation.get(f"session_{n}"):
            stamp = conversation[f"session_{n}_date_time"].replace(" on ", " ")
            at = datetime.strptime(stamp, "%I:%M %p %d %B, %Y").replace(tzinfo=UTC).isoformat()
            made.append([spoken(one, n, i, at) for i, one in enumerate(said)])
    return made


def spoken(one: dict[str, Any], n: int, i: int, at: str) -> Turn:
    more = {"role": "participant", "speaker": one["speaker"], "message_id": one["dia_id"], "offset_minutes": None}
    return turn(one["text"], session=f"s{n}", seq=i, said=at, caption=one.get("blip_caption"), **more)


def cited_by_questions(questions: list[dict[str, Any]], known: set[str]) -> list[str]:
    found = [
        f"D{int(m[1])}:{int(m[2])}"
        for q in questions
        if q["category"] in (1, 2, 3, 4)
        for m in re.finditer(r"D:?(\d+):(\d+)", " ".join(q["evidence"]))
    ]
    return [dia_id for dia_id in found if dia_id in known]


@pytest.mark.skipif(not FILES, reason="no LoCoMo files: set SLOWWAVE_DATA to the folder that holds locomo/")
def test_most_evidence_is_cited_and_little_more_than_half_the_words_are_kept() -> None:
    n_asked = n_cited = n_said = n_kept = 0
    for file in FILES:
        data = json.loads(file.read_text(encoding="utf-8"))
        talks = sessions(data["conversation"])
        turns = [t for talk in talks for t in talk]
        topics = [
            Topic(
                topic_id=talk[0].session_id,
                owner="u",
                session_id=talk[0].session_id,
                ordinal=0,
                msg_keys=[t.msg_key for t in talk],
                context_keys=[],
                n_tokens=0,
            )
            for talk in talks
        ]
        made = extract(
            rows_to_frame(Topic, topics),
            rows_to_frame(Turn, turns),
            rules=ExtractRules(),
            owner=Owner(),
            ask=Offline(),
        )
        assert "quarantine" not in made.decisions["action"].to_list()
        rows = made.claims.to_dicts()
        cited = {e["message_id"] for row in rows for e in row["evidence"]}
        asked = cited_by_questions(data["qa"], {t.message_id for t in turns})
        n_asked, n_cited = n_asked + len(asked), n_cited + sum(dia_id in cited for dia_id in asked)
        n_said += sum(count(t.text) for t in turns)
        n_kept += sum(count(row["text"]) for row in rows)
    assert n_cited / n_asked >= MIN_COVERAGE, n_cited / n_asked
    assert n_kept / n_said <= MAX_TOKENS, n_kept / n_said
