"""Sentences that may hold a promise or a taste, by how they are worded: what a working set calls candidates.

Belongs here: a few cues in a few languages, on the wide side, since a candidate binds nobody. Does not belong here: whether it is so,
which extraction decides.
"""

from __future__ import annotations

import re

from models.cue import Cue

_PROMISE = Cue(
    re.compile(
        r"\b(?:i|we)(?:['’]ll| will| shall| promised?| have to| need to| must| plan to| intend to)\b"
        r"|\b(?:i|we)(?:['’]m|['’]re| am| are) (?:going|planning|about|trying|hoping) to\b"
        r"|\b(?:remind me|deadline|due (?:on|by|date)|to-?do|my (?:goal|plan|aim) is)\b"
        r"|\bich (?:werde|muss|verspreche|plane)\b|\bwir (?:werden|müssen)\b|\berinnere? mich\b"
        r"|\bje (?:vais|dois|promets)\b|\bnous (?:allons|devons)\b|\brappelle[- ]moi\b"
        r"|\bik (?:zal|moet|beloof|ga)\b|\bwe (?:zullen|moeten|gaan)\b|\bherinner me\b"
        r"|\b(?:voy a|tengo que|prometo|debo|recuérdame|vou|tenho que|devo|prometto)\b"
        r"|しなければ|つもり|予定です|約束|我会|我要|承诺|提醒我",
        re.IGNORECASE,
    ),
    "ll will shall promise have need must plan intend going about trying hoping remind deadline due do todo goal aim werde muss verspreche"
    " werden müssen erinnere vais dois promets allons devons rappelle zal moet beloof ga zullen moeten gaan herinner voy tengo prometo debo"
    " recuérdame vou tenho devo prometto",
)
_TASTE = Cue(
    re.compile(
        r"\b(?:i|we)(?: really| always| still| also| just| do| don['’]t| no longer)* "
        r"(?:prefer|like|love|enjoy|hate|dislike|can['’]t stand)\b"
        r"|\bi['’]d rather\b|\b(?:my|our) favou?rite\b|\brather than\b|\binstead of\b|\bfrom (?:now|today) on\b|\bno more\b"
        r"|\bplease (?:always|never|don['’]t|do not|stop)\b|\b(?:no longer|not any ?more|stopped|gave up)\b"
        r"|\bich (?:mag|bevorzuge|hasse)\b|\blieber\b|\bj['’](?:aime|adore)\b|\bje (?:préfère|déteste)\b|\bplutôt\b"
        r"|\bik hou van\b|\bliever\b|\b(?:prefiero|me gusta|me encanta|prefiro|gosto de|preferisco|mi piace)\b"
        r"|好き|嫌い|方がいい|喜欢|讨厌|更愿意",
        re.IGNORECASE,
    ),
    "prefer like love enjoy hate dislike stand rather favorite favourite now today instead more anymore please longer stopped gave mag"
    " bevorzuge hasse lieber aime adore préfère déteste plutôt hou liever prefiero gusta encanta prefiro gosto preferisco piace",
)
_SUPPOSED = re.compile(
    r"[?？]\W*$|\bif (?:i|we) (?:were|had|ever|could|won|did)\b|\b(?:imagine|suppose|pretend|hypothetically|what if)\b"
    r"|\bjust (?:dreaming|kidding|joking)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]{2,}\"|“[^”]{2,}”|„[^“”]{2,}[“”]|«[^»]{2,}»|「[^」]{2,}」|(?<!\w)'[^']{25,}'(?!\w)")


def is_promise(text: str) -> bool:
    """Whether somebody may be taking something on, or have a goal: not in a question, a supposition or another's words."""
    return bool(_PROMISE.search(text)) and not _is_another_matter(text, _PROMISE)


def is_taste(text: str) -> bool:
    """Whether somebody may be saying how they like things."""
    return bool(_TASTE.search(text)) and not _is_another_matter(text, _TASTE)


def _is_another_matter(text: str, cue: Cue) -> bool:
    return bool(_SUPPOSED.search(text)) or not cue.search(_QUOTED.sub(" ", text))
