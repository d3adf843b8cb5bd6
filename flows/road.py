"""One night from door to door, in plain Python: capture, begin, walk the order, audit, publish.

Written as write, audit, publish: a version goes live only after its promises hold, and a night that fails leaves the last
version serving.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters import lake, soul
from adapters.capture import Captured, capture
from adapters.capture.feedback import n_later
from adapters.llm.books import Books
from adapters.pointer import Lease, writing
from adapters.publish import withdraw
from adapters.remote import name_of
from adapters.retention import RetentionSettings, retain, sweep
from adapters.settings import Settings, load
from adapters.sources import parse_source
from expectations.night import Report
from expectations.page import render_html
from flows import early, erasing, ledger, telling
from flows.advice import next_step, yet_to_come
from flows.audit import audit, topic_messages, topics_put_off
from flows.begin import News, Plan, begin, not_before, read_news, time_of
from flows.costs import left, seal
from flows.guard_reports import proposals
from flows.means import Means, open_means
from flows.night import Night, Step, Walk
from flows.order import order
from flows.release import assemble, go_live, go_on, probed
from flows.rollback import going_on_from
from slowwave.errors import ModelUnavailable, PromiseBroken, PublishConflict, SourceError, StoreHeld
from slowwave.format import Manifest
from slowwave.store import Rollback, read_current, read_manifest, read_rollback

# How often a night goes on from what others published meanwhile before it gives up.
MAX_REBASES = 3
STATUSES: dict[type[Exception], str] = {PromiseBroken: "refused", PublishConflict: "rebased"}


@dataclass(frozen=True)
class Outcome:
    """How a night ended: published, nothing_to_do or held; what it refused or failed at is raised."""

    status: str
    version: str | None
    run: str | None = None
    warnings: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def exit_status(self) -> int:
        """0 published or nothing to do, 3 held, 5 where input was newly quarantined or put off: known damage is no news."""
        if self.status == "held":
            return StoreHeld.exit_status
        return 5 if self.facts.get("n_newly_quarantined") or self.facts.get("put_off") else 0


def consolidated(plan: Plan, step: Step) -> Outcome:
    """Walk one night for one store. Raises what went wrong as a SlowwaveError; the last version then still serves."""
    settings = load(plan.store, **plan.flags)
    plan = plan.reading(settings)
    if plan.as_of is not None and plan.store.is_dir():
        # Asked before it waits for anybody: who is overtaken by a later night goes on from there.
        time_of(plan, going_on_from(plan.store, read_current(plan.store)))
    for _ in range(MAX_REBASES):
        # Somebody may publish meanwhile: then the night goes on from there, and what it has worked out already is kept.
        with suppress(PublishConflict):
            return _night(plan, settings, step)
    return _night(plan, settings, step)


def _night(plan: Plan, settings: Settings, step: Step) -> Outcome:
    wait_seconds = settings.night.wait_minutes * 60 if plan.wait_seconds is None else plan.wait_seconds
    with writing(plan.store, wait_seconds) as lease:
        _let_go(plan.store, settings.retention)
        erasing.carry_out(plan.store)
        held = read_rollback(plan.store)
        held = held if held is not None and held.is_held else None
        if held is not None and not erasing.is_pending(plan.store):
            return Outcome("held", lease.serving, None, (_held(plan.store, held),))
        # What is forgotten leaves a version that nights are held at too; nothing else is read then.
        parent = going_on_from(plan.store, lease.serving)
        plan, told = not_before(plan, parent)
        # What may not leave is asked for before anything is read; what is to be erased waits for no model.
        means = None if erasing.is_pending(plan.store) else open_means(settings, plan.store)
        as_of = time_of(plan, parent)
        told += soul.collect(plan.store, parent, as_of)
        told += yet_to_come(n_later(plan.store, as_of), as_of) if plan.as_of else []
        captured = _captured(plan, settings, as_of)
        lease.save()
        begun = _Begun(plan, settings, step, captured, parent, lease, held, means, sessions=_early(plan, parent, lease))
        outcome = _walked_from(begun)
        if outcome.status == erasing.WISHED:
            # Nothing was published yet: the night begins again over what is left.
            erasing.carry_out(plan.store)
            outcome = _walked_from(replace(begun, means=None, n_wishes=outcome.facts["n_forget_requests"]))
        if outcome.status in ("published", "nothing_to_do"):
            _write_soul(plan.store, outcome.version)
            if erasing.is_pending(plan.store):
                erasing.finish(plan.store)
        return replace(outcome, warnings=(*outcome.warnings, *told)) if told else outcome


def _write_soul(store: Path, version: str | None) -> None:
    """The serving version's soul where its owner may edit it."""
    if version is not None:
        soul.write(store, read_manifest(store, version))


def _let_go(store: Path, kept: RetentionSettings) -> None:
    """Before anything is read: what failed nights left, and what is beyond what is kept."""
    sweep(store)
    retain(store, kept, time.time())


@dataclass(frozen=True)
class _Begun:
    """What a night begins from; the same where it begins again."""

    plan: Plan
    settings: Settings
    step: Step
    captured: Captured
    parent: Manifest | None
    lease: Lease
    held: Rollback | None
    means: Means | None
    n_wishes: int = 0
    sessions: frozenset[str] | None = None


def _early(plan: Plan, parent: Manifest | None, lease: Lease) -> frozenset[str] | None:
    """The sessions to publish early; None for a night, which one becomes that has something to erase."""
    if plan.flush is None or erasing.is_pending(plan.store):
        return None
    return early.sessions_of(plan, parent, read_manifest(plan.store, lease.serving) if lease.serving else None)


def _walked_from(begun: _Begun) -> Outcome:
    plan, parent = begun.plan, begun.parent
    means = begun.means or open_means(begun.settings, plan.store)
    is_erasing = erasing.is_pending(plan.store)
    news = read_news(
        plan.store,
        begun.captured,
        parent,
        is_erasing=is_erasing,
        is_held=begun.held is not None,
        sessions=begun.sessions,
    )
    news = replace(news, n_forget_requests=begun.n_wishes)
    _require_readable(plan, news)
    if parent is None and news.is_empty:
        return Outcome("nothing_to_do", None, None, (*news.warnings, *_unheard(plan, news)), news.facts)
    if begun.sessions is not None and early.is_answered(plan.store, news, parent, begun.lease.serving):
        return Outcome("nothing_to_do", begun.lease.serving, None, news.warnings, news.facts)
    # What a killed night was asked is written down before anything is asked tonight.
    seal(plan.store)
    night = begin(plan, begun.settings, means, news, parent)
    try:
        outcome = _walked(night, news, means.books, begun)
    except Exception as error:
        status = STATUSES.get(type(error), "failed")
        facts = {**news.facts, **_spent(night, means.books)}
        ledger.update(plan.store, night.run, status=status, error=str(error), facts=facts)
        if status != "rebased":
            telling.leave(plan.store, night.run, begun.settings)
        raise
    if outcome.status == erasing.WISHED:
        return outcome
    return replace(outcome, warnings=(*outcome.warnings, *telling.leave(plan.store, night.run, begun.settings)))


def _held(store: Path, rollback: Rollback) -> str:
    return (
        f"the store is held since it was rolled back from {rollback.came_from} to {rollback.to} on {rollback.at:%Y-%m-%d}: "
        f"let nights go on with slowwave resume --store {name_of(store)}"
    )


def _captured(plan: Plan, settings: Settings, as_of: datetime) -> Captured:
    sources = [parse_source(text) for text in plan.sources]
    return capture(plan.store, sources, owner=settings.owner.id, trust=settings.trust, as_of=as_of)


def _spent(night: Night, books: Books) -> dict[str, Any]:
    """What the night asked of models: its calls sealed, what left the machine, and the ceilings that it came up against."""
    seal(night.store)
    return {
        "left": left(night.store, night.run),
        "ceilings_reached": list(books.reached),
        "held_back": books.held_back,
        "batches": list(books.told),
    }


def _walked(night: Night, news: News, books: Books, begun: _Begun) -> Outcome:
    walk = order(night, begun.step)
    news = replace(news, spent=_spent(night, books))
    lease, serving = begun.lease, begun.lease.serving
    # What is published early hides what the owner wishes forgotten, and the night erases it.
    is_night = begun.sessions is None
    if is_night and begun.settings.night.erase_wishes and (n_wishes := erasing.write_wishes(night, walk)):
        return _end(night, replace(news, n_forget_requests=n_wishes), erasing.WISHED, serving)
    if _is_quiet(night, walk, news):
        return _end(night, news, go_on(night, lease), night.parent.version if night.parent else None)
    # What is to be erased does not wait for a model: what could not be read again is read when it is back.
    put_off = _put_off(walk) if erasing.is_pending(night.store) else _require_answers(night, walk, books)
    n_as_said = walk.taken["extract"].n_decided.get("keep:kept_as_said", 0)
    news = replace(news, put_off=put_off, n_topics_put_off=topics_put_off(night, walk), n_as_said=n_as_said)
    report = audit(night, walk, news.dead)
    if begun.plan.is_retirement_accepted:
        report = report.accepted()
    if report.is_held:
        return _end(night, news, "held", serving, report)
    if not report.broken:
        built = assemble(night, walk, begun.sessions)
        report = Report((*report.promises, *probed(night, walk, built)))
        if not report.broken:
            return _end(night, news, "published", go_live(night, built, lease, begun.held), report)
        withdraw(night.store, built)
    _end(night, news, "refused", serving, report)
    raise _refusal(report)


def _is_quiet(night: Night, walk: Walk, news: News) -> bool:
    """Nothing was said and no date has changed a status: the memory is what was published already."""
    parent = night.parent
    if parent is None:
        return False
    same = all(parent.state[name].sha256 == getattr(night, name).sha256 for name in ("signals", "feedback"))
    is_old = same and not news.messages.height and parent.rules == ledger.read(night.store, night.run)["rules"]
    return is_old and parent.tables["memories"].sha256 == walk["project.memories"].sha256


def _require_readable(plan: Plan, news: News) -> None:
    """Refuse a source of which nothing at all could be read: it is of another kind, and saying "nothing new" would mislead."""
    got = news.captured
    if got.n_damaged and not (
        got.n_new or got.n_known or got.n_new_signals or got.n_known_signals or got.n_gone or got.other_owners
    ):
        raise SourceError(
            f"not one of {got.n_damaged} places in {', '.join(plan.sources)} could be read as the kind that was named",
            "Ask what it looks like: slowwave sources PATH",
        )


def _unheard(plan: Plan, news: News) -> list[str]:
    """Why a first night found nothing, in words."""
    if not plan.sources:
        return ["no --source was named, and the store's inbox is empty"]
    return [] if news.captured.n_damaged else [f"nothing was found in {', '.join(plan.sources)}"]


def _put_off(walk: Walk) -> dict[str, int]:
    """How many messages were put off, by reason."""
    decided = walk.taken["extract"].n_decided.items()
    return {reason.removeprefix("defer:"): n for reason, n in decided if reason.startswith("defer:")}


def _require_answers(night: Night, walk: Walk, books: Books) -> dict[str, int]:
    """How many messages were put off, by reason. Raises ModelUnavailable where no topic at all was answered."""
    counts = _put_off(walk)
    n_asked = len(topic_messages(night, walk))
    if counts and sum(counts.values()) >= n_asked:
        raise ModelUnavailable(
            f"{night.ask.model} answered nothing tonight ({', '.join(counts)}); {n_asked} messages wait for the next night",
            next_step(counts, books.reached, books.held_back),
        )
    return counts


def _refusal(report: Report) -> PromiseBroken:
    names = [promise.name for promise in report.broken]
    return PromiseBroken(
        f"the night broke {len(names)} blocking promise(s): {', '.join(names)}; nothing was published",
        "Read report.html or audit.html in the run's folder: they name the rows; the last version still serves.",
    )


def _end(night: Night, news: News, status: str, version: str | None, report: Report | None = None) -> Outcome:
    """Write down how the night ended; an audited one gets its page."""
    facts, warnings = news.facts, list(news.warnings)
    told: dict[str, Any] = {"proposals": proposals(night.store)}
    told |= {} if report is None else {"promises": report.to_dict()}
    ledger.update(night.store, night.run, status=status, version=version, facts=facts, warnings=warnings, **told)
    if report is not None:
        page = render_html(report, ledger.read(night.store, night.run))
        lake.write_bytes(night.store / night.folder / "audit.html", page.encode())
    return Outcome(status, version, night.run, news.warnings, facts)
