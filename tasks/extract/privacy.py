"""How private a claim or a message is, by its words: health, money, minors and other people's troubles. English first.

A claim is judged for what may be shown; a message before it is put to a model, when nobody knows yet what it says: more strictly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.claim import Claim
from models.cue import Cue
from slowwave.format import Kind, Privacy
from tasks.extract.sensitive import is_private_matter

_ALLERGY = Cue(
    re.compile(r"\b(?:allerg\w+|intoleran\w+|coeliac|celiac|anaphyla\w+)\b|アレルギー", re.IGNORECASE),
    "allergy intolerance coeliac celiac anaphylaxis",
)
_OPEN_KINDS = (Kind.TOOL_OR_WORKFLOW_LESSON, Kind.PROJECT, Kind.COMMUNICATION_PREFERENCE)


def privacy_of(claim: Claim, text: str, *, is_own: bool, words: Sequence[str] = ()) -> Privacy:
    """sensitive, personal or open. `words` are the owner's own additions; `is_own` says the claim is about who spoke."""
    if _holds(text, words) or is_private_matter(text):
        return Privacy.SENSITIVE
    # The owner's own allergy has to reach every prompt that orders a meal; another person's is their affair.
    if _ALLERGY.search(text) and not is_own:
        return Privacy.SENSITIVE
    return Privacy.OPEN if claim.kind in _OPEN_KINDS else Privacy.PERSONAL


def privacy_of_words(text: str, words: Sequence[str] = ()) -> Privacy:
    """Sensitive or personal, by the words alone: for what is no claim yet, about nobody knows whom."""
    is_sensitive = _holds(text, words) or is_private_matter(text) or _ALLERGY.search(text)
    return Privacy.SENSITIVE if is_sensitive else Privacy.PERSONAL


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(re.search(rf"\b{re.escape(w)}\b", text, re.IGNORECASE) for w in words)
