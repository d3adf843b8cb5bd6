"""Many texts at once lose what each of them loses alone: a first look lets nothing go that the patterns themselves would find."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from urllib.parse import quote

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.redact import disguises, glance, library, redact, redact_all
from adapters.redact.patterns import LABELS, SHAPES, is_secret, least
from adapters.redact.signs import ANNOUNCING
from tests.adapters.test_redact import CONTEXTS, SECRETS

_HEX = "4f9c2ab17d30e86b5c91f0a2d7e4836b"
_LABELLED = [
    "login Page",
    "login page_x.",
    "the admin password is Plum-Kettle-4471.",
    "use Plum-Kettle-4471 as the admin password",
    "session on pricing",
    "session 4471abcd",
    "the PIN is 4471",
    "my SSN: 123-45-6789",
    'sig": ',
    "[secret:card]",
    "[secret:token]",
    "-----BEGIN PRIVATE KEY-----",
    "postgres://ferry:Plum4471@db",
    "DE89370400440532013000",
    "4111 1111 1111 1111",
    f"cloudant_key: {_HEX}{_HEX}",
    f"AP1{_HEX}",
    f"commit {_HEX}4f9c2ab1",
]
_WORDS = ["LOGİN", "pın", "toKen", "ſecret", ": ", " is ", "=", '"', "é", "²", "\u0301", "日本", "\u200b", "\n", "> "]
_PLAIN = st.sampled_from([*SECRETS.values(), *_LABELLED, *ANNOUNCING, *_WORDS]) | st.text(max_size=12)


def _packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _wrapped(text: str) -> str:
    return f"{text[: len(text) // 2]}\n> {text[len(text) // 2 :]}"


_DISGUISES: list[Callable[[str], str]] = [str, quote, _packed, _wrapped, "\u2060".join, lambda text: redact(text).text]
_PIECES = st.builds(lambda disguise, text: disguise(text), st.sampled_from(_DISGUISES), _PLAIN)
_TEXTS = st.lists(_PLAIN | _PIECES, max_size=9).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(st.lists(_TEXTS, min_size=4, max_size=4), st.sampled_from([0, glance.LITTLE_BYTES]))
def test_many_texts_at_once_lose_what_each_alone_does(texts: list[str], little: int) -> None:
    many = texts * 40
    with pytest.MonkeyPatch.context() as patch:
        # With 0 even these few are looked at by the other engine.
        patch.setattr(glance, "LITTLE_BYTES", little)
        assert redact_all(many) == [redact(text) for text in texts] * 40


def test_every_secret_is_seen_among_many_texts_and_plain_talk_is_let_go() -> None:
    texts = [context.format(secret) for secret in SECRETS.values() for context in CONTEXTS]
    alone = [redact(text) for text in texts]
    n = 1 + 2 * glance.LITTLE_BYTES // sum(map(len, texts))
    assert redact_all(texts) == alone
    assert redact_all(texts * n) == alone * n
    talk = ["We met on Tuesday.", "It cost 40 euros (or 45), since 2019.", "The code is fine, and it took 2 hours."]
    assert glance.worth(talk).keys() == {2}, "a little that is announced is looked at by itself"
    talk += [
        "The login page and the session key are in tests/test_report_12.py\nread by line_2.",
        f"commit {_HEX}4f9c2ab1",
    ]
    assert not glance.worth(talk * 2000)


def _matches(pattern: re.Pattern[str]) -> st.SearchStrategy[tuple[re.Pattern[str], str]]:
    return st.tuples(st.just(pattern), st.from_regex(pattern))


def _is_seen(looked: str, text: str) -> bool:
    return bool(pl.Series([re.sub("[ıİ]", "i", text)]).str.contains(looked)[0])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SHAPES)).flatmap(lambda name: _matches(re.compile(SHAPES[name]))))
def test_every_shape_is_seen(found: tuple[re.Pattern[str], str]) -> None:
    assert _is_seen(glance.any_shape(), found[1])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(30)).flatmap(lambda at: _matches(library.patterns()[at])), st.text(max_size=3))
def test_what_a_detector_sees_in_a_piece_is_seen_in_the_whole(found: tuple[re.Pattern[str], str], around: str) -> None:
    assert _is_seen(glance.any_of_library(), f"{around}{found[1]}{around}")


@pytest.mark.parametrize(
    "text",
    [
        # A detector is given a piece of the line, and here one begins where the token does.
        f"zAKC{'a1' * 6} {'lorem ' * 7}a test_rounding_1234 it is",
        "the key [secret:card] is Ab3defgh9",
        'sig" [secret:card] is Ab3defgh9',
        "paid_from_NL91ABNA0417164300.pdf",
        "Das Passwort lautet Sommer#2026!",
    ],
)
def test_what_only_shows_in_a_piece_or_beside_a_mark_is_seen(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glance, "LITTLE_BYTES", 0)
    assert redact(text).n == 1
    assert redact_all([text] * 100) == [redact(text)] * 100


_SAYING = [
    "login {}",
    "passwd {}, ok",
    "see {} as the password",
    "session {}.",
    "token: {}",
    "key is {}",
    "bearer '{}'",
    "PIN {}",
]
_VALUES = st.lists(st.sampled_from(["aaaa", "a" * 32, "1", "²", "A", "é", "_", "-."]), min_size=1, max_size=4).map(
    "".join
)


@settings(max_examples=200, deadline=None)
@given(_VALUES)
def test_every_labelled_secret_is_seen(value: str) -> None:
    for text in [saying.format(value) for saying in _SAYING]:
        for kind, pattern in LABELS:
            found = pattern.search(text)
            if found and is_secret(kind, found):
                assert _is_seen(f"(?i){glance.widened(least(kind, pattern))}", text)


@given(st.text(min_size=15, max_size=60) | st.binary(min_size=15, max_size=60), st.sampled_from(["", " ", "=", "\n"]))
def test_packed_words_are_seen_whatever_they_begin_with(words: str | bytes, before: str) -> None:
    whole = words if isinstance(words, bytes) else words.encode()
    text = before + base64.b64encode(whole).decode()
    try:
        is_words = all(c.isprintable() or c in "\r\n\t" for c in whole.decode())
    except ValueError:
        is_words = False
    assert bool(list(disguises.unpacked(text))) == is_words
    if is_words:
        assert pl.Series([text]).str.contains(disguises.PACKED_HINT)[0]
