"""Documents: one bounded snapshot a profile, and the soul. Which memory may enter, under which heading, on which line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import polars as pl

from models.memory import DocumentRow
from models.rules import Owner, Profile, ProjectRules
from models.table import Frame, rows_to_frame
from slowwave.fit import Budget, Fitted, Record, fit
from slowwave.format import CommitmentState, Document, Evidence, Kind, Privacy, Review, Status, Trust
from slowwave.records import HEADINGS, PINNED, SOUL_SECTIONS, Row, rank_of, record
from slowwave.text import legible
from slowwave.tokens import count
from tasks.project.thread import Thread, current_thread

OTHERS = "Others"
_PRIVACY = [str(level) for level in Privacy]
_SOUL_HEADER = """<!-- Made by slowwave from memory. In the store's own soul.md, change, add or delete lines:
the next night takes them as your word. -->

# Soul"""
_NEEDED = (
    *("id", "kind", "subject", "text", "trust", "privacy", "tier", "is_pinned", "due_at", "commitment_state"),
    *("confidence", "importance", "stability_days", "first_seen_at", "last_seen_at", "last_confirmed_at"),
)
_NOTHING = "# Nothing is remembered yet."
_MAX_SUBJECTS = 4
_MIN_SUBJECT_SHARE = 0.05
_MAX_NAME_CHARS = 60
_DONE = (CommitmentState.FULFILLED, CommitmentState.CANCELLED)


def write_documents(
    memories: pl.DataFrame,
    lesson_ids: Collection[str],
    working: Sequence[Row] = (),
    *,
    rules: ProjectRules,
    owner: Owner,
) -> Frame[DocumentRow]:
    """A snapshot for each profile with its current thread, and the soul, each within its budget."""
    worthy = prompt_worthy(memories, lesson_ids).select(_NEEDED).sort("id").to_dicts()
    # How strong a memory is and what it says on one line are the same in every document.
    rows = [{**row, "rank": rank_of(row), "line": legible(row["text"])} for row in worthy]
    made: list[Document] = []
    for name, profile in sorted(rules.profiles.items()):
        thread = current_thread(working, {row["id"] for row in _allowed(rows, profile)}, profile, rules, owner.zone)
        fitted = snapshot(rows, thread.within(profile), share=rules.group_share, zone=owner.zone)
        made.append(_document(f"{name}.md", name, fitted, thread))
    made.append(_document("soul.md", "soul", soul(rows, rules, owner=owner), Thread()))
    return rows_to_frame(DocumentRow, [DocumentRow.model_validate(vars(document)) for document in made])


def _document(name: str, profile: str, fitted: Fitted, thread: Thread) -> Document:
    # The thread comes last: it changes with every night, and what stands before it stays in a prompt's cache.
    text = f"{fitted.text}{thread.text}".lstrip("\n")
    return Document(
        name=name,
        profile=profile,
        text=text,
        n_tokens=count(text),
        n_chars=len(text),
        memory_ids=fitted.memory_ids,
        omitted_ids=fitted.omitted_ids,
        thread=[Evidence(**quote) for quote in thread.evidence],
    )


def prompt_worthy(memories: pl.DataFrame, lesson_ids: Collection[str]) -> pl.DataFrame:
    """The memories that may enter a prompt: current ones in the words of people, own promises, and lessons.

    What tools, third parties and imported files say is searchable with its trust shown, but never put before a model unasked.
    """
    is_current = (pl.col("status") == Status.ACTIVE) & ~pl.col("commitment_state").is_in(_DONE).fill_null(False)
    is_said = pl.col("trust").is_in([Trust.OWNER, Trust.PARTICIPANT])
    is_promise = (pl.col("subject") == "assistant") & (pl.col("kind") == Kind.GOAL_OR_COMMITMENT)
    is_own = is_promise & (pl.col("trust") == Trust.AGENT)
    is_known = pl.col("review").is_null() | (pl.col("review") == Review.APPROVED)
    return memories.filter(is_current & is_known & (is_said | is_own | pl.col("id").is_in(sorted(lesson_ids))))


def snapshot(rows: Sequence[Row], profile: Profile, *, share: float, zone: str) -> Fitted:
    """The bounded snapshot of one profile: pinned first, then by kind, or by subject where nobody is the user."""
    allowed = _allowed(rows, profile)
    is_peers = bool(allowed) and not any(row["subject"] == "user" or row["trust"] == Trust.OWNER for row in allowed)
    groups = _subjects(allowed) if is_peers else list(HEADINGS.values())

    def group_of(row: Row) -> str:
        if is_peers:
            return name if (name := _name(row)) in groups else OTHERS
        return HEADINGS[row["kind"]]

    share /= max(1, len(groups) - 1) if is_peers else 1
    records = [_record(row, PINNED if row["is_pinned"] else group_of(row), profile, share, zone) for row in allowed]
    return fit(records, [PINNED, *groups], _budget(profile), nothing=_NOTHING)


def soul(rows: Sequence[Row], rules: ProjectRules, *, owner: Owner) -> Fitted:
    """The soul: what stays true of the person and the work, in fixed sections; events have no place in it."""
    name = owner.names[0] if owner.names else "the user"
    sections = {kind: title.format(name) for kind, title in SOUL_SECTIONS.items()}
    # A fact about somebody else is about the people around the owner, not about whom the agent serves.
    people = sections[Kind.COLLABORATOR]
    allowed = [row for row in rows if _is_allowed(row, rules.soul) and row["kind"] in sections]

    def section_of(row: Row) -> str:
        is_other = row["kind"] == Kind.SEMANTIC_FACT and row["subject"] != "user"
        return people if is_other else sections[row["kind"]]

    share = rules.group_share
    records = [_record(row, section_of(row), rules.soul, share, owner.zone) for row in allowed]
    order = list(dict.fromkeys(sections.values()))
    return fit(records, order, _budget(rules.soul), header=_SOUL_HEADER, nothing=_NOTHING)


def _budget(profile: Profile) -> Budget:
    return Budget(max_tokens=profile.max_tokens, max_chars=profile.max_chars)


def _allowed(rows: Sequence[Row], profile: Profile) -> list[Row]:
    return [row for row in rows if _is_allowed(row, profile) and (not profile.kinds or row["kind"] in profile.kinds)]


def _is_allowed(row: Row, profile: Profile) -> bool:
    return _PRIVACY.index(row["privacy"]) <= _PRIVACY.index(profile.max_privacy)


def _subjects(rows: Sequence[Row]) -> list[str]:
    """The subjects most spoken of, by name, and one group for the others: their order must not move with a count."""
    counted = Counter(map(_name, rows))
    least = _MIN_SUBJECT_SHARE * len(rows)
    known = [name for name, n in counted.items() if n >= least and name not in (PINNED, OTHERS)]
    most = sorted(known, key=lambda name: (-counted[name], name))[:_MAX_SUBJECTS]
    return [*sorted(most), OTHERS]


def _name(row: Row) -> str:
    # A subject is a name as somebody said it, so as a heading it must stay one short line.
    return legible(row["subject"])[:_MAX_NAME_CHARS]


def _record(row: Row, group: str, profile: Profile, share: float, zone: str) -> Record:
    return record(row, group, share=share, zone=zone, is_exact=profile.max_chars is not None)
