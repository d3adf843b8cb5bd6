"""Counts tokens before anything is sent: by the model's own tokenizer where it is known, else by a bound that holds for any.

Bytes are that bound: no tokenizer makes more tokens of a text than it has UTF-8 bytes. It is loose for one request, and right over a
night, since every request's true usage replaces it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import Any

from adapters.llm.access import load
from slowwave.errors import UsageError

# Where tiktoken would fetch an encoding from; litellm brings two along, in files named by the hash of that address.
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
# What a chat layout may add around each message; known for the encodings above, a bound for all others.
_LAYOUT_KNOWN, _LAYOUT_ANY = 4, 16


@dataclass(frozen=True)
class Counting:
    """How tokens are counted: the tokenizer's name, and whether it is the model's own."""

    name: str
    is_exact: bool
    count: Callable[[str], int]
    layout: int = _LAYOUT_ANY

    def tokens_of(self, request: Mapping[str, Any]) -> int:
        """Most input tokens of a request as it goes over the wire: its messages, and the schema asked for."""
        messages = request.get("messages") or []
        texts = [text for message in messages for text in _texts(message)]
        schema = {name: request[name] for name in ("response_format", "tools", "functions") if request.get(name)}
        texts += [_plain(schema)] if schema else []
        return sum(map(self.count, texts)) + self.layout * (len(messages) + 1)


@cache
def counting(model: str, tokenizer: str = "") -> Counting:
    """How to count for a model. `tokenizer` is a `tokenizer.json` of its own. Raises UsageError where that can't be read."""
    if tokenizer:
        return _from_file(tokenizer)
    import tiktoken

    try:
        name = tiktoken.encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        name = ""
    return _known(name) or Counting("bytes", False, _n_bytes)


def likely(model: str, tokenizer: str = "") -> Counting:
    """How to estimate for a model: as `counting` where that is exact, else by a common tokenizer, which is near most."""
    found = counting(model, tokenizer)
    near = None if found.is_exact else _known("o200k_base")
    return replace(near, is_exact=False) if near else found


def _known(name: str) -> Counting | None:
    """A tokenizer that lies here; none where it would have to be fetched over the network."""
    folder = Path(str(load("litellm").__file__)).parent / "litellm_core_utils" / "tokenizers"
    if not (folder / sha1(_ADDRESS.format(name).encode(), usedforsecurity=False).hexdigest()).is_file():
        return None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken

    encoding = tiktoken.get_encoding(name)
    return Counting(name, True, lambda text: len(encoding.encode_ordinary(_clean(text))), _LAYOUT_KNOWN)


def _from_file(path: str) -> Counting:
    try:
        from tokenizers import Tokenizer

        made: Any = Tokenizer.from_file(path)
    except Exception as error:
        raise UsageError(
            f"the tokenizer {path!r} cannot be read: {error}",
            "Name a tokenizer.json of the model under `[night] tokenizer`, or leave the setting empty.",
        ) from error
    return Counting(path, True, lambda text: len(made.encode(_clean(text)).ids))


def _clean(text: str) -> str:
    """Text that can be encoded: half of a surrogate pair can't."""
    return text.encode("utf-8", "replace").decode()


def _n_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _texts(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content") or ""
    rest = {k: v for k, v in message.items() if k not in ("role", "content") and v}
    return [content if isinstance(content, str) else _plain(content), *([_plain(rest)] if rest else [])]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
