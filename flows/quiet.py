"""Settings that keep Prefect quiet, patient and at home; to be in the environment before Prefect is imported."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from urllib.request import urlopen

from slowwave.errors import ServerUnreachable

HEALTH_SECONDS = 5.0

QUIET = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_SERVER_LOGGING_LEVEL": "WARNING",
}


def set_quiet() -> None:
    """Set what a person has not set."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)


def server() -> str | None:
    """The address of the Prefect server that is configured: by the environment, or by the active profile."""
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    home = Path(os.environ.get("PREFECT_HOME", Path.home() / ".prefect"))
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH", home / "profiles.toml"))
    try:
        found = tomllib.loads(profiles.read_text())
    except (OSError, tomllib.TOMLDecodeError):
        return None
    active = os.environ.get("PREFECT_PROFILE", found.get("active", ""))
    return found.get("profiles", {}).get(active, {}).get("PREFECT_API_URL") or None


def require_server() -> None:
    """Raises ServerUnreachable where a server is configured and does not answer; without one Prefect starts its own."""
    url = server()
    if url is None:
        return
    try:
        with urlopen(f"{url.rstrip('/')}/health", timeout=HEALTH_SECONDS):
            return
    except (OSError, ValueError) as error:
        raise ServerUnreachable(
            f"the Prefect server at {url} does not answer: {error}",
            "Start it (make ui), take PREFECT_API_URL away, or walk without it: --plain",
        ) from error
