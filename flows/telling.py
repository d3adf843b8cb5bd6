"""The night report, read together from a run's folder and the version it went on from, and written beside the audit.

It quotes, so it stays in the store: no part of it goes to Prefect, whose artifacts name ids. While something is being forgotten it says
nothing of what was there before. Belongs here: which rows are told. Does not belong here: the words and the looks (`expectations.report`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from adapters.files import write_bytes
from adapters.settings import Settings
from expectations.report.html import as_html
from expectations.report.markdown import as_markdown
from expectations.report.parts import Item, Listed, Told
from expectations.report.sections import SORTS
from flows import docs, erasing, ledger
from flows.counted import counts, nights
from flows.ended import Ended, Row
from models.decision import Action
from slowwave.errors import SlowwaveError, VersionGone
from slowwave.format import Privacy
from slowwave.reader.difference import COLUMNS, Change, changes
from slowwave.reader.tables import Tables
from slowwave.store import read_manifest
from slowwave.text import squash

HTML, MARKDOWN = "report.html", "report.md"
_MOST_CHARS = 300
_MADE = [*COLUMNS, "privacy", "importance"]


def leave(store: Path, run: str, settings: Settings) -> tuple[str, ...]:
    """Leave the pages of a night that has just ended; where that fails, a warning that says so, since the night itself is done."""
    ended = Ended(store, run, settings.reports, settings.rules.extract.sensitive_words)
    try:
        if docs.are_wanted(settings.reports.data_docs, ended.entry):
            docs.make(store, ended.entry)
        write(ended)
    except Exception as error:
        return (f"the night report could not be written ({error}): slowwave report {run} writes it",)
    return ()


def write(ended: Ended) -> Path:
    """Count what the night made, for the charts of later ones, and write its report. Returns the page. Raises StoreUnwritable."""
    folder = ended.store / "runs" / ended.run
    if counted := counts(ended):
        ledger.update(ended.store, ended.run, counted=counted)
        ended.entry["counted"] = counted
    told = tell(ended)
    write_bytes(folder / MARKDOWN, as_markdown(told).encode())
    write_bytes(folder / HTML, as_html(told).encode())
    return folder / HTML


def tell(ended: Ended) -> Told:
    """All that the report of a run tells."""
    listed, notes = _memories(ended)
    listed |= {"deferred": _deferred(ended), "quarantined": _quarantined(ended)}
    known = list(nights(ended))[::-1]
    return Told(ended.entry, listed, known, list(_links(ended)), notes)


def _links(ended: Ended) -> Iterator[tuple[str, str]]:
    folder = ended.store / "runs" / ended.run
    if (folder / "audit.html").is_file():
        yield "Audit: every promise and step", "audit.html"
    if (folder / docs.FOLDER / "index.html").is_file():
        yield "Data Docs of Great Expectations", f"{docs.FOLDER}/index.html"


def _memories(ended: Ended) -> tuple[dict[str, Listed], list[str]]:
    """What came since the version that the night went on from, and what to know about that."""
    made = ended.table("project", "memories", _MADE)
    if made is None:
        return {}, ["No memories were made by then." if ended.entry.get("stages") else "What this run made was let go."]
    try:
        old = _before(ended)
    except SlowwaveError:
        return {}, ["The version that it went on from is no longer there, so that nothing is compared."]
    new = {row["id"]: row for row in made.iter_rows(named=True)}
    # While something is forgotten, what was there before may be what is to be forgotten.
    is_silent = erasing.is_pending(ended.store)
    return dict(_listed(ended, changes(old, new), old, new, is_silent=is_silent)), []


def _before(ended: Ended) -> dict[str, Row]:
    parent = ended.entry.get("parent")
    if not parent:
        return {}
    manifest = read_manifest(ended.store, parent)
    if manifest.purged_at is not None:
        raise VersionGone(f"{parent} was purged", "Read a later version.")
    return {row["id"]: row for row in Tables(ended.store, manifest).rows("memories", [*COLUMNS, "privacy"])}


def _listed(
    ended: Ended, found: Iterable[Change], old: Mapping[str, Row], new: Mapping[str, Row], *, is_silent: bool
) -> Iterator[tuple[str, Listed]]:
    by_sort: dict[str, list[Change]] = {}
    for change in found:
        by_sort.setdefault(change.group, []).append(change)
    chosen = {sort: _foremost(ended, listed, new) for sort, listed in by_sort.items() if sort in SORTS}
    quotes = _quotes(ended, {change.id for listed in chosen.values() for change in listed})
    private = {row["text"] for row in old.values() if row["privacy"] == Privacy.SENSITIVE}
    for sort, listed in by_sort.items():
        items = [_item(ended, one, new[one.id], quotes, private, is_silent) for one in chosen.get(sort, [])]
        yield sort, Listed(len(listed), tuple(items))


def _foremost(ended: Ended, listed: list[Change], new: Mapping[str, Row]) -> list[Change]:
    return sorted(listed, key=lambda one: (-new[one.id]["importance"], one.text, one.id))[: ended.reports.max_items]


def _item(
    ended: Ended, change: Change, row: Row, quotes: Mapping[str, tuple[str, ...]], private: set[str], is_silent: bool
) -> Item:
    is_private = row["privacy"] == Privacy.SENSITIVE or change.before in private
    about = ", ".join(filter(None, [change.kind.replace("_", " "), change.how]))
    before = "" if is_silent or change.before is None else change.before
    is_hidden = is_private and not ended.reports.show_sensitive
    if is_hidden:
        return Item("", about, id=change.id, is_hidden=True)
    return Item(change.text, about, before, quotes.get(change.id, ()), change.id)


def _quotes(ended: Ended, ids: set[str]) -> dict[str, tuple[str, ...]]:
    """A few quotes of each memory, with where they stand."""
    if not ids or not ended.reports.max_quotes:
        return {}
    rows = ended.table("project", "memories", ["id", "evidence"], pl.col("id").is_in(sorted(ids)))
    if rows is None:
        return {}
    return {
        memory: tuple(_quote(one) for one in evidence[: ended.reports.max_quotes])
        for memory, evidence in rows.iter_rows()
    }


def _quote(evidence: Row) -> str:
    day = f"{evidence['said_at']:%Y-%m-%d}" if evidence["said_at"] else ""
    place = ", ".join(filter(None, [day, evidence["session_id"], evidence["message_id"]]))
    return f"“{_short(evidence['quote'])}” — {place}" if place else f"“{_short(evidence['quote'])}”"


def _short(text: str) -> str:
    line = squash(text)
    return line if len(line) <= _MOST_CHARS else line[:_MOST_CHARS] + " …"


def _deferred(ended: Ended) -> Listed:
    """The messages that wait, with their words as far as they were heard."""
    waiting = [row for stage in ("sift", "extract") for row in _decided(ended, stage, Action.DEFER)]
    shown = waiting[: ended.reports.max_items]
    of_shown = pl.col("msg_key").is_in([row["item_id"] for row in shown])
    heard = ended.table("sift", "turns", ["msg_key", "text"], of_shown)
    places = ended.given("messages", ["msg_key", "session_id", "message_id"], of_shown)
    texts = {} if heard is None else dict(heard.iter_rows())
    known = {} if places is None else {key: ", ".join(filter(None, place)) for key, *place in places.iter_rows()}
    return Listed(len(waiting), tuple(_waiting(ended, row, texts, known) for row in shown))


def _waiting(ended: Ended, row: Row, texts: Mapping[str, str], places: Mapping[str, str]) -> Item:
    text = texts.get(row["item_id"], "")
    about = ", ".join(filter(None, [row["reason"], places.get(row["item_id"], "")]))
    if not ended.is_shown(text):
        return Item("", about, id=row["item_id"], is_hidden=True)
    return Item(f"“{_short(text)}”" if text else "A message that was not looked at yet.", about, id=row["item_id"])


def _quarantined(ended: Ended) -> Listed:
    """Damaged places, of which nothing is quoted, and what was proposed and failed its checks."""
    facts = ended.entry.get("facts") or {}
    places = [Item(place, reason) for place, reason in facts.get("quarantined") or ()]
    claims = _decided(ended, "extract", Action.QUARANTINE)
    made = [
        Item(_short(row["detail"]) or "a statement", f"proposed: {row['reason']}", id=row["item_id"])
        if ended.is_shown(row["detail"])
        else Item("", f"proposed: {row['reason']}", id=row["item_id"], is_hidden=True)
        for row in claims[: ended.reports.max_items]
    ]
    orders = _orders(ended)
    n = max(int(facts.get("n_quarantined", 0)), len(places)) + len(claims) + len(orders)
    return Listed(n, tuple([*orders, *places, *made][: ended.reports.max_items]))


def _orders(ended: Ended) -> list[Item]:
    """What reads as an order to whoever reads a prompt. Its owner may have meant it otherwise, and is to see where it went."""
    ids = [row["item_id"] for row in _decided(ended, "project", Action.QUARANTINE)]
    rows = ended.table("project", "memories", ["id", "text", "privacy"], pl.col("id").is_in(ids))
    about = "reads as an order to the agent: kept and searchable, in no prompt text"
    return [
        Item(f"“{_short(text)}”", about, id=one)
        if privacy != Privacy.SENSITIVE or ended.reports.show_sensitive
        else Item("", about, id=one, is_hidden=True)
        for one, text, privacy in (() if rows is None else rows.sort("id").rows())
    ]


def _decided(ended: Ended, stage: str, action: Action) -> Sequence[Row]:
    rows = ended.table(stage, "decisions", ["item_id", "reason", "detail"], pl.col("action") == action)
    return [] if rows is None else rows.sort("reason", "item_id").to_dicts()
