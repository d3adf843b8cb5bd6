"""LoCoMo (Maharana et al., 2024): very long conversations between two peers, so there is no `user`.

The data set states a session's local time and no zone: it is taken as UTC, without an offset, and each turn is a second later than
the one before, so that order holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adapters.sources.folder import file_name, find_files, opened_plain, sampled
from adapters.sources.lines import source_error
from adapters.sources.protocol import BadLine, Damaged, Item, RawMessage, read_text, word
from slowwave.errors import SourceError

SUFFIXES = (".json",)
PLATFORM = "locomo"
# A sample is some hundred kilobytes; anything far larger is something else, and not parsed to find out.
_MAX_BYTES, _N_FILES = 64 * 2**20, 5
_SESSION = re.compile(r"session_(\d+)")


def looks_like(path: Path) -> bool:
    """Whether a file, or one of the first of a folder, is a sample with its conversation."""
    return any(
        _is_sample(file) for file in sampled(find_files(path, SUFFIXES), _N_FILES) if file.suffix.lower() in SUFFIXES
    )


def _is_sample(file: Path) -> bool:
    try:
        return file.stat().st_size <= _MAX_BYTES and bool(load(file))
    except (OSError, SourceError):
        return False


def read(path: Path) -> Iterator[Item]:
    """Every turn of every sample in a file, or in a folder's files in order. Raises SourceError."""
    for file in find_files(path, SUFFIXES):
        name = file_name(path, file)
        try:
            samples = load(file)
        except SourceError as error:
            if file == path:
                raise
            yield Damaged(name, 0, "unreadable file" if isinstance(error.__cause__, OSError) else "not a LoCoMo sample")
            continue
        for sample in samples:
            yield from _turns(sample, name)


def load(file: Path) -> list[dict[str, Any]]:
    """The samples of one file: one, or a list of them. Raises SourceError."""
    try:
        with opened_plain(file) as opened:
            found = json.loads(opened.read().decode())
    except OSError as error:
        raise source_error(file, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise source_error(file, "is not JSON") from error
    samples = found if isinstance(found, list) else [found]
    if not all(isinstance(s, dict) and isinstance(s.get("conversation"), dict) for s in samples):
        raise source_error(file, "is not a LoCoMo sample: it has no conversation")
    return samples


def read_session_time(text: Any) -> datetime | None:
    """The time of a session, e.g. "1:56 pm on 8 May, 2023", taken as UTC; null where it can't be read."""
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except (ValueError, AttributeError):
        return None


def _turns(sample: dict[str, Any], name: str) -> Iterator[Item]:
    owner = str(sample.get("sample_id") or Path(name).stem)
    conversation = sample["conversation"]
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        started = read_session_time(conversation.get(f"session_{number}_date_time"))
        turns = conversation[f"session_{number}"]
        for seq, turn in enumerate(turns if isinstance(turns, list) else [turns]):
            try:
                yield _turn(turn, f"{name}:{number}.{seq}", owner, number, seq, started)
            except BadLine as error:
                yield Damaged(name, number, f"turn {seq}: {error}")


def _turn(turn: Any, place: str, owner: str, number: int, seq: int, started: datetime | None) -> RawMessage:
    if not isinstance(turn, dict):
        raise BadLine("not an object")
    speaker = word(turn.get("speaker"))
    if speaker is None:
        raise BadLine("no speaker")
    return RawMessage(
        place=place,
        platform=PLATFORM,
        session_id=f"{owner}:session_{number}",
        message_id=word(turn.get("dia_id")) or f"D{number}:{seq + 1}",
        seq=seq,
        role="participant",
        text=read_text(turn.get("text")),
        speaker=speaker,
        user_id=owner,
        said_at=started + timedelta(seconds=seq) if started else None,
        time_source="session" if started else "none",
        caption=word(turn.get("blip_caption")),
    )
