"""What `slowwave up` deploys to its server: the work pool, every deployment of `prefect.yaml`, and the alerts.

Runs in a process of its own, in the service's environment, since Prefect reads its settings when it is imported.
"""

from __future__ import annotations

import subprocess
import sys

from adapters.remote import local
from adapters.settings import load
from flows import alerts
from flows.service import POOL, ROOT
from slowwave.errors import SlowwaveError


def deploy(store: str) -> list[str]:
    """Deploy everything to the server of the environment, over what is there; returns the names of the alerts. Raises SlowwaveError."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import WorkPoolCreate

    with get_client(sync_client=True) as client:
        client.create_work_pool(WorkPoolCreate(name=POOL, type="process"), overwrite=True)
        command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            said = (done.stdout + done.stderr).strip()[-1000:]
            raise SlowwaveError(
                f"prefect deploy --all failed: {said}", "Mend prefect.yaml, then start the service again."
            )
        return alerts.deploy(client, load(local(store)).alerts)


def main() -> int:
    """Deploy for the store that is named; what went wrong is two lines on stderr."""
    try:
        for name in deploy(sys.argv[1]):
            sys.stdout.write(f"{name}\n")
    except SlowwaveError as error:
        sys.stderr.write(f"{error}\n  next: {error.hint}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
