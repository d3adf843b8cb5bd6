"""How a night begins: what is new, what is known, under which rules, at what time. The clock is read here and nowhere below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from adapters import lake
from adapters.capture import Captured, load_feedback, load_messages, load_signals
from adapters.embedder import open_embedder
from adapters.llm.books import Books, Limits
from adapters.settings import NightSettings, Settings
from flows import ledger
from flows.damage import places, quarantined, told
from flows.fingerprint import semantics
from flows.night import Known, Night, Ref, Taken
from models.ask import Ask, Embed
from models.claim import ClaimRow
from models.decision import Decision, Feedback
from models.ids import digest
from models.memory import MemoryRow, Vector
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
    "consumed": Consumed,
}
# Where answers of models are kept in a store.
ANSWERS = "cache/answers"
# How a night ends that told a person what it met; a killed, failed or refused one leaves that to the next.
ENDED = ("published", "held", "nothing_to_do")


@dataclass(frozen=True)
class Plan:
    """What a person or a schedule asked for."""

    store: Path
    sources: tuple[str, ...] = ()
    as_of: datetime | None = None
    flags: dict[str, Any] = field(default_factory=dict)
    trigger: str = "hand"
    watch: Callable[[Taken], None] = field(default=lambda _: None, compare=False)


@dataclass(frozen=True)
class News:
    """What stands before the night: what was captured, and what of it no night has dealt with."""

    captured: Captured
    messages: Frame[Message]
    signals: Frame[Signal]
    feedback: Frame[Feedback]
    put_off: dict[str, int] = field(default_factory=dict)
    n_untold: int = 0

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
            "n_to_consume": self.messages.height,
            "set_aside": got.other_owners,
            "put_off": self.put_off,
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
        for reason, n in self.put_off.items():
            said.append(f"{_count(n, 'message')} put off ({reason}): the next night reads them again")
        return tuple(said)


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


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


def read_news(store: Path, captured: Captured, parent: Manifest | None) -> News:
    """The captured messages that the parent's chain has not consumed; all signals and feedback."""
    messages: pl.DataFrame = load_messages(store)
    if parent is not None:
        known = lake.read_table(store, parent.state["consumed"], Consumed)
        messages = messages.join(known, on=["msg_key", "content_hash"], how="anti")
    signals, feedback = load_signals(store), load_feedback(store)
    return News(captured, conform(messages, Message), signals, feedback, n_untold=_count_untold(store, captured))


@dataclass(frozen=True)
class Means:
    """What answers a night's questions and makes its vectors; opened before anything is written, since a name may be wrong.

    `books` bound what both may spend; they are opened when the night has a name.
    """

    ask: Ask
    embed: Embed
    books: Books


def open_means(settings: Settings, store: Path) -> Means:
    """Whoever answers, and the embedder. Raises ModelError and UsageError for names that nobody serves."""
    books = Books(limits_of(settings.night))
    embed = open_embedder(
        settings.embed.embedder,
        allowed=settings.egress.allowed_models,
        proxies=settings.egress.proxies,
        api_base=settings.embed.api_base or None,
    )
    return Means(open_ask(settings, store, books), embed, books)


def limits_of(chosen: NightSettings) -> Limits:
    """The ceilings that are set; a setting of 0 is none."""
    return Limits(
        night=(chosen.max_night_tokens or None, chosen.max_night_cost or None),
        store=(chosen.max_store_tokens or None, chosen.max_store_cost or None),
        fleet=(chosen.max_fleet_tokens or None, chosen.max_fleet_cost or None),
    )


def begin(plan: Plan, settings: Settings, means: Means, news: News, parent: Manifest | None) -> Night:
    """The night, with its inputs written into its run folder as references."""
    owner = settings.owner.model_copy(update={"id": news.captured.owner})
    rules_digest = digest(settings.rules.model_dump(mode="json"), owner.model_dump(mode="json"))
    shown = [sha256(lake.to_parquet(frame, table)).hexdigest() for _, frame, table in _inputs(news)]
    asked = digest(parent.version if parent else None, rules_digest, means.ask.model, means.embed.digest, shown)
    as_of = _time_of(plan, parent, ledger.interrupted(plan.store, asked))
    run = f"{as_of:%Y%m%dT%H%M%SZ}-{digest(asked, as_of.isoformat())[:8]}"
    # Money is spent by the clock, whatever day the night is about.
    means.books.open(plan.store, run, f"{datetime.now(UTC):%Y-%m}")
    refs = {
        name: lake.write_table(plan.store, f"runs/{run}/begin.{name}.parquet", frame, table)
        for name, frame, table in _inputs(news)
    }
    _keep_decisions(plan.store, run, news.captured)
    facts = {"as_of": as_of, "trigger": plan.trigger, "asked": asked, "rules": rules_digest}
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
        known=_known(plan.store, run, parent, settings.rules),
        watch=plan.watch,
    )


def _time_of(plan: Plan, parent: Manifest | None, interrupted: datetime | None) -> datetime:
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


def _known(store: Path, run: str, parent: Manifest | None, rules: StageRules) -> Known:
    """The parent's state, or the empty state of a first night. What was settled by other rules or code is settled anew."""
    state = dict(parent.state) if parent else {}
    if parent is None or parent.provenance.get("semantics") != semantics(rules):
        state.pop("settled", None)
    refs = {
        name: state.get(name) or lake.write_table(store, f"runs/{run}/begin.known_{name}.parquet", empty(table), table)
        for name, table in STATE.items()
    }
    return Known(**refs)


def open_ask(settings: Settings, store: Path, books: Books) -> Ask:
    """Whoever answers questions: the rules by default, else a model through litellm, which is only then imported."""
    chosen: NightSettings = settings.night
    if chosen.model == "offline":
        from adapters.offline import Offline

        return Offline()
    from adapters.llm import Patience, open_model

    given = chosen.input_price, chosen.output_price
    return open_model(
        chosen.model,
        api_base=chosen.api_base or None,
        api_key=chosen.api_key.get_secret_value() or None,
        allowed=settings.egress.allowed_models,
        proxies=settings.egress.proxies,
        cache=store / ANSWERS,
        books=books,
        max_concurrency=chosen.max_concurrency,
        timeout_seconds=chosen.timeout_seconds,
        max_output_tokens=chosen.max_output_tokens,
        temperature=chosen.temperature,
        mode=chosen.mode,
        tokenizer=chosen.tokenizer,
        prices=(given[0], given[1]) if given[0] is not None and given[1] is not None else None,
        patience=Patience(max_attempts=chosen.max_attempts),
    )
