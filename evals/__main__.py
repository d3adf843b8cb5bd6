"""The command `python -m evals`. Parses, calls, prints; measures nothing itself."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals import (
    bench,
    bench_capture,
    bench_fleet,
    bench_flush,
    bench_merge,
    bench_overhead,
    bench_reader,
    lives_command,
    locomo,
    memory,
    results_command,
    samples,
    segment,
)
from evals.cases import run_folder
from evals.machine import surroundings, write_result
from slowwave.errors import SlowwaveError, UsageError


def main(argv: Sequence[str]) -> int:
    """Run one evaluation. Returns 0 where nothing failed, 1 where something did, 2 for a call that can't be run."""
    args = _parser().parse_args(list(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except SlowwaveError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.exit_status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description="Is the memory right, and is it better?")
    commands = parser.add_subparsers(dest="command", required=True)
    cases = _folder_commands(commands)
    recall = _command(commands, "locomo", "evidence recall over LoCoMo conversations", _locomo)
    recall.add_argument("--embedder", default="", help="static, onnx:DIR, fastembed:NAME, litellm:MODEL or none")
    for command in (cases, recall):
        command.add_argument(
            "--model", default="", help="who answers: offline, or any litellm model string; locomo: also metered"
        )
    cost = _bench_command(commands)
    borders = _command(commands, "segment", "borders found without times, and questions a conversation", _segment)
    borders.add_argument("--embedder", default="static", help="static, onnx:DIR, fastembed:NAME, litellm:MODEL or none")
    true = _command(commands, "memory", "does what was learned stay true, in any order and under its own echo", _memory)
    true.add_argument("--samples", type=Path, required=True, metavar="DIR", help="folder with the samples")
    true.add_argument(
        "--permutations", type=int, default=memory.N_PERMUTATIONS, metavar="N", help="orders and splits to try"
    )
    orders = _command(commands, "orders", "lines that order a reader about, told from honest ones", _orders)
    orders.add_argument("--learn", action="store_true", help="only learn the weights again from the sentences")
    small = _command(commands, "small", "what a real small model makes of the rules' statements", _small)
    small.add_argument("--model-path", type=Path, required=True, metavar="FILE", help="its weights, a GGUF file")
    small.add_argument(
        "--keep", type=Path, required=True, metavar="DIR", help="where stores and the sheet to judge stay"
    )
    small.add_argument("--samples", type=Path, metavar="DIR", help="folder with the samples")
    small.add_argument("--sample", action="append", default=[], help="a sample to walk as well; may be repeated")
    own = _command(
        commands, "scripted", "evidence found in scripted conversations of our own (no data needed)", _scripted
    )
    _command(commands, "languages", "the same facts asked in several languages (no data needed)", _languages)
    tried = _command(commands, "weights", "every weight of the ranking tried on scripted conversations", _weights)
    for command in (own, tried):
        command.add_argument("--lives", type=int, default=4, metavar="N", help="lives of each form (default 4)")
    for command in (recall, cost, borders, true, small):
        command.add_argument(
            "--data",
            type=Path,
            required=command is not cost,
            metavar="DIR",
            help="folder that holds locomo/conv-*.json",
        )
    lives_command.add(commands, _command, _end)
    results_command.add(commands)
    return parser


def _folder_commands(commands: Any) -> argparse.ArgumentParser:
    """What walks folders of cases and samples; returns the parser of `cases`."""
    cases = _command(commands, "cases", "run a folder of cases and their variants", _cases)
    cases.add_argument("folder", type=Path, metavar="DIR", help="folder with the cases and their check.py")
    logs = _command(commands, "samples", "every platform's sample, alone and together", _samples)
    logs.add_argument("folder", type=Path, metavar="DIR", help="folder with the samples and their expected.json")
    now = _command(
        commands, "current", "of what was superseded, is the current one found and the stale one not", _current
    )
    now.add_argument("folder", type=Path, metavar="DIR", help="folder with the cases and their check.py")
    now.add_argument("--samples", type=Path, required=True, metavar="DIR", help="folder with the samples")
    return cases


def _bench_command(commands: Any) -> argparse.ArgumentParser:
    cost = _command(commands, "bench", "what it costs, in seconds and megabytes", _bench)
    cost.add_argument(
        "what",
        choices=["night", "capture", "merge", "overhead", "reader", "flush", "fleet"],
        help="a cold night, a second one and a reader; or taking in made histories, or settling made claims (no data needed);"
        " or nights whose answers are known; or a reader of made stores; or a session published early; or many small stores",
    )
    cost.add_argument(
        "--messages",
        type=int,
        default=bench_capture.N_MESSAGES,
        metavar="N",
        help="length of capture's longest history",
    )
    cost.add_argument(
        "--memories",
        type=int,
        action="append",
        metavar="N",
        help="size of a reader's made store; may be repeated (default: 800 and 100000)",
    )
    about = "how many stores a fleet has (default %(default)s)"
    cost.add_argument("--stores", type=int, default=bench_fleet.N_STORES, metavar="N", help=about)
    return cost


def _command(commands: Any, name: str, about: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    made.add_argument("--json", action="store_true", help="print nothing but the one JSON object")
    made.add_argument("--out", type=Path, metavar="FILE", help="write a result file: figures, machine, load, versions")
    made.set_defaults(run=run)
    return made


def _cases(args: argparse.Namespace) -> int:
    before = surroundings()
    tallies = run_folder(args.folder, args.model)
    if not args.json:
        for level, tally in tallies.items():
            print(f"{level}: {tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
            for one in tally.failures:
                print(f"  {one['id']}: {one['why']}")
    _end(args, "cases DIR", before, {level: tally.counts() for level, tally in tallies.items()})
    return 1 if any(tally.failed for tally in tallies.values()) else 0


def _locomo(args: argparse.Namespace) -> int:
    before = surroundings()
    _end(args, "locomo --data DIR", before, locomo.measure(args.data, embedder=args.embedder, model=args.model))
    return 0


def _samples(args: argparse.Namespace) -> int:
    before = surroundings()
    figures = samples.measure(args.folder)
    _end(args, "samples DIR", before, figures)
    return 1 if figures["counts_wrong"] or figures["second_capture_rows"] or figures["traps_stored"] else 0


def _current(args: argparse.Namespace) -> int:
    from evals.current import measure

    before = surroundings()
    figures = measure(args.folder, args.samples)
    _end(args, "current DIR --samples DIR", before, figures)
    return 1 if figures["wrong"] else 0


def _segment(args: argparse.Namespace) -> int:
    before = surroundings()
    _end(args, "segment --data DIR", before, segment.measure(args.data, embedder=args.embedder))
    return 0


def _memory(args: argparse.Namespace) -> int:
    before = surroundings()
    figures = memory.measure(args.data, args.samples, permutations=args.permutations)
    _end(args, f"memory --data DIR --samples DIR --permutations {args.permutations}", before, figures)
    return 1 if figures["permutations"]["differences"] or memory.n_echoed(figures) else 0


def _scripted(args: argparse.Namespace) -> int:
    from evals.scripted.measure import measure

    before = surroundings()
    _end(args, f"scripted --lives {args.lives}", before, measure(args.lives))
    return 0


def _weights(args: argparse.Namespace) -> int:
    from evals.scripted.weights import measure

    before = surroundings()
    _end(args, f"weights --lives {args.lives}", before, measure(args.lives))
    return 0


def _orders(args: argparse.Namespace) -> int:
    from evals.orders import learn, measure

    if args.learn:
        print(f"{learn()} weights; run without --learn to measure them", file=sys.stderr)
        return 0
    _end(args, "orders", surroundings(), measure())
    return 0


def _languages(args: argparse.Namespace) -> int:
    from evals.languages import measure

    before = surroundings()
    _end(args, "languages", before, measure())
    return 0


def _small(args: argparse.Namespace) -> int:
    from evals.small.measure import measure

    before = surroundings()
    figures = measure(args.model_path, args.data, args.samples, args.keep, samples=tuple(args.sample))
    walked = "".join(f" --sample {name}" for name in args.sample)
    _end(args, f"small --model-path FILE --data DIR --samples DIR --keep DIR{walked}", before, figures)
    return 0


def _bench(args: argparse.Namespace) -> int:
    before = surroundings()
    if args.what == "capture":
        command, figures = f"bench capture --messages {args.messages}", bench_capture.measure(args.messages)
    elif args.what == "merge":
        command, figures = "bench merge", bench_merge.measure()
    elif args.what == "overhead":
        command, figures = "bench overhead --data DIR", bench_overhead.measure(_data(args))
    elif args.what == "reader":
        sizes: list[int] = args.memories or list(bench_reader.SIZES)
        command = "bench reader" + "".join(f" --memories {n}" for n in args.memories or ())
        figures = bench_reader.measure(sizes)
    elif args.what == "fleet":
        command, figures = f"bench fleet --stores {args.stores}", bench_fleet.measure(args.stores)
    elif args.what == "flush":
        command, figures = "bench flush", bench_flush.measure()
    else:
        command, figures = "bench night --data DIR", bench.night(_data(args))
    _end(args, command, before, {**figures, "surroundings": before})
    return 0


def _data(args: argparse.Namespace) -> Path:
    if args.data is None:
        raise UsageError("a night is measured over a conversation, and none was named", "Name its folder: --data DIR")
    data: Path = args.data
    return data


def _end(args: argparse.Namespace, command: str, before: dict[str, Any], figures: dict[str, Any]) -> None:
    """Print the one JSON object as the last line, and write it where that was asked for."""
    options = "".join(f" --{name} {value}" for name in ("embedder", "model") if (value := getattr(args, name, "")))
    if args.out is not None:
        kept = {name: value for name, value in figures.items() if name != "surroundings"}
        write_result(args.out, f"python -m evals {command}{options}", before, kept)
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
