"""Numbers that pay: cards by prefix, length and check digit (Luhn, ISO/IEC 7812), accounts by country and remainder (IBAN, ISO 13616).

Does not belong here: other long numbers, which are mostly ids and times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# In one piece, or in the groups in which cards are printed; not the middle of a longer row of numbers.
_CARD = re.compile(
    r"(?<![\w+.-])(?<!\d[ ,;|])"
    r"(?:\d{14,19}|\d{4}([ \u00a0-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3}(?!\d))?|\d{4}([ \u00a0-])\d{6}\2\d{4,5})(?![\w%])"
)
_PREFIX = re.compile(
    r"4(?:\d{15}|\d{18})|(?:5[1-5]|2[2-7]|35|62|65)\d{14}|(?:6011|64[4-9]\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}"
)
_ACCOUNT = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{2})\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}")
_LENGTHS = {
    15: "NO", 16: "BE", 18: "DK FO FI GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST",
    26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE",
    31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_LENGTH = {country: length for length, countries in _LENGTHS.items() for country in countries.split()}


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of every card and account number."""
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if _PREFIX.fullmatch(digits) and _is_luhn(digits) and len(set(digits)) > 1:
            yield found.start(), found.end(), "card"
    for found in _ACCOUNT.finditer(text):
        end = _end(found)
        if end is not None:
            yield found.start(), end, "iban"


def _is_luhn(digits: str) -> bool:
    doubled = (int(d) * 2 if at % 2 else int(d) for at, d in enumerate(reversed(digits)))
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def _end(found: re.Match[str]) -> int | None:
    """Where the account ends, by its country's length; None where it is none."""
    places = [at for at, c in enumerate(found[0]) if c.isalnum()][: _LENGTH.get(found[1].upper(), 0)]
    account = "".join(found[0][at] for at in places).upper()
    end = found.start() + places[-1] + 1 if places else 0
    is_whole = len(account) == _LENGTH.get(found[1].upper()) and not found.string[end : end + 1].isalnum()
    if not is_whole:
        return None
    turned = account[4:] + account[:4]
    return end if int("".join(str(int(c, 36)) for c in turned)) % 97 == 1 else None
