"""Nights that are late: of those that a schedule asked for while nothing was running, one is walked."""

from __future__ import annotations


def is_caught_up() -> bool:
    """Whether a run of this deployment that began after this one was due has ended well: it read what this one would read.

    Only of runs that a schedule asked for; what a person asks for is always walked.
    """
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import (
        DeploymentFilter,
        DeploymentFilterId,
        FlowRunFilter,
        FlowRunFilterStartTime,
        FlowRunFilterState,
        FlowRunFilterStateType,
    )
    from prefect.client.schemas.objects import StateType
    from prefect.runtime import flow_run

    if not flow_run.id:
        return False
    with get_client(sync_client=True) as client:
        mine = client.read_flow_run(flow_run.id)
        if not mine.auto_scheduled or mine.deployment_id is None or mine.expected_start_time is None:
            return False
        later = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(
                state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.COMPLETED])),
                start_time=FlowRunFilterStartTime(after_=mine.expected_start_time),
            ),
            deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=[mine.deployment_id])),
            limit=1,
        )
    return bool(later)
