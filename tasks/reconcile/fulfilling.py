"""Whether what was done is what was promised: the same verb or one of completion, and nobody else. In doubt the promise stays open.

Belongs here: verbs and names of a promise and of what is told as done. Does not belong here: which promise the shared words nominate.
"""

from __future__ import annotations

import re

from models.closing import bare_closing, closing

_RUN = re.compile(r"(?<=[^.!?:;\n] )[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?: [^\W\d_a-zß-öø-ÿ][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+")
# A participle before its noun tells which thing is meant, not what is done with it: "the borrowed ladder".
_ATTRIBUTE = re.compile(
    r"\b(?:the|an?|my|our|your|his|her|its|their|this|that|(?!it|that|he|she|there|all)\w+[’']s) \w+ed (?=\w)",
    re.IGNORECASE,
)
_REGULAR = re.compile(r"\w{2,}(?<!e)ed")
_CALENDAR = frozenset(
    re.findall(
        r"\w+",
        """
        january february march april may june july august september october november december monday tuesday wednesday
        thursday friday saturday sunday mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
        easter christmas
        """,
    )
)
# However a promise is worded, these may say that it is over.
COMPLETED = frozenset(
    re.findall(
        r"\w+",
        """
        done finished completed sent delivered handed submitted signed sorted settled resolved closed fulfilled shipped
        posted mailed emailed arrived received passed ticked crossed shared uploaded published filed given brought
        """,
    )
)
_BASES = {
    "paid": "pay owe repay transfer",
    "made": "make",
    "built": "build",
    "cut": "cut",
    "written": "write draft",
    "bought": "buy get",
    "told": "tell let inform",
    "rung": "ring call phone",
    "rang": "ring call phone",
    "called": "call ring phone",
    "phoned": "call ring phone",
    "sold": "sell",
    "read": "read",
    "found": "find",
    "met": "meet",
    "spoken": "speak talk call",
    "taught": "teach",
    "drawn": "draw",
    "hung": "hang",
    "laid": "lay",
    "lent": "lend",
    "swept": "sweep",
    "kept": "keep",
    "gone": "go",
    "fixed": "fix repair mend",
    "repaired": "fix repair mend",
    "mended": "fix repair mend",
    "returned": "return bring give",
    "booked": "book reserve",
    "reserved": "book reserve",
    "ordered": "order buy get",
    "picked": "pick collect fetch get",
    "collected": "pick collect fetch get",
    "invited": "invite ask",
    "replied": "reply answer",
    "answered": "reply answer",
}


def is_plainly_over(text: str) -> bool:
    """Whether it speaks of the promise itself: "tick it off", "that promise is kept"."""
    ends = (closing(text), bare_closing(text.rsplit("; ", 1)[-1]))
    return any(end is not None and end.is_plain for end in ends)


def fulfils(told: str, promised: str) -> bool:
    """Whether what is told as done may be what was promised."""
    return is_plainly_over(told) or (_is_same_deed(told, promised) and not _names_another(told, promised))


def _is_same_deed(told: str, promised: str) -> bool:
    """Whether a verb told as done is one of completion or the promise's; words without one ("is in the post") tell of completion."""
    words = _words(_ATTRIBUTE.sub(" ", told))
    deeds = [word for word in words if word in _BASES or word in COMPLETED or _REGULAR.fullmatch(word)]
    wanted = _words(_ATTRIBUTE.sub(" ", promised))
    return not deeds or any(deed in COMPLETED or _is_wanted(deed, wanted) for deed in deeds)


def _is_wanted(deed: str, wanted: list[str]) -> bool:
    verbs = set(_BASES[deed].split()) if deed in _BASES else _forms(deed)
    return not verbs.isdisjoint(wanted)


def _forms(deed: str) -> set[str]:
    """The forms of a regular participle's verb: "tagged" is of "tag" and "tagging", "carried" of "carry"."""
    stem = deed.removesuffix("ed")
    bases = {stem, f"{stem}e", re.sub(r"(.)\1$", r"\1", stem), re.sub("i$", "y", stem)}
    return {deed} | {
        form for base in bases for form in (base, f"{base}s", f"{base}ing", f"{base.removesuffix('e')}ing")
    }


def _names_another(told: str, promised: str) -> bool:
    """Whether it names somebody whom the promise, which names somebody too, does not."""
    known = set(_words(promised))
    return bool(_names(promised)) and any(known.isdisjoint(name) for name in _names(told))


def _names(text: str) -> list[set[str]]:
    """Names inside sentences, each as its words; days and months are none."""
    runs = [set(_words(run)) - _CALENDAR for run in _RUN.findall(text)]
    return [run for run in runs if run]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
