"""Is a sentence worth keeping? A hand-set linear score over its wording; weights are round numbers, none was trained."""

from __future__ import annotations

import re
from typing import NamedTuple

THRESHOLD = 0.8
USER_BONUS = 1.2
MIN_FACT_WORDS = 6
BEST_THRESHOLD = -0.6


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FIRST = _set(
    "i i'm i've i'll i'd my mine me myself we we're we've we'll we'd our ours us je mon ma mes notre nos on"
    " ich mein meine wir unser unsere ik mijn wij onze yo mi mis"
)
_FIRST_OPENS = re.compile(
    r"^(?:(?:and|but|so|also|well|plus|yesterday|today|recently|lately|actually),? )?(?:i|i[’'](?:m"
    r"|ve|ll|d)|my|we|we[’'](?:re|ve|ll)|our)\b",
    re.I,
)
# "Been helping friends", "Got new shoes": the speaker left out the I.
_DROPPED = re.compile(
    r"^(?:just |also |still |been |already |finally |really |never )*(?:been|got|went|had|took|saw"
    r"|met|made|found|started|gonna|trying|(?!nothing|something|anything|everything|during|sending"
    r"|wishing|fingers)[a-z]{2,}ing)\b",
    re.I,
)
_SECOND_OPENS = re.compile(
    r"^(?:(?:and|but|so|also|well|wow|yeah|that|thats|it|this|glad|happy|sounds?|looks?|seems?)\b.{0,12})?\b(?:you"
    r"|your|you[’'](?:re|ve|ll|d)|u)\b",
    re.I,
)
_PRAISE = re.compile(
    r"^(?:(?:oh|wow|aw+|yeah|yes|yep|yup|haha|ah|well|so|and|but|man|whoa|hey)[,!]? )*"
    r"(?:that[’']?s|that (?:is|sounds|must|looks|was|would)|it[’']?s (?:so |really |great|awesome|amazing"
    r"|nice|good|wonderful)|(?:it|this) (?:sounds|looks)|sounds?|looks?|so (?:cool|glad|happy|proud"
    r"|sweet|nice|great)|what an?|how (?:cool|nice|sweet|awesome|great)"
    r"|glad|congrat\w*|thanks?|thank you|thx|good (?:luck|job|for you|to (?:see|hear))|great (?:job"
    r"|to|work|idea|news|that)|nice (?:to|work|job|one)|love (?:that|this|it)|no (?:worries|problem"
    r"|doubt)"
    r"|(?:i )?(?:totally |completely |100% |definitely |absolutely )*agree|i[’']?m (?:so )?(?:glad"
    r"|happy|proud|sorry|excited|pleased) (?:of|for|to hear|you|that you)|(?:i )?appreciate|my pleasure"
    r"|you[’']?re welcome"
    r"|keep (?:it |up|going|me)|let me know|talk (?:to you )?(?:soon|later)|take care|see (?:you|ya)"
    r"|bye|can[’']?t wait to (?:see|hear)|of course|no way|for sure|enjoy|have (?:a|fun)|cheers|ttyl"
    r"|(?:just |nothing ).*(?:saying|say) (?:hi|hello)|works|wow|cool|awesome|amazing|nice|great|fine|good)\b",
    re.I,
)
_WISE = re.compile(
    r"^(?:(?:it|that|this)[’']s|(?:it|that|this) (?:is|was|can|must)|there[’']s|we all|life|everyone"
    r"|people|sometimes|remember|let[’']?s|let me)\b",
    re.I,
)
_DIGIT = re.compile(r"\d")
_NUMBERS = _set("two three four five six seven eight nine ten dozen hundred thousand couple first second third")
_DATED = _set(
    "yesterday today tonight tomorrow ago last next since week weeks weekend weekends month months year years"
    " monday tuesday wednesday thursday friday saturday sunday january february march april june july august"
    " september october november december summer winter spring recently lately"
    " morgen overmorgen übermorgen gisteren gestern heute vandaag demain hier mañana amanhã ontem"
    " maandag dinsdag woensdag donderdag vrijdag zaterdag zondag montag dienstag mittwoch donnerstag freitag samstag sonntag"
    " lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes"
    " segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"
)
_NAME = re.compile(r"(?<=[a-z,;:'\"“-] )(?:['\"“])?[A-Z][a-zA-Z’'-]{2,}")
_WORDS = re.compile(r"\w[\w’'-]*")
_THIN = re.compile(r"\b(?:it|that|this|those|these|them)\W*$|^(?:it|that|this|they|those)\b", re.I)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FOREIGN = _set(
    "est sont suis nous notre avec pour dans ist sind bin und nicht mit het een niet zijn ben está son con"
    " para una não uma sono che della"
)


class Hints(NamedTuple):
    """What is known of a sentence beside its words."""

    is_sorted: bool = False
    is_standing: bool = False
    is_answer: bool = False
    has_picture: bool = False


def is_foreign(text: str, words: list[str]) -> bool:
    """Whether the sentence is in a language that the patterns don't know."""
    return bool(_CJK.search(text)) or sum(w in _FOREIGN for w in words) >= 2


def score(text: str, hints: Hints, hearers: frozenset[str] = frozenset()) -> float:
    """How much a sentence says, above THRESHOLD if it is worth keeping. `hearers` are names that only address someone."""
    words = _WORDS.findall(text.lower().replace("’", "'"))
    if is_foreign(text, words):
        # Two signs of Chinese, Japanese or Korean say about as much as a word.
        n_signs = len(_CJK.findall(text))
        return 1.0 if (n_signs // 2 or len(words)) >= 3 else -1.0
    if len(words) < 2:
        return -9.0
    return _worth(text, words, hearers) + _hinted(hints) - _talk(text, len(words))


def _worth(text: str, words: list[str], hearers: frozenset[str]) -> float:
    """Who, when, how many: what makes a sentence a fact about someone."""
    held = set(words)
    names = [n for n in _NAME.findall(text) if n.strip("'\"“").casefold() not in hearers]
    made = -0.9 + 0.05 * min(len(words), 20) + 0.5 * bool(names)
    made += (
        0.7 * (not held.isdisjoint(_FIRST)) + 0.3 * bool(_FIRST_OPENS.match(text)) + 0.5 * bool(_DROPPED.match(text))
    )
    return (
        made + 0.4 * (not held.isdisjoint(_DATED)) + 0.4 * (not held.isdisjoint(_NUMBERS) or bool(_DIGIT.search(text)))
    )


def is_bare(text: str) -> bool:
    """Whether a short sentence names no one, no number and no time: most such remarks are about the weather."""
    words = _WORDS.findall(text.lower())
    held = set(words)
    is_named = bool(_NAME.search(text) or _DIGIT.search(text) or _CJK.search(text))
    return (
        len(words) < MIN_FACT_WORDS
        and not is_named
        and held.isdisjoint(_DATED | _NUMBERS)
        and not is_foreign(text, words)
    )


def _hinted(hints: Hints) -> float:
    return 0.5 * hints.is_sorted + 1.0 * hints.is_standing + 0.5 * hints.is_answer + 0.3 * hints.has_picture


def _talk(text: str, n_words: int) -> float:
    """Praise, advice, wisdom and fragments: what makes a sentence mere talk."""
    made = 1.2 * bool(_PRAISE.match(text)) + 1.0 * bool(_SECOND_OPENS.match(text)) + 0.5 * bool(_WISE.match(text))
    return made + 0.3 * bool(_THIN.search(text)) + 0.4 * (n_words < 5)
