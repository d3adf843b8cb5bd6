"""Whether a message as a whole is no evidence, before its sentences are looked at.

Belongs here: rules over role, mark and opening words. Does not belong here: the patterns (`noise`).
"""

from __future__ import annotations

from typing import NamedTuple

from models.message import FORGOTTEN
from tasks.sift import noise


class Verdict(NamedTuple):
    """Why a message is dropped; `is_job` where what answers it goes with it."""

    reason: str
    detail: str = ""
    is_job: bool = False


def whole_message(
    role: str, text: str, tool_name: str | None, mark: str | None, is_answering_job: bool
) -> Verdict | None:
    """Why the whole message is dropped, or None. `is_answering_job`: the session's last words in user position were a job's."""
    if mark == FORGOTTEN:
        return Verdict(FORGOTTEN)
    if not text or text.isspace():
        return Verdict("empty")
    if role == "system":
        return Verdict("system prompt")
    if mark == "deleted":
        return Verdict("deleted at its source")
    if mark == "left_out":
        return Verdict("left out for good")
    if mark:
        return Verdict("set aside by its source", mark)
    if tool_name and (role == "user" or (role == "assistant" and noise.is_machine_mark(tool_name))):
        return Verdict("machine text", tool_name)
    return _by_words(role, text, is_answering_job)


def _by_words(role: str, text: str, is_answering_job: bool) -> Verdict | None:
    if role == "participant":
        return None
    if reason := noise.machine_reason(text):
        return Verdict(reason, is_job=True)
    if is_answering_job and role != "user":
        return Verdict("answers a job")
    reason = noise.harness_reason(text) if role != "assistant" else None
    return Verdict(reason) if reason else None
