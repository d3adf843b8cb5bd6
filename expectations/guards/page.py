"""A guard's report as a page and as Markdown: names, places and counts, never what stands in a file or in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from expectations.guards.repeats import Month
from expectations.page import document, promises, run_line, table
from expectations.promise import Promise, Report

_MONTHS = "Errors by month"


def as_html(report: Report, run: Mapping[str, Any], months: Sequence[Month]) -> str:
    """The page; `run` is its record, of which names and times are shown. All text is escaped."""
    kept = [promise for promise in report.promises if promise.is_kept]
    rows = ([escape(one.month), str(one.n_errors), str(one.n_repeats), f"{one.rate:.0%}"] for one in months)
    caption = "How many errors of each month repeat an earlier one."
    heads = ("Month", "Errors", "Repeats", "Rate")
    body = [
        "<h1>What the guards saw</h1>",
        run_line(run),
        f'<p class="verdict {"bad" if report.broken else "good"}">{escape(verdict(report))}</p>',
        promises("Broken", "A guard changes nothing: what to do is up to you.", report.broken),
        promises("To look at", "These fail nothing; a person should look.", report.warnings),
        table(_MONTHS, caption, heads, rows, numbers={1, 2, 3}) if months else "",
        f"<details><summary>{len(kept)} kept</summary>{promises('Kept', 'In the order checked.', kept)}</details>",
    ]
    return document(f"Guards {escape(str(run.get('run', '')))}", body)


def as_markdown(report: Report, run: Mapping[str, Any], months: Sequence[Month]) -> str:
    """The same as Markdown, with what to do about each finding."""
    when = f"As of {run['as_of']}, version `{run['version']}`, {run['n_files']} files."
    parts = [f"# Guards {run['run']}", f"**{verdict(report)}** {when}"]
    parts += _listed("Broken", report.broken) + _listed("To look at", report.warnings)
    if months:
        lines = [f"| {one.month} | {one.n_errors} | {one.n_repeats} | {one.rate:.0%} |" for one in months]
        parts += [f"## {_MONTHS}", "\n".join(["| month | errors | repeats | rate |", "|---|---|---|---|", *lines])]
    kept = [promise.name for promise in report.promises if promise.is_kept]
    return "\n\n".join([*parts, "## Kept", ", ".join(kept)]) + "\n"


def verdict(report: Report) -> str:
    """How it stands, in a sentence."""
    n_broken, n_noted = len(report.broken), len(report.warnings)
    if n_broken:
        return f"{n_broken} broken, {n_noted} to look at."
    return f"Nothing is broken, {n_noted} to look at." if n_noted else "Nothing is broken."


def _listed(title: str, listed: Sequence[Promise]) -> list[str]:
    return [f"## {title}", *map(_told, listed)] if listed else []


def _told(promise: Promise) -> str:
    lines = [f"### {promise.name}: {promise.observed:g}", f"Should hold: {promise.about}.", promise.proposal]
    places = [f"* {_plain(place)}" for place in promise.examples]
    n_more = int(promise.observed or 0) - len(places)
    places += [f"* and {n_more} more"] if places and n_more > 0 else []
    told = f"Memories: {', '.join(promise.memory_ids)}" if promise.memory_ids else ""
    return "\n\n".join(filter(None, [*lines, "\n".join(places), told]))


def _plain(place: str) -> str:
    """A place as code, so that no file's name is Markdown."""
    return f"`{place.replace('`', chr(39))}`"
