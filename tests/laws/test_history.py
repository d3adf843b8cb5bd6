"""A law of the history of contents: what is settled by columns is what is settled row by row."""

from __future__ import annotations

from datetime import UTC, datetime

import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.capture.history import History

_SCHEMA = {"k": pl.String, "said_at": pl.Datetime("us", "UTC"), "content_hash": pl.String, "edition": pl.Int64}
_TIMES = st.sampled_from([None, datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 2, 2, tzinfo=UTC)])
_Batches = list[list[tuple[str, datetime | None, str]]]
_ROWS = st.tuples(st.sampled_from("abc"), _TIMES, st.sampled_from(["h1", "h2"]))
_BATCHES = st.lists(st.lists(_ROWS, max_size=4), max_size=4)


class RowByRow(History):
    """Settles nothing by columns."""

    def _settled(self, rows: pl.DataFrame, known: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
        none = pl.Series([False] * rows.height, dtype=pl.Boolean)
        return none, none


def _walked(history: History, batches: _Batches) -> list[object]:
    told: list[object] = []
    for batch in batches:
        rows = pl.DataFrame(batch, {name: _SCHEMA[name] for name in ("k", "said_at", "content_hash")}, orient="row")
        told.append(sorted(history.take(rows).iter_rows(), key=repr))
        told.append(sorted(history.close().iter_rows(), key=repr))
    history.take_back()
    return [*told, sorted(history.close().iter_rows(), key=repr), history.n_new, history.n_known]


# An edit that is taken back and made again.
_EDIT: _Batches = [[("a", None, "h1")], [("a", None, "h2")]]


@example(_EDIT, _EDIT)
@settings(max_examples=80, deadline=None)
@given(_BATCHES, _BATCHES)
def test_columns_settle_what_rows_would(before: _Batches, now: _Batches) -> None:
    first = History(pl.DataFrame(schema=_SCHEMA), "k")
    _walked(first, before)
    assert _walked(History(first.captured, "k"), now) == _walked(RowByRow(first.captured, "k"), now)
