"""LongMemEval's form: sessions in order of time, evidence by turn, and what is made of results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.longmemeval import instances, judged, measure
from slowwave.errors import UsageError
from slowwave.format import Evidence
from slowwave.reader.results import Recalled


def history(question_id: str = "q1", kind: str = "knowledge-update") -> dict[str, Any]:
    def said(text: str, *, has_answer: bool = False) -> list[dict[str, Any]]:
        marked = {"has_answer": True} if has_answer else {}
        return [{"role": "user", "content": text, **marked}, {"role": "assistant", "content": "Noted."}]

    return {
        "question_id": question_id,
        "question_type": kind,
        "question": "Where does my sister Ylva live?",
        "answer": "Ghent",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer_session_ids": ["answer_1", "answer_2"],
        "haystack_dates": ["2023/05/21 (Sun) 10:00", "2023/05/01 (Mon) 02:21", "2023/05/11 (Thu) 12:00"],
        "haystack_session_ids": ["answer_2", "answer_1", "other"],
        "haystack_sessions": [
            said("My sister Ylva has moved to Ghent.", has_answer=True),
            said("My sister Ylva lives in Turku.", has_answer=True),
            said("I baked a rye loaf in the old oven."),
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "longmemeval").mkdir()
    (tmp_path / "longmemeval" / "few.json").write_text(json.dumps([history()]))
    return tmp_path


def test_sessions_are_numbered_by_time_and_evidence_is_by_turn(data: Path) -> None:
    (one,) = instances(data)
    assert one.sessions == ("answer_1", "other", "answer_2")
    assert one.evidence == {"0:0", "2:0"}
    assert one.evidence_sessions == {"0", "2"}
    assert not one.is_unanswerable


def _result(*messages: str, text: str = "Ylva lives there.") -> Recalled:
    cited = [Evidence(source_id="k", session_id="s", message_id=m, start=0, end=1, quote="x") for m in messages]
    return Recalled(
        id="m", text=text, kind="turn", subject="user", status="active", score=1.0, parts={}, evidence=tuple(cited)
    )


def test_the_newest_word_must_come_first(data: Path) -> None:
    (one,) = instances(data)
    old = judged(one, [_result("0:0"), _result("2:0", text="She moved to Ghent.")])
    new = judged(one, [_result("2:0", text="She moved to Ghent."), _result("1:0")])
    assert (old["latest_first"], old["sessions"], old["turns"]) == (0.0, 1.0, 1.0)
    assert (new["latest_first"], new["sessions"], new["answer_words"]) == (1.0, 0.5, 1.0)


def test_a_short_history_is_found_whole(data: Path) -> None:
    told = measure(data)
    assert (told["session_recall_at_10"], told["turn_recall_at_10"]) == (100, 100)
    assert told["by_type"]["knowledge-update"]["n_questions"] == 1
    assert told["abstention"] == {"told_apart": None, "n_unanswerable": 0}


def test_a_folder_without_instances_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no LongMemEval instance"):
        instances(tmp_path)
