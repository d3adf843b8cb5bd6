"""The audit page: one file that shows every promise of a night and every step it took, readable without a network.

It holds counts, names and ids. It holds no quote and no memory's text, so that it can be kept and shown around.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from expectations.promise import Promise, Report
from slowwave.text import legible

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fdfdfb; --soft: #55555f; --line: #d6d6d2;
        --bad: #a40e26; --warn: #7a4d00; --good: #0b5d2a; --band: #f2f2ee; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf0; --paper: #16161a; --soft: #b0b0ba; --line: #3a3a42;
          --bad: #ff8f9b; --warn: #f2bd5c; --good: #7fd79b; --band: #1f1f25; }
  a { color: #9cc4ff; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
       max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p.verdict { font-size: 1.15rem; font-weight: 600; } .soft { color: var(--soft); }
.bad { color: var(--bad); } .warn { color: var(--warn); } .good { color: var(--good); }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.n + :not(.n) { padding-left: 1.2rem; } tbody tr:nth-child(even) { background: var(--band); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; } summary { cursor: pointer; margin: 1rem 0; }
div.wide { overflow-x: auto; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
# What may be scrolled has to be reached by the keyboard, and has a name.
WIDE = '<div class="wide" tabindex="0" role="region" aria-label="{}">'
_RUN_FACTS = ("run", "as_of", "trigger", "parent", "status", "version")
_STEP_FACTS = ("n_in", "n_kept", "calls", "input_tokens", "output_tokens", "n_embedded", "cost", "seconds")


def render_html(report: Report, run: Mapping[str, Any]) -> str:
    """The page of a night: `run` is its ledger, of which only counts, names and times are shown. All text is escaped."""
    kept = [promise for promise in report.promises if promise.is_kept]
    body = [
        "<h1>Audit of a night</h1>",
        run_line(run),
        _verdict(report),
        promises("Broken, blocking", "Nothing is published while one of these is broken.", report.broken),
        promises("Broken, reporting", "These do not stop a version; a person should look.", report.warnings),
        _warned(run.get("warnings") or []),
        _proposed(run.get("proposals") or []),
        _quarantined((run.get("facts") or {}).get("quarantined") or []),
        _left((run.get("facts") or {}).get("left")),
        _steps(run.get("stages") or {}),
        f"<details><summary>{len(kept)} promises kept</summary>{promises('Kept', 'In the order checked.', kept)}</details>",
    ]
    return document(f"Audit {_text(run.get('run'))}", body)


def document(title: str, body: Sequence[str], style: str = "") -> str:
    """A whole page of these parts, which are HTML already, with more `style` than the common one; it loads nothing and runs nothing."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}{style}</style></head>\n"
        f"<body><main>\n{''.join(body)}\n</main></body></html>\n"
    )


def run_line(run: Mapping[str, Any]) -> str:
    """Which run it was, when, and how it ended."""
    told = [f"{_text(name.replace('_', ' '))} <code>{_text(run[name])}</code>" for name in _RUN_FACTS if run.get(name)]
    return f'<p class="soft">{" · ".join(told)}</p>' if told else ""


def _verdict(report: Report) -> str:
    n, n_broken, n_noted = len(report.promises), len(report.broken), len(report.warnings)
    if report.is_held:
        return '<p class="verdict warn">Held: the night would retire more than the rules allow. A person decides.</p>'
    if n_broken:
        return f'<p class="verdict bad">Refused: {n_broken} of {n} promises broken. The last version still serves.</p>'
    noted = f", {n_noted} to look at" if n_noted else ""
    return f'<p class="verdict good">All blocking promises of {n} kept{noted}.</p>'


def promises(title: str, caption: str, listed: Sequence[Promise]) -> str:
    """A table of promises; nothing where there are none."""
    if not listed:
        return ""
    rows = (
        [
            f"<code>{_text(promise.name)}</code>",
            _text(promise.about),
            _text(promise.observed),
            "<br>".join(f"<code>{_text(example)}</code>" for example in promise.examples),
        ]
        for promise in listed
    )
    return table(title, caption, ("Promise", "What it says", "Found", "Rows"), rows, numbers={2})


def _steps(stages: Mapping[str, Any]) -> str:
    if not stages:
        return ""
    rows = (
        [f"<code>{_text(name)}</code>", *(_step(taken, fact) for fact in _STEP_FACTS)] for name, taken in stages.items()
    )
    heads = ("Stage", *(fact.removeprefix("n_").replace("_", " ") for fact in _STEP_FACTS))
    numbers = set(range(1, len(heads)))
    return table(
        "Steps", "What each stage took in, kept and cost; zero cost means cached or free.", heads, rows, numbers
    )


def _warned(warnings: Sequence[str]) -> str:
    return "<h2>To know</h2><ul>" + "".join(f"<li>{_text(one)}</li>" for one in warnings) + "</ul>" if warnings else ""


def _quarantined(places: Sequence[Sequence[str]]) -> str:
    if not places:
        return ""
    rows = ([f"<code>{_text(place)}</code>", _text(reason)] for place, reason in places)
    caption = "What could not be read, and was left where it is; the decisions of the run's beginning name every place."
    return table("Damaged input", caption, ("Place", "Why"), rows, numbers=set())


def _left(sent: Sequence[Mapping[str, Any]] | None) -> str:
    """To whom text went, and whose; nothing for a run that does not know."""
    title = "What left this machine"
    if not sent:
        return "" if sent is None else f"<h2>{title}</h2><p>Nothing: no text was sent to another machine.</p>\n"
    rows = (
        [
            f"<code>{_text(one['model'])}</code> at <code>{_text(one['host'])}</code>",
            *(_text(one[fact]) for fact in ("n_calls", "n_messages")),
            *(_counted(one[fact]) for fact in ("by_source", "by_project")),
        ]
        for one in sent
    )
    caption = "To whom text was sent. The ledger names every message: slowwave costs --calls."
    return table(title, caption, ("To", "Calls", "Messages", "By source", "By project"), rows, numbers={1, 2})


def _counted(counts: Mapping[str, int]) -> str:
    return "<br>".join(f"{_text(legible(name))} {n}" for name, n in counts.items())


def _step(taken: Any, fact: str) -> str:
    value = taken.get(fact) if isinstance(taken, Mapping) else getattr(taken, fact, None)
    return _text(value)


def _proposed(proposals: Sequence[Mapping[str, Any]]) -> str:
    """What guards found, and what to do about it. A person or an agent does it: a night changes nothing of the owner's files."""
    if not proposals:
        return ""
    rows = (
        [
            f"<code>{_text(one['name'])}</code>",
            _text(one["proposal"]),
            _text(one["observed"]),
            "<br>".join(f"<code>{_text(memory)}</code>" for memory in one["memory_ids"]),
            f"<code>{_text(one['report'])}</code>",
        ]
        for one in proposals
    )
    heads = ("Guard", "What to do", "Found", "Memories", "Places")
    return table(
        "Proposals", "What guards found since they last looked; nothing was changed.", heads, rows, numbers={2}
    )


def table(title: str, caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: set[int]) -> str:
    """A table with its title; cells are HTML already, and the columns in `numbers` are set to the right."""

    def cells(tag: str, values: Sequence[str]) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        marks = (' class="n"' if place in numbers else "" for place in range(len(values)))
        return "".join(f"<{tag}{scope}{mark}>{value}</{tag}>" for mark, value in zip(marks, values, strict=True))

    head = cells("th", [_text(name) for name in heads])
    body = "".join(f"<tr>{cells('td', row)}</tr>\n" for row in rows)
    return (
        f"<h2>{_text(title)}</h2>{WIDE.format(_text(title))}<table><caption>{_text(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n"
    )


def _text(value: Any) -> str:
    """A value as escaped text: numbers short, nothing for nothing, and nothing that nests."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return escape(str(value)) if isinstance(value, str | int) else ""
