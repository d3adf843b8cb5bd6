"""A rehearsal: what a night would ask of its model and what that would cost. Nothing is sent, and nothing is written to the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adapters.capture import capture
from adapters.embedder import open_embedder
from adapters.llm.access import is_local
from adapters.llm.books import Books
from adapters.llm.counting import likely
from adapters.llm.prices import prices_of
from adapters.settings import Settings, load
from adapters.sources import parse_source
from flows.begin import Plan, begin, read_news
from flows.costs import summed
from flows.means import Means, gate_of, guarded, recorded
from flows.order import order
from flows.scratch import scratch
from flows.step import here
from models.ask import Answer, Ask, Question
from slowwave.format import Manifest
from slowwave.store import read_current, read_manifest


@dataclass(frozen=True)
class Foreseen:
    """What a night would ask: counts, tokens, and money where a price is known; each estimate with its ground."""

    model: str
    n_new_messages: int
    n_messages: int
    n_questions: int
    n_cached: int = 0
    input_tokens: int = 0
    counted_by: str = ""
    output_tokens: int | None = None
    output_ground: str = ""
    most_output_tokens: int = 0
    cost: float | None = None
    most_cost: float | None = None


@dataclass
class Foretold:
    """An `Ask` that puts no question: it counts each as it would go out, and defers it."""

    ask: Ask
    n_questions: int = 0
    n_cached: int = 0
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model, self.prompt = self.ask.model, self.ask.prompt

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        """No answer to any question."""
        for question in {question.key: question for question in questions}.values():
            counts: list[int] = self.ask.foresee(question) if hasattr(self.ask, "foresee") else []  # type: ignore[attr-defined]
            self.n_questions += 1
            self.n_cached += not counts
            self.counts += counts
        return [Answer(question.key, None, "not asked", is_deferred=True) for question in questions]


def rehearse(plan: Plan) -> Foreseen:
    """Walk the night up to its questions, in a copy. Raises what a night raises for its sources and settings."""
    settings = load(plan.store, **plan.flags)
    plan = plan.reading(settings)
    serving = read_current(plan.store) if plan.store.is_dir() else None
    parent = read_manifest(plan.store, serving) if serving else None
    with scratch(plan.store, parent, folders=("snapshots", "inbox")) as made:
        ask = Foretold(recorded(settings, plan.store))
        n_new, n_messages = _walked(replace(plan, store=made), settings, ask, parent)
        return _foreseen(settings, plan.store, ask, n_new, n_messages)


def _walked(plan: Plan, settings: Settings, ask: Foretold, parent: Manifest | None) -> tuple[int, int]:
    """Put the night's questions to `ask`; how many messages are new, and how many are read."""
    captured = capture(plan.store, [parse_source(text) for text in plan.sources], owner=settings.owner.id)
    news = read_news(plan.store, captured, parent)
    # A hosted embedder would be sent texts; without one, long sessions may be cut elsewhere.
    name = settings.embed.embedder
    embed = open_embedder("none" if name.startswith(("litellm:", "fastembed:")) else name)
    means = Means(guarded(ask, settings, gate_of(settings, plan.store)), embed, Books())
    if not news.is_empty:
        order(begin(plan, settings, means, news, parent), here, stop="extract")
    return captured.n_new, news.messages.height


def _foreseen(settings: Settings, store: Path, ask: Foretold, n_new: int, n_messages: int) -> Foreseen:
    chosen, asked = settings.night, (n_new, n_messages, ask.n_questions)
    if chosen.model == "offline":
        return Foreseen("offline", *asked)
    read, most = sum(ask.counts), chosen.max_output_tokens * len(ask.counts)
    written, ground = _output(store, chosen.model, read)
    given = chosen.input_price, chosen.output_price
    prices = prices_of(
        chosen.model,
        is_local=is_local(chosen.model, chosen.api_base, settings.egress.proxies),
        given=(given[0], given[1]) if given[0] is not None and given[1] is not None else None,
    )
    # At most, since what a batch does not answer is asked singly.
    share = 1.0 if chosen.batch == "off" else chosen.batch_price
    return Foreseen(
        chosen.model,
        *asked,
        n_cached=ask.n_cached,
        input_tokens=read,
        counted_by=_counted_by(chosen.model, chosen.tokenizer),
        output_tokens=written,
        output_ground=ground,
        most_output_tokens=most,
        cost=prices.cost(read, written) * share if prices and written is not None else None,
        most_cost=prices.cost(read, most) if prices else None,
    )


def _counted_by(model: str, tokenizer: str) -> str:
    found = likely(model, tokenizer)
    return found.name if found.is_exact else f"{found.name}, the model's own tokenizer not being known"


def _output(store: Path, model: str, read: int) -> tuple[int | None, str]:
    """How many tokens the answers may have, and on what ground: what this model wrote for what it read here before."""
    before = [
        row for row in summed([store], ["model", "outcome"]) if (row["model"], row["outcome"]) == (model, "answered")
    ]
    if not before or not before[0]["input_tokens"]:
        return None, "this model was never asked by this store"
    row = before[0]
    share = row["output_tokens"] / row["input_tokens"]
    return round(read * share), f"{share:.3f} tokens written for one read, in {row['calls']} calls before"


def as_text(found: Foreseen) -> str:
    """The rehearsal in lines for a person."""
    lines = [
        f"{found.n_new_messages} new messages; {found.n_messages} to read, in {found.n_questions} questions",
    ]
    if found.model == "offline":
        return "\n".join([*lines, "offline asks no model: nothing to pay"])
    written = "not known" if found.output_tokens is None else f"{found.output_tokens}"
    lines += [
        f"{found.n_cached} answered in the cache already",
        f"{found.input_tokens} input tokens, counted by {found.counted_by}",
        f"output tokens: {written} ({found.output_ground}), at most {found.most_output_tokens}",
        f"cost with {found.model}: {_money(found.cost)}, at most {_money(found.most_cost)}",
    ]
    return "\n".join(lines)


def _money(cost: float | None) -> str:
    return "not known" if cost is None else f"{cost:.4f}"
