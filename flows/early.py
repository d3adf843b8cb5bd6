"""A session published early: the road of a night over the sessions that were asked for, which consumes nothing.

What it publishes serves until the night, which goes on from the version before it, reads the same messages again, and takes its place.
Belongs here: which sessions, and whether they were read already. Does not belong here: the road, and who asks (`slowwave.flushing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters import lake
from flows.begin import News, Plan
from flows.night import Night, Ref
from models.decision import Feedback
from models.message import Message, Signal
from models.table import Table
from slowwave.flushing import EARLY, requests
from slowwave.format import Manifest
from slowwave.store import read_manifest

_READ: dict[str, type[Table]] = {EARLY: Message, "signals": Signal, "feedback": Feedback}


def sessions_of(plan: Plan, base: Manifest | None, serving: Manifest | None) -> frozenset[str]:
    """The session that is asked for, those that the inbox asks for since the last night, and those that were published early since."""
    before: dict[str, Any] = (serving.provenance.get(EARLY) or {}) if serving else {}
    heard = base.provenance.get("heard_at") if base else None
    since = datetime.fromisoformat(heard) if heard else None
    asked = {one.session_id for one in requests(plan.store) if since is None or one.at > since}
    return frozenset({plan.flush or "", *asked, *before.get("sessions", ())} - {""})


def is_answered(store: Path, news: News, base: Manifest | None, serving: str | None) -> bool:
    """Whether there is nothing new for whoever asks: the version that serves was made of this very news, or the last night read it all."""
    now = read_manifest(store, serving) if serving else None
    if now is not None and EARLY in now.provenance:
        return _is_same(news, now, _READ)
    return base is not None and not news.messages.height and _is_same(news, base, ("signals", "feedback"))


def _is_same(news: News, manifest: Manifest, names: Iterable[str]) -> bool:
    frames = {EARLY: news.messages, "signals": news.signals, "feedback": news.feedback}
    return all(lake.pack(frames[name], _READ[name]).sha256 == manifest.state[name].sha256 for name in names)


def marked(night: Night, sessions: frozenset[str]) -> tuple[dict[str, Ref], dict[str, Any]]:
    """What tells an early version from a night's: in its state the messages that it read, in its provenance where nights go on from."""
    base = night.parent.version if night.parent else None
    return {EARLY: night.messages}, {EARLY: {"base": base, "sessions": sorted(sessions)}}
