"""A server on loopback that speaks the chat protocol most model servers share: it stands in for the other side of the wire alone.

Belongs here: HTTP, counting, and how an answer may go wrong on its way. Does not belong here: what is answered. Standard library only.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_LINE = re.compile(r"^\[(\d+)\] (\w+)((?:[^:\n]|:\d)*): (.*)$", re.MULTILINE)
# What a chat layout adds to each message, and to the whole.
_TOKENS_A_MESSAGE = 3


@dataclass(frozen=True)
class Said:
    """One numbered line of a question."""

    number: int
    role: str
    speaker: str
    text: str


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat so far."""
        return self.body["messages"]

    @property
    def said(self) -> list[Said]:
        """Numbered lines of the question itself: the first message of the user."""
        asked = next(m["content"] for m in self.messages if m["role"] == "user")
        return [Said(int(f[1]), f[2], f[3].partition(",")[0].strip() or f[2], f[4]) for f in _LINE.finditer(asked)]

    @property
    def lines(self) -> list[tuple[int, str]]:
        """Numbers and texts of the numbered lines."""
        return [(line.number, line.text) for line in self.said]

    @property
    def shape(self) -> str:
        """The schema that it asks for, as it was sent; empty where it stands in the messages alone."""
        sent = self.body.get("tools") or self.body.get("response_format")
        return json.dumps(sent) if sent else ""


@dataclass(frozen=True)
class Reply:
    """What the server sends. `raw` replaces the whole body; `drop` closes the connection without a word, `reset` midway.

    `drip_seconds` is the pause before each byte of the body.
    """

    text: str | None = '{"rows": []}'
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0
    raw: str | bytes | None = None
    drop: bool = False
    reset: bool = False
    usage: tuple[int, int, int] | None = None


Behaviour = Callable[[Request], Reply]


def quarter(text: str) -> int:
    """A rough count of tokens, for those who need none better."""
    return len(text) // 4


class Loopback:
    """The server; `api_base` is where it listens, `requests` what it heard, `most_in_flight` its busiest moment."""

    def __init__(self, behave: Behaviour, count: Callable[[str], int] = quarter) -> None:
        self.behave = behave
        self.requests: list[Request] = []
        self.input_tokens = self.output_tokens = 0
        self.most_in_flight = 0
        self._count = count
        self._in_flight = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _wire(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def api_base(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def tokens(self) -> int:
        """All that it read and wrote."""
        return self.input_tokens + self.output_tokens

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        """Begin to count anew."""
        with self._lock:
            self.requests.clear()
            self.input_tokens = self.output_tokens = self.most_in_flight = 0

    def take(self, request: Request) -> Reply:
        """Hear a request, and answer it."""
        with self._lock:
            self.requests.append(request)
        reply = self.behave(request)
        time.sleep(reply.delay_seconds)
        return reply

    def come(self, n: int) -> None:
        """Count a call that begins (1) or ends (-1)."""
        with self._lock:
            self._in_flight += n
            self.most_in_flight = max(self.most_in_flight, self._in_flight)

    def meter(self, request: Request, reply: Reply) -> tuple[int, int, int]:
        """Tokens in, out and cached: counted of all that was sent, schema and layout too, unless the reply says otherwise."""
        texts = [text for m in request.messages for text in (m["role"], m["content"])]
        read = sum(map(self._count, [*texts, request.shape])) + _TOKENS_A_MESSAGE * (len(request.messages) + 1)
        counted = reply.usage or (read, self._count(reply.text or ""), 0)
        with self._lock:
            self.input_tokens += counted[0]
            self.output_tokens += counted[1]
        return counted


def _wire(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Wire(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            server.come(1)
            try:
                self._answer()
            except OSError:
                # The client has stopped waiting, which is what a slow reply is for.
                self.close_connection = True
            finally:
                server.come(-1)

        def _answer(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            reply = server.take(request)
            if reply.drop:
                self.close_connection = True
                return
            sent = (
                reply.raw if reply.raw is not None else json.dumps(_body(request, reply, server.meter(request, reply)))
            )
            self._send(reply, sent if isinstance(sent, bytes) else sent.encode())

        def _send(self, reply: Reply, body: bytes) -> None:
            self.send_response(reply.status)
            lengths = [("Content-Type", reply.content_type), ("Content-Length", str(len(body)))]
            for name, value in [*reply.headers.items(), *lengths]:
                self.send_header(name, value)
            self.end_headers()
            for piece in _pieces(body, reply):
                self.wfile.write(piece)
            if reply.reset:
                self.wfile.flush()
                # A linger of nothing makes the close a reset, as a server that dies does.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                self.connection.close()
                self.close_connection = True

    return Wire


def _pieces(body: bytes, reply: Reply) -> Iterable[bytes]:
    if reply.reset:
        yield body[: len(body) // 2]
    elif not reply.drip_seconds:
        yield body
    else:
        for byte in body:
            time.sleep(reply.drip_seconds)
            yield bytes([byte])


def _body(request: Request, reply: Reply, counted: tuple[int, int, int]) -> dict[str, Any]:
    read, written, cached = counted
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": request.body["model"],
        "choices": [{"index": 0, "finish_reason": reply.finish, "message": _message(request, reply)}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }


def _message(request: Request, reply: Reply) -> dict[str, Any]:
    """The answer in the way it was asked for: as a call of the tool that was offered, or as text."""
    tools = request.body.get("tools")
    if not tools or reply.text is None:
        return {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    called = {"name": tools[0]["function"]["name"], "arguments": reply.text}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call-1", "type": "function", "function": called}],
    }
