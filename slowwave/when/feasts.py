"""Feasts whose day the calendar gives: Easter and what is counted from it, Christmas, New Year. "Before Easter" is a date.

Belongs here: their names, their days and their rule. Does not belong here: how a year is chosen (`absolute.nearest`).
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from slowwave.when import spans
from slowwave.when.absolute import Rule, nearest
from slowwave.when.found import Ground, Stretch
from slowwave.when.words import YEAR

# Days after Easter Sunday.
_BY_EASTER = {
    "good friday": -2, "easter sunday": 0, "easter monday": 1, "easter": 0, "ascension day": 39, "pentecost": 49, "whitsun": 49,
    "pasen": 0, "paaszondag": 0, "pinksteren": 49, "ostern": 0, "karfreitag": -2, "pfingsten": 49, "pâques": 0, "pentecôte": 49,
    "pascua": 0, "páscoa": 0,
}  # fmt: skip
_FIXED = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "boxing day": (12, 26), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1), "halloween": (10, 31),
    "valentine's day": (2, 14), "kerstmis": (12, 25), "kerst": (12, 25), "weihnachten": (12, 25), "heiligabend": (12, 24),
    "silvester": (12, 31), "noël": (12, 25), "navidad": (12, 25), "sinterklaas": (12, 5),
}  # fmt: skip
_NAME = "|".join(sorted((*_BY_EASTER, *_FIXED), key=len, reverse=True)).replace("'", "[’']")
NAMED = re.compile(rf"(?P<side>(?:next|last|this) )?(?P<feast>{_NAME})", re.IGNORECASE)
TRIGGERS = frozenset(re.findall(r"[^\W\d_]+", " ".join((*_BY_EASTER, *_FIXED)))) - frozenset(
    ["good", "day", "new", "s", "eve"]
)
_LEAD = (
    r"before|by|until|till|after|since|over|around|at|on|for|from|due|ends?|starts?|tegen|voor|vóór|tot|na|met|sinds|vor|bis|zu|an|nach"
    r"|seit|avant|après|à|pour|depuis|d[’']ici|antes de|hasta|para|en|até|desde"
)
# "Easter eggs" and "the Christmas party" are no dates.
_ENDS = (
    r"(?=\W*$|[.,;:!?)–—]| (?:and|but|or|because|so|if|when|we|i|at|in|with|to|the|my|our"
    r"|you|he|she|they|und|en|et|y|e|ist|is|will|was)\b)"
)


def easter(year: int) -> date:
    """Easter Sunday of the western churches (the anonymous Gregorian reckoning)."""
    golden, (century, in_century) = year % 19, divmod(year, 100)
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _feast(m: re.Match[str], ground: Ground) -> Stretch | None:
    name = m["feast"].lower().replace("’", "'")

    def made(year: int) -> Stretch:
        if name in _FIXED:
            return spans.days(date(year, *_FIXED[name]))
        return spans.days(easter(year) + timedelta(days=_BY_EASTER[name]))

    if m["y"]:
        return made(int(m["y"]))
    if m["side"] and m["side"].lower() in ("last", "next"):
        ground = ground._replace(tense="past" if m["side"].lower() == "last" else "future", is_done=True)
    return nearest(made, ground)


RULES: tuple[Rule, ...] = (
    Rule(
        rf"\b(?:(?:{_LEAD}) (?:the )?(?!next |last |this )|(?=next |last |this ))(?P<core>(?:(?P<side>next|last"
        rf"|this) )?(?P<feast>{_NAME})(?: (?P<y>{YEAR}))?){_ENDS}",
        _feast,
        flags=re.IGNORECASE,
    ),
)
