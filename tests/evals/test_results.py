"""Results: what is compared, what counts as chance, and a page whose every figure is a result file's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.__main__ import main
from evals.compare import compare, told
from evals.figures import changes, flat, read_results
from evals.report import PAGE, PLOT, page, plot, render, short_of
from evals.run import PARTS, run
from slowwave.errors import UsageError


def result(**figures: Any) -> dict[str, Any]:
    place = {"commit": "abc", "load_average": [1.0, 1.0, 1.0]}
    return {"command": "python -m evals world", "surroundings": place, "figures": figures}


def test_the_page_of_results_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m evals report"
    assert PLOT.read_text(encoding="utf-8") == plot(), "run python -m evals report"


def test_every_figure_on_the_page_stands_in_a_result_file() -> None:
    known = {f"{value:g}" for one in read_results(Path("evals/results")).values() for _, value in flat(one["figures"])}
    known |= {f"{float(value):,.0f}" for value in known if abs(float(value)) >= 1000}
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| **slowwave**")]
    cells = [cell for row in rows for cell in row.split(" | ")[1:] if cell.strip(" |")]
    assert cells
    assert not [cell for cell in cells if cell.strip(" |") not in known]


def test_a_page_has_the_sections_whose_results_are_there() -> None:
    assert "## " not in render({})
    shares = {"points": 1.0, "from": 0.5, "to": 1.5}
    made = result(n_questions=9, found_at_10=70.0, arms={"vectors": shares}, stages={}, ranking={})
    assert "| arms | vectors | 1 | 0.5 to 1.5 |" in render({"ablations": made})


def test_what_misses_its_bar_is_named() -> None:
    good = dict.fromkeys(
        ("commitments", "contradictions", "as_of", "preferences", "collaborators", "projects", "routines"), 100.0
    )
    assert short_of({"scores": {**good, "junk": 2.0}}) == []
    assert short_of({"scores": {**good, "junk": 2.1, "as_of": 99.9}}) == ["as_of", "junk"]


def test_a_share_is_worse_only_beyond_chance() -> None:
    def moved(after: float, n: int) -> bool:
        old = result(scores={"as_of": 90.0}, judged={"as_of": n})
        (change,) = changes(old, result(scores={"as_of": after}, judged={"as_of": n}))
        return change.is_worse

    assert not moved(88.0, 50)
    assert moved(88.0, 5000)
    assert not moved(95.0, 5000)


def test_less_is_better_of_what_is_no_good() -> None:
    (change,) = changes(
        result(scores={"junk": 1.0}, judged={"junk": 900}), result(scores={"junk": 9.0}, judged={"junk": 900})
    )
    assert change.is_worse
    (cheaper,) = changes(result(calls=9), result(calls=4))
    assert not cheaper.is_worse


def test_two_folders_are_compared_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, value in (("a", 10.0), ("b", 4.0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "locomo.json").write_text(json.dumps(result(recall_at_10=value)))
    assert list(told(compare(tmp_path / "a", tmp_path / "a"))) == ["locomo: the same"]
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "worse  recall_at_10: 10 -> 4" in capsys.readouterr().out
    assert main(["compare", str(tmp_path / "b"), str(tmp_path / "a")]) == 0
    with pytest.raises(UsageError, match="hold no result of one name"):
        compare(tmp_path, tmp_path / "a") if (tmp_path / "x.json").write_text(json.dumps(result())) else None


def test_what_can_not_be_run_is_said_before_anything_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no part"):
        run(["nothing"], None, tmp_path)
    with pytest.raises(UsageError, match="needs data"):
        run(["locomo"], None, tmp_path)
    assert {"world", "world-offline", "baselines-world", "baselines-locomo", "longmemeval", "ablations"} <= PARTS.keys()
