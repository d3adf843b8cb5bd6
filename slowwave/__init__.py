"""slowwave: the thin online half. Opens a published memory, recalls from it, and appends to its inbox.

    import slowwave
    reader = slowwave.open("store")
    reader.snapshot(); reader.recall("When did Ana move?")

Importing this loads the standard library alone, and little of it: each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slowwave.errors import SlowwaveError
    from slowwave.format import Manifest, Memory
    from slowwave.inbox import feedback, flush, record, retract
    from slowwave.reader import Reader, bundle, open
    from slowwave.reader.bundles import Bundle
    from slowwave.reader.results import Recalled

__version__ = "0.1.0"
__all__ = [
    "Bundle",
    "Manifest",
    "Memory",
    "Reader",
    "Recalled",
    "SlowwaveError",
    "bundle",
    "feedback",
    "flush",
    "open",
    "record",
    "retract",
]

_HOMES = {
    "open": "reader",
    "bundle": "reader",
    "Bundle": "reader.bundles",
    "Reader": "reader",
    "Recalled": "reader.results",
    "Memory": "format",
    "Manifest": "format",
    "SlowwaveError": "errors",
    "record": "inbox",
    "retract": "inbox",
    "feedback": "inbox",
    "flush": "inbox",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'slowwave' has no attribute {name!r}")
    return getattr(import_module(f"slowwave.{_HOMES[name]}"), name)
