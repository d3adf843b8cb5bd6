"""What Prefect is told of a night: a page in Markdown, made from the run's ledger alone. Names and counts, never quotes.

The report that quotes is `telling`'s, and stays in the store.
"""

from __future__ import annotations

from typing import Any

from slowwave.text import legible

COLUMNS = ("stage", "in", "kept", "decided", "calls", "tokens", "cost", "seconds", "")


def night_report(run: dict[str, Any]) -> str:
    """The page for a run's ledger."""
    parts = [f"# Night {run['run']}", _opening(run), _stages(run.get("stages", {})), _promises(run.get("promises", {}))]
    parts.append("## What left this machine\n\n" + "\n".join(f"* {line}" for line in told_left(run.get("facts", {}))))
    warnings = [f"* {warning}" for warning in run.get("warnings", [])]
    parts += _proposals(run.get("proposals", []))
    parts.append(f"What was said stands in `runs/{run['run']}/report.html` of the store.")
    return "\n\n".join([*parts, *(["## Warnings", "\n".join(warnings)] if warnings else [])]) + "\n"


def _opening(run: dict[str, Any]) -> str:
    status = str(run.get("status", "running")).replace("_", " ")
    version = f", version `{run['version']}`" if run.get("version") else ""
    return (
        f"**{status}**{version}, as of {run['as_of']}; parent {run.get('parent') or 'none'}, asked by {run['trigger']}."
    )


def _stages(stages: dict[str, Any]) -> str:
    rows = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for name, s in stages.items():
        decided = ", ".join(f"{n} {reason}" for reason, n in list(s["n_decided"].items())[:6]) or "none"
        tokens = s["input_tokens"] + s["output_tokens"]
        cells = [name, s["n_in"], s["n_kept"], decided, s["calls"], tokens, s["cost"], s["seconds"]]
        rows.append("| " + " | ".join(str(c) for c in cells) + f" | {'cached' if s['is_cached'] else ''} |")
    return "## Stages\n\n" + "\n".join(rows)


def _promises(promises: dict[str, Any]) -> str:
    listed = promises.get("promises", [])
    broken = [p for p in listed if not p["is_kept"]]
    lines = [f"* {p['name']} ({p['severity']}): {p['observed']}" for p in broken]
    return f"## Promises\n\n{len(listed) - len(broken)} kept, {len(broken)} broken.\n" + "\n".join(lines)


def _proposals(proposals: list[dict[str, Any]]) -> list[str]:
    """What guards found, for a person or an agent to mend; no night changes what a guard watches."""
    lines = [
        f"* {one['name']} ({one['observed']:g}): {one['proposal']} Places: `{one['report']}`"
        + (f"; memories: {', '.join(one['memory_ids'])}" if one["memory_ids"] else "")
        for one in proposals
    ]
    return ["## Proposals", "\n".join(lines)] if lines else []


def told_left(facts: dict[str, Any]) -> list[str]:
    """What left the machine, a line for each model and host; one line saying so where nothing did."""
    lines = [
        f"{sent['model']} at {sent['host']}: {sent['n_messages']} messages in {sent['n_calls']} calls; "
        f"by source: {_counted(sent['by_source'])}; by project: {_counted(sent['by_project'])}"
        for sent in facts.get("left", ())
    ]
    return lines or ["Nothing."]


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{legible(name)} {n}" for name, n in counts.items()) or "none"
