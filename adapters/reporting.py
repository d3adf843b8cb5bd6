"""What a night's report shows, as settings. No version depends on them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from models.rules import Rules


class ReportSettings(Rules):
    """The page that a night leaves in its run's folder, `report.html`: how much it shows."""

    max_items: int = Field(
        default=50, ge=0, description="Most memories shown of each sort, the most important first; the rest is counted."
    )
    max_quotes: int = Field(default=2, ge=0, description="Most quotes shown of a memory.")
    max_nights: int = Field(default=14, ge=1, le=200, description="How many nights the charts go back.")
    show_sensitive: bool = Field(
        default=False, description="Show the words of what is sensitive; without it the report names their ids."
    )
    data_docs: Literal["broken", "always", "never"] = Field(
        default="broken",
        description="When Great Expectations' Data Docs are made: where a promise is `broken`, `always` or `never`. "
        "`slowwave docs RUN` makes those of any run.",
    )
