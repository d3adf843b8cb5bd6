"""The commands over made years and over what stands beside us: worlds, baselines, ablations, the smoke set, LongMemEval.

Belongs here: arguments and calls. Does not belong here: measuring.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evals.machine import surroundings
from slowwave.errors import UsageError

Make = Callable[..., argparse.ArgumentParser]
End = Callable[[argparse.Namespace, str, dict[str, Any], dict[str, Any]], None]


def add(commands: Any, make: Make, end: End) -> None:
    """Add them to the parser's commands: `make` makes one, `end` prints and keeps what came out."""
    life = make(
        commands, "world", "a made year over several platforms, night by night (no data needed)", _bound(_world, end)
    )
    life.add_argument(
        "--read-by", choices=["labels", "offline"], default="labels", help="the known labels, or the rules"
    )
    table = make(
        commands, "baselines", "ours beside full context, full text, vectors and their fusion", _bound(_baselines, end)
    )
    table.add_argument("of", choices=["locomo", "world"], help="LoCoMo's conversations, or a made year")
    for command in (life, table):
        command.add_argument("--seed", type=int, default=1, help="of the made year (default 1)")
        command.add_argument("--days", type=int, default=365, help="how long it lasts (default 365)")
    life.add_argument(
        "--noise", type=float, default=4.0, help="exchanges of idle talk for a sentence that tells (default 4)"
    )
    life.add_argument("--apart", type=int, default=14, metavar="DAYS", help="days between nights (default 14)")
    off = make(
        commands,
        "ablations",
        "what each part is worth, with bootstrap intervals (no data needed)",
        _bound(_ablations, end),
    )
    off.add_argument("--lives", type=int, default=2, metavar="N", help="lives of each form (default 2)")
    make(
        commands, "smoke", "a small piece of everything, as every change runs it (no data needed)", _bound(_smoke, end)
    )
    long = make(
        commands, "longmemeval", "evidence sessions and turns over LongMemEval's histories", _bound(_longmemeval, end)
    )
    told = make(
        commands,
        "answers",
        "LoCoMo answered by a model and judged, as is usual and more strictly",
        _bound(_answers, end),
    )
    told.add_argument(
        "--api-base", required=True, metavar="URL", help="where the model is served, by the chat protocol"
    )
    told.add_argument("--model", required=True, help="who answers")
    told.add_argument("--judge", default="", help="who judges (default: who answers)")
    told.add_argument("--wrong", type=Path, metavar="FILE", help="ids of questions to leave out, one a line")
    for command in (table, long, told):
        command.add_argument(
            "--data", type=Path, required=command is not table, metavar="DIR", help="folder of the data sets"
        )


def _bound(run: Callable[[argparse.Namespace, End], int], end: End) -> Callable[[argparse.Namespace], int]:
    return lambda args: run(args, end)


def _world(args: argparse.Namespace, end: End) -> int:
    from evals.worlds.measure import measure

    before = surroundings()
    told = {"days": args.days, "noise": args.noise, "read_by": args.read_by, "apart": args.apart}
    command = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in {"seed": args.seed, **told}.items())
    end(args, f"world {command}", before, measure(args.seed, **told))
    return 0


def _baselines(args: argparse.Namespace, end: End) -> int:
    from evals.baselines.measure import measure

    before = surroundings()
    if args.of == "locomo" and args.data is None:
        raise UsageError(
            "LoCoMo is measured over its conversations, and none were named", "Name their folder: --data DIR"
        )
    data = args.data if args.of == "locomo" else None
    command = f"baselines {args.of} " + ("--data DIR" if data else f"--seed {args.seed} --days {args.days}")
    end(args, command, before, measure(args.of, data, seed=args.seed, days=args.days))
    return 0


def _answers(args: argparse.Namespace, end: End) -> int:
    from evals.answering import Chat, measure, read_wrong

    before = surroundings()
    chat = Chat(args.api_base, args.model)
    judge = Chat(args.api_base, args.judge) if args.judge else None
    end(
        args,
        "answers --data DIR --api-base URL",
        before,
        measure(args.data, chat, judge=judge, wrong=read_wrong(args.wrong)),
    )
    return 0


def _ablations(args: argparse.Namespace, end: End) -> int:
    from evals.ablations import measure

    before = surroundings()
    end(args, f"ablations --lives {args.lives}", before, measure(args.lives))
    return 0


def _smoke(args: argparse.Namespace, end: End) -> int:
    from evals.smoke import measure

    end(args, "smoke", surroundings(), measure())
    return 0


def _longmemeval(args: argparse.Namespace, end: End) -> int:
    from evals.longmemeval import measure

    before = surroundings()
    end(args, "longmemeval --data DIR", before, measure(args.data))
    return 0
