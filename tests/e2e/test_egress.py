"""What may not leave the machine does not: not a byte of it reaches a hosted model, and it is read here or waits."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import slowwave
from flows import ledger
from flows.report import night_report
from slowwave.cli import main
from tests.contract import loopback as lb
from tests.e2e import hosted

SAMPLES = Path(os.environ.get("SLOWWAVE_SAMPLES", Path(__file__).parents[2] / ".." / "shared" / "samples"))


@pytest.fixture
def server() -> Iterator[lb.Loopback]:
    with lb.Loopback() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def run_of(store: Path) -> str:
    return slowwave.open(store).manifest.provenance["run"]


def remembered(store: Path) -> set[str]:
    found = slowwave.open(store).recall("Tromso clinic dentist burial layer garden", k=50)
    return {result.text for result in found if result.kind != "turn"}


def decisions(store: Path) -> set[tuple[str, str]]:
    frame = pl.read_parquet(store / "runs" / run_of(store) / "extract.decisions.parquet")
    return set(frame.select("action", "reason").iter_rows())


def test_a_gateway_on_loopback_counts_as_hosted(tmp_path: Path, store: Path, server: lb.Loopback, capsys) -> None:
    hosted.settings(store, server)
    text = (store / "slowwave.toml").read_text().replace(f'allowed_models = ["{hosted.MODEL}"]', "allowed_models = []")
    (store / "slowwave.toml").write_text(text)
    said = hosted.log(tmp_path / "log.jsonl", "I live in Tromso.")
    assert hosted.night(store, f"jsonl={said}") == 4
    assert "is not on this machine" in capsys.readouterr().err
    assert server.requests == []


def test_sensitive_messages_stay_and_are_read_by_rules(
    tmp_path: Path, store: Path, server: lb.Loopback, capsys
) -> None:
    hosted.settings(store, server)
    said = hosted.log(
        tmp_path / "log.jsonl",
        {"session_id": "a", "message_id": "1", "content": "I live in Tromso."},
        {"session_id": "a", "message_id": "2", "content": "My doctor at the clinic says it is diabetes. I walk daily."},
        {"session_id": "a", "message_id": "3", "content": "I love gardening."},
    )
    assert hosted.night(store, f"jsonl={said}") == 0
    sent = hosted.heard(server)
    assert "Tromso" in sent and "gardening" in sent
    assert not any(word in sent for word in ("clinic", "diabetes", "walk daily"))
    assert any("clinic" in text for text in remembered(store))
    assert ("keep", "may not leave: sensitive") in decisions(store)
    assert "2 messages in 1 calls; by source: jsonl 2" in capsys.readouterr().out
    assert "openai/tiny at 127.0.0.1" in night_report(ledger.read(store, run_of(store)))
    assert "<code>openai/tiny</code> at <code>127.0.0.1" in (store / "runs" / run_of(store) / "audit.html").read_text()


def test_who_wrote_a_claim_is_said_truly(tmp_path: Path, store: Path, server: lb.Loopback) -> None:
    hosted.settings(store, server)
    said = hosted.log(tmp_path / "log.jsonl", "I live in Tromso.", "I have an appointment at the clinic on Friday.")
    hosted.night(store, f"jsonl={said}")
    claims = pl.read_parquet(store / "runs" / run_of(store) / "extract.claims.parquet")
    writers = {text: writer["model"] for text, writer in claims.select("text", "writer").iter_rows()}
    assert writers["I live in Tromso."] == hosted.MODEL
    assert {model for text, model in writers.items() if "clinic" in text} == {"offline/1"}


def test_sensitive_messages_leave_where_the_owner_says_so(tmp_path: Path, store: Path, server: lb.Loopback) -> None:
    hosted.settings(store, server, egress='max_privacy = "sensitive"')
    said = hosted.log(tmp_path / "log.jsonl", "My doctor at the clinic says it is diabetes.")
    assert hosted.night(store, f"jsonl={said}") == 0
    assert "clinic" in hosted.heard(server)


def test_what_may_not_leave_waits_where_the_owner_says_so(
    tmp_path: Path, store: Path, server: lb.Loopback, capsys
) -> None:
    hosted.settings(store, server, egress='kept_messages = "defer"')
    said = hosted.log(tmp_path / "log.jsonl", "I live in Tromso.", "My doctor at the clinic says it is diabetes.")
    assert hosted.night(store, f"jsonl={said}") == 5
    assert "1 message put off (may not leave: sensitive)" in capsys.readouterr().out
    assert remembered(store) == {"I live in Tromso."}
    hosted.settings(store, server, egress='max_privacy = "sensitive"')
    assert hosted.night(store, f"jsonl={said}", day=3) == 0
    assert len(remembered(store)) == 2


def test_a_message_that_stays_is_no_context_of_one_that_leaves(
    tmp_path: Path, store: Path, server: lb.Loopback
) -> None:
    hosted.settings(store, server)
    said = hosted.log(
        tmp_path / "log.jsonl",
        {"session_id": "a", "message_id": "1", "content": "My doctor at the clinic says it is diabetes."},
    )
    hosted.night(store, f"jsonl={said}")
    later = {"session_id": "a", "message_id": "2", "content": "I live in Tromso.", "created_at": "2026-03-02T10:00:00Z"}
    with said.open("a") as file:
        file.write(json.dumps({"role": "user", **later}) + "\n")
    hosted.night(store, f"jsonl={said}", day=3)
    assert "Tromso" in hosted.heard(server)
    assert "clinic" not in hosted.heard(server)


def test_a_line_that_was_not_shown_is_no_evidence(tmp_path: Path, store: Path, server: lb.Loopback) -> None:
    """A model that cites a number it never saw proves nothing with it."""
    server.behave = lambda _: lb.saying(lb.claim(1), lb.claim(2, statement="I am rich."))
    hosted.settings(store, server, egress='kept_words = ["Tromso"]')
    said = hosted.log(
        tmp_path / "log.jsonl",
        {"session_id": "a", "message_id": "1", "content": "Well hello from Tromso now."},
        {"session_id": "a", "message_id": "2", "content": "I grow tomatoes on the balcony."},
    )
    hosted.night(store, f"jsonl={said}")
    claims = pl.read_parquet(store / "runs" / run_of(store) / "extract.claims.parquet")
    cited = {e["message_id"] for e in claims.explode("evidence")["evidence"]}
    models = {w["model"] for w in claims["writer"]}
    assert ("1" not in cited) or models >= {"offline/1"}
    assert "I am rich." not in set(claims["text"])


def test_the_owner_of_the_samples_keeps_a_layer_off_overseas_clouds(
    tmp_path: Path, store: Path, server: lb.Loopback
) -> None:
    """The layer of the samples: by a rule of the owner's, not one message that speaks of it reaches a hosted model."""
    path = SAMPLES / "openai_messages.jsonl"
    if not path.is_file():
        pytest.skip(f"the samples are not in the repository; {path} is absent")
    hosted.settings(store, server, egress='kept_words = ["cultural", "Porirua"]')
    argv = ["night", "--store", str(store), "--source", f"openai_jsonl={path}", "--as-of", "2026-06-01T03:00Z"]
    assert main([*argv, "--plain", "--quiet"]) in (0, 5)
    assert ("keep", "may not leave: kept word") in decisions(store)
    sent = hosted.heard(server).casefold()
    # What was said beside it, in the same conversation and in another, did leave.
    assert "harbour permit renewal" in sent
    assert "zwemmen" in sent
    assert "cultural" not in sent
    assert "porirua" not in sent


def test_costs_say_to_whom_which_messages_went(tmp_path: Path, store: Path, server: lb.Loopback, capsys) -> None:
    hosted.settings(store, server, night="input_price = 1.0\noutput_price = 2.0")
    said = hosted.log(tmp_path / "log.jsonl", "I live in Tromso.", "My doctor at the clinic says it is diabetes.")
    hosted.night(store, f"jsonl={said}")
    capsys.readouterr()
    assert main(["costs", "--store", str(store), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["store"], row["stage"], row["model"], row["calls"]) == ("store", "extract", hosted.MODEL, 1)
    assert row["cost"] == pytest.approx((row["input_tokens"] + 2 * row["output_tokens"]) / 1e6, abs=1e-6)
    assert main(["costs", "--store", str(store), "--calls", "--json"]) == 0
    (call,) = json.loads(capsys.readouterr().out)
    messages = pl.concat([pl.read_parquet(path) for path in store.glob("snapshots/*/*/[0-9a-f]*.parquet")])
    keys = dict(messages.select("text", "msg_key").iter_rows())
    assert call["messages"] == [keys["I live in Tromso."]]
    assert call["has_left"]
    assert call["host"] == server.api_base.split("/")[2]


def test_costs_and_purges_of_no_store_say_so(tmp_path: Path, capsys) -> None:
    for command in (["costs"], ["cache", "purge", "--message", "m1"]):
        assert main([*command, "--store", str(tmp_path / "typo")]) != 0
        assert "there is no store at" in capsys.readouterr().err
