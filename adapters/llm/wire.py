"""The form of an answer on the wire: rows of short strings in a fixed order, since each output token is paid for.

Belongs here: the response model that goes out, and how its rows become claims. Does not belong here: whether a claim is true to
its lines, which the stage `extract` judges.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from models.claim import Claim, Claims
from slowwave.format import Kind
from slowwave.text import squash

# One word a kind, and one token: a name such as tool_or_workflow_lesson would be paid for with every claim.
KIND_WORDS = {
    "constraint": Kind.CONSTRAINT,
    "style": Kind.COMMUNICATION_PREFERENCE,
    "preference": Kind.PREFERENCE,
    "goal": Kind.GOAL_OR_COMMITMENT,
    "routine": Kind.ROUTINE,
    "person": Kind.COLLABORATOR,
    "project": Kind.PROJECT,
    "lesson": Kind.TOOL_OR_WORKFLOW_LESSON,
    "fact": Kind.SEMANTIC_FACT,
    "milestone": Kind.TIMELINE_MILESTONE,
    "event": Kind.EPISODIC_EVENT,
    "outcome": Kind.INTERVENTION_OUTCOME,
}
_WORD_OF = {kind: word for word, kind in KIND_WORDS.items()}
FIELDS = ("lines", "kind", "subject", "attribute", "value", "statement")
_FLAGS: dict[str, dict[str, Any]] = {
    "single": {"cardinality": "single"},
    "negate": {"polarity": "negate"},
    "retract": {"polarity": "retract"},
    "unasserted": {"is_assertion": False},
}
_NAMED = {
    "due": "due",
    "from": "valid_from",
    "to": "valid_to",
    "names": "mentions",
    "confidence": "confidence",
    "importance": "importance",
}
_RANGE = re.compile(r"(\d{1,6})(?:\s*-\s*(\d{1,6}))?")
_MOST_LINES = 50
_MOST_CHARS = 1000
_MOST_SHOWN_CHARS = 160


class Malformed(ValueError):
    """A row that is none; its text says what to mend."""


def as_text(item: Any) -> str:
    """A number or a list of numbers is what a model writes now and then where its text was asked for."""
    if isinstance(item, list):
        return ",".join(map(as_text, item))
    return "" if item is None else str(item)


def _as_texts(row: Any) -> Any:
    return [as_text(item) for item in row] if isinstance(row, list) else row


class Rows(BaseModel):
    """Rows of strings: lines, kind, subject, attribute, value, statement, extras."""

    rows: list[Annotated[list[str], BeforeValidator(_as_texts)]] = Field(description="One row a claim; [] if none.")


def read(answer: Rows) -> Claims:
    """The claims of an answer. A row that is no claim is named in `malformed`, with what is wrong, and the rest stands."""
    claims: list[Claim] = []
    malformed: list[str] = []
    for number, row in enumerate(answer.rows, 1):
        try:
            claims.append(_claim(row))
        except Malformed as wrong:
            shown = squash(json.dumps(row, ensure_ascii=False))[:_MOST_SHOWN_CHARS]
            malformed.append(f"row {number}, {shown}: {wrong}")
    return Claims(claims=claims, malformed=malformed)


def written(claims: list[Claim]) -> str:
    """Claims as an answer that holds them would be written: what `read` makes of it is those claims."""
    return json.dumps({"rows": list(map(_row, claims))}, ensure_ascii=False, separators=(",", ":"))


def _row(claim: Claim) -> list[str]:
    fields = [",".join(map(str, claim.lines)), _WORD_OF[claim.kind], claim.subject]
    row = [*fields, claim.attribute or "", claim.value or "", claim.statement or "", *_marks(claim)]
    while not row[-1]:
        row.pop()
    return row


def _marks(claim: Claim) -> Iterator[str]:
    """The extras of a row: flags and named ones, each only where it is not so by default."""
    said = claim.model_dump(mode="json", exclude_defaults=True)
    yield from (flag for flag, sets in _FLAGS.items() if sets.items() <= said.items())
    for name, field in _NAMED.items():
        if field in said:
            yield f"{name}={', '.join(said[field]) if name == 'names' else said[field]}"


def _claim(row: list[str]) -> Claim:
    lines, kind, subject, attribute, value, statement = (text.strip() for text in _padded(row))
    if kind not in KIND_WORDS and kind not in {k.value for k in Kind}:
        raise Malformed(f"kind must be one of {', '.join(KIND_WORDS)}")
    if not subject:
        raise Malformed("it has no subject")
    if max(map(len, row)) > _MOST_CHARS:
        raise Malformed(f"a field has more than {_MOST_CHARS} characters")
    try:
        return Claim(
            kind=KIND_WORDS.get(kind) or Kind(kind),
            subject=subject,
            lines=_numbers(lines),
            attribute=attribute or None,
            value=value or None,
            statement=statement or None,
            **dict(_extras(row[len(FIELDS) :])),
        )
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        raise Malformed(f"{'.'.join(map(str, found['loc']))}: {found['msg']}") from error


@dataclass(frozen=True)
class Form:
    """What an answer has to look like, and how it becomes claims."""

    response: type[BaseModel]
    read: Callable[[Any], Claims]


ROWS = Form(Rows, read)


def _padded(row: list[str]) -> list[str]:
    return [*row[: len(FIELDS)], *[""] * (len(FIELDS) - len(row))]


def _numbers(text: str) -> list[int]:
    """Line numbers: "4", "4,5" or "4-6"."""
    found: list[int] = []
    for part in text.strip("[]").split(","):
        match = _RANGE.fullmatch(part.strip().strip("[]"))
        if not match:
            raise Malformed('lines must be the numbers of lines, such as "4" or "4,5"')
        first, last = int(match[1]), int(match[2] or match[1])
        # A range that no claim needs would be a list as long as the model likes.
        if last - first >= _MOST_LINES or len(found) >= _MOST_LINES:
            raise Malformed("it cites too many lines: cite the ones that state it")
        found += range(first, last + 1)
    if not found:
        raise Malformed("it cites no line")
    return found


def _extras(texts: list[str]) -> Iterator[tuple[str, Any]]:
    for text in filter(None, (text.strip() for text in texts)):
        name, has_value, value = (part.strip() for part in text.partition("="))
        if not has_value and text in _FLAGS:
            yield from _FLAGS[text].items()
        elif has_value and name in _NAMED:
            yield _NAMED[name], [n for n in re.split(r"\s*,\s*", value) if n] if name == "names" else value or None
        else:
            known = [*_FLAGS, *(f"{name}=" for name in _NAMED)]
            raise Malformed(f"the extra {text[:40]!r} is none of {', '.join(known)}")
