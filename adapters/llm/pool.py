"""One pool of places for a whole fleet: how many calls all its stores' nights have in flight together, in any number of processes.

A place is a locked file, so that a killed process leaves its places free.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from slowwave import private

# What each call is made within; entering it may wait.
Limiter = Callable[[], AbstractContextManager[object]]
_LOOK_SECONDS = 0.05


class Pool:
    """Places in a folder that all members share, `width` of them."""

    def __init__(self, folder: Path, width: int) -> None:
        self._folder, self._width = folder, width

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Hold a place, once one is free."""
        private.make_folder(self._folder)
        while (handle := self._taken()) is None:
            time.sleep(_LOOK_SECONDS)
        try:
            yield
        finally:
            os.close(handle)

    def _taken(self) -> int | None:
        for place in range(self._width):
            handle = os.open(self._folder / f"{place}", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
            else:
                return handle
        return None
