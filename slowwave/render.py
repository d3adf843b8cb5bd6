"""What a person reads on a terminal: results, stories and versions as text. Pure: nothing is printed or looked up here.

Texts and ids are other people's: what a terminal would obey is shown as an escape. Days are those of the memory's zone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from slowwave.flushing import EARLY
from slowwave.format import Candidate, Evidence, Manifest, Memory, WorkingSet
from slowwave.reader.bundles import Bundle
from slowwave.reader.difference import Change, Difference
from slowwave.reader.results import Recalled, Story
from slowwave.text import UNSAFE, squash


def visible(text: str) -> str:
    """The text with control characters and marks of direction as escapes; line breaks and tabs stay."""
    return UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """The text with line breaks as escapes too: a name that has some can't write a line of its own."""
    return visible(text).replace("\n", "\\n")


def as_json(content: Any) -> str:
    """JSON on one line in which no terminal finds anything to obey; what JSON has no form for is shown as text."""
    written = json.dumps(content, ensure_ascii=False, default=str)
    return UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], written)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def results(found: Iterable[Recalled], zone: tzinfo = UTC) -> str:
    """Results, one paragraph each."""
    return "\n\n".join(result(one, zone) for one in found) or "nothing found"


def result(found: Recalled, zone: tzinfo = UTC) -> str:
    """A result: what, what it is and since when, the words it rests on, what it replaced, its id."""
    status = [] if found.status == "active" else [found.status.upper()]
    facts = [*status, found.kind.replace("_", " "), *_dates(found, zone)]
    lines = [squash(found.text), f"  {' · '.join(facts)}", *map(_quote, found.evidence)]
    lines += [f"  before: {squash(p.text)} ({_span(p.valid_from, p.valid_to, zone)})" for p in found.history]
    if found.successor is not None:
        later = found.successor
        lines.append(f"  later: {squash(later.text)} ({_span(later.valid_from, later.valid_to, zone)})")
    return visible("\n".join([*lines, f"  {found.id}"]))


def bundle(found: Bundle, zone: tzinfo = UTC) -> str:
    """A bundle as a prompt would hold it: the snapshot, then each section that has something, a line a record."""
    shown = {"answer": found.results, **found.sections}
    parts = [f"{name}\n" + "\n".join(f"- {_record(one, zone)}" for one in held) for name, held in shown.items() if held]
    return visible("\n\n".join([*([found.snapshot.rstrip("\n")] if found.snapshot else []), *parts])) or "nothing found"


def _record(found: Recalled, zone: tzinfo) -> str:
    return f"{squash(found.text)} ({', '.join([found.kind.replace('_', ' '), *_dates(found, zone)])}) {found.id}"


def story(told: Story, about: Recalled, zone: tzinfo = UTC) -> str:
    """A memory's whole story, in sections; empty ones are left out."""
    sections = {
        "said": [
            f"{day(t.said_at, zone)} {squash(t.speaker)}: {squash(t.text)}  ({squash(t.session_id)}, {squash(t.message_id)})"
            for t in told.turns
        ],
        "replaced": [_other(m, zone) for m in told.replaces],
        "was replaced by": [_other(m, zone) for m in told.replaced_by],
        "decided": list(dict.fromkeys(_decided(told.decisions))),
    }
    made = [f"{title}\n" + "\n".join(f"  {line}" for line in lines) for title, lines in sections.items() if lines]
    return "\n\n".join([result(about, zone), *map(visible, made)])


def working(found: Iterable[WorkingSet], zone: tzinfo = UTC) -> str:
    """Working sets, one paragraph each: the session, what it was about, and its candidates with what they became."""
    return "\n\n".join(map(visible, (_session(one, zone) for one in found))) or "no session has a working set"


def _session(one: WorkingSet, zone: tzinfo) -> str:
    projects = [f"{squash(guess.name)} (by {guess.ground})" for guess in one.projects]
    facts = [_span(one.started_at, one.ended_at, zone), f"{one.n_turns} turns", "open" if one.is_open else "closed"]
    names = ", ".join(map(squash, one.entities))
    lines = [f"{squash(one.platform)} {squash(one.session_id)}", f"  {' · '.join([*facts, *projects])}"]
    lines += [f"  names: {names}"] if names else []
    for title, said in (("", one.summary), ("promise? ", one.commitments), ("preference? ", one.preferences)):
        lines += [f"  {title}{_quote(candidate).strip()}{_became(candidate)}" for candidate in said]
    return "\n".join(lines)


def _became(candidate: Candidate) -> str:
    return f"  → {', '.join(candidate.memory_ids)}" if candidate.memory_ids else ""


def versions(found: Iterable[Manifest], serving: str | None, chain: Collection[str]) -> str:
    """Versions, one line each; a star marks the one that serves, which came from the `chain`."""
    return visible("\n".join(_version(one, is_serving=one.version == serving, chain=chain) for one in found))


def difference(found: Difference) -> str:
    """What came between two versions: counts, then a sentence a change, in groups; empty ones are left out."""
    counts = ", ".join(f"{group} {n}" for group, n in found.counts.items())
    lines = [f"{found.before} → {found.after}", counts]
    for group in found.counts:
        told = [change for change in found.changes if change.group == group]
        lines += ["", group, *(f"  {_told(change)}  {change.id}" for change in told)] if told else []
    rows = ", ".join(f"{name} {old} → {new}" for name, (old, new) in found.rows.items() if old != new)
    lines += ["", f"rows: {rows}"] if rows else []
    lines += [f"documents that read otherwise: {', '.join(found.documents)}"] if found.documents else []
    return visible("\n".join(lines))


def _told(change: Change) -> str:
    if change.before is not None:
        return f"{squash(change.text)} (before: {squash(change.before)})"
    return f"{squash(change.text)} ({change.how})" if change.how else squash(change.text)


def day(at: datetime | None, zone: tzinfo = UTC) -> str:
    """The day it is in that zone, or a question mark."""
    if at is None:
        return "?"
    try:
        return at.astimezone(zone).date().isoformat()
    except OverflowError:
        return at.date().isoformat()


def _dates(found: Recalled, zone: tzinfo) -> Iterator[str]:
    if found.valid_from or found.valid_to:
        yield _span(found.valid_from, found.valid_to, zone)
    if found.due_at:
        # A due time may be the midnight that ends its day.
        yield f"{found.commitment_state or 'open'}, due {day(found.due_at - timedelta(microseconds=1), zone)}"
    if found.last_seen_at:
        yield f"said {day(found.last_seen_at, zone)}"


def _span(starts_at: datetime | None, ends_at: datetime | None, zone: tzinfo) -> str:
    if ends_at is None:
        return f"since {day(starts_at, zone)}"
    return (
        f"until {day(ends_at, zone)}" if starts_at is None else f"from {day(starts_at, zone)} to {day(ends_at, zone)}"
    )


def _quote(evidence: Evidence) -> str:
    place = ", ".join(filter(None, map(squash, (evidence.session_id, evidence.message_id))))
    return f"  “{squash(evidence.quote)}”{f' — {place}' if place else ''}"


def _other(memory: Memory, zone: tzinfo) -> str:
    return f"{squash(memory.text)} ({memory.status}, {_span(memory.valid_from, memory.valid_to, zone)})  {memory.id}"


def _decided(decisions: Iterable[dict[str, object]]) -> Iterator[str]:
    for row in decisions:
        yield " ".join(filter(None, [f"{row['stage']}: {row['action']} ({row['reason']})", str(row["detail"] or "")]))


def _version(manifest: Manifest, *, is_serving: bool, chain: Collection[str]) -> str:
    counted = (name for name in ("memories", "turns", "entities", "episodes") if name in manifest.tables)
    counts = ", ".join(f"{manifest.tables[name].rows} {name}" for name in counted)
    came = [f"{what} {manifest.provenance[what]}" for what in ("parent", "run") if manifest.provenance.get(what)]
    is_early = EARLY in manifest.provenance
    marks = ["early"] if is_early else [] if manifest.version in chain else ["rolled back"]
    marks += [f"purged on {manifest.purged_at:%Y-%m-%d}"] if manifest.purged_at else [counts]
    head = f"{'*' if is_serving else ' '} {manifest.version}  as of {manifest.as_of:%Y-%m-%d %H:%M} UTC"
    return "  ".join([head, *filter(None, marks), *came])
