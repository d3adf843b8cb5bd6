"""Two ways to take a step: `here`, a plain call, and `as_task`, a Prefect task. Both leave the same bytes.

A step resolves references to frames, conforms them to the tables the stage's signature names, runs the stage, conforms
and saves what came out, and writes down what it cost. A step whose fingerprint is known is not taken again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from inspect import signature
from typing import Any, get_type_hints

import polars as pl

from adapters.lake import read_table, scan_table, write_table
from flows import ledger
from flows.embedding import HostedEmbed
from flows.fingerprint import extras, fingerprint
from flows.meter import Meter, MeteredEmbed
from flows.night import Night, Ref, Stage, Taken
from models.table import Table
from slowwave.errors import Transient


def tables_of(stage: Stage) -> tuple[dict[str, type[Table]], dict[str, type[Table]]]:
    """The tables a stage takes and makes, by name, read off its signature and its result's annotations."""
    hints = get_type_hints(stage, include_extras=True)
    made = get_type_hints(hints.pop("return"), include_extras=True)
    return _tables(hints), _tables(made)


def scanned(stage: Stage) -> frozenset[str]:
    """The tables of which a stage reads what it needs: they may be large, and are handed to it yet to be read."""
    hints = get_type_hints(stage, include_extras=True)
    return frozenset(name for name, hint in hints.items() if getattr(hint, "__origin__", None) is pl.LazyFrame)


def _tables(hints: Mapping[str, Any]) -> dict[str, type[Table]]:
    found = {name: getattr(hint, "__metadata__", (None,))[0] for name, hint in hints.items()}
    return {name: table for name, table in found.items() if isinstance(table, type) and issubclass(table, Table)}


def here(night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
    """Take the step in this process, or hand on what an earlier step with the same fingerprint made."""
    began = time.perf_counter()
    key = fingerprint(night, stage, refs)
    known = ledger.find(night, stage.__name__, key, is_asking="ask" in signature(stage).parameters)
    taken = known if known is not None else _run(night, stage, refs, key, began)
    ledger.enter(night, taken)
    night.watch(taken)
    return taken


def _run(night: Night, stage: Stage, refs: Mapping[str, Ref], key: str, began: float) -> Taken:
    takes, makes = tables_of(stage)
    lazy = scanned(stage)
    given = {
        name: (scan_table if name in lazy else read_table)(night.store, refs[name], table)
        for name, table in takes.items()
    }
    # What is only scanned is never embedded.
    frames = {name: rows for name, rows in given.items() if isinstance(rows, pl.DataFrame)}
    hosted = night.embed
    ask = Meter(night.ask)
    embed = MeteredEmbed(hosted.within(stage.__name__, frames) if isinstance(hosted, HostedEmbed) else hosted)
    asked = extras(night, stage)
    asked.update({name: metered for name, metered in (("ask", ask), ("embed", embed)) if name in asked})
    result = stage(**given, **asked)
    outputs = {
        name: write_table(night.store, f"{night.folder}/{stage.__name__}.{name}.parquet", getattr(result, name), table)
        for name, table in makes.items()
    }
    first_in, first_out = refs[next(iter(takes))], next(iter(outputs.values()))
    return Taken(
        stage=stage.__name__,
        fingerprint=key,
        outputs=outputs,
        n_in=first_in.rows,
        n_kept=first_out.rows,
        n_decided=_count(result.decisions),
        calls=ask.usage.calls,
        input_tokens=ask.usage.input_tokens,
        output_tokens=ask.usage.output_tokens,
        cost=ask.usage.cost,
        n_embedded=embed.n_embedded,
        seconds=round(time.perf_counter() - began, 3),
    )


def _count(decisions: pl.DataFrame) -> dict[str, int]:
    """Decisions by action and reason, the most frequent first."""
    counted = decisions.group_by("action", "reason").len().rows()
    return {f"{action}:{reason}": n for action, reason, n in sorted(counted, key=lambda row: (-row[2], *row[:2]))}


def as_task(night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
    """Take the step as a Prefect task named after the stage: retried only for what may pass, one artifact, `Cached` if known.

    References cross into the task, never frames; and no quote goes into Prefect, whose database is not ours to forget in.
    """
    # Prefect is only here when a night walks as a flow: a plain night must not pay for it.
    from prefect import task
    from prefect.artifacts import create_table_artifact
    from prefect.cache_policies import NO_CACHE
    from prefect.states import Completed

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
        said = f"{taken.stage} of {night.run}: {taken.n_in} in, {taken.n_kept} kept"
        create_table_artifact(key=f"stage-{taken.stage}", table=_rows(taken), description=said)
        return Completed(name="Cached" if taken.is_cached else "Completed", message=said)

    step(dict(refs))
    return kept[-1]


def _may_pass(_task: Any, _run: Any, state: Any) -> bool:
    """Whether the error says that it may pass by itself."""
    return isinstance(state.result(raise_on_failure=False), Transient)


def _rows(taken: Taken) -> list[list[Any]]:
    """The stage's artifact: rows in, kept, decided by reason, tokens, cost, seconds."""
    counted = [["in", taken.n_in], ["kept", taken.n_kept], *([reason, n] for reason, n in taken.n_decided.items())]
    spent = ["calls", "input_tokens", "output_tokens", "cost", "n_embedded", "seconds"]
    return [["what", "n"], *counted, *([name, getattr(taken, name)] for name in spent)]
