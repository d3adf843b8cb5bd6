"""Which model may be called, and whether it can be: egress by name, providers and keys, and libraries kept quiet.

Belongs here: what is known before the first call. Does not belong here: the calls themselves.
"""

from __future__ import annotations

import importlib
import ipaddress
import logging
import os
from collections.abc import Sequence
from types import ModuleType
from urllib.parse import urlsplit

from slowwave.errors import ModelError

# Providers whose client sends to the api_base it is given and nowhere else: only for these is a loopback base a proof.
_OBEDIENT = frozenset({"openai", "hosted_vllm", "lm_studio", "llamafile", "ollama", "ollama_chat"})
_QUIET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "CRITICAL"}


def load(name: str) -> ModuleType:
    """Import `litellm` or `instructor`, without the look-ups and log lines they make by default."""
    for variable, value in _QUIET.items():
        os.environ[variable] = value
    module = importlib.import_module(name)
    for logger in ("LiteLLM", "instructor", "httpx", "openai"):
        # Their error lines repeat parts of prompts, and a transcript does not belong in a log.
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    if name == "litellm":
        vars(module).update(suppress_debug_info=True, telemetry=False, drop_params=True)
    return module


def is_loopback(api_base: str | None) -> bool:
    """Whether an address can only be this machine; a name other than localhost is not believed."""
    host = urlsplit(api_base or "").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_local(model: str, api_base: str | None, proxies: Sequence[str] = ()) -> bool:
    """Whether text put to this model stays on this machine. `proxies` are hosts on loopback that hand it on."""
    is_handed_on = host_of(model, api_base) in proxies
    return is_loopback(api_base) and model.partition("/")[0] in _OBEDIENT and not is_handed_on


def host_of(model: str, api_base: str | None) -> str:
    """Where requests to a model go: host and port, or the provider's name where no address is given."""
    return urlsplit(api_base or "").netloc.rpartition("@")[2] or model.partition("/")[0]


def require_allowed(model: str, api_base: str | None, allowed: Sequence[str], proxies: Sequence[str] = ()) -> None:
    """Refuse a model that text would leave the machine for, unless the owner allowed it by name.

    Raises ModelError.
    """
    if not is_local(model, api_base, proxies):
        if model in allowed:
            return
        raise ModelError(
            f"the model {model!r} is not on this machine, and text may leave it only for models you name",
            f'Add it to the setting `[egress] allowed_models = ["{model}"]`, or give an api_base on loopback.',
        )
    # A proxy in the environment would carry loopback calls away.
    for variable in ("NO_PROXY", "no_proxy"):
        hosts = [h for h in os.environ.get(variable, "").split(",") if h]
        os.environ[variable] = ",".join(dict.fromkeys([*hosts, "localhost", "127.0.0.1", "::1"]))


def require_known(model: str, api_base: str | None, api_key: str | None) -> None:
    """Refuse a model whose provider is unknown or whose key is missing, as far as that can be known without a call.

    A model on loopback needs neither, so litellm is not imported for it. Raises ModelError.
    """
    if is_local(model, api_base):
        return
    litellm = load("litellm")
    try:
        litellm.get_llm_provider(model=model, api_base=api_base)
    except Exception as error:
        raise ModelError(
            f"no provider is known for the model {model!r}",
            "Write it as provider/model, e.g. openai/NAME with an api_base for a server of your own, or use `offline`.",
        ) from error
    found = litellm.validate_environment(model=model, api_key=api_key, api_base=api_base)
    missing = [name for name in found.get("missing_keys", []) if name.endswith(("_KEY", "_TOKEN"))]
    if not api_key and missing:
        raise ModelError(
            f"there is no key for the model {model!r}",
            f"Set {' or '.join(missing)} in the environment, or choose a model that needs no key.",
        )
