"""Who is told when something is wrong, as Prefect automations made from the settings: what happened, then whom to tell.

A state of a run has a name of its own (`Held`, `PromiseBroken`), and its event bears it. What is told is names and counts, never words.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from adapters.serving import AlertSettings
from slowwave import errors
from slowwave.errors import UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

WEBHOOK = "slowwave-alerts"
# The deployments whose runs are nights.
NIGHTS = ("nightly", "fleet")
CEILING = "slowwave.ceiling-reached"
# The names of states that a run may end in, by what they mean. What went wrong ends in a state of the error's name.
GOOD = ("Completed", "NothingNew")
LATE = ("Late",)
HELD = ("Held", errors.StoreHeld.__name__)
BROKEN = (errors.PromiseBroken.__name__, "Broken")
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.SlowwaveError)
}
BAD = {
    "slowwave: a run failed": (
        "Failed",
        "Crashed",
        "TimedOut",
        "NotForgotten",
        "SomeFailed",
        *sorted(ERRORS - {*HELD, *BROKEN}),
    ),
    "slowwave: a night is late": LATE,
    "slowwave: a night is held": HELD,
    "slowwave: a promise broke": BROKEN,
}
_SILENT, _COSTLY = "slowwave: no night has ended", "slowwave: a ceiling of cost was reached"
NAMES = (*BAD, _SILENT, _COSTLY)
# What is told, as expressions that Prefect's server evaluates.
_TOLD = {
    "event": "event.event",
    "run": "flow_run.name if flow_run else ''",
    "state": "flow_run.state.name if flow_run else ''",
    "message": "flow_run.state.message if flow_run else (event.payload.message or '')",
    "at": "event.occurred | string",
}


def deploy(client: SyncPrefectClient, settings: AlertSettings) -> list[str]:
    """Make the automations that the settings ask for, over those of before; returns their names. Raises UsageError."""
    for name in NAMES:
        for old in client.read_automations_by_name(name):
            client.delete_automation(old.id)
    action = _action(client, settings)
    if action is None:
        return []
    triggers = triggers_of(settings)
    for name, trigger in triggers.items():
        _make(client, name, trigger, action(name))
    return list(triggers)


def _make(client: SyncPrefectClient, name: str, trigger: Any, action: Any) -> None:
    from prefect.events.schemas.automations import AutomationCore

    told = "Made by slowwave up from [alerts]; it makes this again."
    client.create_automation(AutomationCore(name=name, description=told, trigger=trigger, actions=[action]))


def triggers_of(settings: AlertSettings) -> dict[str, Any]:
    """Every alert by name, and what sets it off."""
    from prefect.events.schemas.automations import EventTrigger, Posture

    def runs(*states: str) -> dict[str, Any]:
        return {
            "expect": {f"prefect.flow-run.{state}" for state in states},
            "match": {"prefect.resource.id": "prefect.flow-run.*"},
        }

    nights = {"prefect.resource.role": "deployment", "prefect.resource.name": list(NIGHTS)}
    of_nights: dict[str, Any] = {"match_related": nights}
    found = {
        name: EventTrigger(**runs(*states), **(of_nights if states == LATE else {}), posture=Posture.Reactive)
        for name, states in BAD.items()
    }
    found[_COSTLY] = EventTrigger(expect={CEILING}, posture=Posture.Reactive)
    found[_SILENT] = EventTrigger(
        **runs(*GOOD),
        **of_nights,
        posture=Posture.Proactive,
        threshold=1,
        within=timedelta(hours=settings.silent_hours),
    )
    return found


def _action(client: SyncPrefectClient, settings: AlertSettings) -> Any:
    """What is done when something happened, made from the alert's name; None where nobody is to be told."""
    if settings.block:
        return _notification(client, settings.block)
    if address := settings.webhook.get_secret_value():
        return _call(address)
    return None


def _call(address: str) -> Any:
    from prefect.blocks.webhook import Webhook
    from prefect.events.actions import CallWebhook

    block: Any = Webhook(method="POST", url=address, headers={"Content-Type": "application/json"})  # type: ignore[arg-type]
    made = block.save(WEBHOOK, overwrite=True)
    return lambda name: CallWebhook(block_document_id=made, payload=_as_json({"alert": json.dumps(name), **_TOLD}))


def _notification(client: SyncPrefectClient, block: str) -> Any:
    from prefect.events.actions import SendNotification

    kind, _, name = block.partition("/")
    try:
        found = client.read_block_document_by_name(name, kind)
    except Exception as error:
        raise UsageError(
            f"the Prefect server has no notification block {block!r}",
            "Make it in the server's UI, and name it under [alerts] as TYPE/NAME, e.g. slack-webhook/nights.",
        ) from error
    body = "\n".join(f"{key}: {{{{ {value} }}}}" for key, value in _TOLD.items())
    return lambda alert: SendNotification(block_document_id=found.id, subject=alert, body=body)


def _as_json(told: dict[str, str]) -> str:
    """A template of one JSON object; what is no run, such as a ceiling, has no state."""
    return "{" + ", ".join(f"{json.dumps(key)}: {{{{ ({value}) | tojson }}}}" for key, value in told.items()) + "}"
