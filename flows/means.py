"""What a night is walked with: whoever answers its questions, the embedder, and the books that bound both.

Belongs here: settings into things that can be called. Does not belong here: what is new, and when (`begin`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit, urlunsplit

from adapters.embedder import Embedding, open_embedder
from adapters.llm.access import host_of, is_local
from adapters.llm.books import Addressee, Books, Limits
from adapters.llm.prices import Prices, prices_of
from adapters.settings import NightSettings, Settings
from flows.egress import Gate, Guarded
from flows.embedding import HostedEmbed
from flows.limits import limiter_of
from models.ask import Ask, Embed

if TYPE_CHECKING:
    from adapters.llm import Terms

# Where answers of models are kept in a store.
ANSWERS = "cache/answers"
# Where it is noted which batches are under way.
BATCHES = "cache/batches"


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
    ask = open_ask(settings, store, books)
    gate = gate_of(settings, store)
    return Means(guarded(ask, settings, gate), _guarded_embed(embed, settings, gate, books), books)


def gate_of(settings: Settings, store: Path) -> Gate:
    """What may leave this store for a hosted model."""
    return Gate(settings.egress, store, settings.rules.extract.sensitive_words, settings.owner.forbidden_words)


def guarded(ask: Ask, settings: Settings, gate: Gate) -> Ask:
    """An `Ask` that shows a hosted model only what may leave."""
    night, egress = settings.night, settings.egress
    if night.model == "offline" or is_local(night.model, night.api_base, egress.proxies):
        return ask
    from adapters.offline import Offline

    return Guarded(ask, gate, Offline() if egress.kept_messages == "offline" else None)


def limits_of(chosen: NightSettings) -> Limits:
    """The ceilings that are set; a setting of 0 is none."""
    return Limits(
        night=(chosen.max_night_tokens or None, chosen.max_night_cost or None),
        store=(chosen.max_store_tokens or None, chosen.max_store_cost or None),
        fleet=(chosen.max_fleet_tokens or None, chosen.max_fleet_cost or None),
    )


def _guarded_embed(embed: Embedding, settings: Settings, gate: Gate, books: Books) -> Embed:
    """An `Embed` that sends a hosted embedder only what may leave."""
    kind, _, model = settings.embed.embedder.partition(":")
    api_base = settings.embed.api_base
    if kind != "litellm" or is_local(model, api_base, settings.egress.proxies):
        return embed
    prices = prices_of(model, is_local=False) or Prices()
    return HostedEmbed(embed, gate, books, Addressee(model, host_of(model, api_base), has_left=True, prices=prices))


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
        patience=Patience(max_attempts=chosen.max_attempts, max_splits=chosen.max_splits),
        batch=None if chosen.batch == "off" else _terms(chosen, chosen.batch),
        notes=store / BATCHES,
        limiter=limiter_of(chosen, store),
        rewrites=chosen.rewrites,
    )


def _terms(chosen: NightSettings, shape: Literal["openai", "anthropic", "auto"]) -> Terms:
    from adapters.llm import Terms

    return Terms(
        shape,
        wait_seconds=chosen.batch_wait_minutes * 60,
        poll_seconds=chosen.batch_poll_seconds,
        late=chosen.batch_late,
        price=chosen.batch_price,
        most_requests=chosen.batch_max_requests,
    )


def recorded(settings: Settings, store: Path) -> Ask:
    """Whoever answered, from recorded answers alone: it may be named without leave or key, since nobody is asked."""
    chosen = settings.night
    if chosen.model == "offline":
        from adapters.offline import Offline

        return Offline()
    from adapters.llm import remembering

    return remembering(
        chosen.model,
        cache=store / ANSWERS,
        max_output_tokens=chosen.max_output_tokens,
        temperature=chosen.temperature,
        mode=chosen.mode,
        tokenizer=chosen.tokenizer,
        rewrites=chosen.rewrites,
    )


def replayable(settings: Settings) -> dict[str, Any]:
    """The settings that a version was made under, as plain values, without key and login: what a replay goes by.

    What guards watch, reports show and services do is no part of it, nor what is read: no version depends on it, and it names the
    owner's files.
    """
    out: dict[str, Any] = dict.fromkeys(("guards", "reports", "service", "alerts"), True)
    found = settings.model_dump(mode="json", exclude={"night": {"api_key", "sources"}, **out})
    for part in (found["night"], found["embed"]):
        address = urlsplit(part["api_base"])
        part["api_base"] = urlunsplit(address._replace(netloc=address.netloc.rpartition("@")[2]))
    return found
