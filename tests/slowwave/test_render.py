"""What a terminal gets: the days of the memory's zone, and nothing that it would obey."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.cli import main
from slowwave.format import CommitmentState, Kind
from slowwave.render import visible
from slowwave.text import legible
from tests.make import at, evidence, memory
from tests.stores import build, said

CLEAR, TITLE, C1, FLIP = "\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\u202e"
HOSTILE = f"The kiln {CLEAR} is {TITLE} red {C1} and {FLIP} hot"


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    main(list(argv))
    both = capsys.readouterr()
    return both.out + both.err


def obeyed(text: str) -> set[str]:
    """Characters that a terminal acts on, or that turn the direction of what it shows."""
    turning = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    return {
        c
        for c in text
        if c not in "\n\t" and (unicodedata.category(c) == "Cc" or unicodedata.bidirectional(c) in turning)
    }


def test_no_command_prints_what_a_terminal_obeys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quote = evidence(HOSTILE, session=f"s{CLEAR}", message_id=f"m{FLIP}")
    turns = [said(HOSTILE, seq=1, session=f"s{CLEAR}", message_id=f"m{FLIP}", speaker=f"Ana{C1}")]
    build(
        tmp_path,
        memories=[memory(HOSTILE, id="mem_kiln", evidence=[quote])],
        turns=turns,
        documents={"snapshot.md": f"# Memory\n- {HOSTILE}\n"},
        embedder="none",
    )
    store = ("--store", str(tmp_path))
    for argv in (["recall", "kiln"], ["show"], ["show", "mem_kiln"], ["why", "mem_kiln"], ["log"]):
        for more in ([], ["--json"]):
            text = shown(capsys, argv[0], *store, *more, *argv[1:])
            assert not obeyed(text), (argv, more, obeyed(text))
    assert "kiln \\x1b[2J" in shown(capsys, "recall", *store, "kiln")
    found = json.loads(shown(capsys, "recall", *store, "--json", "kiln"))
    assert found["results"][0]["text"] == HOSTILE
    assert not obeyed(shown(capsys, "show", *store, f"what{CLEAR}{FLIP}"))


@given(st.text())
def test_what_is_made_visible_or_legible_is_safe_and_stays_so(text: str) -> None:
    assert not obeyed(visible(text)) and visible(visible(text)) == visible(text)
    line = legible(text)
    assert not obeyed(line) and "\n" not in line and legible(line) == line


@pytest.mark.parametrize("text", ["Zoë: 日本語, Grüße — שלום, مرحبا!", "plain words", "naïve café №5 ½"])
def test_plain_words_stay(text: str) -> None:
    assert visible(text) == text == legible(text)


def test_emoji_stay_whole_on_a_terminal() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f"
    assert visible(family) == family


@pytest.mark.parametrize(
    ("zone", "due", "told"),
    [
        ("America/New_York", "2026-03-20T23:59:59-04:00", "2026-03-20"),
        ("+01:00", "2026-03-20T23:59:59+01:00", "2026-03-20"),
        ("Pacific/Auckland", "2026-03-21T00:00:00+13:00", "2026-03-20"),
        ("", "2026-03-20T23:59:59-04:00", "2026-03-21"),
    ],
)
def test_a_deadline_shows_the_day_of_the_memorys_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], zone: str, due: str, told: str
) -> None:
    promise = memory(
        "I promised the bowls.",
        id="mem_bowls",
        kind=Kind.GOAL_OR_COMMITMENT,
        commitment_state=CommitmentState.OPEN,
        due_at=at(due),
    )
    build(tmp_path, memories=[promise], embedder="none", zone=zone)
    for argv in (["recall", "bowls"], ["show", "mem_bowls"], ["why", "mem_bowls"]):
        assert f"due {told}" in shown(capsys, argv[0], "--store", str(tmp_path), *argv[1:])
    found = json.loads(shown(capsys, "recall", "--store", str(tmp_path), "--json", "bowls"))
    assert found["results"][0]["due_at"] == at(due).isoformat()


def test_joiners_that_a_script_needs_stay_and_hidden_ones_go() -> None:
    family = "👩\u200d👩\u200d👧\u200d👦 at weekends"
    assert legible(family) == family
    assert legible("می\u200cخواهم") == "می\u200cخواهم"
    assert legible("ig\u200dnore\u200c this") == "ignore this"
