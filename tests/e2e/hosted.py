"""A server on loopback that stands in for a hosted one: the settings say that it hands text on, so the host check treats it so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from slowwave.cli import main
from tests.contract import loopback as lb
from tests.contract.batches import Server

MODEL = "openai/tiny"


def settings(store: Path, server: lb.Loopback | Server, egress: str = "", night: str = "", more: str = "") -> None:
    """The store's own settings: a hosted model, allowed by name."""
    store.mkdir(parents=True, exist_ok=True)
    host = server.api_base.split("/")[2]
    store.joinpath("slowwave.toml").write_text(
        f'[night]\nmodel = "{MODEL}"\napi_base = "{server.api_base}"\n{night}\n'
        f'[egress]\nallowed_models = ["{MODEL}"]\nproxies = ["{host}"]\n{egress}\n{more}\n'
    )


def log(path: Path, *said: str | dict[str, Any]) -> Path:
    """A log of the owner's messages, a session each, a text or more of the line."""
    lines: list[dict[str, Any]] = []
    for n, one in enumerate(said):
        about = {"content": one} if isinstance(one, str) else one
        base = {"session_id": f"s{n}", "message_id": "m", "role": "user", "created_at": f"2026-03-01T1{n % 10}:00:00Z"}
        lines.append({**base, **about})
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def night(store: Path, source: str, *more: str, day: int = 2) -> int:
    argv = ["night", "--store", str(store), "--source", source, "--as-of", f"2026-03-{day:02}T03:00Z"]
    return main([*argv, "--plain", "--quiet", *more])


def heard(server: lb.Loopback) -> str:
    """Every byte of every request, as text."""
    return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in server.requests)
