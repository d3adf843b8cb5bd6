"""What a person reads on a terminal: results, stories and versions as text. Pure: nothing is printed or looked up here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from slowwave.format import Evidence, Manifest, Memory
from slowwave.reader.results import Recalled, Story
from slowwave.text import squash


def results(found: Iterable[Recalled]) -> str:
    """Results, one paragraph each."""
    return "\n\n".join(map(result, found)) or "nothing found"


def result(found: Recalled) -> str:
    """A result: what, what it is and since when, the words it rests on, what it replaced, its id."""
    status = [] if found.status == "active" else [found.status.upper()]
    facts = [*status, found.kind.replace("_", " "), *_dates(found)]
    lines = [squash(found.text), f"  {' · '.join(facts)}", *map(_quote, found.evidence)]
    lines += [f"  before: {squash(p.text)} ({_span(p.valid_from, p.valid_to)})" for p in found.history]
    return "\n".join([*lines, f"  {found.id}"])


def story(told: Story, about: Recalled) -> str:
    """A memory's whole story, in sections; empty ones are left out."""
    sections = {
        "said": [
            f"{day(t.said_at)} {t.speaker}: {squash(t.text)}  ({t.session_id}, {t.message_id})" for t in told.turns
        ],
        "replaced": list(map(_other, told.replaces)),
        "was replaced by": list(map(_other, told.replaced_by)),
        "decided": list(dict.fromkeys(_decided(told.decisions))),
    }
    made = [f"{title}\n" + "\n".join(f"  {line}" for line in lines) for title, lines in sections.items() if lines]
    return "\n\n".join([result(about), *made])


def versions(chain: Iterable[Manifest]) -> str:
    """Versions, one line each."""
    return "\n".join(_version(manifest) for manifest in chain)


def day(at: datetime | None) -> str:
    """A day in UTC, or a question mark."""
    return "?" if at is None else at.date().isoformat()


def _dates(found: Recalled) -> Iterator[str]:
    if found.valid_from or found.valid_to:
        yield _span(found.valid_from, found.valid_to)
    if found.due_at:
        yield f"{found.commitment_state or 'open'}, due {day(found.due_at)}"
    if found.last_seen_at:
        yield f"said {day(found.last_seen_at)}"


def _span(starts_at: datetime | None, ends_at: datetime | None) -> str:
    if ends_at is None:
        return f"since {day(starts_at)}"
    return f"until {day(ends_at)}" if starts_at is None else f"from {day(starts_at)} to {day(ends_at)}"


def _quote(evidence: Evidence) -> str:
    return f"  “{squash(evidence.quote)}” — {evidence.session_id}, {evidence.message_id}"


def _other(memory: Memory) -> str:
    return f"{squash(memory.text)} ({memory.status}, {_span(memory.valid_from, memory.valid_to)})  {memory.id}"


def _decided(decisions: Iterable[dict[str, object]]) -> Iterator[str]:
    for row in decisions:
        yield " ".join(filter(None, [f"{row['stage']}: {row['action']} ({row['reason']})", str(row["detail"] or "")]))


def _version(manifest: Manifest) -> str:
    counts = ", ".join(
        f"{manifest.tables[name].rows} {name}" for name in ("memories", "turns") if name in manifest.tables
    )
    return f"{manifest.version}  as of {manifest.as_of:%Y-%m-%d %H:%M} UTC  {counts}"
