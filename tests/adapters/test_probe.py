"""The questions that a version is asked before it goes live: chosen so that only a fault can leave one unanswered."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.publish.probe import N_QUESTIONS, probe, questions
from adapters.publish.tables import TABLES
from models.memory import PLACES, PublishedMemory, Vector
from models.table import empty, rows_to_frame
from slowwave.format import Status
from tests.make import memory
from tests.stores import build


def published(*texts: str, **more: object) -> list:
    return [memory(text, id=f"mem_{n}", message_id=f"m{n}", **more) for n, text in enumerate(texts)]


def frame(rows: list):
    known = PublishedMemory.model_fields.keys() - set(PLACES)
    return rows_to_frame(PublishedMemory, [r.model_dump(include=known) | dict.fromkeys(PLACES, ()) for r in rows])


def test_what_tells_a_memory_apart_is_asked_and_what_says_nothing_is_not() -> None:
    rows = published(
        "They were there with them.",
        "👍👍👍👍👍👍",
        "Because of this, yourself.",
        "https://example.org/" + "a" * 60,
        "My landlord raises the monthly rent.",
        "Ines practises the viola concerto.",
    )
    assert {row for row, _ in questions(frame(rows), None)} == {"mem_4", "mem_5"}


def test_what_held_before_and_holds_is_asked_first() -> None:
    rows = published(*(f"Statement number {n} concerns something particular{n}." for n in range(9)))
    before = frame([rows[2], rows[3].model_copy(update={"status": Status.EXPIRED})])
    assert [row for row, _ in questions(frame(rows), before)] == ["mem_2"]
    assert len(questions(frame(rows), None)) == N_QUESTIONS
    assert questions(frame(rows), empty(PublishedMemory)) == questions(frame(rows), None)


@pytest.mark.parametrize(
    "texts",
    [
        ["They were there with them.", "Only this and that."],
        ["私は毎朝公園を走ります。", "妹はビオラを弾きます。"],
        ["J'habite à Montréal depuis février.", "Øyvind kommer på besøk i påsken."],
        ["Wij hadden hoeveel moeten worden.", "Onze zeevakantie hebben we moeten afzeggen."],
        ["Warum werden meinem deinem welchem?", "L'échelle d'Amélie, jusqu'à l'étage."],
        ["The same sentence again and again."] * 40,
        ["x" * 3000, "0x" + "f" * 64, "a_b-c.d/e@f.example"],
        [],
    ],
)
def test_honest_versions_answer_all_that_they_are_asked(tmp_path: Path, texts: list[str]) -> None:
    rows = published(*texts)
    made = build(tmp_path, memories=rows, embedder="none")
    frames = {name: empty(table) for name, table in TABLES.items()} | {
        "vectors": empty(Vector),
        "memories": frame(rows),
    }
    found = probe(tmp_path, made, frames, None, None)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
