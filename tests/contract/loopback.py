"""How the loopback server behaves in the contract tests: well, and badly in every way on demand."""

from __future__ import annotations

import json
import threading
from typing import Any

from evals import chat
from evals.chat import Behaviour, Reply, Request

__all__ = ["Behaviour", "Loopback", "Reply", "Request"]


def claim(line: int | str, subject: str = "user", *, kind: str = "fact", extras: str = "", **more: str) -> list[str]:
    """A row as the instructions ask for it; what is empty at its end is left out. `extras` have a space between them."""
    row = [str(line), kind, subject, *(more.get(name, "") for name in ("attribute", "value", "statement"))]
    row += extras.split()
    while not row[-1]:
        row.pop()
    return row


def saying(*rows: list[str], **more: Any) -> Reply:
    return Reply(json.dumps({"rows": list(rows)}), **more)


def diligent(request: Request) -> Reply:
    """States every numbered line."""
    return saying(*(claim(number) for number, _ in request.lines))


class Loopback(chat.Loopback):
    """The server, diligent unless told otherwise."""

    def __init__(self, behave: Behaviour = diligent) -> None:
        super().__init__(behave)


def refusing(_: Request) -> Reply:
    return Reply(None, refusal="I cannot help with that.")


def filtering(_: Request) -> Reply:
    return Reply("", finish="content_filter")


def babbling(_: Request) -> Reply:
    return Reply("Sure! Here are the claims you asked for:")


def silent(_: Request) -> Reply:
    return saying()


def failing(status: int, **headers: str) -> Behaviour:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"error": {"message": "no", "type": "error"}})
    return lambda _: Reply(status=status, headers=sent, raw=body)


def truncating_over(most: int) -> Behaviour:
    """Runs into its token limit where more than `most` lines are asked for."""

    def behave(request: Request) -> Reply:
        whole = diligent(request)
        return whole if len(request.lines) <= most else Reply((whole.text or "")[:20], finish="length")

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Behaves one way after another; the last one stays."""
    left = list(behaviours)
    lock = threading.Lock()

    def behave(request: Request) -> Reply:
        with lock:
            current = left.pop(0) if len(left) > 1 else left[0]
        return current(request)

    return behave
