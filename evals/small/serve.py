"""A real small model behind an OpenAI-shaped server on loopback, in this process: `python evals/small/serve.py FILE.gguf`.

Prints its address once the model is loaded, and ends with whoever started it: when its standard input closes. It needs `xllamacpp`,
which is for development only.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path


def main() -> int:
    """Serve until standard input closes."""
    parser = argparse.ArgumentParser(description="Serve a GGUF file on loopback.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, default=1, help="more than the idle cores make it slower, not faster")
    parser.add_argument("--context", type=int, default=8192, help="most tokens of prompt and answer together")
    args = parser.parse_args()
    print(_serving(args.model, args.threads, args.context), flush=True)
    sys.stdin.read()
    return 0


def _serving(model: Path, threads: int, context: int) -> str:
    library = importlib.import_module("xllamacpp")
    chosen = library.CommonParams()
    chosen.model.path = str(model)
    chosen.hostnames, chosen.port = ["127.0.0.1"], 0
    # One question at a time: two would halve the context and share the core.
    chosen.n_parallel, chosen.n_ctx = 1, context
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = threads
    chosen.offline, chosen.ui, chosen.warmup, chosen.verbosity = True, False, False, 0
    # Held here, since the server ends with the object.
    globals()["_server"] = server = library.Server(chosen)
    return str(server.listening_address)


if __name__ == "__main__":
    sys.exit(main())
