"""The order of a night: the table of contents of the whole system, on one page.

`step` is the way a step is taken: `flows.step.here` (a plain call) or `flows.step.as_task` (a Prefect task). Tables travel
as references, never as frames. `start`, `stop` and `given` walk a part: evals and cases use them.
"""

from __future__ import annotations

from collections.abc import Mapping

from flows.night import Night, Ref, Step, Walk
from tasks.digest import digest
from tasks.extract import extract
from tasks.learn import learn
from tasks.link import link
from tasks.merge import merge
from tasks.project import project
from tasks.reconcile import reconcile
from tasks.reinforce import reinforce
from tasks.segment import segment
from tasks.sift import sift


def order(
    night: Night, step: Step, *, start: str = "sift", stop: str = "project", given: Mapping[str, Ref] | None = None
) -> Walk:
    """Walk the night. Returns what every stage made, by `stage.table`; raises what a stage raises."""
    walk = Walk(night, step, start=start, stop=stop, given=given)
    heard = walk(sift, messages=night.messages, earlier=night.known.turns, signals=night.signals)
    topics = walk(segment, turns=heard.turns, earlier=heard.heard, signals=heard.signals)
    said = walk(extract, topics=topics.topics, turns=heard.heard)
    linked = walk(
        link,
        claims=said.claims,
        earlier=night.known.claims,
        messages=night.messages,
        read=said.decisions,
        sifted=heard.decisions,
        turns=heard.heard,
        signals=heard.signals,
        feedback=night.feedback,
    )
    merged = walk(merge, claims=linked.claims, settled=night.known.settled)
    reconciled = walk(
        reconcile,
        memories=merged.memories,
        settled=night.known.settled,
        claims=linked.claims,
        mentions=linked.mentions,
        verdicts=night.known.verdicts,
    )
    weighed = walk(
        reinforce,
        memories=reconciled.memories,
        claims=linked.claims,
        feedback=night.feedback,
        earlier=night.known.memories,
    )
    lessons = walk(learn, signals=heard.signals, feedback=night.feedback, memories=weighed.memories)
    told = walk(digest, memories=weighed.memories, turns=heard.heard, signals=heard.signals, entities=linked.entities)
    walk(
        project,
        memories=weighed.memories,
        lessons=lessons.memories,
        entities=linked.entities,
        mentions=linked.mentions,
        episodes=told.episodes,
        turns=heard.heard,
        working=topics.working,
        vectors=night.known.vectors,
        feedback=night.feedback,
    )
    return walk
