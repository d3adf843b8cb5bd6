"""One frozen class of rules a stage, a sentence a field. A stage sees only its own; the resolved rules are in the manifest."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from slowwave.format import Kind, Trust


class Rules(BaseModel):
    """Base of every stage's rules."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Owner(Rules):
    """Whose memory this is, and what it must never hold."""

    id: str = Field(default="", description="The owner's id; empty means the one user found in the sources.")
    names: tuple[str, ...] = Field(default=(), description="Names the owner goes by, the fullest first.")
    zone: str = Field(
        default="", description="The owner's time zone, e.g. Europe/Lisbon; empty means UTC, with precision marked."
    )
    forbidden_words: tuple[str, ...] = Field(
        default=(),
        description="Words and phrases that never enter memory or leave: each sentence that holds one is left out, earlier ones too.",
    )


class SiftRules(Rules):
    """Sensory filter."""

    max_future_skew_minutes: float = Field(
        default=10, ge=0, description="A message this far after the night's time is left for a later night."
    )
    max_line_chars: int = Field(
        default=2000, ge=80, description="Longer lines are folded to their first and last part."
    )
    max_tool_lines: int = Field(
        default=40, ge=1, description="Longer tool output keeps only this many lines, outcome lines first."
    )
    max_message_tokens: int = Field(
        default=4000,
        ge=0,
        description="A message over this keeps the sentences that say most, and all that deny, count, date, promise or name; 0: no limit.",
    )
    min_repeat_chars: int = Field(
        default=200,
        ge=1,
        description="A shorter text may be said twice in a session; in a longer one repeats are left out.",
    )
    min_repeat_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Share of a long text said before from which its repeated sentences are left out.",
    )
    forget_signal_minutes: float = Field(
        default=5,
        ge=0,
        le=1440,
        description="What was observed this long before and after words that the owner wishes forgotten goes with them.",
    )


class SegmentRules(Rules):
    """Topical organisation."""

    window_tokens: int = Field(default=4000, ge=100, description="Most tokens of evidence put into one question.")
    context_turns: int = Field(
        default=2, ge=0, description="Turns before a topic shown as context, where its window lacks them."
    )
    gap_minutes: float = Field(
        default=240, gt=0, description="A silence this long begins a new topic inside a session."
    )
    working_sessions: int = Field(
        default=50, ge=0, description="Sessions that have a working set: those last heard, the newest first."
    )
    working_turns: int = Field(
        default=60, ge=1, description="Turns of a session, its last, that its working set reads."
    )
    working_sentences: int = Field(default=3, ge=0, description="Most sentences of a working set's summary.")
    working_candidates: int = Field(
        default=12,
        ge=0,
        description="Most names, and most candidates of each sort, in a working set; the last said stay.",
    )


class ExtractRules(Rules):
    """Topics into claims."""

    min_coverage: float = Field(
        default=0.6, ge=0, le=1, description="Share of a statement's content words that must stand in its cited lines."
    )
    sensitive_words: tuple[str, ...] = Field(
        default=(), description="Words, beside the built-in ones, that make a claim sensitive."
    )


class LinkRules(Rules):
    """Mentions into entities."""

    min_name_similarity: float = Field(
        default=0.92,
        ge=0,
        le=1,
        description="Least similarity at which two names are nominated as one; they are joined on evidence only.",
    )
    links: tuple[tuple[str, str], ...] = Field(
        default=(), description="Pairs of names given as one by the owner or a reviewer."
    )
    apart: tuple[tuple[str, str], ...] = Field(
        default=(), description="Pairs of names that stay two, whatever was said: undoes a join of theirs."
    )


class MergeRules(Rules):
    """Claims into memories."""

    max_confidence: float = Field(
        default=0.99, ge=0, le=1, description="Confidence never grows past this, however much evidence."
    )


class ReconcileRules(Rules):
    """Contradictions."""

    min_supersede_confidence: float = Field(
        default=0.5, ge=0, le=1, description="A statement below this does not supersede one at or above it."
    )
    max_future_skew_minutes: float = Field(
        default=10, ge=0, description="A claim said this far after the night's time is rejected."
    )
    max_retire_fraction: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="A night that would retire more than this share of active memories is held.",
    )
    min_pair_similarity: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="Share of words in common from which memories without a slot are linked or asked about; it never joins two.",
    )
    max_asked_pairs: int = Field(
        default=20,
        ge=0,
        description="Most related pairs a night that a model is asked about, in one call; 0 asks about none.",
    )
    max_retire_min_records: int = Field(default=20, ge=1, description="Fewer active memories than this are never held.")


class ReinforceRules(Rules):
    """Reinforcement and decay."""

    initial_stability_days: float = Field(default=30, gt=0, description="Stability of a thing said once.")
    spacing_gain: float = Field(
        default=1.0, ge=0, description="How much a well-spaced confirmation multiplies stability."
    )
    archive_below: float = Field(
        default=0.002,
        ge=0,
        le=1,
        description="Retention below which an unimportant event is archived: half a year for one said once.",
    )
    archive_importance: float = Field(
        default=0.5, ge=0, le=1, description="Only memories below this importance are archived by age."
    )
    archive_after_days: float | None = Field(
        default=None, gt=0, description="Archive unimportant events at this age instead of by retention."
    )
    max_stability_days: float = Field(default=3650, gt=0, description="Stability never grows past this.")
    contradiction_loss: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="Share of confidence and stability that one contradiction by a person takes away.",
    )
    prompt_band: int = Field(
        default=2, ge=0, le=5, description="Weakest band of strength in which a passing thing still is for prompts."
    )


class LearnRules(Rules):
    """Procedural memory from intervention outcomes."""

    prior_strength: float = Field(default=4.0, gt=0, description="How many observations the coarser context counts as.")
    min_support: int = Field(default=3, ge=1, description="Fewer decided outcomes than this teach nothing.")
    urgent: tuple[str, ...] = Field(
        default=("4", "5", "urgent", "high", "critical"),
        description="Urgencies, as platforms write them, that are alarms.",
    )
    min_urgent_support: int = Field(
        default=1,
        ge=1,
        description="So many alarms that were accepted teach that they are welcome in a state in which nothing else is known to be.",
    )
    half_life_days: float = Field(default=90, gt=0, description="An outcome this old counts half.")
    min_lift: float = Field(
        default=0.2, ge=0, le=1, description="How far from the base rate a context must lie to be worth a lesson."
    )
    max_evidence: int = Field(
        default=50, ge=1, description="Most outcomes a lesson cites, the newest; older ones are counted all the same."
    )


class DigestRules(Rules):
    """The episodic timeline."""

    max_rollup_sentences: int = Field(default=6, ge=1, description="Most sentences of a roll-up.")
    min_rollup_statements: int = Field(
        default=2, ge=1, description="A platform, channel, person or project with fewer statements has no roll-up."
    )
    recency_days: float = Field(
        default=30,
        gt=0,
        description="In a roll-up without a period, a statement this much older than the newest weighs 1/e of it.",
    )


class Profile(Rules):
    """One bounded snapshot: its budget and what may enter."""

    max_tokens: int = Field(default=1300, ge=0, description="Most tokens.")
    max_chars: int | None = Field(default=None, ge=0, description="Most code points, where a platform counts those.")
    max_privacy: Literal["open", "personal", "sensitive"] = Field(
        default="personal", description="Highest privacy that may enter: open, personal or sensitive."
    )
    kinds: tuple[Kind, ...] = Field(default=(), description="Kinds that may enter; empty means all.")


class SoulProfile(Profile):
    """The soul document: its budget and what may enter."""

    # A class of its own, so that an empty table in the settings still means this default.
    max_tokens: int = Field(default=2000, ge=0, description="Most tokens.")


class ProjectRules(Rules):
    """What is published."""

    profiles: dict[str, Profile] = Field(
        default_factory=lambda: {"snapshot": Profile()}, description="Named bounded snapshots."
    )
    soul: SoulProfile = Field(default=SoulProfile(), description="Budget of the soul document.")
    group_share: float = Field(
        default=0.15,
        gt=0,
        le=1,
        description="Share of a document that one kind may fill while others still wait; constraints and ways of talking twice that.",
    )
    thread_share: float = Field(
        default=0.1, ge=0, le=1, description="Most that the current thread may fill of a snapshot; 0 leaves it out."
    )
    thread_sentences: int = Field(default=3, ge=0, description="Most sentences of a snapshot's current thread.")
    review_kinds: tuple[Kind, ...] = Field(
        default=(),
        description="Kinds that wait for the owner's approval (`slowwave review`) before a prompt text holds them.",
    )
    review_trusts: tuple[Trust, ...] = Field(
        default=(), description="The same by who said it: owner, participant, agent."
    )
    max_context_chars: int = Field(
        default=400, ge=0, description="Most code points, from its end, of the previous turn indexed with a turn."
    )

    @field_validator("profiles")
    @classmethod
    def _are_file_names(cls, profiles: dict[str, Profile]) -> dict[str, Profile]:
        # A profile's name becomes a file's name, so it must not climb out of the version's folder or hide the soul.
        for name in profiles:
            if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name) or name == "soul":
                raise ValueError(f"a profile may not be called {name!r}: use lower-case letters, digits, - and _")
        return profiles

    @property
    def budgets(self) -> dict[str, Profile]:
        """Every document's budget, by the profile that the document names."""
        return {**self.profiles, "soul": self.soul}


class StageRules(Rules):
    """All stages' rules, as one tree."""

    sift: SiftRules = SiftRules()
    segment: SegmentRules = SegmentRules()
    extract: ExtractRules = ExtractRules()
    link: LinkRules = LinkRules()
    merge: MergeRules = MergeRules()
    reconcile: ReconcileRules = ReconcileRules()
    reinforce: ReinforceRules = ReinforceRules()
    learn: LearnRules = LearnRules()
    digest: DigestRules = DigestRules()
    project: ProjectRules = ProjectRules()
