"""The metered model: what it takes for informative, what it states, and what a small conversation costs with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.chat import Request, Said
from evals.locomo import measure
from evals.metered import counter, cut, is_informative, rows_of
from tests.evals.test_locomo import TALK

ROOT = Path(__file__).parents[2]


def asked(*texts: str, **body: object) -> Request:
    lines = "\n".join(f"[{n}] participant Ines, Mon 2023-05-08 13:56: {text}" for n, text in enumerate(texts, 1))
    return Request("/", {}, {"messages": [{"role": "user", "content": lines}], **body})


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("I adopted a greyhound called Pixel.", True),
        ("Pixel won her first race on Sunday.", True),
        ("Did you adopt a greyhound called Pixel?", False),
        ("Long time no see!", False),
        ("Your greyhound won races, congratulations!", False),
    ],
)
def test_informative_is_what_tells_of_something(text: str, is_so: bool) -> None:
    assert is_informative(Said(1, "participant", "Ines", text)) is is_so


def test_every_informative_line_is_a_row_and_three_in_ten_have_a_statement() -> None:
    rows = rows_of(asked(*(f"I adopted greyhound number {n}." for n in range(20)), "Wow!"))
    assert [row[0] for row in rows] == [str(n) for n in range(1, 21)]
    assert rows[0] == [
        "1",
        "fact",
        "Ines",
        "adopted_greyhound",
        "greyhound number 0",
        "Ines adopted greyhound number 0.",
    ]
    assert sum(len(row) == 6 for row in rows) == 6
    assert {len(row) for row in rows} == {5, 6}


def test_an_answer_keeps_the_limit_that_was_set() -> None:
    text = json.dumps(["greyhound"] * 200)
    assert cut(text, asked(max_tokens=4000), counter()).finish == "stop"
    short = cut(text, asked(max_tokens=20), counter())
    assert (short.finish, len(short.text or "") < len(text)) == ("length", True)


def test_tokens_are_counted_by_a_tokenizer() -> None:
    assert counter()("hello world") == 2
    assert counter()("<|endoftext|>") > 1, "marks of the layout are text when a transcript holds them"


def test_what_a_conversation_costs_is_counted_by_the_server(tmp_path: Path) -> None:
    (tmp_path / "conv-26.json").write_text(json.dumps(TALK))
    told = measure(tmp_path, embedder="none", model="metered")
    assert (told["calls"], told["messages"]) == (1, 4)
    assert 800 < told["input_tokens"] < 2000
    assert 30 < told["output_tokens"] < 120
    spent = told["metered"]
    assert (spent["most_calls_unchanged"], spent["most_calls_one_more_session"]) == (0, 1)
    assert spent["nights_whose_ledger_differs"] == 0
    assert told["coverage"]["evidence_covered"] == 100


OFFLINE = """
import sys
from pathlib import Path
from evals.bench_overhead import _short
_short(Path(sys.argv[1]))
print(sorted({"litellm", "instructor", "openai"} & set(sys.modules)))
"""


def test_a_night_by_rules_loads_no_library_of_models(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", OFFLINE, str(tmp_path / "store")]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
