"""Writes THIRD_PARTY_LICENSES.md from the lock and from what the installed packages say of themselves.

`python docs/licences.py` writes the page, `--check` only says whether it is current. No licence is looked up anywhere else,
so a package that states none stops the page instead of being guessed at.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from pages import ROOT, write_or_check

PAGE = ROOT / "THIRD_PARTY_LICENSES.md"
ELSEWHERE = "not installed on this platform; see the package"

# Why each direct dependency is here: the one thing that no metadata states.
PURPOSES = {
    "detect-secrets": "finds secrets in captured text before its first write",
    "duckdb": "SQL over run folders and ledgers",
    "fastembed": "embedders by name, where a model hub can be reached",
    "flask": "serves the object store of the contract tests",
    "flask-cors": "serves the object store of the contract tests",
    "great-expectations": "the promises a version must keep before it is published",
    "hypothesis": "properties: the laws, tested for many inputs",
    "import-linter": "the room plan, checked",
    "instructor": "answers of a model in the form of a declared class",
    "lancedb": "writes the published tables and their indexes",
    "litellm": "one door to hosted and local models",
    "moto": "an S3-compatible server on loopback, in tests only",
    "numpy": "vectors",
    "obstore": "stores in an object store: conditional puts",
    "onnx": "makes the small models of the embedder tests",
    "onnxruntime": "runs an ONNX embedder",
    "pandas": "the view of a table that Great Expectations checks",
    "polars": "the tables that stages take and return",
    "prefect": "schedules, retries and shows the nights",
    "pyarrow": "Parquet and the declared schemas",
    "pyarrow-stubs": "types of pyarrow",
    "pydantic": "tables, rules and answers, declared once",
    "pydantic-settings": "settings from file, environment and flags",
    "pylance": "reads the published tables (imported as `lance`)",
    "pyright": "types, checked",
    "pytest": "tests",
    "pytest-timeout": "no test hangs for ever",
    "pytest-xdist": "runs the tests on both cores",
    "pyyaml": "reads the YAML files that guards watch",
    "rapidfuzz": "similar names, nominated for linking",
    "rich": "the progress display of a plain night",
    "ruff": "format and lint",
    "tokenizers": "token ids for embedders",
    "tzdata": "time zones where the system has none",
    "xllamacpp": "a server for a small model, in development only",
    "wordllama": "the default embedder: static vectors, with their weights",
}
SHORT = {
    "Apache Software License": "Apache-2.0",
    "Apache 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Artistic License": "Artistic",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD",
    "3-Clause BSD License": "BSD-3-Clause",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT Licence": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The MIT License (MIT)": "MIT",
}
VAGUE = {"", "UNKNOWN", "Dual License", "DFSG approved", "GNU General Public License (GPL)"}

HEAD = """# Third-party licences

slowwave itself is under the [Apache License 2.0](LICENSE). It carries no code and no weights of others in its repository or
its wheel: what is listed here is installed beside it, under its own terms. This page is made by `make docs` from what the
installed packages state of themselves.

## Weights

The default embedder's vectors come inside the package `wordllama`, in
`wordllama/weights/l2_supercat_256.safetensors` (16,384,096 bytes, sha256
`64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5`), with a tokenizer file beside them. The package is
published by the model's author, D. Lee Miller, under the MIT licence, and states no other terms for the weights. It says of
their making: the vectors are trained from the token embeddings of larger language models that share the Llama 2 vocabulary,
among them Llama 2 70B and Phi 3 medium, joined and reduced to 256 dimensions; its training settings name
`meta-llama/Llama-2-70b-hf`. Whether the terms of those models reach vectors derived from them is a question that the package
does not answer. Who must be sure can choose another embedder (`onnx:DIR`, `litellm:NAME`) or none (`none`): see
[settings](docs/settings.md).

No other weights are installed. `offline`, the default way of answering questions, is rules and has none.
"""


def direct() -> list[tuple[str, str]]:
    """The dependencies that pyproject names, as (name, where it is named), in order of name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"reader": project["dependencies"], **project["optional-dependencies"]}
    named: dict[str, list[str]] = {}
    for group, requirements in groups.items():
        for requirement in requirements:
            named.setdefault(key_of(re.split(r"[\[<>=!~ ;]", requirement)[0]), []).append(group)
    return [(name, ", ".join(dict.fromkeys(groups))) for name, groups in sorted(named.items())]


def key_of(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, list[str]]:
    """The versions that the lock pins, by package: several where they differ by Python version."""
    pins = re.findall(
        r"^([\w.-]+)==([^\s;\\]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE
    )
    found: dict[str, list[str]] = {}
    for name, version in pins:
        found.setdefault(key_of(name), []).append(version)
    return found


def licence_of(package: Distribution) -> str:
    """What an installed package states: its expression, else its short licence field, else its classifiers."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return expression
    field = (metadata.get("License") or "").strip().split("\n")[0].strip()
    if field not in VAGUE and not field.startswith("Copyright"):
        return SHORT.get(field, field)
    marks = [row.rpartition(" :: ")[2] for row in metadata.get_all("Classifier") or [] if row.startswith("License")]
    return " or ".join(dict.fromkeys(SHORT.get(mark, mark) for mark in marks if mark not in VAGUE))


def known_rows() -> dict[str, str]:
    """Licences on the page as it stands: kept for packages that only another platform installs."""
    if not PAGE.exists():
        return {}
    return dict(re.findall(r"^\| ([\w-]+) \| [^|]+ \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def licences(names: list[str]) -> dict[str, str]:
    """The licence of every package; raises SystemExit naming those that state none."""
    known, found = known_rows(), {}
    for name in names:
        try:
            found[name] = licence_of(distribution(name))
        except PackageNotFoundError:
            found[name] = known.get(name, ELSEWHERE)
    if silent := [name for name, licence in found.items() if not licence]:
        raise SystemExit(f"no licence stated by: {', '.join(silent)}; read the package and add it to SHORT or VAGUE")
    return found


def render() -> str:
    """The whole page."""
    pins, named = locked(), direct()
    found = licences(sorted(pins | dict.fromkeys(name for name, _ in named)))
    lines = [
        HEAD,
        "## What slowwave names itself",
        "",
        "| package | needed by | licence | what for |",
        "|---|---|---|---|",
    ]
    lines += [f"| {name} | {groups} | {found[name]} | {PURPOSES[name]} |" for name, groups in named]
    lines += ["", "## Everything in the lock", "", "| package | version | licence |", "|---|---|---|"]
    lines += [f"| {name} | {', '.join(versions)} | {found[name]} |" for name, versions in sorted(pins.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(write_or_check({PAGE: render()}, sys.argv[1:]))
