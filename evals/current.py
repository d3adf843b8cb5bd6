"""Current before stale: of every pair that was superseded, is the current one found, and the stale one never as an answer of its own?

Belongs here: the pairs of a store, the questions that are asked for each, and the walk over cases and samples. Does not belong here: how
a case or a sample is walked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import slowwave
from evals import record, text
from evals.cases import read_cases
from evals.samples import read_expected, walk
from evals.samples.counts import SAMPLES
from slowwave.format import Memory, Status
from slowwave.reader import Reader
from slowwave.reader.tables import Tables
from slowwave.store import read_current

K = 10


class Looked(NamedTuple):
    """How many pairs a store has, and the questions that show the stale one as a result or do not show the current one."""

    n_pairs: int
    wrong: list[str]


def pairs(reader: Reader) -> Iterator[tuple[Memory, Memory]]:
    """Each superseded memory with the last of its successors, where that holds or has faded."""
    memories = {m.id: m for m in Tables(reader.store, reader.manifest).where("memories", Memory)}
    for stale in memories.values():
        head = stale
        while head.superseded_by in memories:
            head = memories[head.superseded_by]
        if stale.status == Status.SUPERSEDED and head.status in (Status.ACTIVE, Status.ARCHIVED):
            yield stale, head


def looked_at(reader: Reader) -> Looked:
    """Every pair, asked for in the words of the stale one, of the current one, and by the stale value alone."""
    found, wrong = list(pairs(reader)), list[str]()
    for stale, head in found:
        asked = (stale.text, head.text, f"What about {stale.value or stale.text}?")
        wrong += [question for question in asked if not _is_current_first(reader, question, stale, head)]
    return Looked(len(found), wrong)


def _is_current_first(reader: Reader, question: str, stale: Memory, head: Memory) -> bool:
    told = reader.recall(question, K, at=reader.manifest.as_of)
    ids = {one.id for one in told}
    quoted = {piece.quote for piece in stale.evidence} - {piece.quote for piece in head.evidence}
    is_shown_bare = any(one.kind == "turn" and one.text in quoted for one in told)
    return head.id in ids and stale.id not in ids and not is_shown_bare


def of_record_case(case: dict[str, Any], folder: Path) -> Looked:
    """What a record-level case leaves, published as it stands."""
    store = folder / "store"
    record.publish(case, store)
    return looked_at(slowwave.open(store))


def of_text_case(case: dict[str, Any], folder: Path) -> Looked:
    """What the nights of a text-level case publish, for all of its owners."""
    text.result(case, folder)
    stores = [folder / f"owner-{n}" / "store" for n, _ in enumerate(text.owners(case))]
    return _sum([looked_at(slowwave.open(store)) for store in stores if read_current(store)])


def of_samples(folder: Path, names: tuple[str, ...], store: Path) -> Looked:
    """What a night over these samples publishes."""
    walk(store, folder, [SAMPLES[name] for name in names], read_expected(folder))
    return looked_at(slowwave.open(store))


def measure(cases: Path, samples: Path) -> dict[str, Any]:
    """All cases, each sample alone and all together: how many pairs there are, and what is wrong, by name."""
    told: dict[str, Looked] = {}
    for case in read_cases(cases):
        with TemporaryDirectory(prefix="slowwave-current-") as made:
            of = of_record_case if case["level"] == "record" else of_text_case
            told[case["id"]] = of(case, Path(made))
    for names in [*((name,) for name in SAMPLES), tuple(SAMPLES)]:
        with TemporaryDirectory(prefix="slowwave-current-") as made:
            told[names[0] if len(names) == 1 else "all samples"] = of_samples(samples, names, Path(made) / "store")
    whole = _sum(told.values())
    return {
        "pairs": whole.n_pairs,
        "questions": 3 * whole.n_pairs,
        "wrong": len(whole.wrong),
        "of": {name: one.n_pairs for name, one in told.items() if one.n_pairs},
        "wrong_of": {name: one.wrong for name, one in told.items() if one.wrong},
    }


def _sum(told: Iterable[Looked]) -> Looked:
    each = list(told)
    return Looked(sum(one.n_pairs for one in each), [question for one in each for question in one.wrong])
