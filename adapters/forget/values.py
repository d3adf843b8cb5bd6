"""Texts inside JSON: every one of them, and the same value with what is forgotten taken out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from models.forgotten import Forgotten, Place, left_of


def strings(value: Any) -> Iterator[str]:
    """Every text inside a value, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def cleaned(value: Any, place: Place, forgotten: Forgotten) -> Any:
    """The value with what is left of each of its texts."""
    if isinstance(value, str):
        return left_of(value, place, forgotten)
    if isinstance(value, dict):
        return {name: cleaned(inner, place, forgotten) for name, inner in value.items()}
    return [cleaned(inner, place, forgotten) for inner in value] if isinstance(value, list) else value


def texts_of(content: str) -> list[str]:
    """The texts of a JSON file, or of a file of JSON lines; of anything else the content itself."""
    try:
        return list(strings(json.loads(content)))
    except (ValueError, RecursionError):
        pass
    found: list[str] = []
    for line in content.splitlines():
        try:
            found += strings(json.loads(line))
        except (ValueError, RecursionError):
            return [content]
    return found
