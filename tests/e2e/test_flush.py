"""Sessions published early: readable at once, consuming nothing, and replaced by the night that reads them again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slowwave
from adapters.pointer import writing
from flows import ledger
from flows.begin import Plan
from flows.forget import proof
from flows.road import Outcome, consolidated
from flows.rollback import resume, roll_back
from flows.step import here
from slowwave.cli import main
from slowwave.closed import FlushReason
from slowwave.errors import UsageError
from slowwave.flushing import event_of, requests
from slowwave.store import read_current, read_manifest
from slowwave.verify import verify
from tests.e2e.test_two_nights import hear, texts
from tests.make import at

NIGHT = at("2026-03-02T03:00")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither a person's own Prefect server nor their service answers what is asked for here."""
    for name in ("PREFECT_API_URL", "PREFECT_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))


def flushed(store: Path, session: str) -> Outcome:
    return consolidated(Plan(store, as_of=at("2026-03-01T22:00"), flush=session), here)


def night(store: Path, as_of: datetime = NIGHT) -> Outcome:
    return consolidated(Plan(store, as_of=as_of), here)


def test_a_session_is_read_at_once_and_the_others_wait(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "store"
    hear(store, 0, 1)
    assert main(["flush", "--store", str(store), "--session", "s0", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["version"]) == ("published", read_current(store))
    assert texts(store) == ["I live in Porto."]
    assert main(["flush", "--store", str(store), "--session", "s1", "--reason", "task_done"]) == 0
    assert "published early" in capsys.readouterr().out
    assert texts(store) == ["I am allergic to walnuts.", "I live in Porto."], "what was published early stays"
    assert not verify(store).faults
    assert main(["log", "--store", str(store)]) == 0
    assert capsys.readouterr().out.count("early") == 2


def test_asked_twice_it_is_walked_once(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    first = flushed(store, "s0")
    n_runs = len(ledger.runs(store))
    for _ in range(2):
        again = flushed(store, "s0")
        assert (again.status, again.version) == ("nothing_to_do", first.version)
    assert len(ledger.runs(store)) == n_runs
    hear(store, 1)
    assert flushed(store, "").status == "nothing_to_do", "nobody asked for the other session"


def test_a_night_with_everything_read_leaves_nothing_to_publish_early(tmp_path: Path) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    version = night(store).version
    late = consolidated(Plan(store, as_of=at("2026-03-02T12:00"), flush="s0"), here)
    assert (late.status, late.version) == ("nothing_to_do", version)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=st.lists(st.sampled_from(["s0", "s1", "s2", ""]), min_size=1, max_size=3), is_first=st.booleans())
def test_a_night_after_flushes_is_the_night_without_them(
    tmp_path_factory: pytest.TempPathFactory, asked: list[str], is_first: bool
) -> None:
    """Two nights are one: what was published early changes nothing of what the night makes."""
    folder = tmp_path_factory.mktemp("law")
    plain, early = folder / "plain", folder / "early"
    for store in (plain, early):
        if not is_first:
            hear(store, 4, 5)
            night(store, at("2026-03-01T18:00"))
        hear(store, 0, 1, 2)
        slowwave.retract(store, "s2", "m2", platform="test", at=at("2026-03-01T19:00"))
    for session in asked:
        flushed(early, session)
    assert night(early).version == night(plain).version
    assert texts(early) == texts(plain)


@pytest.mark.parametrize("reason", list(FlushReason))
def test_each_reason_has_its_line_and_its_event(tmp_path: Path, reason: FlushReason) -> None:
    when = datetime(2026, 3, 1, 12, tzinfo=UTC)
    slowwave.flush(tmp_path, "s1", reason, at=when)
    (asked,) = requests(tmp_path)
    assert (asked.session_id, asked.reason, asked.at) == ("s1", reason, when)
    event = event_of("/a/memory", asked)
    assert event == event_of("/a/memory", asked), "told twice it is one event"
    assert event["event"] == "slowwave.flush"
    assert event["resource"] == {"prefect.resource.id": "slowwave.store.memory"}
    assert event["payload"] == {"session_id": "s1", "reason": str(reason)}


def test_what_an_observer_saw_needs_no_session_and_any_other_reason_does(tmp_path: Path) -> None:
    slowwave.flush(tmp_path, "", FlushReason.OBSERVER_TRANSITION)
    with pytest.raises(UsageError, match="session"):
        slowwave.flush(tmp_path, "", FlushReason.TASK_DONE)
    with pytest.raises(UsageError, match="is no reason"):
        slowwave.flush(tmp_path, "s", "because")


def test_an_observers_signals_are_published_without_any_session(tmp_path: Path, capsys: Capture) -> None:
    store, log = tmp_path / "store", tmp_path / "signals.jsonl"
    hear(store, 0)
    now = datetime.now(UTC)
    seen = [("throwing", "rejected"), ("idle", "accepted")] * 4
    lines = [
        {"signal": {"id": f"i{n}", "kind": "intervention", "at": f"{now - timedelta(hours=n + 1):%Y-%m-%dT%H:%M:%SZ}", "user_state": state,
         "channel": "notification", "urgency": "low", "outcome": outcome, "text": "The mail is there."}}
        for n, (state, outcome) in enumerate(seen)
    ]  # fmt: skip
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (store / "slowwave.toml").write_text(f'[night]\nsources = ["jsonl={log}"]\n')
    assert main(["flush", "--store", str(store), "--reason", "observer_transition"]) == 0
    assert any("throwing" in text for text in texts(store)) and "I live in Porto." not in texts(store)


def test_while_a_night_is_at_work_the_request_waits(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    with writing(store):
        assert main(["flush", "--store", str(store), "--session", "s0"]) == 3
    assert "the request lies in the inbox" in capsys.readouterr().err
    assert main(["flush", "--store", str(store)]) == 0
    assert texts(store) == ["I live in Porto."]


def test_with_later_it_is_only_asked_for(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "store"
    hear(store, 0)
    assert main(["flush", "--store", str(store), "--session", "s0", "--later"]) == 0
    assert read_current(store) is None and len(list(requests(store))) == 1


def test_what_was_published_early_is_forgotten_too(tmp_path: Path, capsys: Capture) -> None:
    store = tmp_path / "store"
    hear(store, 1)
    night(store, at("2026-03-01T18:00"))
    hear(store, 0)
    early = flushed(store, "s0").version
    assert main(["forget", "--store", str(store), "--session", "s0", "--yes"]) == 0
    assert read_current(store) != early and texts(store) == ["I am allergic to walnuts."]
    assert not proof(store, {"porto"})


def test_rolled_back_from_an_early_version_nights_go_on_from_the_one_before_it(tmp_path: Path) -> None:
    store, plain = tmp_path / "store", tmp_path / "plain"
    for one in (store, plain):
        hear(one, 1)
        night(one, at("2026-03-01T18:00"))
        hear(one, 0)
    before = read_current(store) or ""
    flushed(store, "s0")
    roll_back(store, before)
    assert flushed(store, "s0").status == "held"
    resume(store)
    assert night(store).version == night(plain).version
    assert read_manifest(store, read_current(store) or "").provenance["parent"] == before
