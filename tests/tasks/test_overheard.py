"""Signals that hold what the owner wishes forgotten go with it, from every table that is published; the others stay."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from adapters.offline import Offline
from flows.part import walk_part
from models.message import Message, Signal
from models.rules import SiftRules
from models.table import empty, rows_to_frame
from models.turn import Turn
from tasks.sift import sift
from tests.make import NOW, message, signal

SESSION = "s1"
SECRET = "My sister Carlota was arrested near Utrecht station."


def talk(*texts: str, role: str = "user") -> list[Message]:
    return [
        message(text, session=SESSION, seq=seq, role=role, said=f"2026-02-01T10:0{seq}")
        for seq, text in enumerate(texts)
    ]


def left(messages: list[Message], *signals: Signal, **rules: Any) -> tuple[list[str], list[tuple[str, str, str]]]:
    frame, seen = rows_to_frame(Message, messages), rows_to_frame(Signal, list(signals))
    done = sift(frame, empty(Turn), seen, rules=SiftRules(**rules), as_of=NOW)
    gone = done.decisions.filter(pl.col("detail") == "signal").select("item_id", "reason", "other_id").rows()
    return done.signals["text"].sort().to_list(), gone


def test_without_a_wish_every_signal_stays_and_one_without_text_always_does() -> None:
    screen, bare = signal("observation", text="Court pages.", when="2026-02-01T10:00"), signal(outcome="accepted")
    assert left(talk(SECRET), screen, bare) == (["", "Court pages."], [])
    assert left(talk(SECRET, "Forget that."), screen, bare)[0] == [""]


@pytest.mark.parametrize("wish", ["Forget that.", "That was off the record."])
def test_what_was_on_the_screen_at_that_moment_goes(wish: str) -> None:
    said = talk(SECRET, wish)
    now = signal("observation", text="Court pages in a browser.", when="2026-02-01T10:03")
    later = signal("observation", text="A spreadsheet.", when="2026-02-01T10:40")
    other = signal("observation", text="Another talk.", when="2026-02-01T10:00", session_id="s2")
    kept, gone = left(said, now, later, other)
    assert kept == ["A spreadsheet.", "Another talk."]
    assert [(key, asked) for key, _, asked in gone] == [(now.signal_key, said[1].msg_key)]
    assert left(said, now, forget_signal_minutes=0)[0] == ["Court pages in a browser."]


def test_the_forgotten_words_go_wherever_they_were_said_again() -> None:
    told = signal(text="Shall I call? Your sister Carlota was arrested near Utrecht.", when="2026-02-09T18:00")
    about = signal(text="Your sister's train leaves Utrecht at six.", when="2026-02-09T18:00")
    assert left(talk(SECRET, "Forget that."), told, about)[0] == [about.text]


def test_a_topic_goes_by_its_name_from_before_the_wish() -> None:
    wish = talk("Please forget everything I told you about Carlota.")
    before = signal("observation", text="A mail to Carlota.", when="2026-01-20T10:00")
    after = signal("observation", text="Carlota called again.", when="2026-02-02T10:00")
    other = signal("observation", text="A mail to Berta.", when="2026-02-01T10:00")
    assert left(wish, before, after, other)[0] == ["A mail to Berta.", "Carlota called again."]


def test_nobody_elses_wish_takes_a_signal_away() -> None:
    screen = signal("observation", text="Court pages.", when="2026-02-01T10:00")
    assert left(talk(SECRET, "Forget that.", role="assistant"), screen)[0] == ["Court pages."]


def test_a_wish_of_an_earlier_night_holds_for_signals() -> None:
    said = rows_to_frame(Message, talk(SECRET, "Forget that."))
    first = sift(said, empty(Turn), empty(Signal), rules=SiftRules(), as_of=NOW)
    late = [
        signal("observation", text="Court pages.", when="2026-02-01T10:00"),
        signal(text="Carlota was arrested near Utrecht.", when="2026-02-09T10:00"),
    ]
    seen = rows_to_frame(Signal, late)
    assert sift(empty(Message), first.heard, seen, rules=SiftRules(), as_of=NOW).signals.height == 0


def test_nothing_published_holds_what_was_overheard() -> None:
    said = [*talk("Shall we plan the spring show?", SECRET, "Forget that."), message("I like oat milk.", session="s2")]
    seen = [
        signal(text=f"Carlota was arrested near Utrecht, so rest today ({i}).", outcome="accepted", mode="focus")
        for i in range(1, 7)
    ]
    seen += [
        signal("transition", text="Reading about Carlota, arrested near Utrecht station.", when="2026-02-01T10:01"),
        signal("transition", text="From pottery to taxes.", when="2026-02-05T10:01"),
    ]
    given = {"begin.messages": [m.model_dump() for m in said], "begin.signals": [s.model_dump() for s in seen]}
    made = walk_part(given, start="sift", stop="project", as_of=NOW, ask=Offline())
    later = {name: frame for name, frame in made.items() if not name.startswith(("begin.", "known.", "sift."))}
    texts = {name: repr(frame.to_dicts()) for name, frame in later.items()}
    assert not [name for name, text in texts.items() if "Carlota" in text or "arrested" in text]
    assert "taxes" in texts["digest.episodes"]
