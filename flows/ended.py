"""A run that has ended, as its folder has it: its ledger, and a few columns of what its stages made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from adapters.reporting import ReportSettings
from flows import ledger
from slowwave.format import Privacy
from tasks.extract.privacy import privacy_of_words

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Ended:
    """A run that has ended, as its folder has it; a table that is not there any more is None."""

    store: Path
    run: str
    reports: ReportSettings
    sensitive_words: tuple[str, ...] = ()

    @cached_property
    def entry(self) -> dict[str, Any]:
        """Its ledger."""
        return ledger.read(self.store, self.run)

    def table(self, stage: str, name: str, columns: Sequence[str], keep: pl.Expr | None = None) -> pl.DataFrame | None:
        """A few columns of the rows to `keep` of what a stage made."""
        made = ((self.entry.get("stages") or {}).get(stage) or {}).get("outputs") or {}
        return self._read(str((made.get(name) or {}).get("path", "")), columns, keep)

    def given(self, name: str, columns: Sequence[str], keep: pl.Expr) -> pl.DataFrame | None:
        """The same of what the run was given."""
        return self._read(f"runs/{self.run}/begin.{name}.parquet", columns, keep)

    def _read(self, path: str, columns: Sequence[str], keep: pl.Expr | None) -> pl.DataFrame | None:
        if not (self.store / path).is_file():
            return None
        rows = pl.scan_parquet(self.store / path, glob=False)
        return (rows if keep is None else rows.filter(keep)).select(columns).collect()

    def is_shown(self, text: str) -> bool:
        """Whether words that are no memory may be shown, as far as the words tell."""
        return self.reports.show_sensitive or privacy_of_words(text, self.sensitive_words) is not Privacy.SENSITIVE
