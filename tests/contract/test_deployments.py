"""`prefect.yaml` against Prefect's own reading of it, and against the flows that it names. No server is needed."""

from __future__ import annotations

import ast
import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from adapters.serving import ServiceSettings
from slowwave.flushing import resource_of

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "prefect.yaml").read_text(encoding="utf-8")
DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(TEXT)["deployments"]
PLACES = {
    "SLOWWAVE_ROOT": "/checkout",
    "SLOWWAVE_STORE": "/a/store",
    "SLOWWAVE_NAME": "store",
    "SLOWWAVE_CRON": "30 3 * * *",
    "SLOWWAVE_ZONE": "Europe/Lisbon",
}


def parameters(entrypoint: str) -> dict[str, bool]:
    """The parameters of a deployed flow, and whether each has a default. Read, not imported: prefect stays unloaded."""
    file, _, name = entrypoint.partition(":")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    assert any("flow" in ast.unparse(mark) for mark in found.decorator_list)
    first_default = len(found.args.args) - len(found.args.defaults)
    return {arg.arg: at >= first_default for at, arg in enumerate(found.args.args)}


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda d: d["name"])
def test_a_deployment_names_a_flow_and_gives_it_what_it_takes(deployment: dict[str, Any]) -> None:
    takes = parameters(deployment["entrypoint"])
    triggered = {name for trigger in deployment.get("triggers", []) for name in trigger["parameters"]}
    gives = set(deployment["parameters"]) | triggered
    assert gives <= set(takes)
    # What is started by hand may leave something to its form.
    is_by_hand = not (deployment.get("schedules") or deployment.get("triggers"))
    unsaid = {name for name, has_default in takes.items() if not has_default} - set(deployment["parameters"])
    assert not unsaid or is_by_hand
    assert deployment["concurrency_limit"]["limit"] == 1


def test_prefect_accepts_the_file_and_fills_in_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.cli.deploy._models import PrefectYamlModel
    from prefect.utilities.templating import apply_values

    PrefectYamlModel.model_validate(yaml.safe_load(TEXT))
    for name, place in PLACES.items():
        monkeypatch.setenv(name, place)
    found = {d["name"]: d for d in apply_values(DEPLOYMENTS, PLACES, remove_notset=False)}
    assert found.pop("fleet")["parameters"] == {}, "a fleet is no store: its folder is said by hand or in its schedule"
    assert all(d["parameters"] == {"store": "/a/store"} for d in found.values())
    assert all(d["tags"] == ["slowwave.store.store"] for d in found.values())
    assert found["nightly"]["schedules"] == [{"cron": "30 3 * * *", "timezone": "Europe/Lisbon", "active": True}]
    (trigger,) = found["flush"]["triggers"]
    assert trigger["parameters"] == {"session_id": "{{ event.payload.session_id }}"}
    assert trigger["match"]["prefect.resource.id"] == resource_of("/a/store") == "slowwave.store.store"


@pytest.mark.parametrize(
    ("zone", "changes"),
    [("Europe/Lisbon", ("2026-03-29", "2026-10-25")), ("America/New_York", ("2026-03-08", "2026-11-01"))],
)
def test_a_night_is_a_day_apart_across_both_changes_of_the_clock(zone: str, changes: tuple[str, str]) -> None:
    from prefect.server.schemas.schedules import CronSchedule

    schedule = CronSchedule(cron=ServiceSettings().cron, timezone=zone)
    for change in changes:
        start = datetime.fromisoformat(change).replace(tzinfo=ZoneInfo(zone)) - timedelta(days=2)
        dates = asyncio.run(schedule.get_dates(n=4, start=start))
        local = [date.astimezone(ZoneInfo(zone)) for date in dates]
        assert [one.strftime("%H:%M") for one in local] == ["03:30"] * 4
        assert [one.date() for one in local] == [(start + timedelta(days=n)).date() for n in range(4)]


def test_no_path_of_a_machine_is_written_down() -> None:
    places = [str(value) for d in DEPLOYMENTS for value in d["parameters"].values()]
    assert all("$SLOWWAVE_" in place for place in places)
