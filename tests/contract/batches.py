"""A server on loopback that takes batches in both shapes over HTTP, and can go wrong at each step of them."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from evals.chat import Behaviour, Request
from tests.contract import loopback as lb

READ, WRITTEN = 100, 20
_REFUSED = {"error": {"message": "no", "type": "error"}}


@dataclass
class Batch:
    """One batch as the server holds it; `requests` are the bodies by custom id."""

    id: str
    requests: dict[str, dict[str, Any]]
    name: str = ""
    n_polls: int = 0
    is_cancelled: bool = False
    created: float = field(default_factory=time.time)
    answers: list[str] | None = None


class Server:
    """The server. `asked` counts requests by step, `paid` answers that were made; `wrong` holds what goes wrong at which step.

    A step's entry is a list of statuses, used up one a request: 0 closes the connection, a negative one does the work first. `hung`
    are steps that do their work and never answer. `polls` is how often a batch is still under way. `ends_as` is the word it ends
    with; `lost` are numbers of requests that it leaves unanswered (expired), and `spoil` changes the lines of its results.
    """

    def __init__(self, shape: str) -> None:
        self.shape = shape
        self.behave: Behaviour = lb.diligent
        self.asked: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.wrong: dict[str, list[int]] = {}
        self.polls: float = 1
        self.ends_as = "completed"
        self.lost: set[int] = set()
        self.spoil = lambda lines: lines
        self.batches: dict[str, Batch] = {}
        self.files: dict[str, str] = {}
        self.deleted: list[str] = []
        self.hang_seconds = 0.0
        self.hung: set[str] = set()
        self.singles: list[dict[str, Any]] = []
        self.lock = threading.RLock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _wire(self))
        self._http.daemon_threads = True

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}" + ("/v1" if self.shape == "openai" else "")

    @property
    def uploaded(self) -> str:
        """All that it was given in batches."""
        return json.dumps([b.requests for b in self.batches.values()], ensure_ascii=False)

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()

    def step(self, method: str, path: str) -> str:
        """What a request asks for, in a word."""
        if path.endswith(("/chat/completions", "/v1/messages")):
            return "single"
        if "/files" in path:
            return {"POST": "upload", "GET": "results", "DELETE": "delete"}[method]
        if path.endswith(("/cancel", "/results")):
            return path.rpartition("/")[2]
        if path.endswith("/batches"):
            return "create" if method == "POST" else "list"
        return "poll" if method == "GET" else "delete"

    def take(self, step: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, str]:
        """Status and body of the answer to a request; a status of 0 is none."""
        with self.lock:
            self.asked[step] += 1
            status = self.wrong[step].pop(0) if self.wrong.get(step) else 200
            is_done = status in (200, -500)
            done: Any = getattr(self, f"_{step}")(path, query, body) if is_done else _REFUSED
        if not status or step in self.hung:
            time.sleep(60 if status else self.hang_seconds)
            return 0, ""
        return abs(status), done if isinstance(done, str) else json.dumps(done)

    def _upload(self, path: str, query: Any, body: Any) -> Any:
        self.files[name := f"file-{len(self.files)}"] = body
        return {"id": name, "object": "file", "bytes": len(body), "created_at": 1, "filename": "f", "purpose": "batch"}

    def _create(self, path: str, query: Any, body: Any) -> Any:
        if self.shape == "openai":
            rows = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
            assert {row["url"] for row in rows} == {"/v1/chat/completions"}
            asked = {row["custom_id"]: row["body"] for row in rows}
        else:
            asked = {row["custom_id"]: row["params"] for row in body["requests"]}
        name = (body.get("metadata") or {}).get("slowwave", "")
        made = Batch(f"msgbatch_{len(self.batches)}", asked, name)
        self.batches[made.id] = made
        return self._shown(made)

    def _list(self, path: str, query: dict[str, list[str]], body: Any) -> Any:
        ids = list(reversed(self.batches))
        after = (query.get("after") or query.get("after_id") or [""])[0]
        ids = ids[ids.index(after) + 1 :] if after else ids
        page = [self._shown(self.batches[name]) for name in ids[:2]]
        return {"object": "list", "data": page, "has_more": len(ids) > 2, "last_id": page[-1]["id"] if page else None}

    def _poll(self, path: str, query: Any, body: Any) -> Any:
        batch = self.batches[path.rpartition("/")[2]]
        batch.n_polls += 1
        return self._shown(batch)

    def _cancel(self, path: str, query: Any, body: Any) -> Any:
        batch = self.batches[path.split("/")[-2]]
        batch.is_cancelled = True
        return self._shown(batch)

    def _results(self, path: str, query: Any, body: Any) -> Any:
        batch = self.batches[path.split("/")[-2].removeprefix("out-")]
        assert batch.answers is not None
        return "\n".join(self.spoil(list(batch.answers)))

    def _delete(self, path: str, query: Any, body: Any) -> Any:
        self.deleted.append(name := path.rpartition("/")[2])
        return {"id": name, "deleted": True, "object": "file", "type": "message_batch_deleted"}

    def _single(self, path: str, query: Any, body: Any) -> Any:
        self.singles.append(body)
        return self._said("single", body)

    def _shown(self, batch: Batch) -> dict[str, Any]:
        is_ended = batch.is_cancelled or batch.n_polls > self.polls
        if is_ended and batch.answers is None:
            batch.answers = self._made(batch)
        if self.shape == "anthropic":
            counts = {"processing": len(batch.requests)} if not is_ended else {"succeeded": len(batch.requests)}
            created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch.created))
            known = {"id": batch.id, "type": "message_batch", "created_at": created, "request_counts": counts}
            return {**known, "processing_status": "ended" if is_ended else "in_progress"}
        word = "cancelled" if batch.is_cancelled else self.ends_as
        known = {"id": batch.id, "object": "batch", "endpoint": "/v1/chat/completions", "completion_window": "24h"}
        known |= {"created_at": int(batch.created), "metadata": {"slowwave": batch.name}, "input_file_id": "file-0"}
        has_file = is_ended and word != "failed"
        return {
            **known,
            "status": word if is_ended else "in_progress",
            "output_file_id": f"out-{batch.id}" if has_file else None,
        }

    def _made(self, batch: Batch) -> list[str]:
        """Lines of results: nothing for what was cancelled before it was made, or whose batch failed as a whole."""
        if self.ends_as == "failed":
            return []
        part = list(batch.requests.items())
        part = part[: len(part) // 2] if batch.is_cancelled else part
        return [json.dumps(self._line(n, name, body)) for n, (name, body) in enumerate(part)]

    def _line(self, n: int, name: str, body: dict[str, Any]) -> dict[str, Any]:
        if self.shape == "anthropic":
            expired = {"custom_id": name, "result": {"type": "expired"}}
            return (
                expired
                if n in self.lost
                else {"custom_id": name, "result": {"type": "succeeded", "message": self._said("batch", body)}}
            )
        if n in self.lost:
            return {"custom_id": name, "response": None, "error": {"code": "batch_expired", "message": "late"}}
        return {"custom_id": name, "response": {"status_code": 200, "body": self._said("batch", body)}, "error": None}

    def _said(self, way: str, body: dict[str, Any]) -> dict[str, Any]:
        self.paid[way] += 1
        chat = [{"role": m["role"], "content": _flat(m["content"])} for m in body["messages"]]
        reply = self.behave(Request("", {}, {**body, "messages": chat}))
        if self.shape == "anthropic":
            used = {"input_tokens": READ, "output_tokens": WRITTEN}
            content = [{"type": "text", "text": reply.text}]
            stop = "max_tokens" if reply.finish == "length" else "end_turn"
            return {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": content,
                "stop_reason": stop,
                "usage": used,
            }
        message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
        used = {"prompt_tokens": READ, "completion_tokens": WRITTEN, "total_tokens": READ + WRITTEN}
        choices = [{"index": 0, "finish_reason": reply.finish, "message": message}]
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": choices,
            "usage": used,
        }


def _flat(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _wire(server: Server) -> type[BaseHTTPRequestHandler]:
    class Wire(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            self._take("POST")

        def do_GET(self) -> None:
            self._take("GET")

        def do_DELETE(self) -> None:
            self._take("DELETE")

        def _take(self, method: str) -> None:
            url = urlsplit(self.path)
            body = self._body()
            status, sent = server.take(server.step(method, url.path), url.path, parse_qs(url.query), body)
            if status:
                self._send(status, sent)
            else:
                self.close_connection = True

        def _body(self) -> Any:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            kind = self.headers.get("Content-Type", "")
            if kind.startswith("multipart"):
                parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + raw).get_payload()
                return next(p.get_payload(decode=True).decode() for p in parts if p.get_filename())  # type: ignore[union-attr]
            return json.loads(raw) if raw else {}

        def _send(self, status: int, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Wire
