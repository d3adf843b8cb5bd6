"""Is a sentence worth keeping? A hand-set linear score over its wording; weights are round numbers, none was trained."""

from __future__ import annotations

import re
from typing import NamedTuple

THRESHOLD = 0.8
USER_BONUS = 1.2
BEST_THRESHOLD = -0.6
_FIRST = re.compile(
    r"(?<!\w)(?:i|i[’'](?:m|ve|ll|d)|my|mine|me|myself|we|we[’'](?:re|ve|ll|d)|our|ours|us|je|j[’']|mon|ma|mes|notre|nos|on|ich|mein\w*|wir|unser\w*|ik|mijn|wij|yo|mi|私|僕|俺)(?!\w)",
    re.I,
)
_FIRST_OPENS = re.compile(
    r"^(?:(?:and|but|so|also|well|plus|yesterday|today|recently|lately|actually),? )?(?:i|i[’'](?:m|ve|ll|d)|my|we|we[’'](?:re|ve|ll)|our)\b",
    re.I,
)
# "Been helping friends", "Got new shoes": the speaker left out the I.
_DROPPED = re.compile(
    r"^(?:just |also |still |been |already |finally |really |never )*(?:been|got|went|had|took|saw|met|made|found|started|gonna|trying|(?!nothing|something|anything|everything|during|sending|wishing|fingers)[a-z]{2,}ing)\b",
    re.I,
)
_SECOND_OPENS = re.compile(
    r"^(?:(?:and|but|so|also|well|wow|yeah|that|thats|it|this|glad|happy|sounds?|looks?|seems?)\b.{0,12})?\b(?:you|your|you[’'](?:re|ve|ll|d)|u)\b",
    re.I,
)
_PRAISE = re.compile(
    r"^(?:(?:oh|wow|aw+|yeah|yes|yep|yup|haha|ah|well|so|and|but|man|whoa|hey)[,!]? )*"
    r"(?:that[’']?s|that (?:is|sounds|must|looks|was|would)|it[’']?s (?:so |really |great|awesome|amazing|nice|good|wonderful)|(?:it|this) (?:sounds|looks)|sounds?|looks?|so (?:cool|glad|happy|proud|sweet|nice|great)|what an?|how (?:cool|nice|sweet|awesome|great)"
    r"|glad|congrat\w*|thanks?|thank you|thx|good (?:luck|job|for you|to (?:see|hear))|great (?:job|to|work|idea|news|that)|nice (?:to|work|job|one)|love (?:that|this|it)|no (?:worries|problem|doubt)"
    r"|(?:i )?(?:totally |completely |100% |definitely |absolutely )*agree|i[’']?m (?:so )?(?:glad|happy|proud|sorry|excited|pleased) (?:of|for|to hear|you|that you)|(?:i )?appreciate|my pleasure|you[’']?re welcome"
    r"|keep (?:it |up|going|me)|let me know|talk (?:to you )?(?:soon|later)|take care|see (?:you|ya)|bye|can[’']?t wait to (?:see|hear)|of course|no way|for sure|enjoy|have (?:a|fun)|cheers|ttyl"
    r"|(?:just |nothing ).*(?:saying|say) (?:hi|hello)|works|wow|cool|awesome|amazing|nice|great|fine|good)\b",
    re.I,
)
_WISE = re.compile(
    r"^(?:(?:it|that|this)[’']s|(?:it|that|this) (?:is|was|can|must)|there[’']s|we all|life|everyone|people|sometimes|remember|let[’']?s|let me)\b",
    re.I,
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|couple|first|second|third)\b", re.I
)
_DATE = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|week(?:end|s)?|months?|years?|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|june|july|august|september|october|november|december|summer|winter|spring|recently|lately)\b",
    re.I,
)
_NAME = re.compile(r"(?<=[a-z,;:'\"“-] )(?:['\"“])?[A-Z][a-zA-Z’'-]{2,}")
_WORDS = re.compile(r"\w[\w’'-]*")
_THIN = re.compile(r"\b(?:it|that|this|those|these|them)\W*$|^(?:it|that|this|they|those)\b", re.I)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FOREIGN = re.compile(
    r"\b(?:est|sont|suis|nous|notre|avec|pour|dans|ist|sind|bin|und|nicht|mit|het|een|niet|zijn|ben|está|son|con|para|una|não|uma|sono|che|della)\b",
    re.I,
)


class Hints(NamedTuple):
    """What is known of a sentence beside its words."""

    is_sorted: bool = False
    is_standing: bool = False
    is_answer: bool = False
    has_picture: bool = False


def n_words(text: str) -> int:
    """Words; two signs of Chinese, Japanese or Korean count as one."""
    n_signs = len(_CJK.findall(text))
    return n_signs // 2 if n_signs else len(_WORDS.findall(text))


def is_foreign(text: str) -> bool:
    """Whether the sentence is in a language that the patterns don't know."""
    return bool(_CJK.search(text)) or len(_FOREIGN.findall(text)) >= 2


def score(text: str, hints: Hints, hearers: frozenset[str] = frozenset()) -> float:
    """How much a sentence says, above THRESHOLD if it is worth keeping. `hearers` are names that only address someone."""
    words = n_words(text)
    if words < 2:
        return -9.0
    if is_foreign(text):
        return 1.0 if words >= 3 else -1.0
    names = [n for n in _NAME.findall(text) if n.strip("'\"“").casefold() not in hearers]
    made = -0.9 + 0.05 * min(words, 20)
    made += 0.7 * bool(_FIRST.search(text)) + 0.3 * bool(_FIRST_OPENS.search(text))
    made += 0.4 * bool(_DATE.search(text)) + 0.4 * bool(_NUMBER.search(text)) + 0.5 * bool(names)
    made += 0.5 * hints.is_sorted + 1.0 * hints.is_standing + 0.5 * hints.is_answer + 0.3 * hints.has_picture
    made += 0.5 * bool(_DROPPED.search(text))
    made -= 1.2 * bool(_PRAISE.search(text)) + 1.0 * bool(_SECOND_OPENS.search(text))
    made -= 0.5 * bool(_WISE.search(text)) + 0.3 * bool(_THIN.search(text))
    return made - 0.4 * (words < 5)
