"""Writes `slowwave.toml` and `docs/settings.md` from the settings as they are declared: a sentence a setting, each told once.

`python docs/settings_page.py` writes both, `--check` only says whether they are current.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from pages import ROOT, write_or_check
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from adapters.settings import Settings

Section = tuple[str, type[BaseModel], BaseModel]

TOML_HEAD = """# Settings of this checkout. Every line shows a default: take away the `# ` before a setting to change it.
#
# Later wins: these, the store's own slowwave.toml, environment variables (SLOWWAVE_NIGHT__MODEL=...), flags.
# The same list with more room to read is docs/settings.md. `make docs` writes this file again, so keep what is meant to last
# in the store's own slowwave.toml.
"""
PAGE_HEAD = """# Settings

Everything that can be set, with its default. A setting stands in `slowwave.toml` of the checkout, in `slowwave.toml` of one
store, in the environment (`SLOWWAVE_` and the path with two underscores between its parts, such as `SLOWWAVE_NIGHT__MODEL`), or
comes as a flag of `slowwave night`; each of these wins over the ones named before it. An unknown or impossible setting stops the
night before it begins, with its name.

Keys belong in the environment (`SLOWWAVE_NIGHT__API_KEY`), never in a file that is committed. The rules in force are recorded in
every version's manifest. This page is made by `make docs`.
"""


def sections(model: type[BaseModel], made: BaseModel, path: str = "") -> Iterator[Section]:
    """The tables of the tree, in order: their path, their class, their defaults."""
    if path and any(not is_section(getattr(made, name)) for name in model.model_fields):
        yield path, model, made
    for name in model.model_fields:
        value = getattr(made, name)
        where = f"{path}.{name}" if path else name
        if isinstance(value, BaseModel):
            yield from sections(type(value), value, where)
        elif is_section(value):
            for key, part in value.items():
                yield from sections(type(part), part, f"{where}.{key}")


def is_section(value: Any) -> bool:
    """Whether a value is a table of its own: a class of settings, or several of them by name."""
    is_named = isinstance(value, dict) and bool(value) and all(isinstance(part, BaseModel) for part in value.values())
    return isinstance(value, BaseModel) or is_named


def is_open(path: str) -> bool:
    """Whether a table's name is the user's own choice: its header stays a comment, or it would replace its fellows."""
    return any(f".{name}." in path for name in ("profiles", "budgets", "jobs"))


def settings(section: Section) -> Iterator[tuple[str, FieldInfo, Any]]:
    """A table's settings: name, declaration, default."""
    _, model, made = section
    for name, field in model.model_fields.items():
        if not is_section(getattr(made, name)):
            yield name, field, getattr(made, name)


def literal(value: Any) -> str:
    """A default as TOML writes it; empty where there is none."""
    if value is None:
        return ""
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    return json.dumps(list(plain) if isinstance(plain, tuple) else plain, ensure_ascii=False)


def render_defaults() -> str:
    """`slowwave.toml`: every setting as a comment, with its sentence above it."""
    lines = [TOML_HEAD]
    for section in sections(Settings, Settings.model_construct()):
        path, model, _ = section
        lines += [f"# {(model.__doc__ or '').strip().splitlines()[0]}", f"{'# ' * is_open(path)}[{path}]"]
        for name, field, value in settings(section):
            shown = literal(value)
            lines += [f"# {field.description}", f"# {name} = {shown}" if shown else f"# ({name} is not set)"]
        lines.append("")
    return "\n".join(lines)


def render_page() -> str:
    """`docs/settings.md`: a table a section."""
    lines = [PAGE_HEAD]
    for section in sections(Settings, Settings.model_construct()):
        path, model, _ = section
        lines += [f"## `[{path}]`", "", (model.__doc__ or "").strip().splitlines()[0], ""]
        lines += ["| setting | default | what it does |", "|---|---|---|"]
        for name, field, value in settings(section):
            lines.append(
                f"| `{name}` | {f'`{literal(value)}`' if literal(value) else 'not set'} | {field.description} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    written = {ROOT / "slowwave.toml": render_defaults(), ROOT / "docs" / "settings.md": render_page()}
    raise SystemExit(write_or_check(written, sys.argv[1:]))
