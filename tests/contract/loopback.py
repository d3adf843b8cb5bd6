"""A server on loopback that speaks the chat protocol most model servers share, and misbehaves when told to.

It stands in for the other side of the wire alone: the client code that talks to it is the real one. Standard library only.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

LINE = re.compile(r"^\[(\d+)\] (\w+)((?:[^:\n]|:\d)*): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        return self.body["messages"]

    @property
    def lines(self) -> list[tuple[int, str]]:
        """Numbered lines of the question itself: the first message of the user."""
        asked = next(m["content"] for m in self.messages if m["role"] == "user")
        return [(int(found[1]), found[4]) for found in LINE.finditer(asked)]


@dataclass(frozen=True)
class Reply:
    """What the server sends. `raw` replaces the whole body; `drop` closes the connection without a word."""

    text: str | None = '{"claims": []}'
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    raw: str | None = None
    drop: bool = False
    usage: tuple[int, int, int] | None = None


Behaviour = Callable[[Request], Reply]


def claim(line: int, **more: Any) -> dict[str, Any]:
    return {"kind": "semantic_fact", "subject": "user", "lines": [line], **more}


def saying(*claims: dict[str, Any], **more: Any) -> Reply:
    return Reply(json.dumps({"claims": list(claims)}), **more)


def diligent(request: Request) -> Reply:
    """States every numbered line, as a metered model would."""
    return saying(*(claim(number) for number, _ in request.lines))


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


class Loopback:
    """The server; `api_base` is where it listens, `requests` what it heard, `most_in_flight` its busiest moment."""

    def __init__(self, behave: Behaviour = diligent) -> None:
        self.behave = behave
        self.requests: list[Request] = []
        self.tokens = 0
        self.most_in_flight = 0
        self._in_flight = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._wire())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            reply = self.behave(request)
            time.sleep(reply.delay_seconds)
            return reply
        finally:
            with self._lock:
                self._in_flight -= 1

    def meter(self, request: Request, reply: Reply) -> tuple[int, int, int]:
        """Tokens in, out and cached: a quarter of the characters, unless the reply says otherwise."""
        read = sum(len(m["content"]) for m in request.messages) // 4
        counted = reply.usage or (read, len(reply.text or "") // 4, 0)
        with self._lock:
            self.tokens += counted[0] + counted[1]
        return counted

    def _wire(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Wire(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                reply = server.take(request)
                if reply.drop:
                    self.close_connection = True
                    return
                sent = reply.raw if reply.raw is not None else json.dumps(_body(request, reply, server.meter))
                self._send(reply.status, sent.encode(), reply.headers.items())

            def _send(self, status: int, body: bytes, headers: Iterable[tuple[str, str]]) -> None:
                self.send_response(status)
                for name, value in [*headers, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]:
                    self.send_header(name, value)
                try:
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    # The client has stopped waiting, which is what a slow reply is for.
                    self.close_connection = True

        return Wire


def _body(request: Request, reply: Reply, meter: Callable[[Request, Reply], tuple[int, int, int]]) -> dict[str, Any]:
    read, written, cached = meter(request, reply)
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": request.body["model"],
        "choices": [{"index": 0, "finish_reason": reply.finish, "message": message}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }
