"""Law 8: forgotten stays forgotten. Whatever is said, whatever is forgotten of it, and whatever is read or rolled back afterwards."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.capture import load_messages
from adapters.forget.scan import texts
from flows.begin import Plan
from flows.forget import forget
from flows.road import consolidated
from flows.rollback import resume, roll_back
from flows.step import here
from slowwave.errors import UsageError
from slowwave.store import read_current, read_manifest, versions
from tasks.trace import Request
from tests.make import at

# Each statement has a word of its own, so that one can be looked for and the others missed.
WORDS = ("Zorvex", "Quilbane", "Threndle", "Umbrisk", "Vantorre", "Wexfold")
SHAPES = (
    "My friend {} moved to Ghent.",
    "I keep a boat called {} in the harbour!",
    "We ate at {} on Sunday, and the soup was cold.",
    "Mijn zus werkt bij {}.",
    "I never liked {}.",
    "The password hint is {}, remember?",
)


class Said(NamedTuple):
    """A message: its session, whether the owner said it, and the numbers of its statements."""

    session: int
    is_owners: bool
    which: tuple[int, ...]


MESSAGES = st.lists(
    st.builds(
        Said,
        st.integers(0, 2),
        st.sampled_from([True, True, True, False]),
        st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=3, unique=True).map(tuple),
    ),
    min_size=2,
    max_size=6,
)


def statement(n: int) -> str:
    return SHAPES[n].format(WORDS[n])


def lines(talk: Sequence[Said], ids: str = "", disguise: Any = str) -> list[dict[str, Any]]:
    return [
        {
            "session_id": f"{ids}s{said.session}",
            "message_id": f"{ids}m{n}",
            "role": "user" if said.is_owners else "assistant",
            "content": disguise(" ".join(statement(which) for which in said.which)),
            "created_at": f"2026-02-01T10:{n:02d}:00+00:00",
            "platform": "chat",
        }
        for n, said in enumerate(talk)
    ]


def disguised(text: str) -> str:
    return text.upper().replace("O", "\u041e").replace("E", "E\u200b")


def night(store: Path, told: list[dict[str, Any]], day: int) -> None:
    log = store.with_name("log.jsonl")
    log.write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")
    consolidated(Plan(store, (f"jsonl={log}",), at(f"2026-03-{day:02d}T03:00")), here)


def found(store: Path) -> set[int]:
    """The numbers of the statements whose word is in any file of the store, however it is written."""
    held = " ".join(text.casefold() for path in store.rglob("*") if path.is_file() for _, text in texts(path))
    bare = held.replace("\u043e", "o").replace("\u200b", "")
    return {n for n, word in enumerate(WORDS) if word.casefold() in bare}


def check(talk: list[Said], way: str, n: int, *, is_split: bool, goes_back: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        told, said = lines(talk), talk[n % len(talk)]
        half = len(told) // 2 if is_split else len(told)
        night(store, told[:half], 1)
        night(store, told, 2)
        request, gone = asked(way, said, n % len(talk), talk)
        try:
            done = forget(store, request, as_of=at("2026-03-03T03:00"))
        except UsageError:
            return
        assert done.hits == [] and not done.is_pending
        assert not found(store) & gone
        kept = {which for one in talk for which in one.which} - gone
        whole = [version for version in versions(store) if read_manifest(store, version).purged_at is None]
        if goes_back and whole[0] != read_current(store):
            roll_back(store, whole[0])
            resume(store)
        night(store, told, 4)
        night(store, [*told, *lines(talk, "copy-"), *lines(talk, "other-", disguised)], 5)
        assert not found(store) & gone
        captured = " ".join(load_messages(store)["text"])
        assert not [which for which in kept if statement(which) not in captured]


def asked(way: str, said: Said, place: int, talk: list[Said]) -> tuple[Request, set[int]]:
    """A request, and the statements of which not a word may be left: the same words said elsewhere before go with them."""
    if way == "text":
        return Request(texts=(WORDS[said.which[0]],)), {said.which[0]}
    if way == "message":
        return Request(messages=(f"m{place}",)), set(said.which)
    if way == "session":
        return Request(sessions=(f"s{said.session}",)), {
            w for one in talk if one.session == said.session for w in one.which
        }
    return Request(since=at(f"2026-02-01T10:{place:02d}")), {w for one in talk[place:] for w in one.which}


WAYS = st.sampled_from(["text", "message", "session", "time"])
QUIETLY = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=2, deadline=None, suppress_health_check=QUIETLY, derandomize=True)
@given(MESSAGES, WAYS, st.integers(0, 5), st.booleans(), st.booleans())
def test_forgotten_stays_forgotten(talk: list[Said], way: str, n: int, is_split: bool, goes_back: bool) -> None:
    check(talk, way, n, is_split=is_split, goes_back=goes_back)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=QUIETLY)
@given(MESSAGES, WAYS, st.integers(0, 5), st.booleans(), st.booleans())
def test_forgotten_stays_forgotten_in_many_talks(
    talk: list[Said], way: str, n: int, is_split: bool, goes_back: bool
) -> None:
    check(talk, way, n, is_split=is_split, goes_back=goes_back)
