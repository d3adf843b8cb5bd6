"""Message batches of Anthropic's shape, by httpx: litellm can read a batch of this shape, but not create, list or cancel one.

The headers and the base are those that litellm finds; the addresses are the documented ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from adapters.llm.access import load
from adapters.llm.batch.between import Written
from adapters.llm.batch.notes import Note
from adapters.llm.batch.provider import MOST_PAGES, PAGE, SKEW_SECONDS, Look, NotOurs, Result, plain_id
from adapters.llm.call import Endpoint


class AnthropicBatches:
    """Message batches of Anthropic's shape."""

    def __init__(self, endpoint: Endpoint) -> None:
        import httpx

        load("litellm")
        from litellm.llms.anthropic.batches.transformation import AnthropicBatchesConfig

        config: Any = AnthropicBatchesConfig()
        base, key = endpoint.api_base, endpoint.api_key
        self._headers: dict[str, str] = config.validate_environment({}, "", [], {}, {}, api_key=key, api_base=base)
        self._url: str = config.get_complete_batch_url(base, key, "", {}, {}, {})
        self._http = httpx.Client(timeout=endpoint.timeout_seconds, follow_redirects=False)

    def create(self, note: Note, requests: Mapping[str, Written]) -> str:
        """Submit the requests in one body; there is no file."""
        sent = {"requests": [{"custom_id": slot, "params": asked.body} for slot, asked in requests.items()]}
        betas = ",".join(sorted({b for asked in requests.values() for b in asked.beta.split(",") if b}))
        both = ",".join(filter(None, (self._headers.get("anthropic-beta", ""), betas)))
        return plain_id(self._asked("POST", "", content=json.dumps(sent), headers={"anthropic-beta": both})["id"])

    def find(self, note: Note) -> str | None:
        """By the slots in its results, or, while it has none, by its size and age: a batch of this shape bears no name."""
        after: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            page = self._asked("GET", "", params={"limit": str(PAGE), **after})
            for batch in page.get("data") or []:
                if self._may_be(note, batch):
                    return plain_id(batch["id"])
            if not page.get("has_more") or not page.get("last_id"):
                return None
            after = {"after_id": plain_id(page["last_id"])}
        return None

    def _may_be(self, note: Note, batch: dict[str, Any]) -> bool:
        created = datetime.fromisoformat(str(batch["created_at"]).replace("Z", "+00:00")).timestamp()
        n_requests = sum(int(n) for n in (batch.get("request_counts") or {}).values())
        if created < note.noted_at - SKEW_SECONDS or n_requests != len(note.slots):
            return False
        if batch.get("processing_status") != "ended":
            return created <= note.noted_at + 2 * SKEW_SECONDS
        return any(slot in line for line in self._results(plain_id(batch["id"]))[:1] for slot in note.slots)

    def look(self, batch_id: str) -> Look:
        """How it stands."""
        batch = self._asked("GET", f"/{quote(plain_id(batch_id))}")
        return Look(batch.get("processing_status") == "ended", str(batch.get("processing_status")))

    def lines(self, batch_id: str, look: Look) -> list[str]:
        """The results' lines. The address that the server gives for them is not followed: it may lie elsewhere."""
        return self._results(plain_id(batch_id))

    def _results(self, batch_id: str) -> list[str]:
        response = self._http.get(f"{self._url}/{quote(batch_id)}/results", headers=self._headers)
        response.raise_for_status()
        return response.content.decode("utf-8", "replace").split("\n")

    def result(self, row: dict[str, Any]) -> Result:
        """An answer is a message that succeeded."""
        found = row.get("result")
        kind = found.get("type") if isinstance(found, dict) else None
        if isinstance(found, dict) and kind == "succeeded":
            return Result(found.get("message"))
        return Result(reason="batch_expired" if kind == "expired" else "batch_failed")

    def cancel(self, batch_id: str) -> None:
        """Ask for no more answers."""
        self._asked("POST", f"/{quote(plain_id(batch_id))}/cancel")

    def clear(self, batch_id: str, look: Look) -> None:
        """Delete the batch."""
        self._asked("DELETE", f"/{quote(plain_id(batch_id))}")

    def _asked(self, method: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
        response = self._http.request(method, self._url + path, headers={**self._headers, **(headers or {})}, **more)
        response.raise_for_status()
        found = response.json()
        if not isinstance(found, dict):
            raise NotOurs(f"{method} {path} gave no object")
        return found
