"""What is wrong with an object store is said in a sentence with the next step, and nobody's words or keys get where they must not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import slowwave
from slowwave.cli import main
from slowwave.errors import UsageError
from slowwave.remote import is_remote, objects, place_of
from slowwave.remote.mirror import is_of_store
from slowwave.remote.objects import opened
from tests.contract.objects import Home, ObjectServer

Capture = pytest.CaptureFixture[str]
KEY, SECRET = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried again, and no credentials are looked for outside of this machine."""
    monkeypatch.setattr(objects, "_RETRY", {"max_retries": 0})
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")
    objects._kept.cache_clear()


def complains(capsys: Capture, *command: str, status: int = 2) -> str:
    assert main(list(command)) == status
    said = capsys.readouterr().err
    assert "next: " in said and "Traceback" not in said and "test-secret" not in said
    return said


def commands(store: str) -> list[list[str]]:
    return [["recall", "--store", store, "tea"], ["night", "--store", store, "--quiet"], ["log", "--store", store]]


def test_no_bucket(bucket: str, capsys: Capture) -> None:
    for command in commands("s3://no-such-bucket/ana"):
        assert "there is no bucket no-such-bucket at http://127.0.0.1" in complains(capsys, *command)
    with pytest.raises(slowwave.SlowwaveError, match="there is no bucket"):
        slowwave.record("s3://no-such-bucket/ana", [{"session_id": "s", "role": "user", "content": "x"}])


def test_no_permission(remote: Home, object_server: ObjectServer, capsys: Capture) -> None:
    object_server.fate = lambda *_: "AccessDenied"
    for command in commands(str(remote.store)):
        said = complains(capsys, *command)
        assert "was refused" in said and "Check the credentials" in said


def test_no_credentials(remote: Home, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for name in (KEY, SECRET):
        monkeypatch.delenv(name)
    for command in commands(str(remote.store)):
        assert "Set AWS_ACCESS_KEY_ID" in complains(capsys, *command)


def test_nobody_there(remote: Home, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert "does not answer" in complains(capsys, "recall", "--store", str(remote.store), "tea", status=4)


def test_nothing_published(remote: Home, capsys: Capture) -> None:
    said = complains(capsys, "recall", "--store", str(remote.store), "tea")
    assert f"nothing has been published in {remote.store} yet" in said
    assert slowwave.bundle(remote.store, "tea").version is None


def test_plain_http_leaves_this_machine_only_where_that_is_allowed(
    remote: Home, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://objects.example.org:9000")
    said = complains(capsys, "recall", "--store", str(remote.store), "tea")
    assert "plain http to objects.example.org" in said and "AWS_ALLOW_HTTP" in said
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    opened(place_of(remote.store))


def test_a_server_that_does_not_keep_to_conditions_gets_no_night(
    remote: Home, object_server: ObjectServer, capsys: Capture
) -> None:
    remote.said(1, "I live in Porto.")
    object_server.ignores_conditions = True
    said = complains(capsys, "night", "--store", str(remote.store), "--quiet")
    assert "does not keep to conditional puts" in said
    assert "CURRENT" not in opened(place_of(remote.store)).list()


def test_obstore_is_not_installed(remote: Home, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
    assert "slowwave[remote]" in complains(capsys, "recall", "--store", str(remote.store), "tea")


@pytest.mark.parametrize(
    "address",
    ["s3://bucket", "s3://bucket/", "s3:///ana", "s3://bucket/../ana", "s3://b/a", "gs://bucket/ana", "s3://bu\nck/a"],
)
def test_what_is_no_address_of_a_store(address: str, capsys: Capture) -> None:
    assert is_remote(address)
    assert "s3://BUCKET/PREFIX" in complains(capsys, "recall", "--store", address, "tea")
    with pytest.raises(UsageError):
        slowwave.flush(address, "s1", "near_compaction")


def test_an_address_that_was_made_a_path_is_still_that_address(remote: Home) -> None:
    assert place_of(Path(str(remote.store))) == place_of(str(remote.store)) == place_of(f"{remote.store}/")


@pytest.mark.parametrize(
    "key", ["../x", "inbox/../../x", "/etc/passwd", "inbox//x", "inbox/.x", ".lease", "other/x", "x", "inbox/a\\b"]
)
def test_no_object_leads_out_of_the_folder(key: str) -> None:
    assert not is_of_store(key)


def test_what_else_lies_under_the_prefix_stays_and_no_secret_is_written_down(
    remote: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = opened(place_of(remote.store))
    for key in ("photos/cat.jpg", "notes.txt"):
        there.put(key, b"mine", None)
    remote.said(1, "I live in Porto.")
    remote.night("2026-03-02")
    remote.night("2026-04-02", retention={"keep_versions": 1, "grace_hours": 0})
    assert there.get("photos/cat.jpg") and there.get("notes.txt")
    assert not list(tmp_path.rglob("cat.jpg"))
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    kept += [found[0] for key in there.list() if (found := there.get(key))]
    assert len(kept) > 100 and not any(b"test-secret" in content for content in kept)


def test_what_is_fetched_is_the_owners_alone(remote: Home, tmp_path: Path) -> None:
    remote.said(1, "I live in Porto.")
    remote.night("2026-03-02")
    remote.recalls("Where do I live?")
    found = [path for path in (tmp_path / "machine").rglob("*")]
    assert len(found) > 100 and not any(path.stat().st_mode & 0o077 for path in found)
