"""What a night is made of: where it stands, the references that travel, and the walk that takes its steps.

Belongs here: nouns of the walk. Does not belong here: how a step is taken (`step`), in which order (`order`), or what
comes before and after (`road`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from models.ask import Ask, Embed
from models.rules import Owner, StageRules
from slowwave.format import Manifest, TableRef

Ref = TableRef
Stage = Callable[..., Any]


@dataclass(frozen=True)
class Known:
    """The state that earlier nights left: what has been accepted, and what was published."""

    turns: Ref
    claims: Ref
    vectors: Ref
    memories: Ref
    settled: Ref
    verdicts: Ref
    consumed: Ref


@dataclass(frozen=True)
class Night:
    """One night: everything it is a function of."""

    store: Path
    run: str
    parent: Manifest | None
    as_of: datetime
    owner: Owner
    rules: StageRules
    ask: Ask
    embed: Embed
    messages: Ref
    signals: Ref
    feedback: Ref
    known: Known
    recall: Mapping[str, Any] = field(default_factory=dict[str, Any])
    watch: Callable[[Taken], None] = field(default=lambda _: None, compare=False)

    @property
    def folder(self) -> str:
        """The run's folder, relative to the store."""
        return f"runs/{self.run}"


@dataclass(frozen=True)
class Taken:
    """One step as it was taken: what came out, and what it cost. One artifact a stage is made from it."""

    stage: str
    fingerprint: str
    outputs: dict[str, Ref]
    n_in: int = 0
    n_kept: int = 0
    n_decided: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    n_embedded: int = 0
    seconds: float = 0.0
    is_cached: bool = False


class Step(Protocol):
    """A way to take a step: load, conform, run, conform, save. Returns what was made, as references."""

    def __call__(self, night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken: ...


class Made:
    """What one stage made, a reference a table: `heard.turns`."""

    def __init__(self, stage: str, outputs: Mapping[str, Ref | None]) -> None:
        self._stage, self._outputs = stage, outputs

    def __getattr__(self, table: str) -> Any:
        """The reference to a table; `None` where its stage was not walked and the table was not given."""
        return self._outputs.get(table)


class Walk:
    """Takes the steps from `start` to `stop`; before and after, hands on what was `given`."""

    def __init__(
        self, night: Night, step: Step, *, start: str, stop: str, given: Mapping[str, Ref] | None = None
    ) -> None:
        self.night, self.step, self.start, self.stop = night, step, start, stop
        self.given = dict(given or {})
        self.taken: dict[str, Taken] = {}
        self._is_walking = False
        self._is_done = False

    def __call__(self, stage: Stage, **refs: Ref | None) -> Made:
        """Take one step, unless it lies outside the part to be walked."""
        name = stage.__name__
        self._is_walking = self._is_walking or name == self.start
        if not self._is_walking or self._is_done:
            return Made(name, {k.split(".", 1)[1]: ref for k, ref in self.given.items() if k.startswith(f"{name}.")})
        self._is_done = name == self.stop
        known = {table: ref for table, ref in refs.items() if ref is not None}
        self.taken[name] = self.step(self.night, stage, known)
        return Made(name, self.taken[name].outputs)

    def __getitem__(self, name: str) -> Ref:
        """The reference to `stage.table`, made or given."""
        stage, table = name.split(".", 1)
        return self.taken[stage].outputs[table] if stage in self.taken else self.given[name]

    @property
    def decisions(self) -> list[Ref]:
        """Every stage's decisions."""
        return [taken.outputs["decisions"] for taken in self.taken.values() if "decisions" in taken.outputs]
