"""Each guard over a folder that is as it should be, and over one that is not; and what it says of memory."""

from __future__ import annotations

from typing import Any

import pytest

from expectations.guards.repeats import Month, by_month
from expectations.guards.watch import GUARDS, check, facts
from expectations.promise import Severity
from models.guarding import FileBudget, GuardRules, Invariant, JobFile, is_named
from models.rules import Profile
from tests.expectations.watching import FIXTURES, broken, looked, memory, seen
from tests.make import at

CITY = {"subject": "user", "attribute": "home_city"}
DRIFT = GuardRules(
    invariants={
        "home": Invariant(file="agent.toml", path="home.city", **CITY),
        "home_again": Invariant(file="agent.yaml", path="home.city", **CITY),
        "home_of_the_gateway": Invariant(file="openclaw.json", path="agents.defaults.home", **CITY),
        "quiet": Invariant(file="agent.toml", path="quiet.before", equals=10),
        "quiet_days": Invariant(file="agent.toml", path="quiet.days", equals=("Saturday", "Sunday")),
    }
)
RULES: dict[str, GuardRules] = {"drift": DRIFT}


def rules_of(guard: str) -> GuardRules:
    return RULES.get(guard, GuardRules())


# A passing and a failing folder for each


@pytest.mark.parametrize("guard", GUARDS)
def test_what_is_as_it_should_be_passes(guard: Any) -> None:
    rules = rules_of(guard)
    given = seen(FIXTURES / guard / "good", rules=rules)
    assert given.files, "a guard over no file would pass as well"
    assert broken(guard, given, rules) == {}


FAILING: dict[str, dict[str, tuple[str, ...]]] = {
    "budget": {"budget.files": ("bad/MEMORY-L0.md (8897 of 8192 bytes; tier l0)",)},
    "staleness": {
        "staleness.reviews": ("bad/MEMORY.md:2", "bad/MEMORY.md:3"),
        "staleness.actions": ("bad/MEMORY.md:4", "bad/MEMORY.md:5"),
        "staleness.countdowns": ("bad/MEMORY.md:6", "bad/memory/2026-02-23.md:1"),
        "staleness.unanchored": ("bad/MEMORY.md:7",),
    },
    "lessons": {
        "lessons.enforcement": ("bad/ERRORS.md:3", "bad/ERRORS.md:6"),
        "lessons.repeat_of": ("bad/ERRORS.md:3",),
        "lessons.known": ("bad/ERRORS.md:6",),
    },
    "enforcement": {
        "enforcement.recurred": ("bad/ERRORS.md:3 (again at bad/ERRORS.md:7, bad/ERRORS.md:11; 2 in all)",)
    },
    "repeats": {"repeats.rate": ("2026-02: 2 of 3",), "repeats.dated": ("bad/ERRORS.md:15",)},
    "drift": {
        "drift.invariants": (
            "home: home.city in bad/agent.toml is another",
            "home_again: home.city in bad/agent.yaml is another",
            "home_of_the_gateway: agents.defaults.home in bad/openclaw.json is not set",
            "quiet: quiet.before in bad/agent.toml is another",
        )
    },
    "delivery": {
        "delivery.handles": tuple(
            f"bad/cron/jobs.json: job {name}" for name in ("4", "Weekly digest", "evening", "morning")
        )
    },
}


@pytest.mark.parametrize("guard", GUARDS)
def test_what_is_not_is_found_where_it_stands(guard: Any) -> None:
    rules = rules_of(guard)
    assert broken(guard, seen(FIXTURES / guard / "bad", rules=rules), rules) == FAILING[guard]


# Budget


def test_published_documents_and_tiers_have_budgets_too() -> None:
    assert broken("budget", seen(profiles={"snapshot": Profile(max_tokens=3)})) == {
        "budget.documents": ("snapshot.md",)
    }
    small = GuardRules(max_searchable_tokens=5)
    assert set(broken("budget", seen(), small)) == {"budget.searchable"}
    assert looked("budget", seen(), small)["budget.searchable"].observed > 5


def test_a_file_has_a_budget_in_tokens_where_that_is_set() -> None:
    rules = GuardRules(budgets={"boot": FileBudget(files=("*.md",), max_tokens=3)})
    assert "of 3 tokens; tier boot" in broken("budget", seen(FIXTURES / "budget/good"), rules)["budget.files"][0]


@pytest.mark.parametrize(
    ("path", "pattern", "is_one"),
    [
        ("memory/MEMORY.md", "MEMORY.md", True),
        ("memory/MEMORY.md", "memory/*.md", True),
        ("memory/topics/a.md", "memory/*.md", False),
        ("memory/topics/a.md", "memory/**/*.md", True),
        ("memory/a.md", "memory/**/*.md", True),
        ("xMEMORYymd", "MEMORY.md", False),
        ("memory/a+b.md", "memory/a+b.m?", True),
    ],
)
def test_a_file_is_named_by_its_name_or_by_its_path(path: str, pattern: str, is_one: bool) -> None:
    assert is_named(path, pattern) is is_one


# Staleness


def promised(**more: Any) -> dict[str, Any]:
    row = {"kind": "goal_or_commitment", "commitment_state": "overdue", "due_at": at("2026-02-20T23:00")}
    return memory(3, **{**row, **more})


def test_a_promise_long_overdue_is_stale_and_named_by_its_id() -> None:
    fact = looked("staleness", seen(None, promised()))["staleness.promises"]
    assert fact.observed == 1 and fact.examples == fact.memory_ids == ("mem_3",)


@pytest.mark.parametrize(
    "more",
    [
        {"due_at": at("2026-03-05T23:00")},
        {"commitment_state": "fulfilled"},
        {"status": "superseded"},
        {"due_at": None},
    ],
    ids=["lately", "fulfilled", "superseded", "undated"],
)
def test_other_promises_are_not(more: dict[str, Any]) -> None:
    assert broken("staleness", seen(None, promised(**more))) == {}


def test_a_countdown_of_memory_is_held_against_its_due_date() -> None:
    wrong = promised(text="The lease ends in 99 days.", due_at=at("2026-06-01T20:00"), commitment_state="open")
    right = {**wrong, "text": "The lease ends in 84 days."}
    assert broken("staleness", seen(None, wrong)) == {"staleness.countdowns": ("mem_3",)}
    assert broken("staleness", seen(None, right)) == {}


def test_a_review_date_in_memory_counts_as_in_files() -> None:
    row = memory(0, text="The boat is insured with Maré. Review-by: 2026-02-01")
    assert looked("staleness", seen(None, row))["staleness.reviews"].memory_ids == ("mem_0",)


# Lessons, enforcement, repeats


def lesson(**more: Any) -> dict[str, Any]:
    return memory(2, **{"kind": "tool_or_workflow_lesson", **more})


def test_a_lesson_in_memory_is_checked_where_its_words_carry_the_lines() -> None:
    quotes = {"mem_2": ("Never use last.\nEnforcement: advisory",)}
    found = looked("lessons", seen(None, lesson(), quotes=quotes))
    assert found["lessons.repeat_of"].memory_ids == ("mem_2",)
    assert found["lessons.enforcement"].observed == 0
    assert broken("lessons", seen(None, lesson())) == {}, "it has no place for such lines"


def test_errors_are_counted_by_month() -> None:
    given = seen(FIXTURES / "repeats/good")
    assert by_month(given, GuardRules()) == [Month("2026-01", 2, 1), Month("2026-02", 4, 1)]


def test_a_month_of_few_errors_or_long_ago_is_not_judged() -> None:
    assert set(broken("repeats", seen(FIXTURES / "repeats/bad"), GuardRules(min_errors=4))) == {"repeats.dated"}
    assert set(broken("repeats", seen(FIXTURES / "repeats/bad", as_of=at("2026-04-02T09:00")))) == {"repeats.dated"}


# Drift


def drifting(*rows: dict[str, Any], rules: GuardRules = DRIFT) -> dict[str, tuple[str, ...]]:
    return broken("drift", seen(FIXTURES / "drift/good", *rows, rules=rules), rules)


def test_what_memory_says_now_is_what_counts() -> None:
    moved = memory(0, attribute="home_city", value="Porto")
    assert len(drifting(moved)["drift.invariants"]) == 3
    past = memory(1, attribute="home_city", value="Porto", valid_to=at("2026-01-01T00:00"))
    now = memory(0, attribute="home_city", value="Lisbon")
    assert drifting(past, now) == {}
    denied = memory(1, attribute="home_city", value="Porto", polarity="negate")
    assert drifting(denied, now) == {}


def test_a_finding_names_the_memory_and_never_a_value() -> None:
    given = seen(FIXTURES / "drift/bad", rules=DRIFT)
    fact = looked("drift", given, DRIFT)["drift.invariants"]
    assert fact.memory_ids == ("mem_0",)
    assert not [word for place in fact.examples for word in ("Porto", "Lisbon") if word in place]


def test_what_memory_does_not_know_is_told_apart() -> None:
    rules = GuardRules(invariants={"pet": Invariant(file="agent.toml", path="pet", attribute="pet")})
    assert drifting(rules=rules) == {"drift.memory": ("pet",)}


def test_a_file_that_is_not_there_has_drifted() -> None:
    rules = GuardRules(invariants={"zone": Invariant(file="gone.toml", path="zone", equals="UTC")})
    assert drifting(rules=rules) == {"drift.invariants": ("zone: no file gone.toml",)}


def test_a_list_holds_all_that_memory_says_or_a_value_one_of_them() -> None:
    rows = [memory(n, id=f"mem_{n}", attribute="quiet_day", value=day) for n, day in enumerate(("sunday", "Saturday"))]
    day = {"attribute": "quiet_day", "file": "agent.toml"}
    rules = GuardRules(
        invariants={"all": Invariant(path="quiet.days", **day), "one": Invariant(path=("quiet", "days", "0"), **day)}
    )
    assert drifting(*rows, rules=rules) == {}
    assert set(drifting(rows[0], rules=rules)) == {"drift.invariants"}


@pytest.mark.parametrize("given", [{}, {"equals": 1, "attribute": "x"}])
def test_an_invariant_has_one_source(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="either equals or attribute"):
        Invariant(file="a.toml", path="x", **given)


# Delivery


def test_jobs_that_are_elsewhere_are_told() -> None:
    rules = GuardRules(jobs={"x": JobFile(file="cron/jobs.json", jobs="schedules")})
    given = seen(FIXTURES / "delivery/good", rules=rules)
    assert broken("delivery", given, rules) == {"delivery.jobs": ("good/cron/jobs.json",)}


# All together


def test_settings_say_which_guards_block() -> None:
    rules = GuardRules(blocking=("staleness",))
    severities = {(fact.name.split(".")[0], fact.severity) for fact in facts(seen(), rules)}
    assert {name for name, severity in severities if severity is Severity.BLOCKING} == {"files", "staleness"}


def test_the_report_tells_broken_from_noted_and_proposes() -> None:
    report = check(seen(FIXTURES / "drift/bad", promised(), rules=DRIFT), DRIFT)
    assert {promise.name for promise in report.broken} == {"drift.invariants"}
    assert {promise.name for promise in report.warnings} == {"drift.memory", "staleness.promises"}
    told = {one["name"]: one for one in report.to_dict()["promises"]}
    assert told["staleness.promises"]["memory_ids"] == ["mem_3"]
    assert told["staleness.promises"]["proposal"].startswith("Tell the agent")
    assert "proposal" not in told["budget.files"]
