"""Link: which names are one, which claims stand, and what has been accepted so far.

Belongs here: names into entities, and refusal of claims that no memory may rest on. Names meet when they are equal after
normalising, when a link was given, or when what people said shows that they are one; likeness alone joins nothing.
Does not belong here: which value holds.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from models.claim import ClaimRow, Mention
from models.decision import Action, Decision, Feedback
from models.memory import EntityRow
from models.message import Message, Signal
from models.rules import LinkRules, Owner
from models.table import Frame, Scan, collected, conform, empty
from models.turn import Turn
from tasks.link.aliases import Names, name_claims
from tasks.link.echo import echoing
from tasks.link.entities import gather, mention
from tasks.link.hand import stated
from tasks.link.refuse import refused
from tasks.link.scope import assigned, unassigned
from tasks.verdict import gathered, verdicts

NO_SIGNALS, NO_FEEDBACK = empty(Signal), empty(Feedback)


class Linked(NamedTuple):
    """All accepted claims under their subjects' keys, the names in them, and whom the names mean."""

    claims: Frame[ClaimRow]
    mentions: Frame[Mention]
    entities: Frame[EntityRow]
    decisions: Frame[Decision]


def link(
    claims: Frame[ClaimRow],
    earlier: Scan[ClaimRow],
    messages: Frame[Message],
    read: Frame[Decision],
    sifted: Frame[Decision],
    turns: Frame[Turn],
    signals: Frame[Signal] = NO_SIGNALS,
    feedback: Frame[Feedback] = NO_FEEDBACK,
    *,
    rules: LinkRules,
    owner: Owner,
) -> Linked:
    """Add the new claims to the accepted ones, refuse what may not stand, and join names into entities.

    Every name is resolved again from all claims and all that people said (`turns`), so a link that loses its evidence comes undone by
    itself. An earlier claim
    that cites one of tonight's `messages` is dropped: the message was heard again, edited or undone, and what it still says is
    among the new claims; unless its reading was put off (`read` are the decisions of extract), when the old stands till then. What
    rests on a message that the owner wishes forgotten (`sifted` are the decisions of sift) goes at once. What the owner stated by hand
    (among `feedback`) is a claim as it stands.
    """
    hand = stated(feedback, claims, turns, owner.zone)
    claims = hand.claims
    put_off = read.filter(pl.col("action") == Action.DEFER)["item_id"]
    forgotten = sifted.filter(pl.col("action") == Action.FORGET)["item_id"]
    again = messages.filter(~pl.col("msg_key").is_in(put_off.implode()))["msg_key"]
    stale = _replaced(earlier.lazy(), claims, pl.concat([again, forgotten]))
    why = refused(unassigned(_together(earlier.lazy(), claims, stale)))
    standing = why.filter(pl.col("refusal").is_null()).drop("refusal")
    is_echo = pl.col("claim_id").is_in(echoing(standing))
    accepted = standing.filter(~is_echo)
    names = Names.learn(accepted, turns, rules, owner)
    keyed = name_claims(accepted, names)
    mentions = mention(keyed, names)
    scoped = assigned(keyed, mentions, turns, signals, names)
    rejected = why.filter(pl.col("refusal").is_not_null())
    return Linked(
        conform(scoped, ClaimRow),
        conform(mentions, Mention),
        conform(gather(keyed, mentions, names, owner), EntityRow),
        gathered(
            verdicts(stale, stage="link", item="claim_id", action=Action.DROP, reason="heard_again"),
            verdicts(rejected, stage="link", item="claim_id", action=Action.REJECT, reason=pl.col("refusal")),
            verdicts(standing.filter(is_echo), stage="link", item="claim_id", action=Action.REJECT, reason="echo"),
            verdicts(hand.read, stage="link", item="claim_id", action=Action.DROP, reason="stated_by_hand"),
            verdicts(hand.unheard, stage="link", item="feedback_id", action=Action.REJECT, reason="not_heard"),
            *names.decisions,
        ),
    )


def _replaced(earlier: pl.LazyFrame, claims: pl.DataFrame, heard_again: pl.Series) -> pl.DataFrame:
    """`claim_id` of the earlier claims that their own message's new reading replaces, and that are not said anew."""
    sources = pl.col("evidence").list.eval(pl.element().struct.field("source_id"))
    cited = earlier.select("claim_id", source=sources).explode("source")
    again = cited.filter(pl.col("source").is_in(heard_again.implode())).select("claim_id").unique()
    return collected(again).join(claims, on="claim_id", how="anti")


def _together(earlier: pl.LazyFrame, claims: pl.DataFrame, stale: pl.DataFrame) -> pl.DataFrame:
    """The new claims and the earlier ones that still stand, in the order of their ids."""
    gone = pl.concat([stale["claim_id"], claims["claim_id"]])
    kept = earlier.filter(~pl.col("claim_id").is_in(gone.implode()))
    return collected(kept.merge_sorted(claims.lazy(), key="claim_id"))
