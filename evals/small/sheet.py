"""The sheet that a person judges by: a random, repeatable sample of what was published in a model's words, beside what was said.

One JSON object a line; the judge puts `true` or `false` in place of `right` and `alone`, and may say why in `note`. The sheet holds
words of the data set, so it stays out of the repository: the result file has counts, ids, notes and the judge alone.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import polars as pl

SIZE, SEED = 30, 26
# Who judged is told by whoever did.
_FIRST = {
    "judge": "",
    "how": "right: nothing in `text` is untrue to `said`, and nothing of weight that was said is missing;"
    " alone: it can be understood without the rest of the conversation",
}


def write_sheet(path: Path, claims: pl.DataFrame, model: str) -> None:
    """Draw from the claims that the model worded, as many as the sheet holds."""
    rows = [row for row in claims.sort("claim_id").to_dicts() if row["writer"]["model"] == model]
    drawn = random.Random(SEED).sample(rows, min(SIZE, len(rows)))
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [_FIRST, *map(_shown, drawn)]), encoding="utf-8"
    )


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    first = row["evidence"][0]
    said = {"said_at": str(row["said_at"]), "said": " / ".join(piece["quote"] for piece in row["evidence"])}
    dates = {name: str(row[name]) for name in ("valid_from", "valid_to", "due_at") if row[name] is not None}
    about = {
        "message": first["message_id"],
        "start": first["start"],
        "kind": row["kind"],
        "subject": row["subject"],
        **dates,
    }
    return {"claim_id": row["claim_id"], **about, **said, "text": row["text"], "right": None, "alone": None, "note": ""}


def judged(path: Path) -> dict[str, Any]:
    """How many of the sheet's rows were judged, and how."""
    first, *rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    done = [row for row in rows if row["right"] is not None]
    wrong = {f"{row['message']}@{row['start']}": row["note"] for row in done if not row["right"]}
    return {
        "judge": first["judge"],
        "drawn": len(rows),
        "seed": SEED,
        "judged": len(done),
        "right": len(done) - len(wrong),
        "alone": sum(bool(row["alone"]) for row in done),
        "wrong": wrong,
    }
