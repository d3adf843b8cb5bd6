"""The published format: what a reader may rely on, in dataclasses and enums of the standard library alone.

A change here is a change of format: bump `FORMAT_VERSION` and write a decision. Night-side tables derive their columns
from these classes, so no column is declared twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from slowwave.closed import (
    Cardinality,
    CommitmentState,
    Kind,
    Polarity,
    Precision,
    Privacy,
    Review,
    Status,
    Tier,
    Trust,
    Verdict,
)

__all__ = [
    "FORMAT_VERSION",
    "PUBLISHED",
    "Candidate",
    "Cardinality",
    "CommitmentState",
    "Document",
    "Edge",
    "EmbedderRef",
    "Entity",
    "Episode",
    "Evidence",
    "Guess",
    "Kind",
    "Manifest",
    "Memory",
    "Polarity",
    "Precision",
    "Privacy",
    "Review",
    "Said",
    "Span",
    "Status",
    "TableRef",
    "Tier",
    "Trust",
    "Turn",
    "Verdict",
    "WorkingSet",
    "Writer",
    "column",
]

FORMAT_VERSION = 1


def _no_items() -> list[Any]:
    return []


def column(about: str, *, default: Any = ..., ge: float | None = None, le: float | None = None) -> Any:
    """A dataclass field that carries its sentence and bounds, for the tables and pages derived from it."""
    metadata = {"about": about, "ge": ge, "le": le}
    if default is ...:
        return field(metadata=metadata)
    if default == []:
        return field(default_factory=_no_items, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One piece of evidence: a verbatim span of a captured message, or a field of a signal."""

    source_kind: str = column("What was cited: message, signal or feedback.", default="message")
    source_id: str = column("Our key of the cited thing: the message's msg_key, or the signal's.")
    session_id: str = column("Session as the platform wrote it.")
    message_id: str = column("Message as the platform wrote it.")
    start: int = column("First code point of the quote in the captured text.", ge=0)
    end: int = column("Code point after the last of the quote.", ge=0)
    quote: str = column("The captured text between start and end, byte for byte.")
    said_at: datetime | None = column("When it was said, UTC; null where the source states no time.", default=None)


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Which stage, model and prompt wrote a thing."""

    stage: str = column("The stage that wrote the text.")
    model: str = column("The model string, or `offline/<version>`.")
    prompt: str = column("Name and version of the prompt; empty where rules wrote it.", default="")


@dataclass(frozen=True, kw_only=True)
class Memory:
    """One thing remembered: typed, dated, sourced."""

    id: str = column("Content-addressed id: the hash of scope, slot, value, polarity and period (or kind and text).")
    owner: str = column("Whose memory this is.")
    project: str | None = column("The project it belongs to; null for personal.", default=None)
    thread: str | None = column("The thread or channel it came from, where one is known.", default=None)
    kind: Kind = column("One of the twelve kinds.")
    subject: str = column("`user`, `assistant` or a name as said.")
    subject_key: str = column("The subject's entity, for comparing.")
    entity_ids: list[str] = column("Entities mentioned.", default=[])
    text: str = column("One sentence that stands alone.")
    summary: str | None = column("A shorter form for prompts, where one was made.", default=None)
    context: str = column("What the statement answers: searched with the text, never shown as part of it.", default="")
    attribute: str | None = column("The slot's attribute; null where the statement has no slot.", default=None)
    value: str | None = column("The slot's value as said.", default=None)
    cardinality: Cardinality = column("Whether the attribute holds one value or many.", default=Cardinality.MULTI)
    polarity: Polarity = column("assert or negate; a retraction ends in the status.", default=Polarity.ASSERT)
    confidence: float = column("Noisy-or over independent evidence.", ge=0, le=1)
    importance: float = column("How much it matters, by kind and wording.", ge=0, le=1)
    stability_days: float = column("Days after which retention is exp(-1); grows with spaced confirmations.", ge=0)
    tier: Tier = column("prompt, searchable or archived.")
    status: Status = column("Where the memory stands.")
    commitment_state: CommitmentState | None = column("For commitments: where the promise stands.", default=None)
    superseded_by: str | None = column("Id of the memory that took its place.", default=None)
    related_ids: list[str] = column("Memories on the same matter that neither confirm nor end this one.", default=[])
    valid_from: datetime | None = column("Start of the time it is true in the world, UTC.", default=None)
    valid_to: datetime | None = column("End (half-open) of the time it is true, UTC.", default=None)
    valid_precision: Precision | None = column("How exactly valid_from is known.", default=None)
    due_at: datetime | None = column(
        "When a commitment falls due, UTC; the end of the day where only a day is known.", default=None
    )
    first_seen_at: datetime | None = column("When it was first said.", default=None)
    last_seen_at: datetime | None = column("When it was last said.", default=None)
    last_confirmed_at: datetime | None = column(
        "When the owner last confirmed it, by saying it again or by feedback.", default=None
    )
    privacy: Privacy = column("Highest privacy of its evidence.", default=Privacy.PERSONAL)
    trust: Trust = column("Highest authority among its evidence.")
    is_pinned: bool = column("Pinned by the owner: always in the prompt, never archived.", default=False)
    evidence: list[Evidence] = column("The quotes it rests on, at least one.")
    embedding_id: str = column("Content hash and model of its vector; empty without an embedder.", default="")
    writer: Writer = column("Who wrote the text.")
    platforms: list[str] | None = column(
        "Platforms that its evidence was said on; null in a version made before.", default=None
    )
    channels: list[str] | None = column(
        "Threads or channels that its evidence was said in, where named; null in a version made before.", default=None
    )
    speakers: list[str] | None = column(
        "Who said its evidence: names, else roles; null in a version made before.", default=None
    )
    review: Review | None = column(
        "Whether it waits for the owner's approval before a prompt text may hold it, and what the owner said; null where it needs none.",
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class Said:
    """What every captured utterance has, in the platform's own ids."""

    session_id: str = column("Session as the platform wrote it.")
    message_id: str = column("Message as the platform wrote it.")
    seq: int = column("Place in its session, from 0.", ge=0)
    platform: str = column("The platform it came from.")
    owner: str = column("The user the platform names, or the store's owner.")
    role: str = column("user, participant, assistant, tool or system.")
    speaker: str = column("Who spoke: a name where one is known, else the role.")
    said_at: datetime | None = column("When, UTC; null where the source states no time.", default=None)
    offset_minutes: int | None = column("The message's own offset from UTC, where its source states one.", default=None)
    project: str | None = column("Project named by the session's metadata.", default=None)
    thread: str | None = column("Thread or channel, where one is named.", default=None)
    trust: Trust = column("Authority of the place it was said.")


@dataclass(frozen=True, kw_only=True)
class Span:
    """A stretch of captured text, half-open code points."""

    start: int = column("First code point.", ge=0)
    end: int = column("Code point after the last.", ge=0)


@dataclass(frozen=True, kw_only=True)
class Turn(Said):
    """The redacted, evidence-grade words of one message, published because memories alone lose to a keyword search."""

    id: str = column("The message's key.")
    text: str = column(
        "The kept words, verbatim: the spans, with a line break where something between them was dropped."
    )
    spans: list[Span] = column("Where the kept words stand in the captured text, in order.")
    context: str = column("The previous turn, for the index alone.", default="")
    memory_ids: list[str] = column("Memories that cite this turn.", default=[])
    status: Status = column("active, or the fate of every memory that cites it.", default=Status.ACTIVE)
    privacy: Privacy = column("The highest privacy of the memories that cite it.", default=Privacy.PERSONAL)
    embedding_id: str = column("Content hash and model of its vector.", default="")


@dataclass(frozen=True, kw_only=True)
class Entity:
    """A person, project, organisation, place or thing that memories speak of."""

    id: str = column("Content-addressed id.")
    owner: str = column("Whose memory this is.")
    name: str = column("The fullest name seen.")
    kind: str = column("person, project, organisation, place, channel or thing.")
    aliases: list[str] = column("Other names that evidence joins to it.", default=[])
    n_mentions: int = column("How many claims mention it.", ge=0)
    first_seen_at: datetime | None = column("First mention.", default=None)
    last_seen_at: datetime | None = column("Last mention.", default=None)
    evidence: list[Evidence] = column("A few quotes that name it.", default=[])


@dataclass(frozen=True, kw_only=True)
class Edge:
    """A relation between two entities, or between two memories."""

    id: str = column("Content-addressed id.")
    owner: str = column("Whose memory this is.")
    source_id: str = column("From.")
    relation: str = column("mentioned_with, works_on, collaborates_with, prefers, blocked_by, supersedes and the like.")
    target_id: str = column("To.")
    confidence: float = column("How sure.", ge=0, le=1)
    memory_ids: list[str] = column("Memories that say so.", default=[])


@dataclass(frozen=True, kw_only=True)
class Episode:
    """Something that happened, or a roll-up of what happened: the answer to "what happened last week"."""

    id: str = column("Content-addressed id.")
    owner: str = column("Whose memory this is.")
    level: str = column("event, session, week or month; platform, channel, person or project, over all time.")
    kind: str = column("conversation, commitment, decision, milestone, transition, intervention, outcome or summary.")
    title: str = column("A few words.")
    text: str = column("What happened, in sentences taken from its evidence.")
    started_at: datetime | None = column("Start, UTC.", default=None)
    ended_at: datetime | None = column("End, UTC.", default=None)
    platform: str | None = column("Platform, where there is one.", default=None)
    project: str | None = column("Project, where there is one.", default=None)
    people: list[str] = column("Who took part or is spoken of.", default=[])
    session_ids: list[str] = column("Sessions it covers.", default=[])
    importance: float = column("Highest importance of its parts.", ge=0, le=1)
    part_ids: list[str] = column("Memories or episodes it is made of.", default=[])
    evidence: list[Evidence] = column("The quotes it rests on.", default=[])
    embedding_id: str = column("Content hash and model of its vector.", default="")


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A project that a session may belong to, and what says so."""

    name: str = column("The project's name.")
    ground: str = column("metadata (the session's own), observer (a signal's), or words (somebody named it).")
    n: int = column("How many turns or signals say so.", ge=0)


@dataclass(frozen=True, kw_only=True)
class Candidate(Evidence):
    """A sentence that is no memory yet, word for word; once it is evidence of one, `memory_ids` says of which."""

    speaker: str = column("Who said it.")
    trust: Trust = column("Authority of the place it was said.")
    privacy: Privacy = column("By its words, and never below the memories that it became.")
    memory_ids: list[str] = column("Current memories that rest on it: it has been promoted.", default=[])


@dataclass(frozen=True, kw_only=True)
class WorkingSet:
    """What one session was about when it was last heard: candidates, never durable until a memory rests on them."""

    id: str = column("Content-addressed id, of the session.")
    owner: str = column("Whose memory this is.")
    platform: str = column("The platform it came from.")
    session_id: str = column("Session as the platform wrote it.")
    thread: str | None = column("Thread or channel, where one is named.", default=None)
    projects: list[Guess] = column("Projects it may belong to, the best ground first.", default=[])
    started_at: datetime | None = column("First time that something was said, UTC.", default=None)
    ended_at: datetime | None = column("Last time that something was said, UTC.", default=None)
    n_turns: int = column("Turns of people and assistant that have kept words.", ge=0)
    is_open: bool = column("Nobody took leave, and no later session goes on where it stood.")
    summary: list[Candidate] = column(
        "A few sentences of people that say most of what it was about, in order.", default=[]
    )
    entities: list[str] = column("Names in it, the most named first.", default=[])
    commitments: list[Candidate] = column("Sentences that may hold a promise or a goal, in order.", default=[])
    preferences: list[Candidate] = column("Sentences that may hold a preference, in order.", default=[])


@dataclass(frozen=True, kw_only=True)
class Document:
    """A published text: a bounded snapshot, the soul, a platform's file."""

    name: str = column("File name within the version.")
    profile: str = column("Which budget it was made for.")
    text: str = column("The text itself.")
    n_tokens: int = column("Tokens, by `slowwave.tokens.count`.", ge=0)
    n_chars: int = column("Code points.", ge=0)
    memory_ids: list[str] = column("Memories in it, in order.", default=[])
    omitted_ids: list[str] = column("Memories that had a claim to be in it and did not fit.", default=[])
    thread: list[Evidence] = column("The quotes of its current thread, in order.", default=[])


@dataclass(frozen=True, kw_only=True)
class TableRef:
    """Where a published table lies, and what it is: the hash is of its rows, the path may be an older version's."""

    path: str
    sha256: str
    rows: int


@dataclass(frozen=True, kw_only=True)
class EmbedderRef:
    """Which embedder made the vectors: a reader with another one must not answer from them."""

    name: str
    dimension: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """One version: what it holds (hashed into its name) and where it came from (not hashed); `purged_at` where nothing is left."""

    format: int
    version: str
    content: str
    as_of: datetime
    owner: str
    tables: dict[str, TableRef]
    documents: dict[str, str]
    embedder: EmbedderRef
    rules: str
    state: dict[str, TableRef]
    provenance: dict[str, Any]
    zone: str = ""
    purged_at: datetime | None = None
    recall: dict[str, Any] = field(default_factory=dict[str, Any])


PUBLISHED: dict[str, type] = {
    "memories": Memory,
    "entities": Entity,
    "edges": Edge,
    "episodes": Episode,
    "turns": Turn,
    "working": WorkingSet,
    "documents": Document,
}
