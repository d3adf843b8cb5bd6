"""Weekdays, counted days and ends of weeks in Dutch, German, French, Spanish and Portuguese: what promises are dated by.

A bare weekday is a day to come where somebody says what they will do, and a past one where they say what they did; else it may be any.
"""

from __future__ import annotations

import re
from datetime import timedelta

from slowwave.when import spans
from slowwave.when.absolute import Rule, nearest
from slowwave.when.foreign import MONTH, month_number
from slowwave.when.found import Ground, Stretch
from slowwave.when.words import MONTH_NUMBERS

_WEEKDAYS = (
    "maandag|montag|lundi|lunes|segunda-feira",
    "dinsdag|dienstag|mardi|martes|terça-feira",
    "woensdag|mittwoch|mercredi|miércoles|miercoles|quarta-feira",
    "donderdag|donnerstag|jeudi|jueves|quinta-feira",
    "vrijdag|freitag|vendredi|viernes|sexta-feira",
    "zaterdag|samstag|sonnabend|samedi|sábado",
    "zondag|sonntag|dimanche|domingo",
)
WEEKDAY = "|".join(_WEEKDAYS)
_NUMBERS = (
    "een|één|einem|einer|ein|eine|une?|um|uma|una",
    "twee|zwei|deux|dos|dois|duas",
    "drie|drei|trois|tres|três",
    "vier|quatre|cuatro|quatro",
    "vijf|fünf|cinq|cinco",
    "zes|sechs|six|seis",
    "zeven|sieben|sept|siete|sete",
    "acht|huit|ocho|oito",
    "negen|neun|neuf|nueve|nove",
    "tien|zehn|dix|diez|dez",
)
_COUNT = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_UNITS = {
    "day": "dagen|dag|tagen|tage|tag|jours?|días?|dias?",
    "week": "weken|week|wochen|woche|semaines?|semanas?",
    "month": "monats|maanden|maand|monaten|monate|monat|mois|meses|mes|mês",
    "year": "jahres|jaren|jaar|jahren|jahre|jahr|années?|ans?|años?|anos?",
}
_UNIT = "|".join(_UNITS.values())
_NEXT = r"aanstaande|aankomende|komende|volgende|nächste[nr]?|kommende[nr]?|próxim[oa]"
_LAST = r"afgelopen|vorige|letzte[nr]?|vergangene[nr]?|vorige[nr]|pasado"
_THIS = r"deze|diese[nr]?|ce|este|esta|nesta"
_BY = (
    r"tot en met|tot|vóór|voor|uiterlijk|tegen|bis zum|bis|spätestens|vor|zum|d[’']ici|avant|jusqu[’']?à?|hasta el|hasta"
    r"|para el|antes del"
    r"|até|antes de|antes da"
)
_SINCE = r"seit(?: dem)?|sinds|depuis|desde(?: el| a| o)?"
_ON = r"op|vanaf|am|ab|pour|el|na|no"
_HABIT = r"(?<!elke )(?<!iedere )(?<!jeden )(?<!chaque )(?<!cada )(?<!todos os )(?<!todas as )"
# Who does it in these words does it later; a participle with its auxiliary says that it is done.
_SPEAKER = re.compile(
    r"\b(?:ik|wij|we|ich|wir|je|j[’']\w+|nous|yo|eu|vou|voy|vamos|(?:te|le|lhe|os) \w+o|\w+o-(?:te|lhe|vos|o|a)|zal|zullen|moet"
    r"|werde[nt]?|wird|muss|müssen|soll)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:heb|hebt|heeft|hebben|ben|zijn|habe?|hast|hat|haben|bin|bist|sind)\b.*\b(?:(?:a[nbfu]|aan|auf|aus|bei|ein|mit|mee|nach|op|over"
    r"|terug|toe|uit|um|vor|voor|weg|zu|zurück)?ge\w{3,}|(?:be|ver|er|ent|zer|ont|her)\w{3,})(?:[td]|en)\b"
    r"|\b(?:had|hadden|was|waren|hatte\w*|war|wurde\w*|werd|ging|gingen|kwam|kwamen|fuhr\w*|kam|kamen)\b"
    r"|\b(?:ai|as|a|avons|ont|suis|est|était|avait) (?!(?:lun|mar|mercre|jeu|vendre|same)di\b)"
    r"\w+(?:é|ée|és|i|u|it|is)\b|\b(?:fui|foi|estive|era|fue|estuve)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;]\s")


def _place(words: tuple[str, ...], said: str) -> int:
    return next(i for i, names in enumerate(words) if re.fullmatch(names, said, re.IGNORECASE))


def _sentence(m: re.Match[str]) -> str:
    head = _SENTENCE_END.split(m.string[: m.start()])[-1]
    return head + _SENTENCE_END.split(m.string[m.start() :])[0]


def _bare(m: re.Match[str], ground: Ground) -> Stretch | None:
    weekday, sentence = _place(_WEEKDAYS, m["core"]), _sentence(m)
    if m["since"]:
        return spans.days(spans.back_to_weekday(ground.today, weekday))._replace(relation="since")
    if _DONE.search(sentence):
        return spans.days(spans.back_to_weekday(ground.today, weekday))
    if m["by"]:
        return spans.days(spans.on_to_weekday(ground.today, weekday, or_today=True))._replace(relation="until")
    return spans.days(spans.on_to_weekday(ground.today, weekday)) if _SPEAKER.search(sentence) else None


def _sided(m: re.Match[str], ground: Ground) -> Stretch | None:
    weekday = _place(_WEEKDAYS, m["w"] or m["w2"])
    is_past = bool(m["last"] or m["passed"]) or (bool(m["this"]) and _DONE.search(_sentence(m)) is not None)
    if is_past:
        return spans.days(spans.back_to_weekday(ground.today, weekday))
    return spans.days(spans.on_to_weekday(ground.today, weekday, or_today=bool(m["this"])))


def _tomorrow(_: re.Match[str], ground: Ground) -> Stretch | None:
    return spans.days(ground.today + timedelta(days=1))


def _unit(said: str) -> str:
    return next(unit for unit, words in _UNITS.items() if re.fullmatch(words, said, re.IGNORECASE))


def _counted(m: re.Match[str], ground: Ground) -> Stretch | None:
    n = int(m["n"]) if m["n"].isdigit() else _place(_NUMBERS, m["n"]) + 1
    is_past = "ago" in m.re.groupindex
    made = spans.shifted(ground.today, -n if is_past else n, _unit(m["u"]))
    return made._replace(relation="until") if not is_past and m["within"] else made


def _end(m: re.Match[str], ground: Ground) -> Stretch | None:
    if _DONE.search(_sentence(m)):
        return None
    made = spans.shifted(ground.today, 0, _unit(m["u"])) if m["u"] else spans.weekend(ground.today)
    return spans.days(made.until - timedelta(days=1))._replace(relation="until") if m["end"] else made


def _day(m: re.Match[str], ground: Ground) -> Stretch | None:
    def made(year: int) -> Stretch | None:
        day = spans.safe_day(year, month_number(m["m"]), int(m["d"]))
        return spans.days(day) if day else None

    return nearest(made, ground)


def _rule(source: str, make: object) -> Rule:
    return Rule(source, make, flags=re.IGNORECASE)  # type: ignore[arg-type]


RULES: tuple[Rule, ...] = (
    _rule(
        rf"\b(?:(?:(?P<next>{_NEXT})|(?P<last>{_LAST})|(?P<this>{_THIS})) (?P<w>{WEEKDAY})(?! \d{{4}}-)"
        rf"|(?P<w2>{WEEKDAY}) (?:(?:prochain|que viene|que vem|próximo)|(?P<passed>dernier|passé|pasado|passad[ao])))\b",
        _sided,
    ),
    _rule(rf"{_HABIT}\b(?:(?:(?P<since>{_SINCE})|(?P<by>{_BY})|{_ON}) )?(?P<core>{WEEKDAY})\b(?! \d{{4}}-)", _bare),
    # In German a capital makes it the morning, except where the sentence begins.
    Rule(
        r"(?:(?<![\w'’-])(?<!am )(?<!der )(?<!den )(?<!jeden )(?<!heute )(?<!gestern )"
        r"(?<!goede )(?<!guten )(?<!deze )(?<!elke )(?<!de )morgen"
        r"|^Morgen(?=,? \w)|(?<![\w-])(?<!la )(?<!esta )mañana)"
        r"(?:ochtend|middag|avond| früh| Abend| Nachmittag| Vormittag| Mittag)?(?![\w-])",
        _tomorrow,
    ),
    _rule(
        rf"\b(?:(?P<within>binnen|innerhalb von|dans les|dentro de|sous) |over |in |dans |en |em |daqui a )"
        rf"(?P<n>{_COUNT}) (?P<u>{_UNIT})\b",
        _counted,
    ),
    _rule(
        rf"\b(?:(?P<ago>vor|il y a|hace|há) )(?P<n>{_COUNT}) (?P<u>{_UNIT})\b",
        _counted,
    ),
    _rule(rf"\b(?P<n>{_COUNT}) (?P<u>{_UNIT}) (?P<ago>geleden)\b", _counted),
    _rule(
        rf"\b(?:(?P<end>(?:het )?einde? van (?:de|deze)|eind deze|ende (?:der|des|dieser|dieses)|fin de la|fin du|fines de"
        rf"|final de(?: la)?|fim d[ao])|deze|dit|diese[nrs]?|cette|esta|este) (?:weekend|(?P<u>{_UNIT}))\b",
        _end,
    ),
    _rule(rf"\b(?P<d>\d{{1,2}})(?:er|\.)?(?: de)? (?P<m>{MONTH})\b(?!,? ?(?:de )?\d{{4}})", _day),
)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text))


# A text without one of the first holds no date at all, as far as these languages go; without one of the others none by these rules.
TRIGGERS = _words(
    f"{' '.join(_WEEKDAYS[:5])} zaterdag samstag sonnabend samedi sábado zondag sonntag dimanche domingo morgen mañana morgenochtend"
    " morgenmiddag morgenavond dagen dag tagen tage tag weken wochen maanden monaten monats monate jaren jahres jahren jahre"
    " jours jour días día dias dia semaines semanas meses mês años anos années"
) - {"feira"}
_ENGLISH_TOO = frozenset(MONTH_NUMBERS) | {"week", "an"}
WORDS = (
    TRIGGERS
    | _words(f"{MONTH} een één deze dit eind einde woche maand monat jaar jahr semaine semana mois année año ano")
) - _ENGLISH_TOO
