"""Batch files of OpenAI's shape, through litellm."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from adapters.llm.access import is_local, load
from adapters.llm.batch.between import Written
from adapters.llm.batch.notes import Note
from adapters.llm.batch.provider import MOST_PAGES, PAGE, SKEW_SECONDS, Look, NotSent, Result, plain_id
from adapters.llm.call import Endpoint

_ENDED = {"completed", "failed", "expired", "cancelled"}


class OpenAIBatches:
    """Batch files of OpenAI's shape, for the providers that litellm serves in it."""

    def __init__(self, endpoint: Endpoint) -> None:
        key = endpoint.api_key or ("none" if is_local(endpoint.model, endpoint.api_base) else None)
        self._to: dict[str, Any] = {
            "custom_llm_provider": endpoint.model.partition("/")[0],
            "api_base": endpoint.api_base,
            "api_key": key,
            "timeout": endpoint.timeout_seconds,
            "max_retries": 0,
        }

    def create(self, note: Note, requests: Mapping[str, Written]) -> str:
        """Upload the file, then create the batch over it, with the note's name in its metadata."""
        litellm = load("litellm")
        where = {"method": "POST", "url": "/v1/chat/completions"}
        rows = ({"custom_id": slot, **where, "body": asked.body} for slot, asked in requests.items())
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace")
        try:
            file = litellm.create_file(
                file=(f"{note.name}.jsonl", data, "application/jsonl"), purpose="batch", **self._to
            )
        except Exception as error:
            # A file without a batch costs nothing.
            raise NotSent(type(error).__name__) from error
        made = litellm.create_batch(
            completion_window="24h",
            endpoint="/v1/chat/completions",
            input_file_id=plain_id(file.id),
            metadata={"slowwave": note.name},
            **self._to,
        )
        return plain_id(made.id)

    def find(self, note: Note) -> str | None:
        """By the name in its metadata."""
        after: str | None = None
        for _ in range(MOST_PAGES):
            page = load("litellm").list_batches(after=after, limit=PAGE, **self._to)
            for batch in page.data:
                is_named = (batch.metadata or {}).get("slowwave") == note.name
                if is_named and batch.created_at >= note.noted_at - SKEW_SECONDS:
                    return plain_id(batch.id)
            if not page.data or not getattr(page, "has_more", False):
                return None
            after = plain_id(page.data[-1].id)
        return None

    def look(self, batch_id: str) -> Look:
        """How it stands."""
        batch = load("litellm").retrieve_batch(batch_id=plain_id(batch_id), **self._to)
        files = tuple(plain_id(name) for name in (batch.output_file_id, batch.error_file_id) if name)
        return Look(batch.status in _ENDED, str(batch.status), files, str(batch.input_file_id or ""))

    def lines(self, batch_id: str, look: Look) -> list[str]:
        """The output file's lines, then the error file's."""
        litellm = load("litellm")
        contents = [litellm.file_content(file_id=name, **self._to).content for name in look.files]
        return [line for content in contents for line in content.decode("utf-8", "replace").split("\n")]

    def result(self, row: dict[str, Any]) -> Result:
        """An answer counts only with a status of 200."""
        response, error = row.get("response"), row.get("error")
        if isinstance(response, dict) and response.get("status_code") == 200 and not error:
            return Result(response.get("body"))
        told = error.get("code") if isinstance(error, dict) else ""
        return Result(reason="batch_expired" if told == "batch_expired" else "batch_failed")

    def cancel(self, batch_id: str) -> None:
        """Ask for no more answers."""
        load("litellm").cancel_batch(batch_id=plain_id(batch_id), **self._to)

    def clear(self, batch_id: str, look: Look) -> None:
        """Delete the files."""
        for name in filter(None, (look.input_file, *look.files)):
            load("litellm").file_delete(file_id=plain_id(name), **self._to)
