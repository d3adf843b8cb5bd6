"""Walks a world night by night and sums up what its memory was worth: with the known labels as a model's answers, or by the rules alone.

Belongs here: the walk and the sums. Does not belong here: what is right (`truth`, `asking`, `guardian`).
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import slowwave
from evals.published import artefacts_text
from evals.worlds import asking, guardian, truth
from evals.worlds.files import OWNER, Logs
from evals.worlds.scenes import NOISE, World, as_of, world
from evals.worlds.teller import MODEL, Teller
from evals.worlds.truth import Memories, Share, share
from evals.worlds.year import DAYS, ZONE, draw_year
from flows.begin import Plan
from flows.night import Night, Ref, Stage, Taken
from flows.road import consolidated
from flows.step import here
from slowwave.format import Memory
from slowwave.reader import Reader
from slowwave.reader.tables import Tables

LABELS, OFFLINE = "labels", "offline"
SEED, NIGHTS_APART = 1, 14
Row = dict[str, Any]


def measure(
    seed: int = SEED, *, days: int = DAYS, noise: float = NOISE, read_by: str = LABELS, apart: int = NIGHTS_APART
) -> Row:
    """One world from a seed: its nights, `apart` days each, and every score. `read_by` is `labels` or `offline`."""
    made = world(draw_year(seed, days=days), seed, noise=noise)
    with TemporaryDirectory(prefix="slowwave-world-") as folder:
        walk = Walk(made, Path(folder), read_by)
        walk.nights(days, apart)
        return walk.figures()


@dataclass
class _Seen:
    """What was judged along the way, night by night."""

    promises: list[bool] = field(default_factory=list[bool])
    leads: list[bool] = field(default_factory=list[bool])
    steps: list[bool] = field(default_factory=list[bool])
    spared: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    decided: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])


class Walk:
    """One world's store, and what is known of it so far."""

    def __init__(self, made: World, folder: Path, read_by: str) -> None:
        self.world, self.year, self.read_by = made, made.year, read_by
        self.store, self.logs = folder / "store", Logs(folder / "logs")
        self.teller = Teller(made) if read_by == LABELS else None
        self.seen = _Seen()
        self.cpu_seconds = self.night_seconds = 0.0
        self.stage_seconds: defaultdict[str, float] = defaultdict(float)
        self.growth: list[Row] = []

    def nights(self, days: int, apart: int) -> None:
        """Walk a night every so many days, and judge each version that was published."""
        with ExitStack() as stack:
            if self.teller is not None:
                stack.enter_context(self.teller)
            for day in [*range(apart, days, apart), days + 1]:
                self._night(day)
                self._judge(day, apart)

    def _night(self, day: int) -> None:
        at = as_of(day)
        self.logs.write(self.world.sessions, self.year.nudges, at)
        began = time.process_time()
        consolidated(Plan(self.store, self.logs.sources, at, self._flags(), trigger="eval"), self._step)
        self.night_seconds = time.process_time() - began
        self.cpu_seconds += self.night_seconds

    def _step(self, night: Night, stage: Stage, refs: Mapping[str, Ref]) -> Taken:
        """A plain call of a stage, with its CPU counted; a server on loopback in this process is part of what asking costs."""
        began = time.process_time()
        taken = here(night, stage, refs)
        self.stage_seconds[stage.__name__] += time.process_time() - began
        return taken

    def _flags(self) -> Row:
        flags: Row = {"owner": {"id": OWNER, "names": [self.year.owner], "zone": ZONE}}
        if self.teller is not None:
            flags["night"] = {"model": MODEL, "api_base": self.teller.api_base}
        return flags

    def _judge(self, day: int, apart: int) -> None:
        at, reader = as_of(day), slowwave.open(self.store)
        memories = self.memories(reader)
        self.seen.promises += truth.promises(self.year, memories, at)
        self.seen.leads += asking.leads(self.year, reader, memories, at)
        self.seen.steps += asking.left_off(self.year, reader, at - timedelta(days=apart), at)
        soon = [one for one in self.year.occasions if at <= one.at < at + timedelta(days=apart)]
        self.seen.spared += [(day, is_told) for _, is_told in asking.spared(soon, reader)]
        self.seen.decided.append((day, fmean(guardian.decided(reader, at))))
        self.reader, self.at, self.day = reader, at, day
        self._grow(memories)

    def _grow(self, memories: Memories) -> None:
        """How large the memory is by now, and what its last night cost."""
        n_messages = sum(len(s.messages) for s in self.world.sessions if s.id in self.logs.written)
        sizes = {"messages": n_messages, "memories": len(memories.every), "kilobytes": round(self._bytes() / 1024)}
        self.growth.append({"day": self.day, **sizes, "night_cpu_seconds": round(self.night_seconds, 2)})

    def memories(self, reader: Reader) -> Memories:
        """All memories of the version, by what they cite."""
        return Memories(Tables(reader.store, reader.manifest).where("memories", Memory))

    def figures(self) -> Row:
        """Every score, in per cent, with how many were judged."""
        memories = self.memories(self.reader)
        return {
            "read_by": self.read_by,
            "seed": self.world.seed,
            **self._sizes(memories),
            "scores": {name: one.percent for name, one in self._scores(memories).items()},
            "judged": {name: one.of for name, one in self._scores(memories).items()},
            **self._over_time(),
            **self._safety(memories),
            **self._costs(memories),
            "growth": self.growth,
        }

    def _scores(self, memories: Memories) -> dict[str, Share]:
        year, reader, at = self.year, self.reader, self.at

        def found(*sorts: str) -> Share:
            return share(asking.recalls(year, reader, memories, at, *sorts))

        return {
            "commitments": share(self.seen.promises),
            "contradictions": share(truth.changes(year, memories, at)),
            "as_of": share(asking.as_of(year, reader, memories, at)),
            "preferences": found("preferences"),
            "collaborators": found("collaborators"),
            "projects": found("projects", "leads", "steps"),
            "routines": found("routines"),
            "facts": found("facts", "constraints"),
            "reworded": share(asking.reworded(year, reader, memories, at)),
            "words_found": share(
                asking.heard(year, reader, at, "preferences", "collaborators", "projects", "routines")
            ),
            "dates": share(truth.dates(year, memories, at)),
            "handover": share(self.seen.leads),
            "interrupted": share(self.seen.steps),
            "phrasing": share(guardian.worded(year, reader, at)),
            "junk": share(truth.junk(year, memories)),
            "wrong_retirements": share(truth.lost(year, memories, at)),
        }

    def _over_time(self) -> Row:
        """What changes as it lives: mistakes made again, and nudges rightly given, by quarter of the year."""
        quarters = [(self.day * i // 4, self.day * (i + 1) // 4 + i // 3) for i in range(4)]
        mistakes = [share(not told for day, told in self.seen.spared if a <= day < b) for a, b in quarters]
        nudges = [[right for day, right in self.seen.decided if a <= day < b] for a, b in quarters]
        return {
            "repeated_mistakes_by_quarter": [one.percent for one in mistakes],
            "nudges_right_by_quarter": [round(100 * fmean(one), 1) if one else None for one in nudges],
            "nudges_right_at_the_end": round(100 * self.seen.decided[-1][1], 1),
            "nudges_right_by_always_speaking": round(100 * guardian.by_always_speaking(), 1),
        }

    def _safety(self, memories: Memories) -> Row:
        texts = artefacts_text(self.store)
        planted = set(self.year.planted)
        return {
            "secrets_told": len(self.year.secrets),
            "secrets_published": sum(secret in texts for secret in self.year.secrets),
            "planted_told": len(self.world.planted),
            "planted_remembered": sum(any(truth.holds(m, what) for what in planted) for m in memories.every),
        }

    def _per_1000(self, seconds: float) -> float:
        return round(1000 * seconds / self.world.n_messages, 2)

    def _bytes(self) -> int:
        """What lies on disk of the tables of the version that serves."""
        places = {self.store / ref.path for ref in self.reader.manifest.tables.values()}
        return sum(file.stat().st_size for place in places for file in place.rglob("*") if file.is_file())

    def _sizes(self, memories: Memories) -> Row:
        active = [m for m in memories.every if m.status == "active"]
        return {
            "days": (self.year.end - self.year.start).days,
            "n_messages": self.world.n_messages,
            "n_told": len(self.year.sayings),
            "n_memories": len(memories.every),
            "n_active": len(active),
        }

    def _costs(self, memories: Memories) -> Row:
        made: Row = {
            "bytes_a_memory": round(self._bytes() / max(len(memories.every), 1)),
            "prompt_tokens_a_turn": round(fmean(asking.tokens(self.year, self.reader, self.at))),
            "cpu_seconds_per_1000_messages": self._per_1000(self.cpu_seconds),
            "cpu_seconds_by_stage": {name: self._per_1000(spent) for name, spent in self.stage_seconds.items()},
        }
        if self.teller is not None:
            unread = [text for text in self.teller.known if text not in self.teller.told]
            made |= {
                "calls": len(self.teller.requests),
                "input_tokens": self.teller.input_tokens,
                "output_tokens": self.teller.output_tokens,
                "labels_unread": len(unread),
            }
        return made
