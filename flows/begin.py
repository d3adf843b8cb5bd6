"""How a night begins: what is new, what is known, under which rules, at what time. The clock is read here and nowhere below."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.capture import Captured, Missed, left_out, load_feedback, load_messages, load_signals
from adapters.settings import Settings
from flows import advice, ledger
from flows.again import state_without, with_sessions
from flows.damage import places, quarantined, told
from flows.egress import Guarded
from flows.fingerprint import semantics
from flows.means import Means, replayable
from flows.night import Known, Night, Ref
from flows.plan import Plan
from models.ask import Ask
from models.claim import ClaimRow
from models.decision import Decision, Feedback
from models.ids import digest
from models.memory import MemoryRow, Vector, VerdictRow
from models.message import Consumed, Message, Signal
from models.rules import StageRules
from models.table import Frame, Table, conform, empty
from models.turn import Turn
from slowwave.errors import UsageError
from slowwave.format import Manifest

STATE: dict[str, type[Table]] = {
    "turns": Turn,
    "claims": ClaimRow,
    "vectors": Vector,
    "memories": MemoryRow,
    "settled": MemoryRow,
    "verdicts": VerdictRow,
    "consumed": Consumed,
}
# How a night ends that told a person what it met; a killed, failed or refused one leaves that to the next.
ENDED = ("published", "held", "nothing_to_do")


@dataclass(frozen=True)
class News:
    """What stands before the night: what was captured, what of it no night has dealt with, and what is no evidence (`dead`)."""

    captured: Captured
    messages: Frame[Message]
    signals: Frame[Signal]
    feedback: Frame[Feedback]
    put_off: dict[str, int] = field(default_factory=dict)
    n_topics_put_off: int = 0
    n_as_said: int = 0
    spent: dict[str, Any] = field(default_factory=dict)
    n_untold: int = 0
    n_forget_requests: int = 0
    again: frozenset[str] = frozenset()
    dead: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all to make a memory of."""
        return not (self.messages.height or self.signals.height)

    @property
    def facts(self) -> dict[str, Any]:
        """The counts that a report gives."""
        got = self.captured
        return {
            "n_new_messages": got.n_new,
            "n_known_messages": got.n_known,
            "n_new_signals": got.n_new_signals,
            "n_quarantined": got.n_damaged,
            "n_newly_quarantined": self.n_untold,
            "quarantined": places(got.decisions),
            "n_redactions": got.n_redactions,
            "n_sessions_gone": got.missed.n_sessions,
            "n_messages_gone": got.missed.n_messages,
            "n_sessions_newly_gone": got.missed.n_new_sessions,
            "n_messages_newly_gone": got.missed.n_new_messages,
            "n_to_consume": self.messages.height,
            "set_aside": got.other_owners,
            "put_off": self.put_off,
            "n_topics_put_off": self.n_topics_put_off,
            "n_as_said": self.n_as_said,
            "n_forget_requests": self.n_forget_requests,
            **self.spent,
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of, though the night went on."""
        got = self.captured
        said = told(got.decisions)
        said += [
            f"{n} messages of {name} were set aside: this store is {got.owner}'s"
            for name, n in got.other_owners.items()
        ]
        said += _gone(got.missed)
        for reason, n in self.put_off.items():
            told_more = f"; to have fewer, {advice.about(reason)}" if advice.about(reason) else ""
            said.append(f"{_count(n, 'message')} put off ({reason}): the next night reads them again{told_more}")
        if self.n_topics_put_off:
            names = tuple(self.spent.get("ceilings_reached", ()))
            why = f", at {advice.ceiling(names, self.spent.get('held_back', ''))}" if names else ""
            said.append(f"{_count(self.n_topics_put_off, 'topic')} left for another night{why}")
        return (*said, *self.spent.get("batches", ()))


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _gone(missed: Missed) -> list[str]:
    """What was missed at its source for the first time; a night says it once."""
    counts = {"session": missed.n_new_sessions, "message": missed.n_new_messages}
    named = [_count(n, thing) for thing, n in counts.items() if n]
    is_one = sum(counts.values()) == 1
    verb, them = ("is", "it") if is_one else ("are", "them")
    where = "its source" if is_one else "their source"
    return [f"{' and '.join(named)} {verb} no longer at {where}; memory keeps {them}"] if named else []


def _count_untold(store: Path, captured: Captured) -> int:
    """How many damaged places no night that ended has told of: a killed one quarantined them and told nobody."""
    untold = quarantined(captured.decisions)
    for run in ledger.runs(store):
        # What is quarantined for the first time stands in no run: the rest may.
        if len(untold) == captured.n_new_damaged:
            break
        path = f"runs/{run}/begin.decisions.parquet"
        if (store / path).is_file() and ledger.read(store, run).get("status") in ENDED:
            untold -= quarantined(lake.read_table(store, Ref(path=path, sha256="", rows=0), Decision))
    return len(untold)


def read_news(
    store: Path,
    captured: Captured,
    parent: Manifest | None,
    *,
    is_erasing: bool = False,
    is_held: bool = False,
    sessions: frozenset[str] | None = None,
) -> News:
    """The captured messages that the parent's chain has not consumed; all signals and feedback.

    While a night is erasing (`is_erasing`), every session of which a message lost words is read again as a whole: what was made of the
    others may rest on those words too. The keys of those that were read before are `again`; while nights are held (`is_held`), there is
    nothing else to read. With `sessions`, only their messages are read.
    """
    messages: pl.DataFrame = left_out.marked(store, load_messages(store))
    news = messages
    again: frozenset[str] = frozenset()
    # Marked messages are never evidence, whoever marked them.
    dead = messages.filter(pl.col("mark").is_not_null())
    if parent is not None:
        known = lake.read_table(store, parent.state["consumed"], Consumed)
        news = messages.join(known, on=["msg_key", "content_hash"], how="anti")
        if is_erasing:
            news, again = with_sessions(messages, news, known)
        messages = news.filter(pl.col("msg_key").is_in(sorted(again))) if is_held else news
    if sessions is not None:
        messages = messages.filter(pl.col("session_id").is_in(sorted(sessions)))
    # What is not read tonight may rest on what was marked since it was read.
    dead = dead.join(news.join(messages, on="msg_key", how="anti"), on="msg_key", how="anti")
    signals = left_out.without(store, load_signals(store), "signal_key")
    feedback = left_out.without(store, load_feedback(store), "feedback_id")
    return News(
        captured,
        conform(messages, Message),
        conform(signals, Signal),
        conform(feedback, Feedback),
        n_untold=_count_untold(store, captured),
        again=again,
        dead=frozenset(dead.get_column("msg_key").to_list()),
    )


def begin(plan: Plan, settings: Settings, means: Means, news: News, parent: Manifest | None) -> Night:
    """The night, with its inputs written into its run folder as references."""
    owner = settings.owner.model_copy(update={"id": news.captured.owner})
    # How readers rank counts where it is set, so that a night with nothing new still publishes it.
    in_force = [
        settings.rules.model_dump(mode="json"),
        owner.model_dump(mode="json"),
        *filter(None, [settings.recall.told]),
    ]
    rules_digest = digest(*in_force)
    inputs = {name: lake.pack(frame, table) for name, frame, table in _inputs(news)}
    shown = [packed.sha256 for packed in inputs.values()]
    from_where = [parent.version if parent else None, rules_digest, means.ask.model, means.embed.digest]
    # A night never goes on with what was begun early: it is of another time.
    early = ["early"] if plan.flush is not None else []
    asked = digest(*from_where, shown, _gate(means.ask), *early)
    as_of = time_of(plan, parent, ledger.interrupted(plan.store, asked))
    run = f"{as_of:%Y%m%dT%H%M%SZ}-{digest(asked, as_of.isoformat())[:8]}"
    # Money is spent by the clock, whatever day the night is about.
    means.books.open(plan.store, run, f"{datetime.now(UTC):%Y-%m}")
    refs = {
        name: lake.write_packed(plan.store, f"runs/{run}/begin.{name}.parquet", packed)
        for name, packed in inputs.items()
    }
    _keep_decisions(plan.store, run, news.captured)
    facts = {"as_of": as_of, "trigger": plan.trigger, "asked": asked, "rules": rules_digest, "owner": owner.id}
    facts |= {"settings": replayable(settings), "heard_at": plan.asked_at}
    ledger.update(plan.store, run, **facts, parent=parent.version if parent else None, status="running")
    return Night(
        store=plan.store,
        run=run,
        parent=parent,
        as_of=as_of,
        owner=owner,
        rules=settings.rules,
        ask=means.ask,
        embed=means.embed,
        messages=refs["messages"],
        signals=refs["signals"],
        feedback=refs["feedback"],
        known=_known(plan.store, run, parent, settings.rules, news.again),
        recall=settings.recall.told,
        watch=plan.watch,
    )


def _gate(ask: Ask) -> Any:
    """The rules of what may leave, where they matter."""
    return ask.gate.rules.model_dump(mode="json") if isinstance(ask, Guarded) else None


def time_of(plan: Plan, parent: Manifest | None, interrupted: datetime | None = None) -> datetime:
    """The night's time, UTC: never before the version it goes on from, since a memory can't unlearn. Raises UsageError."""
    latest = parent.as_of if parent else None
    if plan.as_of is None:
        now = interrupted or datetime.now(UTC)
        return max(now, latest) if latest else now
    as_of = plan.as_of.astimezone(UTC)
    if latest and as_of < latest:
        raise UsageError(
            f"--as-of {as_of:%Y-%m-%d %H:%M} UTC lies before the version that serves, which is of {latest:%Y-%m-%d %H:%M} UTC",
            "Give a later time, or walk the sources into another --store.",
        )
    return as_of


def not_before(plan: Plan, parent: Manifest | None) -> tuple[Plan, list[str]]:
    """The plan at the time of the version it goes on from, where a night of a later time has overtaken it; and what to say of that."""
    if plan.as_of is None or parent is None or plan.as_of >= parent.as_of:
        return plan, []
    told = f"another night published {parent.version} meanwhile: this one is of {parent.as_of:%Y-%m-%d %H:%M} UTC too"
    return replace(plan, as_of=parent.as_of), [told]


def _keep_decisions(store: Path, run: str, captured: Captured) -> None:
    """Write what capture decided, once: a resumed night captures nothing anew and must not forget what it decided before."""
    path = f"runs/{run}/begin.decisions.parquet"
    if not (store / path).is_file() or ledger.read(store, run).get("status") in ENDED:
        lake.write_table(store, path, captured.decisions, Decision)


def _inputs(news: News) -> list[tuple[str, pl.DataFrame, type[Table]]]:
    return [
        ("messages", news.messages, Message),
        ("signals", news.signals, Signal),
        ("feedback", news.feedback, Feedback),
    ]


def _known(store: Path, run: str, parent: Manifest | None, rules: StageRules, again: frozenset[str]) -> Known:
    """The parent's state, or the empty state of a first night. What was settled by other rules or code is settled anew.

    What rests on messages that are read `again` is left out of it: whatever becomes of them tonight, their old words must not stay.
    """
    state = dict(parent.state) if parent else {}
    if parent is None or again or parent.provenance.get("semantics") != semantics(rules):
        state.pop("settled", None)
    if again:
        state |= state_without(store, run, state, again)
    refs = {
        name: state.get(name) or lake.write_table(store, f"runs/{run}/begin.known_{name}.parquet", empty(table), table)
        for name, table in STATE.items()
    }
    return Known(**refs)
