"""A wish in talk is erased as a request is, and not only hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.forget import stones
from tests.e2e.erasing import GONE, TALK, Store, line


def test_a_spoken_wish_is_erased_and_not_only_hidden(tmp_path: Path) -> None:
    store = Store(tmp_path)
    lines = [line(*row) for row in TALK]
    store.night(lines, "2026-02-02T03:00")
    lines += [line("s4", "w1", "user", "Please forget what I told you about Carlota.", "2026-02-02T20:00")]
    lines += [line("s4", "w2", "assistant", "I removed what you said about Carlota.", "2026-02-02T20:01")]
    night = store.night(lines, "2026-02-03T03:00")
    assert (night.status, night.facts["n_forget_requests"]) == ("published", 1)
    assert store.says(*GONE) == []
    assert "oboe" in store.recalls("Which instrument do I play?")
    late = [line("old", "o1", "user", "Carlota keeps the dog after the divorce.", "2026-01-02T10:00")]
    store.night([*lines, *late], "2026-02-04T03:00")
    assert store.says(*GONE) == []
    news = [line("s5", "n1", "user", "Carlota moved to Aveiro.", "2026-02-04T10:00")]
    store.night([*lines, *late, *news], "2026-02-05T03:00")
    assert store.says("aveiro")


@pytest.mark.parametrize(
    ("texts_said", "gone", "stays"),
    [
        (["I like tea.", "I quit my job at Norheim.", "Forget that."], "norheim", ["I like tea."]),
        (["I like tea. Off the record: my boss leaves Norheim."], "norheim", []),
        (
            ["I like tea.", "Off the record for now.", "I leave Norheim.", "Back on the record.", "I like rye."],
            "norheim",
            ["I like tea."],
        ),
        (["I sold the boat Norheim. Scratch that. I like tea."], "norheim", ["I like tea."]),
        (["Norheim pays me well.", "Please forget everything I said in this conversation."], "norheim", []),
    ],
)
def test_every_wish_in_talk_is_erased(tmp_path: Path, texts_said: list[str], gone: str, stays: list[str]) -> None:
    store = Store(tmp_path)
    lines = [line("s1", f"m{n}", "user", text, f"2026-02-01T10:0{n}") for n, text in enumerate(texts_said)]
    for half, when in ((lines[: len(lines) // 2 + 1], "2026-02-02T03:00"), (lines, "2026-02-03T03:00")):
        store.night([*half, line("s0", "p0", "user", "I live in Porto.", "2026-02-01T08:00")], when)
    assert store.says(gone) == []
    assert stones.pending(store.path) == []
    assert set(stays) <= set(store.left().values())
    assert store.says("porto")


def test_a_wish_is_only_hidden_where_that_is_set(tmp_path: Path) -> None:
    store = Store(tmp_path)
    lines = [
        *(line(*row) for row in TALK),
        line("s4", "w1", "user", "Please forget what I told you about Carlota.", "2026-02-02T20:00"),
    ]
    store.night(lines, "2026-02-03T03:00", night={"erase_wishes": False})
    assert "divorce" in store.left()["m1"]
    assert "divorce" not in store.recalls("What is going on with Carlota?")
