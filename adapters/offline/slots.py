"""Slots: the attribute and value of a sentence, where a pattern gives them reliably. No slot is better than a wrong one."""

from __future__ import annotations

import re
from typing import NamedTuple

from slowwave.format import Cardinality, Polarity
from slowwave.text import INVISIBLE


class Slot(NamedTuple):
    """What is said of the subject; `statement` where only a part of the sentence says it."""

    attribute: str
    value: str
    cardinality: Cardinality = Cardinality.MULTI
    polarity: Polarity = Polarity.ASSERT
    statement: str | None = None


class Form(NamedTuple):
    """A pattern with the group `v` for the value; `{k}` in the attribute is filled from the group `k`."""

    attribute: str
    pattern: re.Pattern[str]
    is_single: bool = False
    polarity: Polarity = Polarity.ASSERT


_END = (
    r"(?=\s*(?:[.,;:!?()–—]|$)|\s+(?:and|but|because|since|so|for|at|in|on|with|when|while|now|too"
    r"|as well|a lot|very|though|although|any ?more|these|every|by|from|after|before|until|this|last"
    r"|yesterday|today|again|over|is|are|who|which|that|to|i|we|near|right)\b)"
)
_THING = r"(?P<v>(?:(?:the|a|an|my|some|all|tea|coffee) )?[\w’'&+#-]+(?: (?:of |with )?[\w’'&+#-]+){0,3}?)"
_PLACE = r"(?P<v>[A-ZÀ-Þ][\w’'-]+(?:[ -][A-ZÀ-Þ][\w’'-]+){0,3})"
_I = (
    r"\b(?:i|we)(?:[’']m| am|[’']ve| have| do|)? (?:really |absolutely |also |just |still |now |actually"
    r" |always |truly |quite )*"
)
_SINGLE_ROLES = r"(?:lead|boss|manager|doctor|dentist|therapist|landlord|supervisor|accountant|lawyer|mentor|coach)"


def _form(attribute: str, pattern: str, *, is_single: bool = False, polarity: Polarity = Polarity.ASSERT) -> Form:
    return Form(attribute, re.compile(pattern), is_single, polarity)


NEGATE = Polarity.NEGATE
_ENDED = r"(?:no longer|don[’']t|do not|[’']m not|am not|[’']m no longer|am no longer|stopped)"
FORMS: tuple[Form, ...] = (
    _form("name", rf"\b[Mm]y name is {_PLACE}", is_single=True),
    _form("name", rf"\b(?:[Pp]lease )?[Cc]all me {_PLACE}", is_single=True),
    _form("pronouns", r"(?i)\bmy pronouns are (?P<v>\w+(?:/\w+)*)", is_single=True),
    _form(
        "home_city",
        rf"(?i:\bi(?:[’']ve| have)? never (?:actually |really |even )?lived in ){_PLACE}",
        is_single=True,
        polarity=Polarity.RETRACT,
    ),
    _form(
        "home_city",
        rf"(?i:\bi ?{_ENDED} (?:live|living|based) in ){_PLACE}",
        is_single=True,
        polarity=NEGATE,
    ),
    _form(
        "home_city",
        rf"(?i:\bi(?:[’']m| am|)? (?:now |currently )?(?:live|living|based|am based) (?:now )?in ){_PLACE}",
        is_single=True,
    ),
    _form(
        "home_city",
        rf"(?i:\b(?:i|we)(?:[’']ve| have|) (?:just |recently |now |finally )?(?:moved|relocated) (?:back"
        rf" )?to ){_PLACE}",
        is_single=True,
    ),
    _form(
        "works_at",
        rf"(?i:\bi(?:[’']ve| have)? never (?:actually |really |even )?worked (?:at|for) )(?:the )?{_PLACE}",
        polarity=Polarity.RETRACT,
    ),
    _form(
        "works_at",
        rf"(?i:\bi(?:[’']m|)? (?:no longer work|stopped working|don[’']t work) (?:at|for) )(?:the )?{_PLACE}",
        polarity=NEGATE,
    ),
    _form(
        "works_at",
        rf"(?i:\bi(?:[’']ve|)? (?:just |recently |finally )?(?:left|quit) )(?:my job at )?{_PLACE}",
        polarity=NEGATE,
    ),
    _form(
        "works_at",
        rf"(?i:\bi(?:[’']m)? (?:now |also |currently )?(?:work|working|teach \w+|teach|am employed) (?:at"
        rf"|for) )(?:the )?{_PLACE}",
    ),
    _form("works_at", rf"(?i:\bi(?:[’']ve)? (?:just |recently )?joined ){_PLACE}"),
    _form(
        "diet",
        r"(?i)\bi(?:[’']m| am) (?:no longer|not) (?:a |an )?(?P<v>vegan|vegetarian|pescatarian)\b",
        is_single=True,
        polarity=NEGATE,
    ),
    _form(
        "diet",
        r"(?i)\bi(?:[’']m| am|[’']ve (?:been|gone)|[’']ve become| went| became) (?:now |a |an |mostly "
        r"|strictly )*(?P<v>vegan|vegetarian|pescatarian)\b",
        is_single=True,
    ),
    _form(
        "allergy",
        rf"(?i:\b(?:not|n[’']t|never|no longer) (?:\w+ )?allergic to ){_THING}{_END}",
        polarity=NEGATE,
    ),
    _form("allergy", rf"(?i:\ballergic to ){_THING}{_END}"),
    _form(
        "allergy",
        r"(?i)\b(?:have |has |got )?an? (?:\w+ )?(?P<v>(?!severe|bad|serious|strong|heavy|mild|slight|food|terrible"
        r"|known|weird|nasty)\w+) allergy\b",
    ),
    _form(
        "birthday", r"(?i)\bmy birthday(?:[’']s| is) (?:on )?(?P<v>(?:the )?\w+ ?\w* ?\w*)(?=[.,!]|$)", is_single=True
    ),
    _form("age", r"(?i)\bi(?:[’']m| am) (?P<v>\d{1,3})(?: years old| now)?(?=[.,!]|$| and)", is_single=True),
    _form(
        "{k}",
        rf"(?i:\bmy (?P<k>{_SINGLE_ROLES}) (?:isn[’']t|is not|is no longer) ){_PLACE}",
        is_single=True,
        polarity=NEGATE,
    ),
    _form("{k}", rf"(?i:\bmy (?:new )?(?P<k>{_SINGLE_ROLES}) is (?:now |again )?){_PLACE}", is_single=True),
    _form(
        "favourite_{k}",
        r"(?i)\b(?:my|our) (?:all[- ]time )?fav(?:ou?rite|e) (?P<k>\w+(?: \w+)?) (?:is|are)"
        r"(?:n[’']t| not| no longer) (?:really |the )?(?P<v>[^.,;!?]{2,60})",
        is_single=True,
        polarity=NEGATE,
    ),
    _form(
        "favourite_{k}",
        r"(?i)\b(?:my|our) (?:all[- ]time )?fav(?:ou?rite|e) (?P<k>\w+(?: \w+)?) (?:is|are|has to be|would"
        r" be) (?:probably |definitely |now |once again |again |the )*(?P<v>[^.,;!?]{2,60})",
        is_single=True,
    ),
    _form("indentation", r"(?i)\b(?:i|we) indent with (?P<v>\w+(?: \w+)?)(?=[.,;]|$)", is_single=True),
    _form(
        "plays",
        r"(?i)\bi(?:[’']m learning to| also| can|) play (?:the |in |for )?(?P<v>(?!with\b|a\b|my\b|around\b|it\b"
        r"|some\b|games?\b|along\b)[a-z]+(?:[ -](?:guitar|bass|tennis|horn"
        r"|drums?|hockey|organ|flute|clarinet))?)\b",
    ),
    _form("reply_format", r"(?i)\b(?P<v>bullet)(?:s|ed)?(?: points?| lists?)?\b"),
    _form(
        "likes",
        rf"(?i){_I}(?:don[’']t|do not|no longer|never) (?:really )?(?:like|love|enjoy) {_THING}(?: any ?more)?{_END}",
        polarity=NEGATE,
    ),
    _form(
        "likes",
        rf"(?i){_I}(?:stopped|quit|gave up|[’']?ve given up) (?:liking |enjoying |drinking |eating |doing"
        rf" |smoking )?{_THING}{_END}",
        polarity=NEGATE,
    ),
    _form("dislikes", rf"(?i){_I}(?:hate|dislike|loathe|can[’']t stand|detest) {_THING}{_END}"),
    _form(
        "likes", rf"(?i){_I}(?:like|love|enjoy|adore|am a (?:big |huge )?fan of|a (?:big |huge )?fan of) {_THING}{_END}"
    ),
    _form("prefers", rf"(?i)\b(?:i|we)(?:[’']d)? (?:really |much |also )?prefer (?:to )?{_THING}{_END}"),
    _form(
        "uses",
        rf"(?i)\b(?:i|we)(?:[’']ve| have|[’']m|) (?:now |just |recently )?(?:switched|switching|moved over"
        rf"|changed)(?: over)?(?: from [\w .-]{{2,30}}?)? to {_THING}{_END}",
    ),
)
_EMPTY = frozenset(
    [
        "it",
        "that",
        "this",
        "them",
        "those",
        "these",
        "you",
        "your",
        "the",
        "a",
        "an",
        "my",
        "some",
        "all",
        "one",
        "to",
        "how",
        "when",
        "what",
        "being",
        "going",
        "so",
        "much",
        "more",
        "most",
        "about",
    ]
)
# Words that say when or that it holds, and are no part of what it is: "green again" is green.
_TRAILING = re.compile(
    r"(?:,? (?:(?:once )?again|once more|now|any ?more|any longer|too|as well|after all|these days|nowadays|at the moment|today"
    r"|at last|instead|for now))+$"
)
_FROM = re.compile(
    r"\b(?P<who>I|We|i|we)(?:[’']ve| have|)? (?:\w+ )?(?P<said>switched|moved over|changed) (?:over"
    r" )?from (?P<v>[\w .-]{2,30}?) to\b"
)


def slots_of(text: str) -> list[Slot]:
    """The slots of a sentence: the first form that fits, and for "switched from X to Y" that X has ended."""
    text = INVISIBLE.sub("", text)
    found = ((form, slot) for form in FORMS if (slot := _filled(form, text)))
    form, first = next(found, (None, None))
    if form is None or first is None:
        return []
    if form.is_single and first.polarity is NEGATE:
        # "I no longer live in Ghent; I moved to Leuven": what came in its place says both.
        later = (slot for _, slot in found if slot.attribute == first.attribute and slot.polarity is not NEGATE)
        return [next((slot for slot in later if slot.value != first.value), first)]
    return [first, *_ended(text, form)]


def _filled(form: Form, text: str) -> Slot | None:
    match = form.pattern.search(text)
    if not match or not (value := _value(match["v"])):
        return None
    cardinality = Cardinality.SINGLE if form.is_single else Cardinality.MULTI
    return Slot(_attribute(form, match), value, cardinality, form.polarity)


def _attribute(form: Form, match: re.Match[str]) -> str:
    if "{k}" not in form.attribute:
        return form.attribute
    return form.attribute.format(k=re.sub(r"\W+", "_", match["k"].lower()))


def _value(said: str) -> str | None:
    words = _TRAILING.sub("", said.strip(" '’")).split()
    while words and words[0].lower() in ("the", "a", "an", "some", "my"):
        words = words[1:]
    if not words or words[0].lower() in _EMPTY or words[-1].lower() in _EMPTY:
        return None
    return " ".join(words)


def _ended(text: str, form: Form) -> list[Slot]:
    left = _FROM.search(text) if form.attribute == "uses" else None
    if left is None:
        return []
    statement = f"{left['who']} {left['said']} from {left['v']}."
    return [Slot("uses", left["v"], Cardinality.MULTI, NEGATE, statement)]
