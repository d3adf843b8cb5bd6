"""Ids follow from content: equal things have equal ids, and nothing else has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.ids import digest, make_id, message_key

PARTS = st.lists(st.text(max_size=8) | st.integers() | st.none() | st.booleans(), max_size=4)


@given(PARTS, PARTS)
def test_a_digest_is_equal_exactly_where_the_parts_are(one: list[object], other: list[object]) -> None:
    same = [(type(part), part) for part in one] == [(type(part), part) for part in other]
    assert (digest(*one) == digest(*other)) == same


def test_parts_never_run_together() -> None:
    assert digest("ab", "c") != digest("a", "bc") != digest("abc")
    assert digest(["a"], "b") != digest("a", ["b"])


def test_the_order_of_a_mappings_keys_is_no_content() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})


def test_an_id_is_readable_and_stays_the_same_for_ever() -> None:
    assert make_id("mem", "u-ana", None, "user") == "mem_63ea14737af288e1"


@given(st.text(min_size=1), st.integers(0, 99), st.integers(0, 99))
def test_a_native_id_is_the_message_wherever_it_stands(native: str, place: int, other: int) -> None:
    assert message_key("hermes", "s1", native, place) == message_key("hermes", "s1", native, other)


@given(st.text(), st.text(), st.text(min_size=1))
def test_a_messages_key_is_the_id_of_its_parts(platform: str, session: str, native: str) -> None:
    assert message_key(platform, session, native, 3) == make_id("msg", platform, session, native)


@given(st.integers(0, 99), st.integers(0, 99))
def test_without_a_native_id_the_place_is_the_message(place: int, other: int) -> None:
    keys = [message_key("hermes", "s1", None, one) for one in (place, other)]
    assert (keys[0] == keys[1]) == (place == other)
    assert message_key("hermes", "s1", "", place) == keys[0]


def test_platforms_and_sessions_do_not_share_messages() -> None:
    assert len({message_key(p, s, "m", 0) for p in ("hermes", "seraph") for s in ("s1", "s2")}) == 4
