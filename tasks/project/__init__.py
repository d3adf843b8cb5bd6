"""Project: what is published, from what the night knows.

Belongs here: the published tables put together, and the reasons for what is left out. Vectors, relations, turns, working sets
and documents each have their own file. Nothing here decides what is true: a memory's text, status and tier arrive settled.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import polars as pl

from models.ask import Embed
from models.claim import Mention
from models.decision import Action, Decision, Feedback
from models.memory import (
    DocumentRow,
    EdgeRow,
    EntityRow,
    EpisodeRow,
    MemoryRow,
    PublishedMemory,
    PublishedTurn,
    Vector,
    WorkingRow,
)
from models.rules import Owner, ProjectRules
from models.table import Frame, conform, empty, rows_to_frame
from models.turn import Turn
from tasks.project.documents import prompt_worthy, write_documents
from tasks.project.edges import find_edges, with_entities
from tasks.project.home import home_zone
from tasks.project.places import with_places
from tasks.project.review import with_review
from tasks.project.screen import kept_out, ordering
from tasks.project.turns import publish_turns
from tasks.project.vectors import embed_new, with_embedding_ids, with_known_ids
from tasks.project.working import publish_working

NO_FEEDBACK = empty(Feedback)


class Projected(NamedTuple):
    """The published tables, the vectors behind them, and what was left out."""

    memories: Frame[PublishedMemory]
    entities: Frame[EntityRow]
    edges: Frame[EdgeRow]
    episodes: Frame[EpisodeRow]
    turns: Frame[PublishedTurn]
    working: Frame[WorkingRow]
    documents: Frame[DocumentRow]
    vectors: Frame[Vector]
    decisions: Frame[Decision]


def project(
    memories: Frame[MemoryRow],
    lessons: Frame[MemoryRow],
    entities: Frame[EntityRow],
    mentions: Frame[Mention],
    episodes: Frame[EpisodeRow],
    turns: Frame[Turn],
    working: Frame[WorkingRow],
    vectors: Frame[Vector],
    feedback: Frame[Feedback] = NO_FEEDBACK,
    *,
    rules: ProjectRules,
    owner: Owner,
    as_of: datetime,
    embed: Embed,
) -> Projected:
    """Put together all that a version holds; only texts without a known vector are embedded, in one call."""
    at_home = owner.model_copy(update={"zone": home_zone(turns, owner)})
    taught = lessons.filter(~pl.col("id").is_in(memories["id"].implode()))
    linked = with_entities(pl.concat([memories, taught]), mentions)
    remembered = with_review(linked, feedback, rules=rules, as_of=as_of)
    candidates, over = publish_working(working, remembered, entities)
    lesson_ids = taught["id"].to_list()
    unfit = ordering(prompt_worthy(remembered, lesson_ids), at_home.zone)
    fit = remembered.filter(~pl.col("id").is_in(unfit))
    memory_table, episode_table, turn_table = (
        with_embedding_ids(frame, embed) for frame in (remembered, episodes, publish_turns(turns, remembered, rules))
    )
    known = embed_new(
        pl.concat(t.select("text", "embedding_id") for t in (memory_table, episode_table, turn_table)), vectors, embed
    )
    memory_table, episode_table, turn_table = (
        with_known_ids(table, known) for table in (memory_table, episode_table, turn_table)
    )
    return Projected(
        memories=conform(with_places(memory_table, turns), PublishedMemory),
        entities=conform(entities, EntityRow),
        edges=find_edges(remembered, entities, mentions, owner),
        episodes=conform(episode_table, EpisodeRow),
        turns=conform(turn_table, PublishedTurn),
        working=candidates,
        documents=write_documents(fit, lesson_ids, candidates.to_dicts(), rules=rules, owner=at_home),
        vectors=known,
        decisions=_explain(
            remembered, lessons, taught, mentions, turns, turn_table, vectors, known, [*over, *kept_out(unfit)]
        ),
    )


def _explain(
    remembered: pl.DataFrame,
    lessons: pl.DataFrame,
    taught: pl.DataFrame,
    mentions: pl.DataFrame,
    turns: pl.DataFrame,
    published: pl.DataFrame,
    vectors: pl.DataFrame,
    known: pl.DataFrame,
    over: list[Decision],
) -> Frame[Decision]:
    """A row for each input row that reaches no published table, and for each candidate that holds no longer."""
    claims = remembered.explode("claim_ids")["claim_ids"].drop_nulls()
    none = pl.lit("")
    left = [
        lessons.join(taught, on="id", how="anti").select(
            pl.col("id"), none.alias("other"), reason=pl.lit("known_memory")
        ),
        mentions.filter(~pl.col("claim_id").is_in(claims.implode())).select(
            pl.col("claim_id").alias("id"), pl.col("name").alias("other"), reason=pl.lit("no_memory")
        ),
        turns.join(published, left_on="msg_key", right_on="id", how="anti").select(
            pl.col("msg_key").alias("id"), none.alias("other"), reason=pl.lit("not_evidence")
        ),
        vectors.join(known, on="embedding_id", how="anti").select(
            pl.col("embedding_id").alias("id"), none.alias("other"), reason=pl.lit("unused_vector")
        ),
    ]
    made = [
        Decision(stage="project", item_id=item, other_id=other, action=Action.DROP, reason=reason)
        for item, other, reason in pl.concat(left).iter_rows()
    ]
    return rows_to_frame(Decision, [*made, *over])
