"""Promises about texts: documents keep their budgets and hold nothing untrusted, and nothing published is a secret.

The screen for secrets is a second look behind capture's redaction: few patterns, each of a form that plain speech does
not take, because a false alarm would stop a night.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

from expectations.promise import CITING, Fact, found, key_of
from models.rules import Profile
from slowwave import tokens
from slowwave.format import Kind, Privacy, Status, Trust
from slowwave.orders import is_order
from slowwave.records import is_own_heading

Row = dict[str, Any]

_TRUSTED = frozenset({Trust.OWNER.value, Trust.PARTICIPANT.value})
# An agent may remember what it promised and what it learned; nothing else of its own making enters a prompt.
_OWN_KINDS = frozenset(
    {Kind.GOAL_OR_COMMITMENT.value, Kind.TOOL_OR_WORKFLOW_LESSON.value, Kind.INTERVENTION_OUTCOME.value}
)
_PRIVACY = {level.value: rank for rank, level in enumerate(Privacy)}
_SECRET_FORMS = "|".join(
    (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bgh[pousr]_[A-Za-z0-9]{30,}",
        r"\bgithub_pat_[A-Za-z0-9_]{22,}",
        r"\bglpat-[A-Za-z0-9_-]{20,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\bsk-[A-Za-z0-9_-]{20,}",
        r"\b[rs]k_live_[A-Za-z0-9]{16,}",
        r"\bAIza[A-Za-z0-9_-]{35}",
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        r"://[^/\s:@]+:[^/\s:@\[\]]{6,}@",
    )
)
_ASSIGNED = r"(?i)\b(?:password|passwd|api[_-]?key|secret[_-]?key|access[_-]?token)\s*[:=]\s*[\"']?([^\s\"'\[\]]{12,})"
_TEXTS = {
    "memories": ("text", "summary", "context", "value", "subject", "attribute", "thread"),
    "turns": ("text", "context", "speaker", "thread"),
    "episodes": ("title", "text"),
    "entities": ("name",),
    "working": ("thread", "entities"),
    "documents": ("text",),
}


def document_facts(tables: Mapping[str, pl.DataFrame], profiles: Mapping[str, Profile]) -> Iterator[Fact]:
    """Law 7 and the rules of entry, for every published document."""
    documents = tables["documents"].to_dicts()
    memories = tables["memories"]
    listed = ["id", "status", "trust", "kind", "subject", "privacy"]
    by_id = {row["id"]: row for row in memories.select(listed).iter_rows(named=True)}
    yield found(
        "documents_within_budget", "no document is longer than its profile allows", too_long(documents, profiles)
    )
    yield found(
        "documents_are_counted", "the stated tokens and characters are those of the text", _miscounted(documents)
    )
    yield found(
        "documents_order_nothing",
        "no line of a document wants its reader to obey it, whoever wrote it",
        (
            f"{doc['name']} line {n}"
            for doc in documents
            for n, line in enumerate(doc["text"].split("\n"), 1)
            if _orders(line)
        ),
    )
    entries = [(doc, by_id[one]) for doc in documents for one in doc["memory_ids"] if one in by_id]
    yield found(
        "documents_are_trusted",
        "only the owner's words, a participant's, or the agent's own promises and lessons enter a document",
        _named(entries, is_untrusted),
    )
    yield found("documents_are_current", "only active memories enter a document", _named(entries, _is_past))
    private = ((doc, row) for doc, row in entries if _is_too_private(doc, row, profiles))
    yield found(
        "documents_respect_privacy",
        "nothing more private than its profile allows enters a document",
        (f"{doc['name']} holds {row['id']}" for doc, row in private),
    )


def too_long(documents: list[Row], profiles: Mapping[str, Profile]) -> Iterator[str]:
    """The documents over the budget of their profile, or with a profile that has none, by name."""
    for doc in documents:
        profile = profiles.get(doc["profile"])
        if profile is None:
            yield f"{doc['name']} has the profile {doc['profile']}, which has no budget"
        elif tokens.count(doc["text"]) > profile.max_tokens or _is_over(len(doc["text"]), profile.max_chars):
            yield doc["name"]


def _is_over(n_chars: int, most: int | None) -> bool:
    return most is not None and n_chars > most


def _miscounted(documents: list[Row]) -> Iterator[str]:
    for doc in documents:
        if (doc["n_tokens"], doc["n_chars"]) != (tokens.count(doc["text"]), len(doc["text"])):
            yield doc["name"]


def _orders(line: str) -> bool:
    """Whether a list item, or a heading that is somebody's name, is an order."""
    if line.startswith("#"):
        name = line.lstrip("# ")
        return not is_own_heading(name) and is_order(name)
    return line.startswith("- ") and is_order(line[2:])


def _named(entries: list[tuple[Row, Row]], is_wrong: Callable[[Row], bool]) -> Iterator[str]:
    return (f"{doc['name']} holds {row['id']}" for doc, row in entries if is_wrong(row))


def is_untrusted(memory: Row) -> bool:
    """Whether a memory comes from where nothing may enter a prompt."""
    if memory["trust"] in _TRUSTED:
        return False
    return memory["trust"] != Trust.AGENT or memory["kind"] not in _OWN_KINDS


def _is_past(memory: Row) -> bool:
    return memory["status"] != Status.ACTIVE


def _is_too_private(doc: Row, memory: Row, profiles: Mapping[str, Profile]) -> bool:
    profile = profiles.get(doc["profile"])
    return profile is not None and _PRIVACY[memory["privacy"]] > _PRIVACY[profile.max_privacy]


def secret_fact(tables: Mapping[str, pl.DataFrame]) -> Fact:
    """Rows whose published text has the form of a secret; the fact names the row and never the text."""
    return found("no_secrets", "no published text has the form of a key, token or password", _telling(tables))


def _telling(tables: Mapping[str, pl.DataFrame]) -> Iterator[str]:
    columns = [(name, column) for name, columns in _TEXTS.items() for column in columns]
    # All texts at one look: there are two dozen columns of them, and setting out on a look costs more than a short table's.
    told = pl.concat(_texts(tables[name], name, column) for name, column in [*columns, *CITING] if name in tables)
    is_form = pl.col("text").str.contains(_SECRET_FORMS)
    suspects = told.filter(is_form | pl.col("text").str.contains(_ASSIGNED)).with_columns(is_form=is_form).collect()
    for where, key, text, is_form in suspects.iter_rows():
        if is_form or _is_assigned(text):
            yield f"{where} of {key}"


def _texts(table: pl.DataFrame, name: str, column: str) -> pl.LazyFrame:
    """The texts of a column, one a row: its strings, or the quotes of its evidence."""
    told = table.lazy().select(where=pl.lit(f"{name}.{column}"), key=key_of(name), text=column)
    if table.schema[column] == pl.List:
        told = told.explode("text")
    if (name, column) in CITING:
        told = told.with_columns(pl.col("text").struct.field("quote").alias("text"))
    return told.drop_nulls()


def _is_assigned(text: str) -> bool:
    """Whether a name like `password` is given a value that mixes letters and digits, as words do not."""
    values = (match[1] for match in re.finditer(_ASSIGNED, text))
    return any(re.search(r"\d", value) and re.search(r"[^\W\d_]", value) for value in values)
