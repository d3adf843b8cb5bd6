"""The audit page is one file that names what broke, shows no quote, and runs nothing that a row brings along."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from expectations.page import render_html
from expectations.promise import Promise, Report, Severity

RUN = {
    "run": "20260301T030000Z-1a2b",
    "as_of": "2026-03-01T03:00:00+00:00",
    "status": "refused",
    "stages": {
        "sift": {"n_in": 10, "n_kept": 7, "calls": 0, "cost": 0.0, "seconds": 0.123456, "outputs": {"turns": "private"}}
    },
    "facts": {"quote": "I live in Lisbon."},
}


def promise(
    name: str = "no_secrets", *, is_kept: bool = False, severity: Severity = Severity.BLOCKING, **more
) -> Promise:
    return Promise(name, severity, more.pop("about", "nothing published is a secret"), is_kept, **more)


def test_a_refused_night_says_what_broke_and_where():
    page = render_html(
        Report((promise(observed=2, examples=("memories.text of mem_1",)), promise("x", is_kept=True))), RUN
    )
    assert "Refused: 1 of 2 promises broken" in page
    assert "memories.text of mem_1" in page
    assert page.index("no_secrets") < page.index("1 promises kept")
    assert "0.1235" in page


def test_other_nights_say_how_they_ended():
    kept = render_html(Report((promise(is_kept=True),)), {})
    assert "All blocking promises of 1 kept." in kept
    noted = render_html(Report((promise(severity=Severity.REPORTING),)), {})
    assert "1 to look at" in noted
    assert "Held:" in render_html(Report((promise("few_enough_retired"),)), {})


def test_the_page_needs_no_network_and_no_script():
    page = render_html(Report((promise(),)), RUN)
    assert not re.search(r"https?:|//|<script|<link|@import|url\(|src=", page)
    assert "prefers-color-scheme: dark" in page
    assert "default-src 'none'" in page


def test_text_is_escaped_and_nothing_nested_is_shown():
    hostile = '<img src=x onerror="alert(1)">'
    page = render_html(
        Report((promise(hostile, about=hostile, observed=hostile, examples=(hostile,)),)), RUN | {"run": hostile}
    )
    assert "<img" not in page
    assert page.count("&lt;img") == 6
    assert "I live in Lisbon." not in page
    assert "private" not in page


def test_the_page_is_well_formed_and_its_tables_are_labelled():
    page = render_html(Report((promise(), promise("a", is_kept=True), promise("b", severity=Severity.REPORTING))), RUN)
    void = {"meta", "br"}
    stack: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in void:
                stack.append(tag)

        def handle_endtag(self, tag):
            assert stack.pop() == tag

    Reader().feed(page)
    assert stack == []
    assert page.count("<table>") == page.count("<caption>") == 4
    assert page.count("<h1>") == 1
    assert "<th>" not in page


def left(*sent: dict) -> str:
    return render_html(Report((promise(is_kept=True),)), RUN | {"facts": {"left": list(sent)}})


def test_what_left_the_machine_is_said_by_model_source_and_project():
    page = left(
        {
            "model": "openai/tiny",
            "host": "api.example.invalid",
            "n_calls": 2,
            "n_messages": 7,
            "by_source": {"hermes": 5, "jsonl": 2},
            "by_project": {"<b>reef</b>\u202e": 3, "none": 4},
        }
    )
    part = page[page.index("What left this machine") :]
    assert "<code>openai/tiny</code> at <code>api.example.invalid</code>" in part
    assert '<td class="n">2</td><td class="n">7</td><td>hermes 5<br>jsonl 2</td>' in part
    assert "&lt;b&gt;reef&lt;/b&gt; 3<br>none 4" in part
    assert "\u202e" not in page


def test_a_night_from_which_nothing_left_says_so():
    assert "Nothing: no text was sent to another machine." in left()
    assert "What left this machine" not in render_html(Report((promise(is_kept=True),)), {})


def test_what_guards_propose_is_told_with_the_memories_and_escaped():
    proposal = {
        "name": "drift.invariants",
        "proposal": "Change <i>it</i>.",
        "observed": 2.0,
        "memory_ids": ["mem_1", "mem_2"],
    }
    page = render_html(
        Report((promise(is_kept=True),)), RUN | {"proposals": [proposal | {"report": "guards/x/report.md"}]}
    )
    part = page[page.index("Proposals") :]
    assert "<code>mem_1</code><br><code>mem_2</code>" in part
    assert "Change &lt;i&gt;it&lt;/i&gt;." in part
    assert "<code>guards/x/report.md</code>" in part
