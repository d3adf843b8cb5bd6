"""Budget of each tier: documents, the tiers of published memory, and the files of an agent's own tiers stay within theirs."""

from __future__ import annotations

from collections.abc import Iterator

from expectations.guards.seen import Finding, Seen, found
from expectations.promise import Fact
from expectations.texts import too_long
from models.guarding import FileBudget, GuardRules, WatchedFile
from slowwave import tokens
from slowwave.format import Tier


def budget(seen: Seen, rules: GuardRules) -> Iterator[Fact]:
    """A fact for published documents, one for watched files, and one for each tier of memory."""
    yield found(
        "budget.documents",
        "every published document is within the budget of its profile",
        map(Finding, too_long(seen.documents.to_dicts(), seen.profiles)),
        "The next night makes it anew within its budget; if it stays, raise the budget or lower the share of its kinds.",
    )
    yield found(
        "budget.files",
        "every watched file is within the budget of its tier",
        _large_files(seen, rules),
        "Move what is least needed to a lower tier, such as a topic file.",
    )
    most = {
        Tier.PROMPT: rules.max_prompt_tokens,
        Tier.SEARCHABLE: rules.max_searchable_tokens,
        Tier.ARCHIVED: rules.max_archived_tokens,
    }
    for tier, n_tokens in most.items():
        yield _tier(seen, tier, n_tokens)


def _tier(seen: Seen, tier: Tier, most: int) -> Fact:
    rows = seen.memories.select("tier", "text").iter_rows()
    return Fact(
        f"budget.{tier.value}",
        f"the memories of the tier {tier.value} have at most {most} tokens"
        if most
        else f"tokens of the tier {tier.value}",
        sum(tokens.count(text) for one, text in rows if one == tier),
        most=most or None,
        proposal=f"Let more of the tier {tier.value} go: see [rules.reinforce] and slowwave forget.",
    )


def _large_files(seen: Seen, rules: GuardRules) -> Iterator[Finding]:
    for name, one in rules.budgets.items():
        yield from (
            Finding(f"{file.name} ({why}; tier {name})")
            for file in seen.files
            if not file.fault and (why := _over(file, one))
        )


def _over(file: WatchedFile, one: FileBudget) -> str:
    """By how much a file is over a budget, in words; empty where it is not, or is another's."""
    if not file.is_of(one.files):
        return ""
    if one.max_bytes and file.n_bytes > one.max_bytes:
        return f"{file.n_bytes} of {one.max_bytes} bytes"
    n_tokens = tokens.count(file.text) if one.max_tokens else 0
    return f"{n_tokens} of {one.max_tokens} tokens" if n_tokens > one.max_tokens else ""
