"""How private a claim or a message is, by its words: health, money, minors and other people's troubles. English first.

A claim is judged for what may be shown; a message before it is put to a model, when nobody knows yet what it says: more strictly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.claim import Claim
from slowwave.format import Kind, Privacy

_HEALTH = (
    r"diagnos\w+|clinic|hospital|surgery|therap(?:y|ist)|depress\w+|anxiety|pregnan\w+|miscarriage"
    r"|cancer|tumou?r|diabet\w+|medication|medicine"
    r"|antidepress\w+|prescri\w+|illness|disease|disorder|hiv|std|rehab|addict\w*|alcoholi\w+|suicid\w+"
    r"|self-harm|panic attack|mental health|adhd|autis\w+"
    r"|epilep\w+|seizure|biops\w+|chemo\w*|symptoms?|blood pressure|krank\w*|maladie|ziekte|operatie"
    r"|pills|insulin|sertraline|dementia|alzheimer\w*|heart attack|\w*krebs|\w*kanker|cáncer|câncer|cancro"
    r"|schwanger\w*|zwanger\w*|enceinte|embarazada|grávida"
)
_ALLERGY = re.compile(r"\b(?:allerg\w+|intoleran\w+|coeliac|celiac|anaphyla\w+)\b|アレルギー", re.IGNORECASE)
_MONEY = (
    r"salary|wages?|income|debts?|loan|mortgage|bankrupt\w*|overdraft|savings|inheritance|tax(?:es)?"
    r" (?:return|bill)|credit (?:card|score)|account number|iban"
    r"|net worth|alimony|owe[sd]?"
    r"|(?:gets?|getting|got|am|is|are|being|[’']m|[’']s) paid [€$£]? ?\d[\d.,]*|earns? [€$£]? ?\d[\d.,]*"
)
_MINORS = (
    r"(?:my|our|his|her|their) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|toddler|baby|newborn"
    r"|grandson|granddaughter|nephew|niece)"
)
_TROUBLE = (
    r"divorc\w+|affair|cheat(?:ed|ing)|arrest\w*|prison|jail|lawsuit|sued|fired|laid off|abus\w+"
    r"|assault\w*|funeral|break-?up|broke up|separat(?:ed|ion)|custody"
)
_BELIEF = (
    r"gay|lesbian|bisexual|transgender|trans (?:woman|man)|coming out|sexual\w*|religio\w+|church"
    r"|mosque|synagogue|muslim|christian|jewish|hindu|buddhist|atheist"
    r"|voted for|trade union|passport number|social security"
)
# In small letters and as one: a pattern that ignores case takes several times as long, and every claim is looked at.
_SENSITIVE = re.compile(rf"\b(?:{'|'.join((_HEALTH, _MONEY, _MINORS, _BELIEF, _TROUBLE))})\b")
_OPEN_KINDS = (Kind.TOOL_OR_WORKFLOW_LESSON, Kind.PROJECT, Kind.COMMUNICATION_PREFERENCE)


def privacy_of(claim: Claim, text: str, *, is_own: bool, words: Sequence[str] = ()) -> Privacy:
    """sensitive, personal or open. `words` are the owner's own additions; `is_own` says the claim is about who spoke."""
    if _holds(text, words) or _SENSITIVE.search(text.lower()):
        return Privacy.SENSITIVE
    # The owner's own allergy has to reach every prompt that orders a meal; another person's is their affair.
    if _ALLERGY.search(text) and not is_own:
        return Privacy.SENSITIVE
    return Privacy.OPEN if claim.kind in _OPEN_KINDS else Privacy.PERSONAL


def privacy_of_words(text: str, words: Sequence[str] = ()) -> Privacy:
    """Sensitive or personal, by the words alone: for what is no claim yet, about nobody knows whom."""
    is_sensitive = _holds(text, words) or _SENSITIVE.search(text.lower()) or _ALLERGY.search(text)
    return Privacy.SENSITIVE if is_sensitive else Privacy.PERSONAL


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(re.search(rf"\b{re.escape(w)}\b", text, re.IGNORECASE) for w in words)
