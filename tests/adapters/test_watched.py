"""Files that guards watch are read within bounds and never changed; a bad one is one finding, and the others are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapters.watched import parsed, read_watched
from expectations.guards.watch import facts
from models.guarding import GuardRules, Invariant, WatchedFile
from tests.expectations.watching import seen

PLACES = ("agent.toml", "agent.json", "agent.yaml", "agent.yml", "agent.ini")
RULES = GuardRules(
    folders=("agent",),
    max_file_bytes=200_000,
    invariants={place: Invariant(file=place, path="city", equals="Lisbon") for place in PLACES},
)
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MERGES = "a0: &a0 {k: v, l: w}\n" + "".join(f"a{n}: &a{n}\n  <<: [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
ROUND = b"&a [*a]\n"
HOSTILE = {
    "agent.toml": {
        "broken": b"city = \n",
        "twice": b"city = 'a'\ncity = 'b'\n",
        "deep": b"a = " + b"[" * 50_000,
        "a number without end": b"n = " + b"9" * 50_000,
    },
    "agent.json": {
        "broken": b'{"city": ',
        "deep": b"[" * 100_000,
        "words": b"the city is Lisbon",
        "comments without end": b"{" + b"/*" * 50_000,
        "quotes without end": b'{"' + b'\\"' * 50_000,
    },
    "agent.yaml": {
        "bomb": BOMB.encode(),
        "merges": MERGES.encode(),
        "deep": b"[" * 100_000,
        "an object": b"city: !!python/object/apply:os.system ['touch owned']\n",
        "no day": b"day: 2026-99-99\n",
        "unhashable": b"? [a]\n: b\n",
        "round": ROUND,
    },
    "agent.yml": {"not a text": b"\0\0", "no UTF-8": b"\xff\xfe\xfa", "large": b"#" * 300_000},
    "agent.ini": {"of no known form": b"[agent]\ncity = Lisbon\n"},
}
CASES = [
    pytest.param(name, content, id=f"{name}: {what}")
    for name, whats in HOSTILE.items()
    for what, content in whats.items()
]


def written(home: Path, **files: bytes | str) -> Path:
    folder = home / "agent"
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def by_path(found: list[WatchedFile]) -> dict[str, WatchedFile]:
    return {file.path: file for file in found}


@pytest.mark.parametrize(("name", "content"), CASES)
def test_a_hostile_file_is_one_finding_and_the_others_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    others = {place: f'{{"city": "{"Porto" if place == "agent.json" else "Lisbon"}"}}' for place in PLACES[:-1]}
    others["agent.toml"] = "city = 'Porto'"
    written(tmp_path, **(others | {name: content}))
    monkeypatch.chdir(tmp_path)
    # What would take the square of its length in time does not end before the test is stopped.
    given = seen(files=tuple(read_watched(RULES, tmp_path)))
    found = {fact.name: fact for fact in facts(given, RULES)}
    drifted = {place.partition(":")[0] for place in found["drift.invariants"].examples}
    is_read = content == ROUND
    assert found["files.read"].observed == (0 if is_read else 1)
    assert name in drifted
    for place, says in (("agent.toml", "Porto"), ("agent.json", "Porto"), ("agent.yaml", "Lisbon")):
        if place != name:
            assert (place in drifted) is (says == "Porto")
    assert not (tmp_path / "owned").exists()
    assert not any("Lisbon" in one.fault or "touch" in one.fault for one in given.files)


def test_what_agents_write_as_json_is_read() -> None:
    text = '{\n\t// a comment\n\tcity: "Lisbon", url: "http://a//b", /* and\n another */ list: [1, 2,],\n}'
    assert parsed("openclaw.json", text) == ({"city": "Lisbon", "url": "http://a//b", "list": [1, 2]}, "")


def test_anchors_within_bounds_are_read() -> None:
    assert parsed("a.yaml", "a: &a {city: Lisbon}\nb: *a\n")[0]["b"] == {"city": "Lisbon"}


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    folder = written(tmp_path, **{"MEMORY.md": "# Memory\n"})
    (tmp_path / "private").mkdir()
    (tmp_path / "private/secret.md").write_text("- [ ] secret 2020-01-01\n")
    (folder / "out.md").symlink_to(tmp_path / "private/secret.md")
    (folder / "topics").symlink_to(tmp_path / "private")
    (folder / "inside.md").symlink_to(folder / "MEMORY.md")
    (folder / "nowhere.md").symlink_to(folder / "gone.md")
    (folder / "round.md").symlink_to(folder / "round.md")
    found = by_path(read_watched(RULES, tmp_path))
    assert {path: file.fault for path, file in found.items() if file.fault} == {
        "out.md": "a link out of the folder, which is not followed",
        "topics": "a link out of the folder, which is not followed",
        "nowhere.md": "no such file or directory",
        "round.md": "too many levels of symbolic links",
    }
    assert found["inside.md"].text == "# Memory\n"
    assert not any("secret" in file.text for file in found.values())


def test_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(written(tmp_path) / "notes.md")
    assert by_path(read_watched(RULES, tmp_path))["notes.md"].fault == "not a plain file"


def test_a_folder_that_is_not_there_and_too_many_files_are_told(tmp_path: Path) -> None:
    written(tmp_path, **{f"{n}.md": "x" for n in range(5)})
    rules = GuardRules(folders=("gone", "agent"), max_files=3)
    assert [file.fault for file in read_watched(rules, tmp_path) if file.fault] == [
        "the folder is not there",
        "more than 3 files; the rest is not looked at",
    ]


def test_two_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for home in ("a/agent", "b/agent"):
        (tmp_path / home).mkdir(parents=True)
        (tmp_path / home / "MEMORY.md").write_text("x")
    found = read_watched(GuardRules(folders=("a/agent", "b/agent")), tmp_path)
    assert [file.name for file in found] == ["agent/MEMORY.md", "agent#2/MEMORY.md"]


def test_names_are_shown_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    written(tmp_path, **{"a\x1b[31mb.md": "x"})
    assert [file.name for file in read_watched(RULES, tmp_path)] == ["agent/a\\x1b[31mb.md"]


def test_programs_are_passed_by(tmp_path: Path) -> None:
    written(tmp_path, **{"node_modules/x/README.md": "x", "notes/a.md": "x"})
    assert [file.path for file in read_watched(RULES, tmp_path)] == ["notes/a.md"]
