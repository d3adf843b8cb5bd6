"""Stands between litellm and the wire: takes a request off at the last moment, and hands an answer in as if it had come.

So a request in a batch is what a single call would have sent, byte for byte, and its answer is read and priced as a single call's
would be. Nothing here has a network: the client's transport ends in this file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from adapters.llm.access import load
from adapters.llm.call import Admit, Endpoint, Reply, call
from adapters.llm.prompt import Messages

# Providers whose single calls go through the client of OpenAI's own library; the others take litellm's.
_OPENAI_CLIENT = {"openai", "litellm_proxy"}
# What was asked does not matter to how an answer is read.
_ANY_MESSAGES: Messages = [{"role": "user", "content": "-"}]


@dataclass(frozen=True)
class Written:
    """A request as it would go over the wire; `beta` names the features of the provider that it relies on."""

    body: dict[str, Any]
    beta: str = ""


class Between:
    """One model's requests and answers, without the server between them. For one thread at a time."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._take: Callable[[Any], Any] = lambda _: None
        self._endpoint = replace(endpoint, client=self._client(endpoint.model.partition("/")[0]))

    def written(self, messages: Messages, admit: Admit) -> Written | None:
        """The request that a single call would send; None where `admit` keeps it here, or where none can be made."""
        import httpx

        kept: list[Written] = []

        def keep(request: httpx.Request) -> httpx.Response:
            kept.append(Written(json.loads(request.read()), request.headers.get("anthropic-beta", "")))
            return httpx.Response(400, json={"error": {"message": "kept here", "type": "invalid_request_error"}})

        self._take = keep
        call(self._endpoint, messages, admit)
        return kept[0] if kept else None

    def read(self, body: Any) -> Reply:
        """What an answer says that came in a batch."""
        import httpx

        self._take = lambda _: httpx.Response(200, json=body)
        return call(self._endpoint, _ANY_MESSAGES)

    def _client(self, provider: str) -> Any:
        import httpx

        between = self

        class Ends(httpx.BaseTransport):
            def handle_request(self, request: httpx.Request) -> httpx.Response:
                return between._take(request)

        # A proxy of the environment would be a way around this transport.
        http: Any = httpx.Client(transport=Ends(), trust_env=False)
        load("litellm")
        if provider in _OPENAI_CLIENT:
            from openai import OpenAI

            return OpenAI(api_key="none", base_url="http://localhost", http_client=http, max_retries=0)
        from litellm.llms.custom_httpx.http_handler import HTTPHandler

        return HTTPHandler(client=http)
