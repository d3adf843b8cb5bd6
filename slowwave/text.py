"""Normalisation that readers and nights must do alike. Compares texts; never rewrites what is shown."""

from __future__ import annotations

import re
import unicodedata

_SPACE = re.compile(r"\s+")
# Characters that a reader cannot see: they must never make two equal values look different to us.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def normalise(text: str | None) -> str:
    """Text for comparing: NFKC, case folded, invisible characters gone, white space collapsed, no final full stop."""
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text or "")).casefold()
    return _SPACE.sub(" ", folded).strip().rstrip(".").strip()


def squash(text: str) -> str:
    """Text on one line: white space collapsed, nothing else touched."""
    return _SPACE.sub(" ", text).strip()
