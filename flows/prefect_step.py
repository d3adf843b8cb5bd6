"""A step as a Prefect task: named after its stage, retried only for what says it may pass, with one artifact.

References cross into the task, never frames, and quotes never go into Prefect: its database is not ours to forget in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prefect import task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.states import Completed

from flows.night import Night, Ref, Stage, Taken
from flows.step import here
from slowwave.errors import Transient


def _may_pass(_task: Any, _run: Any, state: Any) -> bool:
    """Whether the error says that it may pass by itself."""
    return isinstance(state.result(raise_on_failure=False), Transient)


def take(night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
    """Take the step inside a task run; a step that was known ends as `Cached`."""
    kept: list[Taken] = []

    @task(
        name=stage.__name__,
        task_run_name=stage.__name__,
        retries=2,
        retry_delay_seconds=[1, 10],
        retry_condition_fn=_may_pass,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    def step(refs: Mapping[str, Ref]) -> Any:
        taken = here(night, stage, refs)
        kept.append(taken)
        create_table_artifact(key=f"stage-{taken.stage}", table=_rows(taken), description=_sentence(night, taken))
        return Completed(name="Cached" if taken.is_cached else "Completed", message=_sentence(night, taken))

    step(dict(refs))
    return kept[-1]


def _rows(taken: Taken) -> list[list[Any]]:
    """The stage's artifact: rows in, kept, decided by reason, tokens, cost, seconds."""
    counted = [["in", taken.n_in], ["kept", taken.n_kept], *([k, n] for k, n in taken.n_decided.items())]
    spent = ["calls", "input_tokens", "output_tokens", "cost", "n_embedded", "seconds"]
    return [["what", "n"], *counted, *([name, getattr(taken, name)] for name in spent)]


def _sentence(night: Night, taken: Taken) -> str:
    return f"{taken.stage} of {night.run}: {taken.n_in} in, {taken.n_kept} kept"
