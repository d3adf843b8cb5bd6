"""Laws of capture: twice is once, nothing is lost, and order doesn't matter, for whatever stands in a log."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.capture import capture, load_messages, load_signals
from adapters.sources import Source

_TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["I moved to Porto.", "the password is Plum-Kettle-4471", "ok thanks", "私は緑茶が好き。", ""]),
)
_TIMES = st.sampled_from(
    ["2026-02-01T10:00:00+01:00", "2026-02-01T09:00:00Z", "2026-02-03T10:00:00", None, "soon", 1e9]
)
_MESSAGES = st.fixed_dictionaries(
    {
        "session_id": st.sampled_from(["s1", "s2", "../s"]),
        "role": st.sampled_from(["user", "assistant", "tool", "ghost"]),
    },
    optional={
        "message_id": st.sampled_from(["m1", "m2", "m3", 4]),
        "content": st.one_of(_TEXTS, st.none(), st.lists(st.fixed_dictionaries({"text": _TEXTS}), max_size=2)),
        "created_at": _TIMES,
        "user_id": st.sampled_from(["u-ana", "u-bo", ""]),
        "platform": st.sampled_from(["chat", "Chat/../x", ""]),
        "tool_name": st.sampled_from(["shell", "compact_summary"]),
    },
)
_SIGNALS = st.fixed_dictionaries(
    {
        "signal": st.fixed_dictionaries(
            {}, optional={"kind": st.sampled_from(["a", "b"]), "id": st.sampled_from(["1", "2"])}
        )
    }
)
_LINES = st.lists(
    st.one_of(_MESSAGES.map(json.dumps), _SIGNALS.map(json.dumps), st.sampled_from(["{cut", "[]", "12", "\\"])),
    max_size=12,
)


def run(store: Path, lines: list[str]) -> tuple[Any, int]:
    path = store.with_suffix(".jsonl")
    path.write_text("\n".join(lines), encoding="utf-8")
    return capture(store, [Source("jsonl", path)], owner="u-ana"), sum(bool(line.strip()) for line in lines)


@settings(max_examples=60, deadline=None)
@given(_LINES)
def test_twice_is_once_and_nothing_is_lost(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        done, n_lines = run(store, lines)
        captured = done.n_new + done.n_known + done.n_new_signals + done.n_known_signals
        assert captured + done.n_damaged + sum(done.other_owners.values()) == n_lines
        reasons = done.decisions.filter(done.decisions["action"].is_in(["quarantine", "reject"]))
        assert reasons.height == done.n_damaged + sum(done.other_owners.values())
        before = load_messages(store), load_signals(store)
        again, _ = run(store, lines)
        assert not again.is_new
        assert again.n_new_damaged == 0
        assert load_messages(store).equals(before[0])
        assert load_signals(store).equals(before[1])


@settings(max_examples=40, deadline=None)
@given(_LINES, st.integers(0, 12))
def test_a_log_read_as_it_grew_is_the_log_read_at_once(lines: list[str], cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        at_once, grown = Path(folder) / "once", Path(folder) / "grown"
        run(at_once, lines)
        run(grown, lines[:cut])
        run(grown, lines)
        assert load_messages(grown).equals(load_messages(at_once))
        assert load_signals(grown).equals(load_signals(at_once))


_EDITS = st.lists(
    st.builds(
        lambda text, at: json.dumps(
            {"session_id": "s1", "message_id": "m1", "role": "user", "content": text, "created_at": at}
        ),
        st.sampled_from(["I live in Porto.", "I live in Lisbon.", "I live in Faro."]),
        st.sampled_from(["2026-02-01T10:00:00Z", "2026-02-01T10:00:00Z", "2026-02-03T10:00:00Z", None]),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(_EDITS, st.lists(st.integers(0, 8), max_size=2))
def test_edits_and_their_taking_back_are_told_the_same_at_any_pace(lines: list[str], cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        at_once, grown = Path(folder) / "once", Path(folder) / "grown"
        run(at_once, lines)
        for cut in sorted(cuts):
            run(grown, lines[:cut])
        run(grown, lines)
        assert load_messages(grown).equals(load_messages(at_once))
        for store in (at_once, grown):
            assert not run(store, lines)[0].is_new
