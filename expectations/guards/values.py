"""Values in a configuration file: found by their way, and compared with what a person or memory says. No check lives here."""

from __future__ import annotations

from typing import Any

from slowwave.text import normalise

MISSING = object()
_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "enabled"), "true"),
    **dict.fromkeys(("false", "no", "off", "disabled"), "false"),
}


def value_at(data: Any, way: str | tuple[str, ...]) -> Any:
    """The value at `a.b.0.c`, or at those keys; MISSING where the way ends before."""
    for key in way.split(".") if isinstance(way, str) else way:
        if isinstance(data, dict) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdecimal() and len(key) < 10 and int(key) < len(data):
            data = data[int(key)]
        else:
            return MISSING
    return data


def is_same(stands: Any, said: Any) -> bool:
    """Whether two plain values, or lists of them in any order, say the same; memory's values are words, whatever they mean."""
    if isinstance(stands, list) and isinstance(said, list):
        return sorted(map(_plain, stands)) == sorted(map(_plain, said))
    if isinstance(stands, dict | list) or isinstance(said, dict | list) or stands is None:
        return False
    return _plain(stands) == _plain(said)


def _plain(value: Any) -> str:
    """A value as comparable words. What nests has no such form: it may be huge, and equals nothing."""
    if isinstance(value, dict | list):
        return f"\0{id(value)}"
    if _is_number(value):
        try:
            return f"{float(value):.12g}"
        except OverflowError:
            return f"\0{id(value)}"
    words = normalise(str(value))
    try:
        return f"{float(words):.12g}"
    except ValueError:
        return _WORDS.get(words, words)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
