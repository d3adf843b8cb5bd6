"""The feedback loop: what our own memory, or another's, put before a model is known again wherever it is pasted, and is no news."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave import render
from slowwave.format import Kind
from slowwave.reader.bundles import Bundle
from slowwave.reader.results import Recalled
from tests.make import at, evidence, message
from tests.tasks.test_sift import kept, reasons, sifted

LINES = ("Keeps two greyhounds, Pixel and Ramo.", "Prefers replies under five lines.", "Lives in Porto since May.")
LIST = "\n".join(f"- {line}" for line in LINES)
SNAPSHOT = (
    f"## Constraints\n- {LINES[0]}\n\n## Goals and promises\n- {LINES[1]} (due 20 March 2026)\n\n## Facts\n- {LINES[2]}"
)
MADE = (
    "<!-- Made by slowwave from memory. In the store's own soul.md, change, add or delete lines:\n"
    "the next night takes them as your word. -->"
)
QUOTED = "\n".join(f"- user: “{line}”" for line in LINES)
THREAD = f"Last talk on 8 March 2026 (Kelpline), word for word:\n{QUOTED}"
SOUL = f"{MADE}\n\n# Soul\n\n## Who you are to Ana\n{LIST}"


def recalled(line: str) -> Recalled:
    return Recalled(
        id="mem_60a3d20616a8cc46",
        text=line,
        kind=Kind.PREFERENCE.value,
        subject="user",
        status="active",
        score=0.2,
        parts={"dense": 0.1},
        evidence=(evidence(line),),
        valid_from=at("2026-02-01"),
        last_seen_at=at("2026-02-03"),
    )


RESULTS = [recalled(line) for line in LINES]
PRINTED = render.results(RESULTS)
BUNDLE = Bundle(version="20260401-746b1d9b", snapshot=SNAPSHOT, results=tuple(RESULTS))
SHAPES = {
    "snapshot": SNAPSHOT,
    "snapshot with the last talk's words": f"{SNAPSHOT}\n\n## Current thread\n{THREAD}",
    "last talk alone": f"## Current thread\n{THREAD}",
    "last talk without its heading": THREAD,
    "soul": SOUL,
    "soul in full without its first line": SOUL.partition("-->\n\n")[2],
    "one section": f"## Goals and promises\n- {LINES[0]}\n- {LINES[1]}\n- {LINES[2]}",
    "two sections": f"## Preferences\n- {LINES[0]}\n\n## Facts\n- {LINES[1]}\n- {LINES[2]}",
    "when to speak up": f"## When to speak up\n- {LINES[0]}\n- {LINES[1]}\n- {LINES[2]}",
    "lines without a heading": "\n".join(f"- {line} (was due 8 March 2026)" for line in LINES),
    "recalled, printed": PRINTED,
    "one result, printed": render.result(RESULTS[0]),
    "bundle, printed": render.bundle(BUNDLE),
    "bundle's answer alone": render.bundle(replace(BUNDLE, snapshot="")),
    "bundle, as Python writes it": repr(BUNDLE),
    "bundle, as data": json.dumps(BUNDLE.as_dict()),
    "what came, printed": "\n".join(["answer", *(f"  {line}  mem_60a3d20616a8cc46" for line in LINES)]),
    "what was later, printed": f"{PRINTED}\n  later: {LINES[2]} (since 2026-03-02)",
    "what replaced it": f"was replaced by\n  {LINES[0]} (active, since 2026-03-02)  mem_5fa7df31cfd0131a",
    "recalled, as data": json.dumps({"version": "20260401-746b1d9b", "query": "q", "results": [r.as_dict() for r in RESULTS]}),
    "recalled, as data over lines": json.dumps([r.as_dict() for r in RESULTS], indent=2),
    "recalled, as Python writes it": repr(RESULTS),
    "memory tag": f"<memory>\n{LIST}\n</memory>",
    "memories tag": f"<memories>\n{LIST}\n</memories>",
    "relevant memories tag": f'<relevant-memories count="3">\n{LIST}\n</relevant-memories>',
    "memory context tag": f"<memory-context>{LIST}</memory-context>",
    "recalled tag": f"<recalled_memories>\n{LIST}\n</recalled_memories>",
    "core memory tag": f"<core_memory>\n{LIST}\n</core_memory>",
    "user profile tag": f"<user_profile>\n{LIST}\n</user_profile>",
    "supermemory tag": f"<supermemory-context>\n{LIST}\n</supermemory-context>",
    "slowwave tag": f"<slowwave-snapshot>\n{LIST}\n</slowwave-snapshot>",
    "heading": f"# Memory\n{LIST}",
    "heading over paragraphs": f"## Relevant memories\n\n{LIST}",
    "heading of sessions": f"### Memory (from previous sessions)\n{LIST}",
    "brackets": f"[MEMORY CONTEXT]\n{LIST}",
    "brackets with an end": f"[MEMORY CONTEXT]\n{' '.join(LINES)}\n[/MEMORY CONTEXT]",
    "brackets with words for an end": f"[Memory]\n{' '.join(LINES)}\n[End of Memory]",
    "brackets on the line": "\n".join(f"[memory] {line}" for line in LINES),
    "colon": f"Relevant memories:\n{LIST}",
    "colon, numbered": "Recalled memories:\n" + "\n".join(f"{i}. {line}" for i, line in enumerate(LINES, 1)),
    "bold": f"**Memories**\n{LIST}",
    "known facts": f"Known facts about the user:\n{LIST}",
    "user profile": f"## User profile\n{LIST}",
    "what I remember": f"What I remember about you:\n{LIST}",
    "here is what I know": f"Here's what I know about you:\n{LIST}",
    "rules": f"=== MEMORY ===\n{LIST}",
    "begin and end": f"--- BEGIN MEMORY ---\n{LIST}\n--- END MEMORY ---",
    "curly": "{{memory}}\n" + LIST + "\n{{/memory}}",
    "on one line": f"Relevant memories: {' '.join(LINES)}",
    "boot file": f"MEMORY.md\n{LIST}",
}  # fmt: skip
AROUND: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text,
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "in a fence": lambda text: f"```\n{text}\n```",
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
@pytest.mark.parametrize("shape", SHAPES)
def test_memory_put_before_a_model_is_no_news(shape: str, role: str, around: str) -> None:
    result = sifted([message(AROUND[around](SHAPES[shape]), role=role)])
    assert not result.turns.filter(result.turns["is_evidence"]).height or kept(result) == [[">"]]
    assert result.decisions.height


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("shape", [one for one in SHAPES if one != "boot file"])
@pytest.mark.parametrize("where", ["before", "after"])
def test_the_owners_own_sentence_beside_it_stays(shape: str, where: str, around: str) -> None:
    block, own = AROUND[around](SHAPES[shape]), "My sister Carlota moved to Ghent."
    text = f"{own}\n\n{block}" if where == "before" else f"{block}\n\n{own}"
    result = sifted([message(text)])
    assert kept(result) == [[own]]
    assert {action for action, _ in reasons(result)} == {"fold"}


@pytest.mark.parametrize(
    "text",
    [
        "My preferences: tea, olives, early trains.",
        "I remember you said the kiln opens at 9.",
        "What do you know about kilns?\nI know nothing about them.",
        "The memory of my laptop is 32 GB.",
        "## Plan\n- buy clay\n- fire the bowls",
        "I need new memory:\n32 GB would do.",
        "before: I lived in Ghent (since 2019)",
        "The invoice is due 8 March 2026.",
        "Our last talk, word for word:\n- I said that the kiln is broken.",
        "Lessons from today:\n- never glaze wet bowls",
        "Goal (weekly): calibration dataset | Due 2026-03-20 | Status: completed",
    ],
)  # fmt: skip
def test_what_only_speaks_of_memory_stays(text: str) -> None:
    assert reasons(sifted([message(text)])) == []


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SHAPES)), st.text(alphabet="ab .:#-*>[]<>\n“”·()", max_size=80))
def test_whatever_stands_around_it_spans_stay_in_order(shape: str, noise: str) -> None:
    result = sifted([message(f"{noise}\n{SHAPES[shape]}\n{noise}")])
    for row in result.turns.iter_rows(named=True):
        edges = [edge for span in row["spans"] for edge in (span["start"], span["end"])]
        assert edges == sorted(edges) and edges[-1] <= len(row["text"])


def test_a_list_that_another_session_said_before_is_an_echo_and_the_new_line_in_it_stays() -> None:
    said = [
        message(line, session="a", seq=i, said="2026-02-01T10:00")
        for i, line in enumerate(("I keep two greyhounds, Pixel and Ramo.", "I want replies under five lines."))
    ]
    echo = "- I keep two greyhounds, Pixel and Ramo.\n- I want replies under five lines\n- I moved to Ghent in May."
    again = message(echo, session="b", said="2026-02-05T10:00")
    result = sifted([*said, again])
    assert kept(result)[-1] == ["- I moved to Ghent in May."]
    assert result.decisions.select("item_id", "action", "reason", "other_id").rows() == [
        (again.msg_key, "fold", "echo", said[0].msg_key)
    ]
    first = sifted(said)
    assert sifted([again], first.heard).heard.equals(result.heard)
    late = sifted(said, sifted([again]).heard)
    assert late.heard.equals(result.heard) and again.msg_key in late.turns["msg_key"].to_list()


def test_one_line_said_again_is_the_owner_saying_it_again() -> None:
    said = message("I keep two greyhounds, Pixel and Ramo.", session="a")
    again = message(
        "- I keep two greyhounds, Pixel and Ramo.\n- Tea is fine with me, always.", session="b", said="2026-02-05T10:00"
    )
    assert reasons(sifted([said, again])) == []


def test_a_line_of_an_echo_goes_with_all_its_sentences_whoever_is_said_to_have_spoken() -> None:
    said = message(
        "I keep two greyhounds, Pixel and Ramo. Mia feeds them. I want replies under five lines.", session="a"
    )
    echo = (
        "- - I keep two greyhounds, Pixel and Ramo. Mia feeds them.\n"
        "- user on 1 February: “I want replies under five lines.”\n"
        "- I moved to Ghent in May. It rains."
    )
    made = sifted([said, message(echo, session="b", said="2026-02-05T10:00")])
    assert kept(made)[-1] == ["- I moved to Ghent in May.", "It rains."]
