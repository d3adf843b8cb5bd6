"""The input of `bench capture`: made messages like those of a working week, the same for the same seed.

People and an assistant in sentences, now and then code, a list, a link, a tool's output, a secret. Belongs here: what is said and
how it is written down. Does not belong here: how long reading it takes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, Any]
SEED = 20240229
SESSION_MESSAGES, SESSIONS_A_DAY = 40, 12
PLATFORMS = ("generic", "hermes", "studio", "desk")
_FIRST_DAY = datetime(2024, 1, 8, 7, 30, tzinfo=UTC)

_PEOPLE = "Amara|Bruno|Chidi|Dagny|Emre|Farida|Gustav|Hana|Ines|Jonas|Kofi|Leila|Mirek|Noor|Odile|Petra|Quentin|Rosa"
_PLACES = "Ghent|Porto|Leeds|Tartu|the office|the workshop|the harbour|the library|the clinic|the garden"
_THINGS = (
    "the quarterly report|our booking system|the kiln|my bicycle|the new schema|the rental contract|that recipe|the tax form"
    "|the migration script|the garden wall|the choir rehearsal|her visa|the deployment|the parser|my passport|the budget"
    "|the heating|the test suite|the translation|the login page|the insurance claim|a session on pricing|the backup"
    "|the key for the shed|the search index|the seed catalogue|the train tickets|the invoice|the dashboard|the slide deck"
)
_DOINGS = (
    "finished|postponed|reviewed|started over with|argued about|sent|forgot|rewrote|cancelled|paid for|checked|lost|repaired"
    "|ordered|compared|explained|measured|borrowed|moved|printed|tried|gave up on|improved|asked about"
)
_TIMES = (
    "yesterday|this morning|last week|on Tuesday|in March|around noon|two days ago|next Friday|before the holidays|after lunch"
    "|at half past six|on 14 May|by the end of the month|every other Thursday|since 2019|tonight"
)
_REASONS = (
    "because the numbers did not add up|since nobody answered the phone|so that we can ship on time|although it rained all day"
    "|because I don't trust the old one|which took longer than I'd hoped|and it finally works|but the colour is wrong"
    "|so I need a reminder|while the others were away|because it's cheaper by train|if the weather holds"
)
_SAID: tuple[str, ...] = (
    "{who} {did} {thing} {when}, {why}.",
    "I {did} {thing} {when}.",
    "Can you look into {thing} with {who} {when}?",
    "We should meet in {place} {when}, {why}.",
    "It cost {n} euros, and {who} paid {m} of it.",
    "My sister {did} {thing} in {place}, {why}!",
    "I prefer tea to coffee, and I don't eat fish.",
    "Please remember that {who} is allergic to nuts.",
    "{who} (who lives in {place} now) {did} {thing}; {why}.",
    "That's {n} pages of notes, e.g. about {thing}.",
    'He said "we never {did} {thing}", {why}.',
    "What is the status of {thing}?",
    "The code of the module that {who} {did} is in the repository.",
    "No, I meant {thing}, not {other}.",
)
_ANSWERED: tuple[str, ...] = (
    "Noted: {who} {did} {thing} {when}.",
    "There are {n} open points about {thing}, {why}.",
    "I'd suggest that you ask {who} about {thing} {when}.",
    "Here is what I found on {thing}, {why}.",
    "The first option takes {n} minutes; the second needs {m} more, {why}.",
    "You said that {who} {did} {other} {when}, so {thing} can wait.",
    "If you want, I'll draft a message to {who} in {place}.",
    "Both versions work – the shorter one is easier to read, {why}.",
)
_FILLERS: tuple[str, ...] = (
    "Thanks!",
    "Great, thank you.",
    "Hi there!",
    "Sounds good.",
    "Ok.",
    "👍",
    "Good morning!",
    "Perfect 🎉",
)
_ABROAD: tuple[str, ...] = (
    "J'ai {n} réunions à {place} la semaine prochaine, et {who} n'est pas là.",
    "Ich habe {thing} gestern mit {who} besprochen, das war längst überfällig.",
    "{who}さんは来週の月曜日に{place}へ行きます。",
)
_CODE = """Here is the change for {thing}:

```python
def total_{n}(rows: list[dict[str, int]]) -> int:
    # skip what was paid before {m}
    return sum(row["amount"] * row.get("count", 1) for row in rows if row["day"] > {m})
```

It {did} {n} of {m} cases, {why}."""
_LIST = """Three things about {thing}:
- {who} {did} it {when}
- the limit is {n}, not {m}
- see https://docs.example.org/guides/{n}/getting-started?tab={m}#install"""
_OUTPUT = """$ pytest -q tests/test_report_{n}.py
collected {n} items
tests/test_report_{n}.py::test_total_{m} PASSED
tests/test_report_{n}.py::test_rounding_{n} FAILED
E   AssertionError: expected {m}, got {n}
project/src/report/{n}/build_{m}.py:{n}: in render
commit {hash}
1 failed, {m} passed in {n}.21s"""
_SECRET = "The API token for {thing} is tk_{hash}, please don't store it. {who} {did} {other} {when}."


class Talk:
    """Says things, the same in the same order for the same seed."""

    def __init__(self, seed: int = SEED) -> None:
        self.random = random.Random(seed)

    def text(self, role: str) -> str:
        """One message's words: twenty to sixty of them for the most part."""
        if role == "tool":
            return self._filled(_OUTPUT)
        drawn = self.random.random()
        if drawn < 0.002:
            return self._filled(_SECRET)
        if role == "assistant" and drawn < 0.1:
            return self._filled(_CODE if drawn < 0.06 else _LIST)
        sentences = _SAID if role == "user" else _ANSWERED
        chosen = self.random.choices(sentences, k=self.random.randint(2, 5))
        if drawn > 0.97:
            chosen[0] = self.random.choice(_ABROAD)
        if drawn > 0.8:
            chosen.insert(0, self.random.choice(_FILLERS))
        return " ".join(map(self._filled, chosen))

    def _filled(self, sentence: str) -> str:
        pick = self._pick
        return sentence.format(
            who=pick(_PEOPLE),
            place=pick(_PLACES),
            thing=pick(_THINGS),
            other=pick(_THINGS),
            did=pick(_DOINGS),
            when=pick(_TIMES),
            why=pick(_REASONS),
            n=self.random.randint(2, 900),
            m=self.random.randint(2, 90),
            hash=f"{self.random.getrandbits(160):040x}" if "{hash}" in sentence else "",
        )

    def _pick(self, choices: str) -> str:
        return self.random.choice(_split(choices))


@cache
def _split(choices: str) -> list[str]:
    return choices.split("|")


def messages(
    n: int, platform: str = PLATFORMS[0], *, seed: int = SEED, n_a_session: int = SESSION_MESSAGES
) -> Iterator[Row]:
    """`n` messages of one user's log, session after session and day after day, in the order of time."""
    talk = Talk(seed)
    for i in range(n):
        session, place = divmod(i, n_a_session)
        day, slot = divmod(session, SESSIONS_A_DAY)
        role = "tool" if place % 10 == 4 else ("user", "assistant")[place % 2]
        at = _FIRST_DAY + timedelta(days=day, minutes=65 * slot, seconds=45 * place)
        yield {
            "session_id": f"{platform}-{session}",
            "message_id": f"m{i}",
            "user_id": "owner",
            "role": role,
            "speaker": {"user": "Odile", "assistant": "Pip", "tool": "shell"}[role],
            "content": talk.text(role),
            "created_at": at.isoformat(),
            "platform": platform,
            **({"tool_name": "shell"} if role == "tool" else {}),
        }


def long_message(n_bytes: int) -> Row:
    """One message of that many bytes: a paste of everything."""
    (first,) = messages(1)
    talk = Talk()
    parts: list[str] = []
    n = 0
    while n < n_bytes:
        parts.append(talk.text(("user", "assistant", "tool")[len(parts) % 3]))
        n += len(parts[-1].encode()) + 2
    whole = "\n\n".join(parts).encode()[:n_bytes].decode(errors="ignore")
    return {**first, "content": whole}


def write(path: Path, rows: Iterator[Row]) -> Path:
    """Write the rows as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path
