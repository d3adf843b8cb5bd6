"""The watch over a store's inbox: a request for an early night becomes a Prefect event, which the deployment `flush` answers.

Light: it looks at a folder twice a second and speaks to the server with the standard library. What was asked while it was not running is
told when it starts. Belongs here: requests into events. Does not belong here: what answers them (`early`).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import Request, urlopen

from slowwave.flushing import FLUSHES, Asked, as_asked, event_of
from slowwave.store import CURRENT

_LOOK_SECONDS, _POST_SECONDS, _WAIT_SECONDS = 0.5, 10.0, 2.0


def emit(api: str, store: str, asked: Asked) -> None:
    """Tell the server at `api` of a request; told twice it counts once. Raises OSError."""
    body = json.dumps([event_of(store, asked)]).encode()
    posted = Request(f"{api.rstrip('/')}/events", body, {"Content-Type": "application/json"}, method="POST")
    with urlopen(posted, timeout=_POST_SECONDS):
        return


class Watch:
    """The requests in a store's inbox, each session's last one told once."""

    def __init__(self, store: Path) -> None:
        self.folder = store / "inbox" / FLUSHES
        self.read: dict[str, int] = {}
        # What was asked before the last version appeared was answered by it, or by the night that comes.
        self.since = _moved_at(store)

    def fresh(self) -> Iterator[Asked]:
        """The last request of each session since the last look. A line that is still being written is read the next time."""
        for path in sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else ():
            at = self.read.get(path.name, 0)
            if path.stat().st_size == at:
                continue
            with path.open("rb") as file:
                file.seek(at)
                whole, newline, _ = file.read().rpartition(b"\n")
            self.read[path.name] = at + len(whole) + len(newline)
            asked = [one for one in map(as_asked, whole.splitlines()) if one is not None and one.at > self.since]
            yield from asked[-1:]


def _moved_at(store: Path) -> datetime:
    try:
        return datetime.fromtimestamp((store / CURRENT).stat().st_mtime, UTC)
    except OSError:
        return datetime.min.replace(tzinfo=UTC)


def main() -> int:
    """Watch the store of the environment until told to end."""
    store, api = os.environ["SLOWWAVE_STORE"], os.environ["PREFECT_API_URL"]
    watch, waiting = Watch(Path(store)), list[Asked]()
    while True:
        waiting += watch.fresh()
        try:
            while waiting:
                emit(api, store, waiting[0])
                waiting.pop(0)
        except OSError as error:
            sys.stderr.write(f"the server was not told of {len(waiting)} requests, and will be: {error}\n")
            time.sleep(_WAIT_SECONDS)
        time.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
