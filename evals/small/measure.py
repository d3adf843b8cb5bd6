"""One honest figure with a real small model: rules choose the lines, it words them, and a person judges what passed.

Two sessions of a conversation and a few samples are walked, each in a store that is kept: a second run asks nothing, finds what the
first one spent in its ledger, and counts the judgements that were written into its sheet meanwhile. Belongs here: the walk and the
counting. Does not belong here: serving (`server`), and the sheet (`sheet`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from evals.dataset import conversations, read
from evals.published import run_table
from evals.samples import read_expected
from evals.samples.counts import SAMPLES
from evals.samples.judge import judge
from evals.small.server import Small
from evals.small.sheet import judged, write_sheet
from evals.small.weights import KNOWN, digest_of
from flows.begin import Plan
from flows.costs import calls
from flows.road import Outcome, consolidated
from flows.step import here

Row = dict[str, Any]
MODEL = "openai/small"
# A server for one question at a time on one thread: what waits for it must not run out of time.
_NIGHT: Row = {
    "model": MODEL,
    "extraction": "rewrite",
    "max_concurrency": 1,
    "timeout_seconds": 900,
    "max_output_tokens": 1000,
}
_SESSIONS = 2


def measure(model: Path, data: Path, folder: Path | None, keep: Path, *, samples: tuple[str, ...] = ()) -> Row:
    """Walk what is not walked yet, and count. Stores and the sheet to judge by hand lie in `keep`.

    Raises UsageError where there is no model, no server for it, or no data.
    """
    keep.mkdir(parents=True, exist_ok=True)
    sha256 = digest_of(model) if model.is_file() else ""
    known = KNOWN.get(sha256)
    with Small(model) as server:
        flags: Row = {"night": {**_NIGHT, "api_base": server.api_base}}
        figures: Row = {
            "weights": {"model": known.name if known else "not known", "sha256": sha256},
            "conversation": _conversation(data, keep, flags),
        }
        if folder is not None:
            figures["samples"] = {name: _sample(name, folder, keep, flags) for name in samples}
    return figures


def _conversation(data: Path, keep: Path, flags: Row) -> Row:
    """The first sessions of the first conversation."""
    part = _first_sessions(conversations(data)[0].path, keep)
    talk, store = read(part), keep / part.stem
    run = _walked(store, (f"locomo={part}",), talk.as_of, flags)
    sheet = keep / f"{part.stem}.sheet.jsonl"
    if not sheet.is_file():
        write_sheet(sheet, _table(store, run, "extract.claims"), MODEL)
    return {
        "name": part.stem,
        "sessions": _SESSIONS,
        "turns": len(talk.turns),
        **_figures(store, run),
        "judged": judged(sheet),
    }


def _first_sessions(file: Path, keep: Path) -> Path:
    """A conversation file that holds the first sessions alone."""
    whole: Row = json.loads(file.read_text(encoding="utf-8"))
    names = {f"session_{n}{more}" for n in range(1, _SESSIONS + 1) for more in ("", "_date_time")}
    told = {
        name: value for name, value in whole["conversation"].items() if name in names or not name.startswith("session_")
    }
    part = keep / file.name
    part.write_text(json.dumps({**whole, "conversation": told}, ensure_ascii=False), encoding="utf-8")
    return part


def _sample(name: str, folder: Path, keep: Path, flags: Row) -> Row:
    """One platform's sample: items found with the model's words, and by the rules alone."""
    expected = read_expected(folder)
    owner: Row = {"owner": {"names": [expected["user"]], "zone": expected["timezone"]}}
    sources, at = tuple(SAMPLES[name].sources(folder)), datetime.fromisoformat(expected["as_of"])
    found: Row = {}
    for who, more in (("worded", flags), ("offline", {})):
        store = keep / f"{name}-{who}"
        run = _walked(store, sources, at, {**owner, **more})
        told = judge(store, run, (name,), expected)
        found |= {"items": told.n_items, f"found_{who}": told.n_items - len(told.missed), f"missed_{who}": told.missed}
        found |= _figures(store, run) if more else {}
    return found


def _walked(store: Path, sources: tuple[str, ...], at: datetime, flags: Row) -> str:
    """The run that published the store's version; it is made where there is none."""
    kept = store.with_name(f"{store.name}.run")
    if not kept.is_file():
        outcome: Outcome = consolidated(Plan(store, sources, at, flags, trigger="eval"), here)
        kept.write_text(outcome.run or "", encoding="utf-8")
        print(f"{store.name}: {outcome.status}", file=sys.stderr)
    return kept.read_text(encoding="utf-8")


def _figures(store: Path, run: str) -> Row:
    """What became of the statements, and what they cost: claims by who worded them, why the others were not, calls, tokens, seconds."""
    claims, decisions = _table(store, run, "extract.claims"), _table(store, run, "extract.decisions")
    n_worded = claims.filter(pl.col("writer").struct.field("model") == MODEL).height
    as_said = decisions.filter(pl.col("reason") == "kept_as_said")
    spent = [call for call in calls([store]) if call["model"] == MODEL]
    total: Callable[[str], Any] = lambda name: sum(call[name] for call in spent)  # noqa: E731
    return {
        "claims": claims.height,
        "worded": n_worded,
        "failed": as_said.height,
        "not_asked": claims.height - n_worded - as_said.height,
        "share_worded": round(n_worded / (n_worded + as_said.height), 3) if n_worded + as_said.height else None,
        "why_failed": dict(Counter(map(_sort_of, as_said.get_column("detail"))).most_common()),
        "outcomes": dict(Counter(call["outcome"] for call in spent)),
        "calls": len(spent),
        "input_tokens": total("input_tokens"),
        "cached_tokens": total("cached_tokens"),
        "output_tokens": total("output_tokens"),
        "seconds": round(total("seconds"), 1),
    }


def _sort_of(why: str) -> str:
    """The first complaint, without the words that it is about."""
    first = why.partition(";")[0]
    for sort in ("it adds", "it leaves out most", "it leaves out", "it speaks of", "does not stand", "it says"):
        if sort in first:
            return sort
    return first


def _table(store: Path, run: str, name: str) -> pl.DataFrame:
    found = run_table(store, run, name)
    assert found is not None, f"{run} made no {name}"
    return found
