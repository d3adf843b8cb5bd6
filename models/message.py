"""Captured things: messages and signals, as the sources hand them over after redaction."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from models.table import Table, published
from slowwave import format as fmt
from slowwave.format import Kind

# The mark of a message of which not a word is left.
FORGOTTEN = "forgotten"


class Message(published(fmt.Said, key=("msg_key",))):
    """One captured message. Secrets were redacted before the first write; the text is the one coordinate system."""

    key = ("msg_key",)
    msg_key: str = Field(description="Hash of platform, session and native id (or place in the session).")
    content_hash: str = Field(description="Hash of the text: detects edits, is never identity.")
    text: str = Field(description="The captured text; every span is code points into it.")
    source: str = Field(description="Which source handed it over: its kind.")
    time_source: str = Field(description="Where the time came from: message, session, or none.")
    tool_name: str | None = Field(
        None, description="Tool that wrote it, or the harness's mark on machine text in user position."
    )
    mark: str | None = Field(
        None,
        description="The source's own mark: sidechain, summary, rewound, hidden, subagent, deleted; null for live. Capture's own are "
        "`left_out`, and `forgotten` for what has no words left.",
    )
    caption: str | None = Field(
        None, description="Machine-made description of an attached picture: context, never evidence."
    )
    kind: Kind | None = Field(
        None, description="What an imported record is, where its platform says so; null for everything else."
    )
    origin_trust: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="How far an imported record's origin is relied on, as set when it was captured; null for everything else.",
    )
    n_redactions: int = Field(default=0, ge=0, description="Secrets replaced by capture.")


class Signal(Table):
    """One observer or intervention event."""

    key = ("signal_key",)
    signal_key: str = Field(description="Hash of platform, native id or content.")
    platform: str = Field(description="The platform it came from.")
    owner: str = Field(description="Whose it is.")
    kind: str = Field(description="intervention, observation, transition, tool_outcome, or a platform's own word.")
    session_id: str | None = Field(default=None, description="Session it belongs to, where there is one.")
    at: datetime | None = Field(default=None, description="When, UTC.")
    offset_minutes: int | None = Field(default=None, description="The event's own offset from UTC, where stated.")
    project: str | None = Field(default=None, description="Project, where there is one.")
    user_state: str | None = Field(default=None, description="Observer's word for what the person was doing.")
    mode: str | None = Field(default=None, description="Interruption mode or attention budget.")
    channel: str | None = Field(default=None, description="How the intervention was delivered.")
    urgency: str | None = Field(default=None, description="How urgent it was held to be.")
    outcome: str | None = Field(
        None, description="accepted, rejected, dismissed, no_reaction, not_shown, transport_failure."
    )
    text: str = Field(default="", description="What was said or seen; redacted like messages.")


class Gone(Table):
    """A deletion that a platform recorded: what it names is no evidence, whenever and from wherever it is captured."""

    key = ("platform", "session_id", "message_id", "reason")
    platform: str = Field(description="The platform that recorded it.")
    session_id: str = Field(description="The session.")
    message_id: str = Field(description="The message; empty where the whole session was deleted.")
    reason: str = Field(description="What the platform calls it: forgotten, deleted.")
    msg_key: str = Field(description="The message's key; empty where the whole session was deleted.")
    at: datetime | None = Field(default=None, description="When it was deleted, UTC, where the platform says so.")


class LeftOut(Table):
    """A session, source or run that a person left out for good: its words are no evidence, whenever they are captured."""

    key = ("what", "name", "item_id")
    what: str = Field(description="What was named: session, source or run.")
    name: str = Field(description="Its name: a session's id, a source's kind or place, a run's name.")
    item_id: str = Field(
        description="For a run: the key of a message, signal or feedback that it read; empty for all else."
    )
    at: datetime = Field(description="When it was left out, UTC.")


class Absence(Table):
    """What a source place held at an earlier capture and holds no longer, or holds again. It is recorded, and takes nothing back."""

    key = ("source", "platform", "session_id", "msg_key", "ordinal")
    source: str = Field(description="The place: its kind and path, as named.")
    platform: str = Field(description="The session's platform.")
    session_id: str = Field(description="The session.")
    msg_key: str = Field(description="The message's key; empty where nothing of the session is left there.")
    ordinal: int = Field(ge=0, description="How many rows of the same there were before: the last one holds.")
    message_id: str = Field(description="The message; empty where nothing of the session is left there.")
    is_back: bool = Field(description="Whether it was found there again.")
    last_seen_at: datetime | None = Field(
        default=None, description="Time of the night that last read the place whole and did not miss it, UTC."
    )
    at: datetime | None = Field(
        default=None, description="Time of the night that first missed it, or found it again, UTC."
    )


class Consumed(Table):
    """A message that an accepted night has dealt with, as it stood then; an edit, or its taking back, is news again."""

    key = ("msg_key", "content_hash")
    msg_key: str = Field(description="The message's key.")
    content_hash: str = Field(description="Hash of the text that was dealt with.")
