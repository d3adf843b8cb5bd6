"""The commonest date words of a few other languages. A modest list on purpose: a wrong date is worse than none."""

from __future__ import annotations

import re
from datetime import timedelta

from slowwave.when import spans
from slowwave.when.absolute import Rule, slashed_day
from slowwave.when.found import Ground, Stretch

_DAYS = {
    "avant-hier": -2, "hier": -1, "aujourd'hui": 0, "aujourd’hui": 0, "ce soir": 0, "demain": 1, "après-demain": 2,
    "vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2,
    "eergisteren": -2, "gisteren": -1, "vandaag": 0, "vanavond": 0, "overmorgen": 2,
    "anteayer": -2, "ayer": -1, "hoy": 0, "ontem": -1, "hoje": 0, "amanhã": 1, "ieri": -1, "oggi": 0, "domani": 1,
    "昨日": -1, "今日": 0, "明日": 1, "昨天": -1, "今天": 0, "明天": 1,
}  # fmt: skip
_UNITS = {
    "la semaine dernière": (-1, "week"), "la semaine prochaine": (1, "week"), "le mois dernier": (-1, "month"),
    "le mois prochain": (1, "month"), "l'année dernière": (-1, "year"), "l'an dernier": (-1, "year"),
    "letzte woche": (-1, "week"), "nächste woche": (1, "week"), "letzten monat": (-1, "month"),
    "letztes jahr": (-1, "year"), "nächstes jahr": (1, "year"), "nächsten monat": (1, "month"),
    "vorige week": (-1, "week"), "volgende week": (1, "week"), "vorige maand": (-1, "month"),
    "vorig jaar": (-1, "year"), "volgend jaar": (1, "year"), "volgende maand": (1, "month"),
    "la semana pasada": (-1, "week"), "el mes pasado": (-1, "month"), "el año pasado": (-1, "year"),
}  # fmt: skip
_MONTHS = (
    "janvier|januar|januari|enero|janeiro", "février|fevrier|februar|februari|febrero|fevereiro", "mars|märz|maart|marzo|março",
    "avril|april|abril", "mai|mei|mayo|maio", "juin|juni|junio|junho", "juillet|juli|julio|julho",
    "août|aout|august|augustus|agosto", "septembre|september|septiembre|setembro", "octobre|oktober|octubre|outubro",
    "novembre|november|noviembre|novembro", "décembre|decembre|dezember|december|diciembre|dezembro",
)  # fmt: skip
MONTH = "|".join(_MONTHS)


def month_number(word: str) -> int:
    """1 for Januar or januari."""
    return next(i for i, names in enumerate(_MONTHS, 1) if word.lower() in names.split("|"))


# "Hier" is yesterday in French, and "here" in German and Dutch.
_FRENCH = re.compile(
    r"\b(?:nous|vous|ils?|elles?|les|une|mes|mon|ma|est|était|étais|étaient|avons|avez|ont|suis|ai|aux?|à|pas|et)\b|\b[jldcnsm][’']\w"
    r"|\bhier (?:soir|matin|midi|après-midi)\b",
    re.IGNORECASE,
)
_NOT_FRENCH = re.compile(
    r"\b(?:ik|wij|we|het|een|zijn|is|niet|geen|van|met|voor|dat|bij|om|te|mijn|onze|woont?|werkt?|ich|wir|er|sie|ist|sind|bin|der|das|den"
    r"|dem|eine?[mnr]?|und|nicht|kein\w*|mit|von|auch|mein\w*|unser\w*|war|habe?|hat)\b",
    re.IGNORECASE,
)


def _is_here(m: re.Match[str]) -> bool:
    return m[0].lower() == "hier" and not (_FRENCH.search(m.string) and not _NOT_FRENCH.search(m.string))


def _day(m: re.Match[str], ground: Ground) -> Stretch | None:
    return None if _is_here(m) else spans.days(ground.today + timedelta(days=_DAYS[m[0].lower()]))


def _unit(m: re.Match[str], ground: Ground) -> Stretch | None:
    return spans.shifted(ground.today, *_UNITS[m[0].lower().replace("’", "'")])


_SIGN_DAYS = {
    "月": 0,
    "火": 1,
    "水": 2,
    "木": 3,
    "金": 4,
    "土": 5,
    "日": 6,
    "一": 0,
    "二": 1,
    "三": 2,
    "四": 3,
    "五": 4,
    "六": 5,
    "天": 6,
}
_SIGN_WEEKS = {
    "来週": 1,
    "再来週": 2,
    "先週": -1,
    "今週": 0,
    "下": 1,
    "下个": 1,
    "上": -1,
    "上个": -1,
    "这": 0,
    "这个": 0,
    "本": 0,
}


def _sign_weekday(m: re.Match[str], ground: Ground) -> Stretch | None:
    """Resolve "来週の金曜日まで", "下周五": that week's day, and the coming one where only a deadline is said."""
    weekday, is_until = _SIGN_DAYS[m["w"]], bool(re.match("まで|之?前", m.string[m.end() :]))
    if m["side"]:
        made = spans.days(spans.shifted(ground.today, _SIGN_WEEKS[m["side"]], "week").first + timedelta(days=weekday))
    elif is_until:
        made = spans.days(spans.on_to_weekday(ground.today, weekday, or_today=True))
    else:
        return None
    return made._replace(relation="until") if is_until else made


def _past_month(m: re.Match[str], ground: Ground) -> Stretch | None:
    options = [spans.month(ground.today.year + n, month_number(m["m"])) for n in (-1, 0)]
    return [s for s in options if s.until <= ground.today][-1]


def _dated(m: re.Match[str], _: Ground) -> Stretch | None:
    made = spans.safe_day(int(m["y"]), month_number(m["m"]), int(m["d"]))
    return spans.days(made) if made else None


def _any(words: object) -> str:
    return "|".join(re.escape(w) for w in sorted(map(str, words), key=len, reverse=True))  # type: ignore[call-overload]


RULES: tuple[Rule, ...] = (
    Rule(
        rf"(?<![\w-])(?:{_any(w for w in _DAYS if w.isascii() or (w[0].isalpha() and ord(w[0]) < 0x2000))})(?![\w-])",
        _day,
        flags=re.I,
    ),
    Rule("(?:(?P<side>再来週|来週|先週|今週)の?)?(?P<w>[月火水木金土日])曜日?", _sign_weekday),
    Rule("(?P<side>下个|上个|这个|下|上|这|本)(?:周|星期|礼拜)(?P<w>[一二三四五六日天])", _sign_weekday),
    Rule("昨日|今日|明日|昨天|今天|明天", _day),
    Rule(rf"\b(?:{_any(_UNITS)})\b".replace("'", "[’']"), _unit, flags=re.I),
    Rule(rf"\b(?P<m>{MONTH}) (?:dernier|passé|pasado|passado)\b", _past_month, flags=re.I),
)
DATED: tuple[Rule, ...] = (
    Rule(
        r"\b(?:am|bis(?: zum)?|zum|vom|ab|seit(?: dem)?|vor dem)\s+(?P<core>(?P<a>\d{1,2})(?P<dot>\.)(?P<b>\d{1,2}))(?=\.(?!\d))",
        slashed_day,
        flags=re.I,
    ),
    Rule(rf"\b(?P<d>\d{{1,2}})(?:er|\.| de)? (?P<m>{MONTH})(?: de)? (?P<y>(?:19|20)\d\d)\b", _dated, flags=re.I),
)
# Words whose presence makes the rules worth trying.


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TRIGGERS = _set(
    "hier aujourd soir demain gestern vorgestern heute übermorgen eergisteren gisteren vandaag vanavond"
    " overmorgen anteayer ayer hoy ontem hoje amanhã ieri oggi domani semaine mois année dernier passé woche"
    " monat jahr maand jaar semana mes año pasado passado"
)
SIGNS = re.compile(r"[昨今明][日天]|[月火水木金土日]曜|\d\.\d\d?\.|[下上这本]个?(?:周|星期|礼拜)")
# Without one of these, or a sign, none of the rules finds anything; words that others share are left to those beside them.
WORDS = frozenset(re.findall(r"[^\W\d_]+", " ".join((*_DAYS, *_UNITS, MONTH)))) - _set("la le l el ce an week")
