"""OpenClaw's sessions, each from all of its copies: which entries stand, whose words they are, and which are copies of another's.

Belongs here: marks, trust and identity. Does not belong here: where entries lie (`transcripts`), one entry by itself (`messages`).

Copies: a line written twice, and a session that lies both in JSON lines and in a database, have the platform's own ids. A session that
was forked, rewound or rotated repeats entries that are older than itself: they are its parent's, under its parent's id and mark.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from adapters.sources.openclaw.branches import Branches
from adapters.sources.openclaw.facts import Book, Facts
from adapters.sources.openclaw.messages import body_of, entry_id, message_of, said_in, text_of, time_of
from adapters.sources.openclaw.speech import Said, reply_mark
from adapters.sources.openclaw.transcripts import Copy, header_id, session_of
from adapters.sources.protocol import BadLine, Damaged, Item, RawMessage
from models.ids import digest

# Upkeep puts away, as deleted, what lay still for so long: only what went sooner was somebody's wish.
KEPT_FOR = timedelta(days=30)
_HARNESS_TRUST = {"subagent": "agent"}


def read_sessions(copies: Iterable[Copy], book: Book) -> Iterator[Item]:
    """Every message of every session; parents come before what was copied from them."""
    by_session: defaultdict[str, list[Copy]] = defaultdict(list)
    for copy in sorted(copies, key=lambda c: (c.rank, c.name)):
        by_session[copy.session_id].append(copy)
        _survey(copy, book)
    owners = _Owners(book)
    marks: dict[str, dict[str, str | None]] = {facts.parent: {} for facts in book.values() if facts.parent}
    for session_id in sorted(by_session, key=lambda s: (len(_line(s, book)), s)):
        yield from _Session(session_id, by_session.pop(session_id), book, owners, marks).items()


def _line(session_id: str, book: Book) -> list[str]:
    """A session and those it was copied from, the nearest first."""
    line = [session_id]
    while (parent := book[line[-1]].parent) and parent not in line:
        line.append(parent)
    return line


def _survey(copy: Copy, book: Book) -> None:
    """Learn from a session's header and envelopes, before any of its entries is judged."""
    facts = book[copy.session_id]
    for _, entry in copy.read():
        if isinstance(entry, Damaged):
            continue
        try:
            at = time_of(entry)
        except BadLine:
            at = None
        if header_id(entry):
            facts.started_at = facts.started_at or at
            facts.parent = session_of(entry.get("parentSession")) or facts.parent
        elif at:
            facts.last_at = max(facts.last_at or at, at)
        if facts.is_rewind and facts.parent and facts.started_at and at and at < facts.started_at:
            before = book[facts.parent]
            before.kept = before.kept or set()
            before.kept.add(entry_id(entry))
        _learn_sender(facts, said_in(entry))


def _learn_sender(facts: Facts, said: Said | None) -> None:
    if said is None or said.mark or facts.mark:
        return
    facts.is_group |= said.is_group
    facts.sender_ids |= {said.sender_id} if said.sender_id else set()
    facts.sender_names |= {said.sender_name.casefold()} if said.sender_name else set()


class _Owners:
    """Who writes to the agent directly: in its main session, or in any where that names nobody."""

    def __init__(self, book: Book) -> None:
        direct = [facts for facts in book.values() if not facts.is_group and not facts.mark]
        named = [facts for facts in direct if facts.is_main and facts.sender_ids] or direct
        self.ids = {sender for facts in named for sender in facts.sender_ids}
        self.names = {name for facts in named for name in facts.sender_names}

    def hold(self, said: Said) -> bool:
        """Whether these are the owner's words. A name is anybody's to choose, so it counts only where there are no ids."""
        if said.sender_id:
            return said.sender_id in self.ids
        return bool(said.sender_name) and (said.sender_name or "").casefold() in self.names


class _Session:
    """One session, from all of its copies."""

    def __init__(
        self, session_id: str, copies: list[Copy], book: Book, owners: _Owners, marks: dict[str, dict[str, str | None]]
    ) -> None:
        self.session_id, self.copies, self.book = session_id, copies, book
        self.owners, self.marks = owners, marks
        self.facts = book[session_id]
        self.is_gone = self.facts.is_forgotten or all(_is_deleted(copy, self.facts) for copy in copies)
        self.tree = Branches()
        for copy in copies:
            _grow(self.tree, copy)
        self.active = self.tree.active(next((copy.leaf_id for copy in reversed(copies) if copy.leaf_id), None))
        self.undone = self.tree.outside(self.facts.kept) if self.facts.kept else None

    def items(self) -> Iterator[Item]:
        """Every message, copy by copy."""
        for copy in self.copies:
            for seq, (number, entry) in enumerate(copy.read()):
                if isinstance(entry, Damaged):
                    yield entry
                    continue
                try:
                    yield from self._message(entry, f"{copy.name}:{number}", seq)
                except BadLine as error:
                    yield Damaged(copy.name, number, str(error), digest(entry)[:16])

    def _message(self, entry: dict[str, Any], place: str, seq: int) -> Iterator[RawMessage]:
        made = message_of(entry, place, self.session_id, seq)
        if made is None:
            return
        if made.said_at is None and self.facts.started_at:
            made.said_at, made.time_source = self.facts.started_at, "session"
        self._judge(made, said_in(entry))
        self._place(made)
        if made.session_id in self.marks:
            self.marks[made.session_id].setdefault(made.message_id, made.mark)
        yield made

    def _judge(self, made: RawMessage, said: Said | None) -> None:
        """Whose words these are, and why they are set aside."""
        turn = self.tree.turn_mark(made.message_id)
        is_stranger = said is not None and self._is_stranger(said) and not turn
        own = made.mark or turn or (reply_mark(made.text) if made.role == "assistant" else None)
        made.mark = self._standing(made.message_id) or own or ("observed" if is_stranger else None)
        if said is None:
            return
        made.speaker = said.sender_name or made.role
        if self.facts.trust:
            made.trust = self.facts.trust
        elif turn:
            made.trust = _HARNESS_TRUST.get(turn, "system")
        elif is_stranger:
            made.role, made.trust = "participant", "third_party"

    def _is_stranger(self, said: Said) -> bool:
        return (self.facts.is_group or said.is_group) and not self.facts.mark and not self.owners.hold(said)

    def _standing(self, message_id: str) -> str | None:
        """Why a whole session or branch is set aside."""
        place = self.tree.places[message_id]
        if self.is_gone:
            return "rewound"
        if self.facts.mark:
            return self.facts.mark
        if self.undone and self.undone[place]:
            return "rewound"
        return None if self.active[place] else "branch"

    def _place(self, made: RawMessage) -> None:
        """An entry older than its session was said in the session that this one was copied from."""
        for session_id in _line(self.session_id, self.book):
            facts = self.book[session_id]
            made.session_id = session_id
            if not (facts.started_at and made.said_at and made.said_at < facts.started_at):
                break
        if made.session_id != self.session_id:
            made.mark = self.marks.get(made.session_id, {}).get(made.message_id, made.mark)
            made.mark = "rewound" if self.book[made.session_id].is_forgotten else made.mark


def _is_deleted(copy: Copy, facts: Facts) -> bool:
    if not copy.is_deleted:
        return False
    return not (copy.deleted_at and facts.last_at) or copy.deleted_at - facts.last_at < KEPT_FOR


def _grow(tree: Branches, copy: Copy) -> None:
    """Add a copy's entries to the tree, and mark the turns that no person began."""
    for _, entry in copy.read():
        if isinstance(entry, Damaged) or header_id(entry):
            continue
        name, parent, said = entry_id(entry), entry.get("parentId"), said_in(entry)
        is_new = tree.add(
            name,
            parent if isinstance(parent, str) else None,
            has_parent="parentId" in entry,
            starts_turn=said is not None,
        )
        if is_new and said is not None and said.mark:
            tree.mark_turn(name, said.mark)
        elif is_new and said is not None and said.has_sender:
            tree.name_sender(name)
        elif is_new and said is None and _is_all_well(entry) and not tree.is_sent(name):
            # Whatever a heartbeat's prompt is set to, this reply gives it away.
            tree.mark_turn(name, "heartbeat")


def _is_all_well(entry: dict[str, Any]) -> bool:
    try:
        body = body_of(entry)
        return bool(body) and body.get("role") == "assistant" and reply_mark(text_of(body)) == "heartbeat"
    except BadLine:
        return False
