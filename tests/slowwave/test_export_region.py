"""A marked region: what others have in a file stays byte for byte, in and around what is ours."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from slowwave.export import region
from slowwave.export.known import Known
from slowwave.export.target import Line, Made, Merged, Room, Target
from slowwave.fit import Budget, cost

HEADS = ["# A", "## B", ""]
ITEM = (
    st.text(alphabet="abé甲 x", min_size=1, max_size=12)
    .map(lambda t: f"- {' '.join(t.split())}")
    .filter(lambda t: len(t) > 2)
)
OURS = st.lists(ITEM | st.sampled_from(HEADS), max_size=7, unique=True)
FOREIGN = st.text(alphabet="ab\n\r<!->é甲\udce9\ufeff ", max_size=40)
CAP = st.none() | st.integers(0, 400)


def target(texts: list[str], cap: int | None = None, *, is_first: bool = False) -> Target:
    def make(room: Room) -> Made:
        used, lines = room.used, list[Line]()
        for text in texts:
            is_head = text in HEADS
            if (is_head or room.is_free(text)) and (used + cost(text)).is_within(room.budget):
                used += cost(text)
                lines.append(Line(text, "" if is_head else f"mem_{text}"))
        return Made(lines)

    return Target("A.md", make, cap=Budget(max_bytes=cap), is_first=is_first)


def merge(current: str | None, texts: list[str], known: Known | None = None, cap: int | None = None) -> Merged:
    return region.merge(current, target(texts, cap), known or Known())


def n_bytes(text: str | None) -> int:
    return len((text or "").encode("utf-8", "surrogateescape"))


@settings(max_examples=400, deadline=None)
@given(FOREIGN, OURS, OURS, CAP, st.booleans())
def test_around_ours_every_byte_stays_and_comes_back(
    there: str, one: list[str], two: list[str], cap: int | None, is_first: bool
) -> None:
    first = region.merge(there, target(one, cap, is_first=is_first), Known())
    second = region.merge(first.text, target(two, cap, is_first=is_first), first.known)
    for made in (first, second):
        if made.known.lines:
            found = region.find(made.text or "")
            body = "\n".join(line.removesuffix("\r") for line in found.body or [])
            joined = (found.before + found.after).replace("\r", "").replace("\n", "")
            assert joined == there.replace("\r", "").replace("\n", "") and body
            assert cap is None or n_bytes(made.text) <= cap
        else:
            assert (made.text or "") == there
    assert region.merge(second.text, target(two, cap, is_first=is_first), second.known).text == second.text
    assert (region.merge(second.text, target([]), second.known).text or "") == there


EDIT = st.tuples(
    st.sampled_from(["add", "change", "drop"]), st.integers(0, 20), st.sampled_from(["mine", " mine too ", "- 甲 mine"])
)


@settings(max_examples=400, deadline=None)
@example("", ["- aa", "# A", "- a"], ["- a"], [("add", 3, "mine")])
@given(FOREIGN, OURS, OURS, st.lists(EDIT, max_size=5))
def test_what_somebody_did_among_ours_stays(
    there: str, one: list[str], two: list[str], edits: list[tuple[str, int, str]]
) -> None:
    first = merge(there, one)
    if not first.known.lines:
        return
    found = region.find(first.text or "")
    start = (first.text or "").index("\n", len(found.before)) + 1
    end = (first.text or "").rindex(region.END)
    lines = (first.text or "")[start:end].split("\n")[:-1]
    for how, at, text in edits:
        place = at % (len(lines) + 1)
        if how == "add":
            lines.insert(place, text)
        elif place < len(lines):
            lines[place : place + 1] = [text] if how == "change" else []
    edited = (first.text or "")[:start] + "".join(f"{line}\n" for line in lines) + (first.text or "")[end:]
    second = merge(edited, two, first.known)
    after = region.find(second.text or "")
    theirs = [line for line in lines if "mine" in line]
    # Each goes with the line of ours that it was written under, and those may stand in another order now.
    assert sorted(line for line in after.body or [] if "mine" in line) == sorted(theirs)
    assert sorted(second.kept) == sorted(theirs) if theirs else True
    gone = {text for text in one if text not in HEADS} - {line.strip() for line in lines}
    assert not gone & set(after.body or []), "what somebody took out or changed came back"
    assert merge(second.text, two, second.known).text == second.text


def test_a_line_of_theirs_stays_under_the_line_it_was_written_under() -> None:
    first = merge("Mine.\n", ["## Facts", "- a", "- b", "", "## Lessons", "- c"])
    edited = (first.text or "").replace("- b\n", "- b\nabout b\n\nmore about b\n")
    second = merge(edited, ["## Facts", "- new", "- a", "", "## Lessons", "- c"], first.known)
    body = region.find(second.text or "").body
    assert body == ["## Facts", "- new", "- a", "about b", "", "more about b", "", "## Lessons", "- c"]


def test_a_changed_line_keeps_its_memory_out_and_is_told() -> None:
    first = merge(None, ["- a", "- b"])
    second = merge((first.text or "").replace("- b", "- b, mostly"), ["- a", "- b", "- c"], first.known)
    assert region.find(second.text or "").body == ["- a", "- b, mostly", "- c"]
    assert list(second.kept) == ["- b, mostly"] and list(second.held_ids) == ["mem_- b"]


def test_a_region_that_nobody_touched_is_ours_though_our_record_is_lost() -> None:
    first = merge("Mine.\n", ["- a", "- b"])
    assert merge(first.text, ["- c"]).text == merge("Mine.\n", ["- c"]).text
    touched = merge((first.text or "").replace("- b", "- b!"), ["- c"])
    assert region.find(touched.text or "").body == ["- a", "- b!", "- c"] or "- b!" in (touched.text or "")


def test_a_region_somebody_took_out_whole_is_begun_anew() -> None:
    first = merge("Mine.\n", ["- a"])
    assert merge("Mine, now.\n", ["- a"], first.known).text == merge("Mine, now.\n", ["- a"]).text


def test_line_ends_of_a_file_are_kept() -> None:
    made = merge("One.\r\nTwo.\r\n", ["- a", "- b"])
    assert (made.text or "").count("\n") == (made.text or "").count("\r\n") > 5
    assert merge(made.text, ["- a", "- b"], made.known).text == made.text
    saved_by_windows = (merge("Mine.\n", ["- a"]).text or "").replace("\n", "\r\n")
    again = merge(saved_by_windows, ["- a"], merge("Mine.\n", ["- a"]).known)
    assert again.text == saved_by_windows and not again.kept


def test_a_lone_mark_of_somebodys_is_text() -> None:
    stray = "<!-- slowwave 0123456789ab: made from memory; what you write or change here stays yours -->\nMine.\n"
    first = merge(stray, ["- a"])
    assert (first.text or "").startswith(stray)
    second = merge(first.text, ["- b"], first.known)
    assert (second.text or "").startswith(stray) and "- a" not in (second.text or "")


def test_what_stands_in_the_file_already_is_not_said_twice() -> None:
    assert merge("- a\n", ["- a"]).text == "- a\n"


def test_the_cap_holds_where_every_line_break_is_of_two_characters() -> None:
    there = "é\r\n" * 40
    many = [f"- {i}" for i in range(200)]
    for cap in range(300, 420):
        made = merge(there, many, cap=cap)
        assert cap - 40 < n_bytes(made.text) <= cap or made.text == there
        assert merge(made.text, many, made.known, cap).text == made.text
