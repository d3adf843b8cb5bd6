"""The page of results: tables made from result files alone, so that no figure on it is typed by hand.

`docs/evals.md` is this page over `evals/results`; a test holds it. The words are in `report.toml`. Belongs here: tables. Does not belong
here: arithmetic (`figures`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evals.figures import FOLDER, read_results
from evals.machine import ROOT
from evals.plot import plots

PAGE = ROOT / "docs" / "evals.md"
PLOT = ROOT / "docs" / "growth.svg"
_WORDS = Path(__file__).with_suffix(".toml")
Row = dict[str, Any]
Results = Mapping[str, Row]


@cache
def words() -> Row:
    """The page's words, by section."""
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))


def render(results: Results) -> str:
    """The page, of those sections whose results are there."""
    sections: tuple[Callable[[Results], str], ...] = (_locomo, _world_table, _world, _cost, _longmemeval, _ablations)
    made = [section(results) for section in sections]
    return "\n\n".join([words()["head"], *filter(None, made)]) + "\n"


def page() -> str:
    """What `docs/evals.md` must say."""
    return render(read_results(FOLDER))


def short_of(figures: Row) -> list[str]:
    """The scores of a world that miss their bars."""
    scores: Row = figures["scores"]
    low = [name for name, bar in words()["least"].items() if scores[name] is None or scores[name] < bar]
    return low + [name for name, bar in words()["most"].items() if scores[name] is None or scores[name] > bar]


def _locomo(results: Results) -> str:
    return _systems(results, "baselines-locomo", words()["locomo"], words()["locomo_after"])


def _world_table(results: Results) -> str:
    return _systems(results, "baselines-world", words()["world_table"])


def _systems(results: Results, name: str, about: str, after: str = "") -> str:
    figures = _figures(results, name)
    if not figures:
        return ""
    systems: dict[str, Row] = figures["systems"]
    columns: dict[str, str] = words()["system_columns"]
    told = [key for key in columns if any(one.get(key) is not None for one in systems.values())]
    rows = ([words()["systems"].get(key, key), *(_cell(one.get(c)) for c in told)] for key, one in systems.items())
    table = _table(["system", *(columns[key] for key in told)], rows)
    return "\n\n".join(filter(None, [about.format(**figures), table, after, _source(results, name)]))


def _world(results: Results) -> str:
    labels, rules = _figures(results, "world"), _figures(results, "world-offline")
    if not labels:
        return ""
    rows = [
        [
            about,
            _bar(key),
            *(_cell(one.get("scores", {}).get(key)) for one in (labels, rules)),
            _cell(labels["judged"].get(key)),
        ]
        for key, about in words()["scores"].items()
    ]
    beside = [[about, _cell(labels.get(key)), _cell(rules.get(key))] for key, about in words()["beside"].items()]
    tables = [
        _table(["what, in %", "bar", "labels", "offline", "judged"], rows),
        _table(["beside it", "labels", "offline"], beside),
    ]
    about, after = words()["world"].format(**labels), words()["world_after"]
    return "\n\n".join([about, *tables, after, _source(results, "world", "world-offline")])


def _cost(results: Results) -> str:
    """What a year costs by stage, and how the memory grows: the plot lies beside the page."""
    labels, rules = _figures(results, "world"), _figures(results, "world-offline")
    if not labels or "growth" not in labels:
        return ""
    spent = [one.get("cpu_seconds_by_stage", {}) for one in (labels, rules)]
    rows = [[name, *(_cell(one.get(name)) for one in spent)] for name in spent[0]]
    rows.append(["all of a night", *(_cell(one.get("cpu_seconds_per_1000_messages")) for one in (labels, rules))])
    table = _table(["CPU-seconds per 1,000 messages", "labels", "offline"], rows)
    plot = f"![{words()['growth']}]({PLOT.name})" if "world" in results else ""
    return "\n\n".join([words()["cost"], table, plot])


def plot() -> str:
    """The plot of a year's growth, from the landed result; empty where there is none."""
    growth: list[Row] = _figures(read_results(FOLDER), "world").get("growth", [])
    panels = {about: [(row["messages"], row[key]) for row in growth] for key, about in words()["growth_panels"].items()}
    return plots(panels, "messages") if growth else ""


def _bar(name: str) -> str:
    least, most = words()["least"].get(name), words()["most"].get(name)
    return f"≥ {least}" if least is not None else f"≤ {most}" if most is not None else ""


def _longmemeval(results: Results) -> str:
    figures = _figures(results, "longmemeval")
    if not figures:
        return ""
    columns: dict[str, str] = words()["longmemeval_columns"]
    rows = [[name, *(_cell(one[c]) for c in columns)] for name, one in [*figures["by_type"].items(), ("all", figures)]]
    told_apart = _cell(figures["abstention"]["told_apart"]) or "-"
    about = words()["longmemeval"].format(**figures, told_apart=told_apart)
    return "\n\n".join([about, _table(["type", *columns.values()], rows), _source(results, "longmemeval")])


def _ablations(results: Results) -> str:
    figures = _figures(results, "ablations")
    if not figures:
        return ""
    rows = [
        [group, name, _cell(one["points"]), f"{_cell(one['from'])} to {_cell(one['to'])}"]
        for group in ("arms", "stages", "ranking")
        for name, one in sorted(figures[group].items(), key=lambda item: (-item[1]["points"], item[0]))
    ]
    table = _table(["", "part", "points lost without it", "95 % bounds"], rows)
    return "\n\n".join([words()["ablations"].format(**figures), table, _source(results, "ablations")])


def _figures(results: Results, name: str) -> Row:
    return results[name]["figures"] if name in results else {}


def _source(results: Results, *names: str) -> str:
    """Where a table's figures are from: command, commit and load."""
    told = [(results[name]["command"], results[name]["surroundings"]) for name in names if name in results]
    places = [f"`{command}` at {at['commit'] or 'no commit'}, load {at['load_average'][0]:g}" for command, at in told]
    return f"From {'; '.join(places)}." if told else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    first = list(head)
    lines = [f"| {' | '.join(row)} |" for row in [first, *map(list, rows)]]
    return "\n".join([lines[0], f"|{'---|' * len(first)}", *lines[1:]])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        every: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        return ", ".join(_cell(one) or "-" for one in every)
    if isinstance(value, int | float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
    return str(value)
