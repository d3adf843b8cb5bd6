"""`prefect.yaml` against Prefect's own reading of it, and against the flows that it names. No server is needed."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "prefect.yaml").read_text(encoding="utf-8")
DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(TEXT)["deployments"]
PLACES = {"SLOWWAVE_ROOT": "/checkout", "SLOWWAVE_STORE": "/a/store", "SLOWWAVE_SOURCE": "jsonl=/a/log"}


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
    assert {name for name, has_default in takes.items() if not has_default} <= set(deployment["parameters"])
    assert deployment["concurrency_limit"]["limit"] == 1


def test_prefect_accepts_the_file_and_fills_in_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.cli.deploy._models import PrefectYamlModel
    from prefect.utilities.templating import apply_values

    PrefectYamlModel.model_validate(yaml.safe_load(TEXT))
    for name, place in PLACES.items():
        monkeypatch.setenv(name, place)
    nightly, flush, *guards = apply_values(DEPLOYMENTS, PLACES, remove_notset=False)
    assert nightly["parameters"] == flush["parameters"] == {"store": "/a/store", "sources": ["jsonl=/a/log"]}
    assert [guard["parameters"] for guard in guards] == [{"store": "/a/store"}] * 2
    assert flush["triggers"][0]["parameters"] == {"session_id": "{{ event.payload.session_id }}"}


def test_no_path_of_a_machine_is_written_down() -> None:
    places = [str(value) for d in DEPLOYMENTS for value in d["parameters"].values()]
    assert all("$SLOWWAVE_" in place for place in places)
