"""What the night report says, in order: from what the night left behind to sections of plain words. Nothing is escaped here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from expectations.report.counts import charts
from expectations.report.parts import Listed, Section, Table, Told

# The sorts of a listed thing, with the heading and a sentence where it needs one.
SORTS = {
    "learned": ("Learned", ""),
    "changed": ("Changed", ""),
    "disputed": ("Contradicted", "Both sides were said, and nothing tells which holds."),
    "archived": ("Archived", "No longer for prompts; a question still finds it."),
    "deferred": ("Deferred", "Not read tonight; the next night reads it again."),
    "quarantined": (
        "Quarantined",
        "Set aside: it could not be read, what was made of it failed its checks, or it orders its reader about.",
    ),
}
_ENDED = {
    "published": "Published {version}.",
    "nothing_to_do": "Nothing new: {version} stands.",
    "held": "Held for review: the night would retire more than the rules allow. {version} still serves.",
    "refused": "Refused: a promise is broken. The last version still serves.",
    "failed": "Failed. The last version still serves.",
}
# Where Data Docs lie, beside the report.
DOCS = "docs/"
_UNPUBLISHED = ("held", "refused", "failed")


def headline(told: Told) -> str:
    """How the night ended, in a sentence."""
    status = str(told.run.get("status", "running"))
    known = _ENDED.get(status, f"{status.replace('_', ' ')}.")
    return known.format(version=told.run.get("version") or "no version")


def opening(told: Told) -> list[str]:
    """What a reader has to know before the rest."""
    run = told.run
    came = f"going on from {run['parent']}" if run.get("parent") else "the first night of this store"
    asked = f"Run {run.get('run')}, as of {str(run.get('as_of'))[:16]} UTC, {came}, asked by {run.get('trigger')}."
    lines = [asked, *([f"What went wrong: {run['error']}"] if run.get("error") else []), *told.notes]
    if run.get("status") in _UNPUBLISHED and any(one.n for one in told.listed.values()):
        lines.append("Nothing of what follows was published: it is what the night had made of it by then.")
    return lines


def sections(told: Told) -> list[Section]:
    """Every section that has something to say."""
    listed = (_listed(sort, told) for sort in SORTS)
    found = [_summary(told), *listed, _forgotten(told), _proposed(told), _warned(told), _cost(told), _promises(told)]
    return [section for section in [*found, _charts(told)] if section is not None]


def _summary(told: Told) -> Section:
    rows = [[SORTS[sort][0], str(told.listed.get(sort, Listed()).n)] for sort in SORTS]
    facts = told.run.get("facts") or {}
    rows += [["Forgotten", str(_n_forgotten(told))], ["New messages read", str(facts.get("n_to_consume", 0))]]
    return Section(
        "In numbers", tables=(Table("How much there was of each.", ("What", "How many"), rows, frozenset({1})),)
    )


def _listed(sort: str, told: Told) -> Section | None:
    found = told.listed.get(sort, Listed())
    title, about = SORTS[sort]
    return Section(title, tuple(filter(None, [about])), found) if found.n else None


def _n_forgotten(told: Told) -> int:
    return told.listed.get("forgotten", Listed()).n


def _forgotten(told: Told) -> Section | None:
    """Counts alone: what was forgotten is not named again."""
    asked = int((told.run.get("facts") or {}).get("n_forget_requests", 0))
    lines = [f"Wishes to forget that were carried out: {asked}."] if asked else []
    lines += [f"Memories that are no longer there: {_n_forgotten(told)}."] if _n_forgotten(told) else []
    return Section("Forgotten", tuple(lines)) if lines else None


def _proposed(told: Told) -> Section | None:
    found = told.run.get("proposals") or []
    rows = [
        [one["name"], one["proposal"], f"{one['observed']:g}", ", ".join(one["memory_ids"]), one["report"]]
        for one in found
    ]
    heads = ("Guard", "What to do", "Found", "Memories", "Places")
    about = "What guards found since they last looked; nothing was changed."
    return Section("Proposals", tables=(Table(about, heads, rows, frozenset({2})),)) if rows else None


def _warned(told: Told) -> Section | None:
    warnings = tuple(map(str, told.run.get("warnings") or ()))
    return Section("To know", warnings) if warnings else None


def _cost(told: Told) -> Section:
    cost = _sums([one for one in (told.run.get("stages") or {}).values() if isinstance(one, Mapping)])
    facts = told.run.get("facts") or {}
    reached = facts.get("ceilings_reached") or []
    lines = [f"Ceilings that were reached: {', '.join(reached)}."] if reached else []
    sent = facts.get("left")
    if not sent:
        lines.append("Nothing left this machine: no text was sent to another one.")
        return Section("Cost, and what left this machine", tuple(lines), tables=(cost,))
    return Section("Cost, and what left this machine", tuple(lines), tables=(cost, _left(sent)))


_SUMMED = {
    "calls": "Calls of a model",
    "input_tokens": "Tokens read by it",
    "output_tokens": "Tokens written by it",
    "cost": "Cost, as priced",
    "n_embedded": "Texts embedded",
    "seconds": "Seconds of all stages",
}


def _sums(taken: list[Mapping[str, Any]]) -> Table:
    """What the stages cost together."""
    sums = [sum(one.get(name) or 0 for one in taken) for name in _SUMMED]
    rows = [
        [about, f"{n:.4g}" if isinstance(n, float) else str(n)] for about, n in zip(_SUMMED.values(), sums, strict=True)
    ]
    about = "All stages together; what was taken over from an earlier run cost nothing again."
    return Table(about, ("What", "How much"), rows, frozenset({1}))


def _left(sent: list[Mapping[str, Any]]) -> Table:
    rows = [
        [
            f"{one['model']} at {one['host']}",
            str(one["n_calls"]),
            str(one["n_messages"]),
            *(_counted(one[by]) for by in _BY),
        ]
        for one in sent
    ]
    return Table(
        "To whom text was sent.", ("To", "Calls", "Messages", "By source", "By project"), rows, frozenset({1, 2})
    )


_BY = ("by_source", "by_project")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.items())


def _promises(told: Told) -> Section | None:
    listed = (told.run.get("promises") or {}).get("promises") or []
    if not listed:
        return None
    broken = [one for one in listed if not one["is_kept"]]
    lines = [f"{len(listed) - len(broken)} of {len(listed)} promises kept."]
    if not any(DOCS in place for _, place in told.links):
        lines.append(f"slowwave docs {told.run.get('run')} makes Great Expectations' Data Docs of them.")
    rows = [
        [one["name"], one["severity"], one["about"], str(one["observed"]), ", ".join(one["examples"])] for one in broken
    ]
    heads = ("Promise", "Weight", "What it says", "Found", "Rows")
    tables = (Table("Broken. A blocking one lets nothing be published.", heads, rows, frozenset({3})),) if rows else ()
    return Section("Promises", tuple(lines), tables=tables)


def _charts(told: Told) -> Section | None:
    found = tuple(charts(told.nights))
    return Section("Charts", charts=found) if found else None


def rest(listed: Listed) -> Iterator[str]:
    """A line that says how many are not shown."""
    if listed.n > len(listed.items):
        yield f"and {listed.n - len(listed.items)} more: slowwave diff tells them all, and [reports] max_items how many are shown here"
