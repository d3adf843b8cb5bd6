"""Settings that keep Prefect quiet, patient and at home; to be in the environment before Prefect is imported."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

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


def has_server() -> bool:
    """Whether a Prefect server is configured: by the environment, or by the active profile."""
    if os.environ.get("PREFECT_API_URL"):
        return True
    home = Path(os.environ.get("PREFECT_HOME", Path.home() / ".prefect"))
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH", home / "profiles.toml"))
    try:
        found = tomllib.loads(profiles.read_text())
    except (OSError, tomllib.TOMLDecodeError):
        return False
    active = os.environ.get("PREFECT_PROFILE", found.get("active", ""))
    return bool(found.get("profiles", {}).get(active, {}).get("PREFECT_API_URL"))
