"""What a built version promises before it goes live: what a reader would meet, as it was looked at beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from expectations.promise import Promise, found

ABOUT = {
    "tables_as_written": "every table opens and has the rows that the manifest names",
    "indexes_cover_all_rows": "every index covers every row",
    "documents_as_written": "every document lies there as the manifest names it",
    "vectors_are_of_their_words": "every vector is named for its words and for the version's embedder",
    "vectors_are_unit": "every vector has the embedder's dimension and the length 1",
    "embedder_answers_alike": "a few texts have the same vector when it is made again",
    "questions_are_answered": "a few memories that still hold are found by their own words",
}


def probe_promises(seen: Mapping[str, Sequence[str]]) -> list[Promise]:
    """The promises of a probe, each with the rows that break it. What was not looked at is not kept."""
    facts = [found(name, about, seen.get(name, ("not looked at",))) for name, about in ABOUT.items()]
    return [Promise(f.name, f.severity, f.about, not f.observed, f.observed, f.examples) for f in facts]
