"""The night report says what happened in sections, hides what is sensitive, and can be read by everybody without a network."""

from __future__ import annotations

import re

import pytest

from expectations.report.drawing import draw
from expectations.report.html import HIDDEN, as_html
from expectations.report.markdown import as_markdown
from expectations.report.parts import Bars, Counted, Item, Listed, Table, Told
from tests.looks import Page, contrast

HOSTILE = '<img src=x onerror="alert(1)">](javascript:1)\u202e'
ITEM = Item(
    "I live in Lisbon.", "semantic fact", "I live in Berlin.", ("“I moved to Lisbon.” — 2026-02-01, s1, m1",), "mem_1"
)
STAGE = {"calls": 3, "input_tokens": 700, "output_tokens": 80, "cost": 0.25, "n_embedded": 4, "seconds": 1.5}
LEFT = {
    "model": "openai/tiny",
    "host": "a.invalid",
    "n_calls": 2,
    "n_messages": 7,
    "by_source": {"hermes": 7},
    "by_project": {},
}
PROMISE = {
    "name": "no_secrets",
    "severity": "blocking",
    "about": "nothing is a secret",
    "observed": 2,
    "examples": ["mem_1"],
}
PROPOSAL = {
    "name": "drift",
    "proposal": "Change it.",
    "observed": 2.0,
    "memory_ids": ["mem_2"],
    "report": "guards/x/report.md",
}
RUN = {
    "run": "20260301T030000Z-1a2b",
    "as_of": "2026-03-01 03:00:00+00:00",
    "trigger": "night",
    "parent": "20260228-0a",
    "version": "20260301-0b",
    "status": "published",
    "stages": {"extract": STAGE},
    "facts": {"left": [LEFT], "n_to_consume": 12, "n_forget_requests": 1, "ceilings_reached": ["max_night_cost"]},
    "warnings": ["2 messages put off"],
    "proposals": [PROPOSAL],
    "promises": {"promises": [{**PROMISE, "is_kept": False}, {**PROMISE, "name": "x", "is_kept": True}]},
}


def night(day: int, **more: object) -> Counted:
    given = {
        "kinds": {"semantic_fact": day, "routine": 1},
        "strengths": [0, day, 3],
        "tokens": 100 * day,
        "cost": 0.01 * day,
    }
    return Counted(f"run-{day}", f"2026-03-0{day} 03:00:00+00:00", **{**given, **more})  # type: ignore[arg-type]


def told(**more: object) -> Told:
    sorts = ("learned", "changed", "disputed", "archived", "deferred", "quarantined", "forgotten")
    listed = {sort: Listed(3, (ITEM,)) for sort in sorts}
    run = {**RUN, **more}
    return Told(
        run, listed, [night(1), night(2)], [("Audit", "audit.html"), ("Data Docs", "docs/index.html")], ["Of note."]
    )


def test_every_part_is_there_with_its_quotes() -> None:
    page = as_html(told())
    heads = re.findall(r"<h2>(.*?)</h2>", page)
    assert heads == [
        *("In numbers", "Learned", "Changed", "Contradicted", "Archived", "Deferred", "Quarantined", "Forgotten"),
        *("Proposals", "To know", "Cost, and what left this machine", "Promises", "Charts"),
    ]
    assert "“I moved to Lisbon.” — 2026-02-01, s1, m1" in page and "before: I live in Berlin." in page
    assert "and 2 more" in page
    assert "openai/tiny at a.invalid" in page and "1 of 2 promises kept." in page and "no_secrets" in page
    assert 'href="audit.html"' in page and 'href="docs/index.html"' in page
    for told_too in ("max_night_cost", "2 messages put off", "Change it.", "Of note.", "20260228-0a"):
        assert told_too in page


def test_what_was_forgotten_is_counted_and_not_named() -> None:
    page = as_html(Told(RUN, {"forgotten": Listed(3, (ITEM,))}))
    assert "Memories that are no longer there: 3." in page and "Lisbon" not in page


def test_everybody_can_read_it_and_it_loads_nothing() -> None:
    assert Page(as_html(told())).faults == []
    assert Page(as_html(Told({"run": "r"}))).faults == []


def test_every_chart_has_a_name_a_description_and_a_table_behind_it() -> None:
    page = as_html(told())
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(figures) == 4
    for figure in figures:
        assert "<title" in figure and "<desc" in figure and "<details>" in figure and "<caption>" in figure


@pytest.mark.parametrize("counted", [night(1, kinds={}, strengths=[], tokens=0, cost=0.0), night(1, strengths=[0, 0])])
def test_nothing_to_draw_is_not_drawn(counted: Counted) -> None:
    page = as_html(Told(RUN, {}, [counted]))
    assert "Strength" not in page and Page(page).faults == []


def test_a_column_is_as_high_as_its_number() -> None:
    drawn = draw(Bars("T", "about", ["a", "b", "c"], [0, 50, 100], ["0", "50", "100"], Table("", (), ())), 1)
    highs = [float(high) for high in re.findall(r'<rect[^>]* height="([\d.]+)"', drawn)]
    assert highs[0] == 0 and highs[1] * 2 == pytest.approx(highs[2], abs=0.2) and highs[2] > 100


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("published", "Published 20260301-0b."),
        ("nothing_to_do", "Nothing new: 20260301-0b stands."),
        ("held", "Held for review"),
        ("refused", "Refused: a promise is broken."),
        ("failed", "Failed. The last version still serves."),
    ],
)
def test_it_says_how_the_night_ended(status: str, said: str) -> None:
    for page in (as_html(told(status=status)), as_markdown(told(status=status))):
        assert said in page.replace("\\", "")
        is_unpublished = status in ("held", "refused", "failed")
        assert ("Nothing of what follows was published" in page) == is_unpublished


def test_without_data_docs_it_says_how_they_are_made() -> None:
    said = "slowwave docs 20260301T030000Z-1a2b makes"
    assert said in as_html(Told(RUN)) and said not in as_html(told())


def test_what_went_wrong_is_said() -> None:
    assert "What went wrong: the model was away" in as_html(told(status="failed", error="the model was away"))


def test_hidden_words_stand_nowhere() -> None:
    hidden = Told(
        RUN, {"learned": Listed(1, (Item("my secret", "fact", "was", ("the quote",), "mem_9", is_hidden=True),))}
    )
    for page in (as_html(hidden), as_markdown(hidden)):
        assert "mem_9" in page and HIDDEN.split(" (")[0] in page
        assert not any(word in page for word in ("my secret", "the quote", "before: was"))


def test_no_text_is_obeyed() -> None:
    item = Item(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), "mem_1")
    run = {**RUN, "run": HOSTILE, "error": HOSTILE, "warnings": [HOSTILE], "version": HOSTILE, "parent": HOSTILE}
    hostile = Told(run, {"learned": Listed(1, (item,))}, [night(1, kinds={HOSTILE: 2})], (), [HOSTILE])
    page = as_html(hostile)
    assert "<img" not in page and "\u202e" not in page
    assert Page(page.replace("src=x", "")).faults == []
    marked = as_markdown(hostile)
    assert not re.search(r"(?<!\\)<img|(?<!\\)\]\(javascript", marked) and "\u202e" not in marked


def test_contrast_is_counted_as_the_standard_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
