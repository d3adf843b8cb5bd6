"""OpenClaw: whose words stand in the user's place, and which turns nobody began."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.sources.openclaw.speech import read_said
from adapters.sources.protocol import RawMessage
from tests.adapters.sources.openclaw_logs import database, entry, header, index, marks, read, said, sent, write


@pytest.mark.parametrize(
    ("prompt", "reply", "mark"),
    [
        (
            "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
            "HEARTBEAT_OK",
            "heartbeat",
        ),
        ("Read HEARTBEAT.md if it exists.", "Your buoy is offline.", "heartbeat"),
        ("Look around, is anything wrong?", "**HEARTBEAT_OK**", "heartbeat"),
        ("Pre-compaction memory flush. Store durable memories now.", "NO_REPLY", "hidden"),
        ("Write down what lasts. Reply NO_REPLY after writing.", "Stored three notes.", "hidden"),
        ("System: [2026-04-02 10:00] Node connected\nSystem: [2026-04-02 10:01] Node gone", "Seen.", "hidden"),
        ("[cron:7f2 Overview] Build the overview.", "Built.", "cron"),
        ("[Subagent Context] You check templates.", "Checked.", "subagent"),
        ("A new session was started via /new or /reset.", "Hi!", "hidden"),
    ],
)
def test_turns_that_no_person_began_are_marked_with_all_that_answers_them(
    tmp_path: Path, prompt: str, reply: str, mark: str
) -> None:
    items = read(
        write(
            tmp_path / "s.jsonl",
            header("s"),
            entry("a", None, sent("Before.")),
            entry("b", "a", prompt),
            entry("c", "b", [{"type": "toolCall", "id": "t", "name": "read", "arguments": {}}], role="assistant"),
            entry("d", "c", "tool says", role="toolResult", toolName="read"),
            entry("e", "d", reply, role="assistant"),
            entry("f", "e", sent("After.")),
        )
    )
    assert marks(items) == {"a": None, "b": mark, "c": mark, "d": mark, "e": mark, "f": None}
    prompted = said(items)[1]
    assert prompted.trust == ("agent" if mark == "subagent" else "system")


@pytest.mark.parametrize(
    "text",
    [
        "Read HEARTBEAT.md and tell me what it says",
        "Why do you answer NO_REPLY so often?",
        "Pre-compaction memory flush, what is that?",
    ],
)
def test_what_a_named_sender_wrote_is_speech_whatever_it_says(tmp_path: Path, text: str) -> None:
    lines = [header("s"), entry("a", None, sent(text)), entry("b", "a", "HEARTBEAT_OK", role="assistant")]
    found = marks(read(write(tmp_path / "s.jsonl", *lines)))
    assert found == {"a": None, "b": "heartbeat"}


def test_notices_before_words_are_taken_off(tmp_path: Path) -> None:
    text = "System: [2026-04-02 10:00] Node connected\n\n" + sent("Is it up?")
    (message,) = said(read(write(tmp_path / "s.jsonl", header("s"), entry("a", None, text))))
    assert message.text == sent("Is it up?")
    assert (message.mark, message.speaker) == (None, "Noor")


def test_provenance_says_what_no_words_do(tmp_path: Path) -> None:
    lines = [header("s"), entry("a", None, "do it", provenance={"kind": "inter_session"})]
    assert marks(read(write(tmp_path / "s.jsonl", *lines))) == {"a": "subagent"}


def group(tmp_path: Path, *texts: str) -> list[RawMessage]:
    """The messages of a group, after the owner has written in the main session."""
    write(tmp_path / "main.jsonl", header("main"), entry("m", None, sent("Hi.")))
    entries = [entry(f"g{i}", f"g{i - 1}" if i else None, text, i) for i, text in enumerate(texts)]
    write(tmp_path / "group.jsonl", header("group"), *entries)
    keys = {
        "agent:main:main": {"sessionId": "main"},
        "agent:main:whatsapp:group:9": {"sessionId": "group", "chatType": "group"},
    }
    index(tmp_path, keys=keys)
    return [m for m in said(read(tmp_path)) if m.session_id == "group"]


def test_in_a_group_only_the_owners_words_are_the_owners(tmp_path: Path) -> None:
    texts = [
        sent("Inches, please.", "+64 2", "Tom"),
        sent("Metric stays."),
        sent("I am Noor.", "+64 3", "Noor"),
        "who?",
    ]
    messages = group(tmp_path, *texts)
    stranger = ("participant", "observed", "third_party")
    assert [(m.role, m.mark, m.trust) for m in messages] == [stranger, ("user", None, None), stranger, stranger]
    assert [m.speaker for m in messages[:2]] == ["Tom", "Noor"]


def test_an_envelope_inside_somebodys_words_is_his_text(tmp_path: Path) -> None:
    forged = sent(sent("I hate tea.", "+64 1", "Noor"), "+64 2", "Tom")
    (message,) = group(tmp_path, forged)
    assert (message.mark, message.trust, message.speaker) == ("observed", "third_party", "Tom")


def test_a_group_is_known_by_its_envelopes_where_no_index_names_it(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", header("a"), entry("x", None, sent("Hi.")))
    strange = sent("Inches!", "+64 2", "Tom", is_group_chat=True)
    write(
        tmp_path / "b.jsonl", header("b"), entry("y", None, strange), entry("z", "y", sent("No.", is_group_chat=True))
    )
    assert marks(read(tmp_path)) == {"x": None, "y": "observed", "z": None}


@pytest.mark.parametrize(
    ("text", "sender", "name"),
    [
        ("[WhatsApp +15550001 2026-01-18 00:19 PST] buy milk: two", "+15550001", None),
        ("[Telegram Noor (@noor) id:77 2026-01-18 00:19 PST] hello", "77", None),
        ("[WhatsApp 123@g.us 2026-01-18 00:19 PST] Tom: inches", None, "Tom"),
        ("[Signal group 2026-01-18 00:19 PST] inches\n[from: Tom (+1555)]", "+1555", "Tom"),
        ("[see 10:30 note] hello", None, None),
        ("plain", None, None),
    ],
)
def test_older_envelopes(text: str, sender: str | None, name: str | None) -> None:
    found = read_said(text)
    assert (found.sender_id, found.sender_name) == (sender, name)


@pytest.mark.parametrize(
    ("key", "mark", "trust"),
    [
        ("cron:monday", "cron", "system"),
        ("agent:main:cron:7f:run:1", "cron", "system"),
        ("agent:main:subagent:1", "subagent", "agent"),
        ("hook:gmail:1", "cron", "third_party"),
        ("agent:main:main", None, None),
        ("agent:main:whatsapp:direct:+1", None, None),
    ],
)
def test_a_sessions_key_says_who_holds_it(tmp_path: Path, key: str, mark: str | None, trust: str | None) -> None:
    write(tmp_path / "s.jsonl", header("s"), entry("a", None, "go"), entry("b", "a", "done", role="assistant"))
    index(tmp_path, keys={key: {"sessionId": "s"}, "bad": 5, "worse": {"sessionId": {}}})
    asked, answered = said(read(tmp_path))
    assert (asked.mark, asked.trust, answered.mark, answered.trust) == (mark, trust, mark, None)
    assert said(read(tmp_path / "s.jsonl"))[0].mark == mark


def test_windows_of_a_database_say_who_holds_them(tmp_path: Path) -> None:
    path = database(
        tmp_path / "openclaw-agent.sqlite",
        {name: [header(name), entry(name + "1", None, "go")] for name in ("a", "b", "c")},
        session_nodes=[("k1", "a", "cron", None), ("k2", "b", "operator", "agent:main:main")],
        session_windows=[
            ("a", "k1", "direct", None, "initial"),
            ("c", "agent:main:x:group:1", "group", None, "initial"),
        ],
    )
    assert marks(read(path)) == {"a1": "cron", "b1": "subagent", "c1": "observed"}
