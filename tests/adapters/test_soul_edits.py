"""Two souls into edits: what is new, what is gone, and what took the place of what."""

from __future__ import annotations

from adapters.sources.soul_edits import Edit, edits
from slowwave.format import Kind

SOUL = """<!-- Made by slowwave from memory. In the store's own soul.md, change, add or delete lines:
the next night takes them as your word. -->

# Soul

## Who you are to Ana
- I live in Basel.
- I keep bees.

## Preferences
- I prefer green tea in the morning.
"""
IDS = {"I live in Basel.": "mem_1", "I keep bees.": "mem_2", "I prefer green tea in the morning.": "mem_3"}


def changed(before: str, after: str) -> list[Edit]:
    assert before in SOUL
    return edits(SOUL, SOUL.replace(before, after), IDS)


def test_an_unchanged_soul_has_no_edit() -> None:
    assert edits(SOUL, SOUL, IDS) == []


def test_a_rewritten_line_takes_the_place_of_its_memory() -> None:
    assert changed("Basel", "Trier") == [Edit("I live in Trier.", Kind.SEMANTIC_FACT, "mem_1")]


def test_a_new_line_is_of_the_kind_that_its_section_holds() -> None:
    new = changed("## Preferences\n", "## Preferences\n- No music while I write.\n")
    assert new == [Edit("No music while I write.", Kind.PREFERENCE, None)]
    prose = changed("# Soul\n", "# Soul\n\nI was born by the sea.\n\n## My garden\n* Roses only.\n")
    assert [(e.text, e.kind) for e in prose] == [
        ("I was born by the sea.", Kind.SEMANTIC_FACT),
        ("Roses only.", Kind.SEMANTIC_FACT),
    ]


def test_a_deleted_line_names_its_memory() -> None:
    assert changed("- I keep bees.\n", "") == [Edit(None, Kind.SEMANTIC_FACT, "mem_2")]


def test_moved_lines_headings_comments_and_blank_lines_are_no_edits() -> None:
    moved = SOUL.replace("- I keep bees.\n", "").replace("## Preferences\n", "## Preferences\n\n\n- I keep bees.\n")
    assert edits(SOUL, moved, IDS) == []
    assert changed("## Preferences", "## What I like <!-- mine -->") == []
    assert changed("# Soul\n", "# My soul\n<!-- a note\nover two lines -->\n") == []


def test_two_lines_that_change_at_once_stay_apart() -> None:
    both = edits(SOUL, SOUL.replace("Basel", "Trier").replace("bees", "hens"), IDS)
    assert {(e.text, e.memory_id) for e in both} == {("I live in Trier.", "mem_1"), ("I keep hens.", "mem_2")}


def test_a_line_of_the_persons_own_that_is_gone_takes_nothing_back() -> None:
    with_own = SOUL.replace("# Soul\n", "# Soul\nMine alone.\n")
    assert edits(with_own, SOUL, IDS) == []
