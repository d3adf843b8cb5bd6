"""A real small model on loopback, in a process of its own that ends with this one."""

from __future__ import annotations

import importlib.util
import os
import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from slowwave.errors import UsageError

LIBRARY = "xllamacpp"
# Loading a gigabyte from a slow disk takes this long at most.
_LOAD_SECONDS = 120.0
_CONTEXT_TOKENS = 8192


class Small:
    """The server; `api_base` is where it listens. Raises UsageError where there is no such file, or nothing to serve it with."""

    def __init__(self, model: Path, *, threads: int = 1, context: int = _CONTEXT_TOKENS) -> None:
        if not model.is_file():
            raise UsageError(
                f"there is no model in {model}", "Name a GGUF file; docs/local-models.md says where one comes from."
            )
        if importlib.util.find_spec(LIBRARY) is None:
            raise UsageError(f"{LIBRARY} is not installed", "Install the extra: pip install 'slowwave[small]'.")
        script = Path(__file__).with_name("serve.py")
        self._argv = [sys.executable, str(script), str(model), "--threads", str(threads), "--context", str(context)]
        self.api_base = ""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.api_base = f"{self._address()}/v1"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        # An answer that nobody waits for any more may take minutes.
        self._process.kill()
        self._process.communicate()

    def _address(self) -> str:
        """What the server says once the model is loaded."""
        told = self._process.stdout
        assert told is not None
        ready, _, _ = select.select([told], [], [], _LOAD_SECONDS)
        line = told.readline().decode().strip() if ready else ""
        if not line.startswith("http://127.0.0.1:"):
            self.__exit__(None, None, None)
            raise UsageError("the model could not be loaded", f"Try it by hand: {' '.join(self._argv)}")
        return line
