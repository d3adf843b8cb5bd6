"""What a step's result depends on, as one hash: code, rules, inputs. The same fingerprint means the same bytes."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars
import pyarrow

from flows.egress import Guarded
from flows.embedding import HostedEmbed
from flows.night import Night, Ref, Stage
from models.ids import digest
from models.rules import StageRules

# Raise it to make every store compute every stage anew, when a change of meaning is in no hashed source.
EPOCH = 1


_IMPORT = re.compile(r"^\s*(?:from|import)\s+(tasks(?:\.\w+)+)", re.MULTILINE)


@cache
def _files(module: str) -> tuple[Path, ...]:
    """The files of a module, all of them where it is a package."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return ()
    origin = Path(spec.origin)
    return tuple(sorted(origin.parent.rglob("*.py"))) if origin.name == "__init__.py" else (origin,)


@cache
def source_digest(*modules: str) -> str:
    """The hash of the modules' source, of all of their files where they are packages."""
    made = sha256()
    for file in (file for module in modules for file in _files(module)):
        made.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return made.hexdigest()


@cache
def stage_modules(home: str) -> tuple[str, ...]:
    """A stage's own module or package and every other one of its room that it leans on, itself first."""
    found, waiting = {home}, [home]
    while waiting:
        for file in _files(waiting.pop()):
            names = {".".join(name.split(".")[:2]) for name in _IMPORT.findall(file.read_text())}
            waiting += sorted(names - found)
            found |= names
    return (home, *sorted(found - {home}))


def _home(stage: Stage) -> str:
    """The module of a stage, or the package of that name: `tasks.merge.fold` belongs to `tasks.merge`."""
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
    if isinstance(value, Guarded):
        parts = [_identity("ask", part) for part in (value.ask, value.here) if part is not None]
        return [value.gate.identity, parts, source_digest("flows.egress")]
    if isinstance(value, HostedEmbed):
        return [value.gate.identity, value.name, value.digest, source_digest("flows.egress", "flows.embedding")]
    if name == "ask":
        # Rules may have stated what a model only words.
        return [value.model, value.prompt, source_digest(*sorted({_room(value), "adapters.offline"}))]
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
        source_digest(*stage_modules(_home(stage)), "models", "slowwave"),
        {name: _identity(name, value) for name, value in extras(night, stage).items()},
        {name: ref.sha256 for name, ref in refs.items()},
    )


def semantics(rules: StageRules) -> str:
    """The hash of what settles memories beside the claims: where it is another, all of them are settled anew."""
    return digest(
        EPOCH,
        polars.__version__,
        source_digest(*stage_modules("tasks.reconcile"), "models", "slowwave"),
        [part.model_dump(mode="json") for part in (rules.merge, rules.reconcile)],
    )
