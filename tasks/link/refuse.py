"""What no memory may rest on: nothing said, nothing cited, a model's refusal or scraps, or a voice without the right.

Belongs here: judgements about one claim by itself. Does not belong here: judgements that need the time or other claims.
"""

from __future__ import annotations

import polars as pl

from slowwave.format import Kind, Trust

# What a tool's or stranger's text must never set for the owner: a planted rule is the oldest trick.
_RULING_KINDS = (Kind.PREFERENCE, Kind.COMMUNICATION_PREFERENCE, Kind.CONSTRAINT, Kind.ROUTINE)

_UNABLE = (
    r"i (?:cannot|can ?not|can['’]?t|could(?:n['’]t| not)|am (?:unable|not able) to|['’]m (?:unable|not able) to"
    r"|do(?:n['’]t| not) have enough|(?:will|would) not|won['’]t)"
)
_SUBJECT_MATTER = (
    r"(?:extract\w*|request|transcript|conversation|this (?:text|input|content|message)"
    r"|the (?:text|input|content|provided)|information (?:from|provided|to)|with that|json)"
)
_SORRY = r"^\W*(?:(?:i['’]?m|i am) (?:very |really |so )?sorry|sorry|unfortunately|i apologi[sz]e)?\W*(?:but )?\W*"
_REFUSAL = rf"(?i){_SORRY}(?:as an? (?:ai|artificial intelligence|(?:large )?language model)\b|{_UNABLE}\b.*\b{_SUBJECT_MATTER}\b)"
_NOTHING = (
    r"(?i)^\W*(?:null|none|n/?a|undefined|nan|nothing (?:to extract|found|relevant)"
    r"|(?:there (?:is|are) )?no (?:relevant |new |durable |personal )?(?:facts?|information|memor(?:y|ies)|claims?|data)"
    r"(?: (?:was|were|is|are|could be|to))?(?: (?:found|available|extracted|extract|provided))?)\W*$"
)
_HEADING = r"(?i)^(?:here (?:are|is)|below (?:are|is)|sure[,!]? here)\b.*:\s*$"
_SCRAP = r"""^\s*(?:[\[{].*[\]}]\s*,?|[\[{\]}",:\s]+|["'][\w .-]+["']\s*:.*|```.*|</?[\w-]+/?>)\s*$"""


def refused(claims: pl.DataFrame) -> pl.DataFrame:
    """The claims with `refusal`: why each may not stand, null where it may."""
    reason = (
        pl.when(_is_blank("text") | (pl.col("value").is_not_null() & _is_blank("value")))
        .then(pl.lit("empty"))
        .when(_is_debris())
        .then(pl.lit("debris"))
        .when(pl.col("evidence").list.len() == 0)
        .then(pl.lit("no_evidence"))
        .when(_is_untrusted())
        .then(pl.lit("untrusted_origin"))
    )
    return claims.with_columns(refusal=reason)


def _is_blank(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars().str.len_chars() == 0


def _is_debris() -> pl.Expr:
    scraps = [pl.col(name).fill_null("").str.contains(_SCRAP) for name in ("text", "value")]
    said = [pl.col("text").str.contains(pattern) for pattern in (_REFUSAL, _NOTHING, _HEADING)]
    return pl.any_horizontal(*scraps, *said)


def _is_untrusted() -> pl.Expr:
    """An assistant speaks only for itself, a tool or a stranger sets no rules, and a harness says nothing at all."""
    is_own_promise = (pl.col("kind") == Kind.GOAL_OR_COMMITMENT) & (
        pl.col("subject").str.strip_chars().str.to_lowercase() == "assistant"
    )
    is_ruling = pl.col("kind").is_in([kind.value for kind in _RULING_KINDS])
    is_about_owner = pl.col("subject").str.strip_chars().str.to_lowercase() == "user"
    trust = pl.col("trust")
    return (
        ((trust == Trust.AGENT) & ~is_own_promise)
        | ((trust == Trust.TOOL) & is_ruling)
        | ((trust == Trust.THIRD_PARTY) & is_ruling & is_about_owner)
        | (trust == Trust.SYSTEM)
    )
