"""Every setting in force for a store, and where each comes from. Values of secrets are never shown."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from adapters.settings import CHECKOUT, Settings, load

_DEFAULT = "default"


@dataclass(frozen=True)
class Origin:
    """A setting: its path with dots, its value as plain data, and the file or variable that it comes from."""

    path: str
    value: Any
    origin: str

    @property
    def is_default(self) -> bool:
        """Whether nobody set it."""
        return self.origin == _DEFAULT


def origins(store: Path | None) -> list[Origin]:
    """Every setting in the order of the page of settings. Raises UsageError where one is wrong."""
    settings = load(store)
    files = [path / "slowwave.toml" for path in ([store] if store else []) + [CHECKOUT]]
    given = [(str(path), tomllib.loads(path.read_text("utf-8"))) for path in files if path.is_file()]
    named = {name.upper() for name in os.environ}
    return [Origin(path, _plain(value), _origin(path, given, named)) for path, value in _leaves(settings)]


def _leaves(model: BaseModel, path: str = "") -> Iterator[tuple[str, Any]]:
    for name in type(model).model_fields:
        value, where = getattr(model, name), f"{path}.{name}" if path else name
        if isinstance(value, BaseModel):
            yield from _leaves(value, where)
        elif isinstance(value, dict) and value and all(isinstance(part, BaseModel) for part in value.values()):
            for key, part in value.items():
                yield from _leaves(part, f"{where}.{key}")
        else:
            yield where, value


def _origin(path: str, given: Sequence[tuple[str, Mapping[str, Any]]], named: set[str]) -> str:
    prefix = str(Settings.model_config.get("env_prefix"))
    parts = path.split(".")
    # A whole section may be one variable of JSON.
    for n in range(len(parts), 0, -1):
        variable = f"{prefix}{'__'.join(parts[:n])}".upper()
        if variable in named:
            return variable
    return next((file for file, tree in given if _holds(tree, parts)), _DEFAULT)


def _holds(tree: Any, parts: list[str]) -> bool:
    for part in parts:
        if not isinstance(tree, Mapping) or part not in tree:
            return False
        tree = tree[part]
    return True


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return "(set)" if value.get_secret_value() else ""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return list(value) if isinstance(value, tuple) else value
