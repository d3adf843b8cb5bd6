"""What a step's result depends on, as one hash: code, rules, inputs. The same fingerprint means the same bytes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars
import pyarrow

from flows.night import Night, Ref, Stage
from models.ids import digest

# Raise it to make every store compute every stage anew, when a change of meaning is in no hashed source.
EPOCH = 1


@cache
def source_digest(module: str) -> str:
    """The hash of a module's source, of all of its files where it is a package."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return "unknown"
    origin = Path(spec.origin)
    files = sorted(origin.parent.rglob("*.py")) if origin.name == "__init__.py" else [origin]
    made = sha256()
    for file in files:
        made.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()


def _home(stage: Stage) -> str:
    """The module of a stage, or the package of that name: `tasks.merge.slots` belongs to `tasks.merge`."""
    return ".".join(stage.__module__.split(".")[:2])


def _room(thing: Any) -> str:
    return ".".join(type(thing).__module__.split(".")[:2])


def extras(night: Night, stage: Stage) -> dict[str, Any]:
    """The keyword-only arguments a stage asks for by name, and nothing it did not ask for."""
    offered: dict[str, Any] = {
        "rules": getattr(night.rules, stage.__name__, None),
        "owner": night.owner,
        "as_of": night.as_of,
        "ask": night.ask,
        "embed": night.embed,
    }
    named = inspect.signature(stage).parameters.values()
    return {p.name: offered[p.name] for p in named if p.kind is p.KEYWORD_ONLY}


def _identity(name: str, value: Any) -> Any:
    if name == "ask":
        return [value.model, value.prompt, source_digest(_room(value))]
    if name == "embed":
        return [value.name, value.digest]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def fingerprint(night: Night, stage: Stage, refs: Mapping[str, Ref]) -> str:
    """The hash of everything a step's result is a function of."""
    return digest(
        EPOCH,
        sys.version_info[:2],
        polars.__version__,
        pyarrow.__version__,
        stage.__name__,
        [source_digest(room) for room in (_home(stage), "models", "slowwave")],
        {name: _identity(name, value) for name, value in extras(night, stage).items()},
        {name: ref.sha256 for name, ref in refs.items()},
    )
