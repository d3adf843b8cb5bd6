"""The detectors of detect-secrets that know a secret by its shape. Loaded at the first doubtful text, since that takes long.

Does not belong here: its entropy and keyword detectors, which alarm on plain prose.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

# Private keys and addresses with passwords have patterns of our own; a public address is no secret.
_LEFT_OUT = {"Private Key", "Basic Auth Credentials", "Public IP (ipv4)"}
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


@cache
def _detectors() -> tuple[tuple[str, Any], ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import RegexBasedDetector

    known = sorted(get_mapping_from_secret_type_to_class().items())
    return tuple(
        (_NOT_A_WORD.sub("_", name.casefold()).strip("_"), made())
        for name, made in known
        if issubclass(made, RegexBasedDetector) and name not in _LEFT_OUT
    )


def patterns() -> list[re.Pattern[str]]:
    """Everything that the detectors look for."""
    return [pattern for _, detector in _detectors() for pattern in detector.denylist]


def find(snippet: str) -> list[tuple[str, str]]:
    """Kind and value of every secret that a detector sees in a short text."""
    found = [(kind, value) for kind, detector in _detectors() for value in _values(detector, snippet)]
    return [(kind, value) for kind, value in found if len(value) >= 8 and _has_both(value)]


def _values(detector: Any, snippet: str) -> list[str]:
    return [v.strip() for v in detector.analyze_string(snippet) if isinstance(v, str)]


def _has_both(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not is_hash(value)


def is_hash(value: str) -> bool:
    """Whether it is a commit's hash or a file's: those are in half of all tool output."""
    return len(value) in (40, 64) and all(c in "0123456789abcdef" for c in value)
