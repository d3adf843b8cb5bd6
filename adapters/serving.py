"""The settings of nights that run by themselves: when, where their server listens, and who is told when something is wrong.

No version depends on them.
"""

from __future__ import annotations

from pydantic import Field, SecretStr

from models.rules import Rules


class ServiceSettings(Rules):
    """What `slowwave up` starts: a Prefect server on this machine, a worker, and everything that runs by itself."""

    cron: str = Field(default="30 3 * * *", description="When nights run, as cron has it, in the owner's zone.")
    port: int = Field(
        default=4200, ge=0, le=65535, description="Where the server listens, on loopback alone; 0 takes a free port."
    )
    keep_days: int = Field(
        default=30, ge=1, description="How long Prefect keeps its records of runs; the store keeps its own."
    )


class AlertSettings(Rules):
    """Who is told when a night fails, is late or held, breaks a promise, meets a ceiling, or does not come. Names and counts, no words."""

    webhook: SecretStr = Field(
        default=SecretStr(""), description="Address that a JSON object is posted to; empty for none."
    )
    block: str = Field(
        default="",
        description="A notification block of the Prefect server that is told instead, as `slack-webhook/NAME`; empty for none.",
    )
    silent_hours: float = Field(default=26.0, gt=0, description="How long no night may have ended before that is told.")
