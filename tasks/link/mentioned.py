"""Where claims speak of names that are known under another: so that what is said of an alias is found with its name.

Belongs here: forms of joined names, and finding them in texts. Does not belong here: which names are one (`aliases`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

from tasks.link.aliases import Names

FORMS = pl.Schema({"owner": pl.String, "key": pl.String, "name": pl.String})
_DESCRIPTION = re.compile(r"^(the|my) ", re.IGNORECASE)


def known_forms(names: Names) -> pl.DataFrame:
    """Every joined name as it was said, with the key that all of its entity's names share."""
    forms = {(owner, key, shown) for owner, key, shown, _ in names.forms()}
    return pl.DataFrame(sorted(forms), schema=FORMS, orient="row")


def spoken(claims: pl.DataFrame, names: Names) -> pl.DataFrame:
    """A row for each joined name and each claim whose text has it, whole and as it is written."""
    forms = known_forms(names)
    schema = {"claim_id": pl.String, **FORMS, "is_subject": pl.Boolean}
    found: list[tuple[str, str, str, str, bool]] = []
    texts = claims.select("claim_id", "owner", "text")
    for (owner,), known in forms.sort("owner", "name").group_by("owner", maintain_order=True):
        keys = dict(known.select("name", "key").iter_rows())
        told = texts.filter(pl.col("owner") == owner)
        held = told.filter(pl.col("text").str.contains_any(list(keys), ascii_case_insensitive=True))
        pattern = _any_of(keys)
        for claim_id, text in held.select("claim_id", "text").iter_rows():
            said = {_as_known(match[0], keys) for match in pattern.finditer(text)}
            found += [(claim_id, str(owner), keys[name], name, False) for name in sorted(said)]
    return pl.DataFrame(found, schema=schema, orient="row").select("claim_id", "owner", "name", "key", "is_subject")


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names, the longest first; a description may open a sentence."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    parts = [_DESCRIPTION.sub(lambda m: f"(?i:{m[1]}) ", re.escape(name).replace(r"\ ", " ")) for name in longest]
    return re.compile(rf"(?<![\w@#-])(?:{'|'.join(parts)})(?![\w-])")


def _as_known(said: str, keys: dict[str, str]) -> str:
    return said if said in keys else said[0].swapcase() + said[1:]
