"""An S3-compatible server on loopback in which a test chooses what fails, and stores to try in it and in a folder alike."""

from __future__ import annotations

import itertools
import logging
import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import slowwave
from adapters.forget.scan import texts
from adapters.remote import local
from flows.begin import Plan
from flows.road import Outcome, consolidated
from flows.step import here
from slowwave.remote import is_remote, place_of
from slowwave.remote.objects import opened as objects_of
from slowwave.remote.reading import whole
from tests.make import at

FLAGS: dict[str, Any] = {"embed": {"embedder": "none"}}
_names = itertools.count()


class ObjectServer:
    """The server. `fate` says of each request, by number, method and path: "" it is served, "refuse" it is not done and answered with a
    503, "lose" it is done and answered with a 500, or the name of another fault of S3's as a 403."""

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._serve, threaded=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.fate: Callable[[int, str, str], str] = lambda *_: ""
        self.ignores_conditions = False
        self._numbers = itertools.count(1)
        self.n_failed = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ObjectServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()

    def well_again(self) -> None:
        self.fate, self.ignores_conditions, self.n_failed = lambda *_: "", False, 0

    def bucket(self) -> str:
        """A new bucket's name."""
        name = f"bucket-{next(_names)}"
        urllib.request.urlopen(urllib.request.Request(f"{self.address}/{name}", method="PUT")).close()
        return name

    def _serve(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if self.ignores_conditions:
            environ = {
                name: value for name, value in environ.items() if name not in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")
            }
        fate = self.fate(next(self._numbers), environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if not fate:
            return self._app(environ, start)
        self.n_failed += 1
        if fate == "lose":
            b"".join(self._app(environ, lambda *_: lambda _: None))
        status = {"refuse": "503 Slow Down", "lose": "500 Internal Server Error"}.get(fate, "403 Forbidden")
        code = {"refuse": "SlowDown", "lose": "InternalError"}.get(fate, fate)
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()
        start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body]


class Home:
    """A store in a folder or under a prefix, and the machines that use it."""

    def __init__(self, store: Path | str, use: Callable[[str], None]) -> None:
        self.store, self.on = store, use

    @property
    def is_remote(self) -> bool:
        return is_remote(self.store)

    def said(self, n: int, content: str, session: str = "s1", **more: Any) -> None:
        """The n-th thing that the owner says."""
        row = {"session_id": session, "message_id": f"m{n}", "role": "user", "content": content, "platform": "test"}
        slowwave.record(self.store, [{**row, "created_at": f"2026-03-01T10:{n:02}:00+00:00", **more}])

    def night(self, day: str, sources: tuple[str, ...] = (), **flags: Any) -> Outcome:
        return consolidated(Plan(local(self.store), sources, at(f"{day}T03:00"), {**FLAGS, **flags}), here)

    def recalls(self, question: str) -> str:
        return " ".join(found.text for found in slowwave.open(self.store).recall(question, 5))

    def memories(self) -> list[str]:
        """What the version that serves holds as memories."""
        from slowwave.format import Memory

        return sorted(memory.text for memory in slowwave.open(self.store)._tables().where("memories", Memory))

    def files(self) -> dict[str, bytes]:
        """Everything that the store holds, fetched anew, by its path in it."""
        with whole(self.store) as folder:
            paths = [path for path in folder.rglob("*") if path.is_file()]
            return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}

    def plant(self, path: str, content: bytes) -> None:
        """Put something into the store behind everybody's back."""
        if self.is_remote:
            assert objects_of(place_of(self.store)).put(path, content, None)
        else:
            (Path(self.store) / path).parent.mkdir(parents=True)
            (Path(self.store) / path).write_bytes(content)

    def says(self, *words: str) -> list[str]:
        """Every file of the store that holds one of these words, compressed pages decoded."""
        with whole(self.store) as folder:
            return sorted({name for name, text in _texts(folder) if any(word in text.casefold() for word in words)})


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield from ((path.relative_to(folder).as_posix(), text) for _, text in texts(path))
