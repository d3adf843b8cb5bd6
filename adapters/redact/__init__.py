"""Secrets leave a text before it is first written: each becomes `[secret:kind]`.

A cheap look comes first, since nearly every text holds none: long runs of letters and digits, and words that announce a secret.
Belongs here: finding and replacing. Does not belong here: what secrets look like (`patterns`), or what is private without being one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from adapters.redact import library, numbers
from adapters.redact.patterns import KEY_BLOCK, LABELS, SHAPE, URL_PASSWORD, bare, is_secret, is_strong
from slowwave.text import INVISIBLE

__all__ = ["Redacted", "hide", "redact"]

_RUN = re.compile(r"[A-Za-z0-9_+/=.-]{16,}")
# A run of small letters and hyphens is a word or a path, and too plain for a token.
_PLAIN_RUN = re.compile(r"[a-z_/.=+-]+|[A-Z_-]+|[\d.-]+")
# What must stand in a text (in small letters) before a family of labels is looked for; a token's or a code's value has a digit.
_PASSWORD_WORDS = (
    *("passw", "passphrase", "passcode", "pass word", "pass phrase", "pass code", "pass-", "pass:", "pass=", "pass =", "pwd"),
    *("kennwort", "mot de passe", "contrase", "senha", "wachtwoord", "lösenord", "hasło", "пароль", "密码", "パスワード"),
    *("login", "wifi", "wi-fi", "psk", "curl ", "wget ", "http ", "mysql", "mariadb", "sshpass"),
)  # fmt: skip
_PHRASE_WORDS = ("phrase", "mnemonic", "seed words", "recovery words")
_TOKEN_WORDS = (
    *("secret", "token", "key", "credential", "signature", "sig=", "sig:", "sig ", "bearer", "auth", "otp", "2fa", "mfa"),
    *("recovery", "backup", "one-time", "one time", "verification", "cookie", "session"),
)  # fmt: skip
_CODE_WORDS = ("pin", "cvv", "cvc", " code", "-code", "combination")
_WITHOUT = (("password", _PASSWORD_WORDS), ("wallet_phrase", _PHRASE_WORDS))
_WITH_DIGITS = (*_WITHOUT, ("token", _TOKEN_WORDS), ("code", _CODE_WORDS))
_DIGIT = re.compile(r"\d")
# The least that a card or an account has: four digits on end, and eight more near them; or two letters with two digits.
_NUMBERS = re.compile(r"\d{4}(?:[ \u00a0-]?\d){8}|\b[A-Za-z]{2}\d{2}[ \u00a0-]?[A-Za-z0-9]{4}")
# Longer runs are pictures or archives in text form; a detector's token is never that long.
_MAX_RUN = 512
_AROUND = 60
# A path has slashes and dots every few letters; a token doesn't.
_DENSE = re.compile(r"[A-Za-z0-9_+=-]{16,}")
_DONE = re.compile(r"\[secret:[a-z0-9_]+\]")


@dataclass(frozen=True)
class Redacted:
    """A text without its secrets. `values` are the secrets themselves, for the same session's later texts: never written."""

    text: str
    n: int = 0
    kinds: tuple[str, ...] = ()
    values: tuple[str, ...] = field(default=(), repr=False)


def redact(text: str) -> Redacted:
    """The text with every secret replaced by `[secret:kind]`; twice is once. Characters that can't be seen hide no secret."""
    plain = text if text.isascii() else INVISIBLE.sub("", text)
    found = sorted(_look(plain))
    if not found:
        return Redacted(text)
    return _replace(text, found if len(plain) == len(text) else _placed(text, found))


def _placed(text: str, found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Spans of the text without its invisible characters, as spans of the text itself."""
    places = [at for at, c in enumerate(text) if not INVISIBLE.match(c)]
    return [(places[start], places[end - 1] + 1, kind) for start, end, kind in found]


def _look(text: str) -> Iterator[tuple[int, int, str]]:
    """Every secret's span and kind, by the looks that the text gives reason for."""
    # Splitting is cheap: in nearly every text it shows that there is no long run to look for.
    has_long = len(max(text.split(), key=len, default="")) >= 16
    runs = [run for run in _RUN.finditer(text) if not _PLAIN_RUN.fullmatch(run[0])] if has_long else []
    announced = _announced(text)
    if runs or announced or "://" in text:
        yield from _find(_masked(text), runs, announced)
    if _NUMBERS.search(text):
        yield from numbers.find(text)


def _announced(text: str) -> set[str]:
    """Which families of labels the text's words announce."""
    lowered = text.lower()
    families = _WITH_DIGITS if _DIGIT.search(text) else _WITHOUT
    found: set[str] = set()
    # A plain loop: this runs for every message there is.
    for family, words in families:
        for word in words:
            if word in lowered:
                found.add(family)
                break
    return found


def _masked(text: str) -> str:
    """The text with what was redacted before blotted out, place for place, so that its words announce nothing."""
    return _DONE.sub(lambda done: "•" * len(done[0]), text) if "[secret:" in text else text


def hide(text: str, values: tuple[str, ...]) -> str:
    """The text without secrets that were found earlier in its session, where they come back without their label."""
    is_plain = text.isascii() or not INVISIBLE.search(text)
    for value in values:
        if is_plain:
            text = text.replace(value, "[secret:repeated]")
        else:
            split = f"{INVISIBLE.pattern}*".join(map(re.escape, value))
            text = re.sub(split, "[secret:repeated]", text)
    return text


def _find(text: str, runs: list[re.Match[str]], announced: set[str]) -> Iterator[tuple[int, int, str]]:
    if "PRIVATE KEY" in text or "PuTTY" in text:
        yield from ((m.start(), m.end(), "private_key") for m in KEY_BLOCK.finditer(text))
    if runs:
        yield from ((m.start(), m.end(), str(m.lastgroup)) for m in SHAPE.finditer(text))
        yield from _by_library(text, runs)
    if "://" in text:
        yield from _by_address(text)
    if announced:
        yield from _by_label(text, announced)


def _by_library(text: str, runs: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    for run in runs:
        if len(run[0]) > _MAX_RUN or not _DENSE.search(run[0]):
            continue
        start = max(text.rfind("\n", 0, run.start()) + 1, run.start() - _AROUND)
        snippet = text[start : run.end() + _AROUND].partition("\n")[0]
        for kind, value in library.find(snippet):
            at = snippet.find(value)
            if at >= 0:
                yield start + at, start + at + len(value), kind


def _by_address(text: str) -> Iterator[tuple[int, int, str]]:
    for found in URL_PASSWORD.finditer(text):
        if not found["password"].startswith(("•", "$", "<", "{", "***")):
            # The user's name goes along: a name with a stand-in behind it still looks like a login, to people and to scanners.
            yield found.start() + len("://"), found.end("password"), "url_password"


def _by_label(text: str, announced: set[str]) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in LABELS:
        at = 0 if kind in announced else len(text) + 1
        while found := pattern.search(text, at):
            start = found.start("value")
            value = bare(found["value"])
            if is_secret(kind, found):
                yield start, start + len(value), kind
                at = start + len(value)
            else:
                # What was refused may still hold the label of what follows it.
                at = max(found.start() + 1, min(start, found.end() - 1))


def _replace(text: str, found: list[tuple[int, int, str]]) -> Redacted:
    """Overlapping finds are one secret, named by the first and longest of them."""
    merged: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(found, key=lambda f: (f[0], -f[1], f[2])):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((start, end, kind))
    parts: list[str] = []
    at = 0
    for start, end, kind in merged:
        parts += [text[at:start], f"[secret:{kind}]"]
        at = end
    values = tuple(INVISIBLE.sub("", _value(text[start:end], kind)) for start, end, kind in merged)
    kinds = tuple(sorted({kind for _, _, kind in merged}))
    repeatable = tuple(sorted({v for v in values if 8 <= len(v) <= _MAX_RUN and is_strong(v)}))
    return Redacted(hide("".join([*parts, text[at:]]), repeatable), len(merged), kinds, repeatable)


def _value(found: str, kind: str) -> str:
    """What must not come back: of a login in an address, its password."""
    return found.partition(":")[2] if kind == "url_password" else found
