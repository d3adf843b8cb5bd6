"""Signs that a text may hold a secret: long runs of letters and digits, long numbers, and words that announce one. Cheap to look for.

Does not belong here: what a secret is (`patterns`).
"""

from __future__ import annotations

import re

from adapters.redact import documents

RUN = re.compile(r"[A-Za-z0-9_+/=.-]{16,}")
# A run of small letters and hyphens is a word or a path, and too plain for a token.
_PLAIN_RUN = re.compile(r"[a-z_/.=+-]+|[A-Z_-]+|[\d.-]+")
# A path has slashes and dots every few letters; a token doesn't.
DENSE = re.compile(r"[A-Za-z0-9_+=-]{16,}")
# The least that a card or an account has: four digits on end, and eight more near them; or two letters with two digits.
NUMBERS = re.compile(r"\d{4}(?:[ \u00a0-]?\d){8}|(?:^|[^A-Za-z0-9])[A-Za-z]{2}\d{2}[ \u00a0-]?[A-Za-z0-9]{4}")

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
FAMILIES: dict[str, tuple[str, ...]] = {
    "password": _PASSWORD_WORDS,
    "wallet_phrase": _PHRASE_WORDS,
    "token": _TOKEN_WORDS,
    "code": _CODE_WORDS,
    "document": documents.WORDS,
}
ANNOUNCING: tuple[str, ...] = tuple(word for words in FAMILIES.values() for word in words)
WITH_DIGITS = frozenset({"token", "code", "document"})
_DIGIT = re.compile(r"\d")


def runs(text: str) -> list[re.Match[str]]:
    """The long runs that are no plain words, paths or numbers."""
    # Splitting is cheap: in nearly every text it shows that there is no long run to look for.
    if len(max(text.split(), key=len, default="")) < 16:
        return []
    return [run for run in RUN.finditer(text) if not _PLAIN_RUN.fullmatch(run[0])]


def announced(text: str) -> set[str]:
    """Which families of labels the text's words announce."""
    lowered = text.lower()
    has_digit = bool(_DIGIT.search(text))
    found: set[str] = set()
    # A plain loop: this runs for every doubtful text there is.
    for family, words in FAMILIES.items():
        if not has_digit and family in WITH_DIGITS:
            continue
        for word in words:
            if word in lowered:
                found.add(family)
                break
    return found
