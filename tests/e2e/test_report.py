"""Each night leaves one page with what was said, in its own store; what is forgotten leaves the page, and nothing of it goes to Prefect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows import ledger, telling
from flows.begin import Plan
from flows.forget import forget
from flows.report import night_report
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave.cli import main
from slowwave.errors import PromiseBroken
from slowwave.reader.difference import difference
from slowwave.store import read_current, read_manifest
from tasks.trace import Request
from tests.e2e.erasing import GONE, TALK, Store, line
from tests.looks import Page
from tests.make import at

MOVED = [*TALK, ("s3", "m6", "user", "I moved, I live in Lisbon now. I prefer green tea.", "2026-02-05T09:00")]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path)
    assert made.night([line(*row) for row in TALK], "2026-02-02T03:00").status == "published"
    return made


def page_of(store: Path, run: str | None, name: str = telling.HTML) -> str:
    return (store / "runs" / str(run) / name).read_text(encoding="utf-8")


def test_a_night_tells_what_it_learned_and_changed_with_the_words(store: Store) -> None:
    before = read_manifest(store.path, read_current(store.path) or "")
    outcome = store.night([line(*row) for row in MOVED], "2026-02-06T03:00")
    page, marked = page_of(store.path, outcome.run), page_of(store.path, outcome.run, telling.MARKDOWN)
    assert Page(page).faults == []
    assert "I prefer green tea." in page and "2026-02-05, s3, m6" in page and "mem_" in page
    after = read_manifest(store.path, outcome.version or "")
    for change in difference(store.path, before, after).changes:
        assert change.id in page and change.id in marked
    assert "rye bread" not in page, "what stands as it stood is no news"
    assert '<a href="audit.html">' in page
    assert page.count("<figure>") == 2, "memories by kind over both nights, and by strength"
    assert "2026-02-02" in page and "2026-02-06" in page


def test_what_is_sensitive_is_shown_where_the_owner_says_so(tmp_path: Path) -> None:
    said = [("s1", "m1", "user", "I was diagnosed with depression last year. I play the oboe.", "2026-01-30T20:00")]
    for is_shown in (False, True):
        made = Store(tmp_path / str(is_shown))
        made.log.parent.mkdir()
        flags = {"reports": {"show_sensitive": is_shown}}
        outcome = made.night([line(*row) for row in said], "2026-02-02T03:00", **flags)
        for name in (telling.HTML, telling.MARKDOWN):
            page = page_of(made.path, outcome.run, name)
            assert ("depression" in page) == is_shown
            assert "oboe" in page and ("Sensitive" in page) != is_shown


def test_what_is_forgotten_leaves_every_report(store: Store) -> None:
    first = ledger.runs(store.path)[0]
    (store.path / "slowwave.toml").write_text("[reports]\nshow_sensitive = true\n")
    assert main(["report", "--store", str(store.path), first]) == 0
    assert "divorce" in page_of(store.path, first)
    done = forget(store.path, Request(texts=("divorce", "Carlota")), as_of=at("2026-02-03T03:00"))
    assert done.hits == [] and store.says(*GONE) == []
    page = page_of(store.path, done.outcome.run)
    assert "Memories that are no longer there: 1." in page
    assert not (store.path / "runs" / first / telling.HTML).exists()
    assert main(["report", "--store", str(store.path), first]) == 0, "of a run whose tables are gone"
    assert Page(page_of(store.path, first)).faults == [] and store.says(*GONE) == []


def test_a_page_of_any_run_that_says_it_goes(store: Store) -> None:
    kept = store.night([line(*row) for row in MOVED], "2026-02-06T03:00").run
    page = store.path / "runs" / str(kept) / telling.HTML
    forget(store.path, Request(texts=("green tea",)), as_of=at("2026-02-07T03:00"))
    older = store.path / "runs" / ledger.runs(store.path)[-1] / telling.HTML
    assert not page.exists() and older.exists()
    older.write_text("<p>I prefer <b>green</b> tea.</p>")
    done = forget(store.path, Request(texts=("zq7741x",)), as_of=at("2026-02-08T03:00"))
    assert done.hits == [] and not older.exists()


def test_nothing_that_was_said_goes_to_prefect(store: Store) -> None:
    run = ledger.runs(store.path)[0]
    told = night_report(ledger.read(store.path, run))
    assert f"runs/{run}/report.html" in told
    assert not any(word in told.casefold() for word in ("oboe", "porto", "rye", *GONE))


def test_a_night_that_publishes_nothing_has_its_page_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = store.night([line(*row) for row in TALK], "2026-02-02T04:00")
    assert quiet.status == "nothing_to_do" and "Nothing new" in page_of(store.path, quiet.run)

    def away(*_: Any) -> Outcome:
        raise PromiseBroken("no promise holds", "Look.")

    monkeypatch.setattr("flows.road._walked", away)
    with pytest.raises(PromiseBroken):
        store.night([line(*row) for row in MOVED], "2026-02-06T03:00")
    page = page_of(store.path, ledger.runs(store.path)[0])
    assert "Refused" in page and "no promise holds" in page and Page(page).faults == []


def test_a_report_that_cannot_be_written_is_a_warning(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> str:
        raise OSError("no room")

    monkeypatch.setattr("flows.telling.as_html", broken)
    outcome = store.night([line(*row) for row in MOVED], "2026-02-06T03:00")
    assert outcome.status == "published" and read_current(store.path) == outcome.version
    assert any("no room" in warning and f"slowwave report {outcome.run}" in warning for warning in outcome.warnings)


def test_data_docs_are_made_when_asked_and_linked(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    run = ledger.runs(store.path)[0]
    docs = store.path / "runs" / run / "docs"
    assert not docs.exists(), "no promise broke"
    assert main(["docs", "--store", str(store.path), run, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == str(docs / "index.html")
    for page in docs.iterdir():
        assert Page(page.read_text()).faults == []
    assert "docs/index.html" in page_of(store.path, run)
    asked = consolidated(Plan(store.path, (), at("2026-02-07T03:00"), {"reports": {"data_docs": "always"}}), here)
    assert asked.status == "nothing_to_do", "which was put before no promise"
    moved = store.night([line(*row) for row in MOVED], "2026-02-08T03:00", reports={"data_docs": "always"})
    assert (store.path / "runs" / str(moved.run) / "docs" / "memories.html").is_file()


def test_a_run_that_is_not_there_is_said(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("report", "docs"):
        assert main([command, "--store", str(store.path), "nowhere"]) == 2
        assert "there is no run nowhere" in capsys.readouterr().err
