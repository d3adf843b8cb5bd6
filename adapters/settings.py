"""Settings: defaults, the checkout's `slowwave.toml`, the store's own, the environment, then flags, each over the one before.

Secrets live here and nowhere else. Stages never see this tree: each gets its own rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from adapters.exporting import ExportSettings
from adapters.leaving import EgressSettings
from adapters.recall import RecallSettings
from adapters.remote.lease import RemoteSettings
from adapters.reporting import ReportSettings
from adapters.retention import RetentionSettings
from adapters.serving import AlertSettings, ServiceSettings
from models.guarding import GuardRules
from models.rules import Owner, Rules, StageRules
from slowwave.errors import UsageError

CHECKOUT = Path(__file__).resolve().parents[1]


class NightSettings(Rules):
    """Who answers a night's questions, and within what bounds."""

    model: str = Field(
        default="offline", description="`offline` (rules, no key, no network), or any litellm model string."
    )
    api_base: str = Field(default="", description="Address of the model's server, e.g. a local one on loopback.")
    api_key: SecretStr = Field(
        default=SecretStr(""), description="Key for the model's server; better in the environment."
    )
    mode: Literal["json_schema", "json", "tools"] = Field(
        default="json_schema", description="How instructor asks for structure: json_schema, json or tools."
    )
    extraction: Literal["read", "rewrite"] = Field(
        default="read",
        description="What a model is for: `read` has it state what the lines assert; with `rewrite` the rules choose the lines and "
        "give kind, slot and dates, and it only words each as a sentence that stands alone, which suits small models.",
    )
    rewrite_statements: int = Field(
        default=6,
        ge=1,
        le=50,
        description="Most statements in one request of `rewrite`; a small model loses count of more.",
    )
    sources: tuple[str, ...] = Field(
        default=(), description="What a night reads where no `--source` is named, each as `KIND=PATH`."
    )
    wait_minutes: float = Field(default=60.0, ge=0, description="How long a night waits for another to end; 0: not.")
    temperature: float = Field(default=0.0, ge=0, description="Sampling temperature.")
    max_output_tokens: int = Field(
        default=4000, ge=16, description="Most tokens of an answer; longer windows are split."
    )
    max_concurrency: int = Field(default=8, ge=1, description="Most questions in flight at once.")
    max_fleet_concurrency: int = Field(
        default=0,
        ge=0,
        description="Most questions in flight at once of all stores in the folder that holds this one; 0 means no bound. Set it alike "
        "for all.",
    )
    rate_limit: str = Field(
        default="",
        description="Name of a global concurrency limit of Prefect's server, of which each call takes one slot; empty for none. It "
        "holds where a server is configured.",
    )
    timeout_seconds: float = Field(default=120.0, gt=0, description="How long one call may take.")
    max_attempts: int = Field(default=3, ge=1, description="Most calls for one question, transient failures included.")
    max_splits: int = Field(
        default=2,
        ge=0,
        le=12,
        description="How many times a question is halved whose answer is longer than `max_output_tokens`: 2 makes at most 7 parts to "
        "ask; what is still too long waits.",
    )
    erase_wishes: bool = Field(
        default=True,
        description="What the owner wishes forgotten in talk is erased by the night that reads the wish, as `slowwave forget` erases: "
        "from captures, runs, caches, inbox and every version that held it. Without it, it is hidden from memory and stays in files.",
    )
    max_night_tokens: int = Field(
        default=0, ge=0, description="Most tokens a night may use, in and out; 0: no ceiling."
    )
    max_night_cost: float = Field(
        default=0, ge=0, description="Most money a night may spend, as priced; 0: no ceiling."
    )
    max_store_tokens: int = Field(
        default=0, ge=0, description="Most tokens a calendar month (UTC) of this store may use; 0 means no ceiling."
    )
    max_store_cost: float = Field(
        default=0, ge=0, description="Most money a calendar month (UTC) of this store may spend; 0 means no ceiling."
    )
    max_fleet_tokens: int = Field(
        default=0,
        ge=0,
        description="Most tokens a month of all stores in the folder that holds this one; 0 means no ceiling. Set it alike for all.",
    )
    max_fleet_cost: float = Field(
        default=0,
        ge=0,
        description="Most money a month of all stores in the folder that holds this one; 0 means no ceiling. Set it alike for all.",
    )
    input_price: float | None = Field(
        default=None,
        ge=0,
        description="Price of a million tokens read; not set means litellm's list, or 0 on loopback.",
    )
    output_price: float | None = Field(
        default=None,
        ge=0,
        description="Price of a million tokens written; not set means litellm's list, or 0 on loopback.",
    )
    batch: Literal["off", "openai", "anthropic", "auto"] = Field(
        default="off",
        description="Put questions to a hosted model in its provider's batches, which cost less and may take hours: `openai` or "
        "`anthropic` for their shape, `auto` for the shape of the model's provider, `off` for single calls.",
    )
    batch_wait_minutes: float = Field(
        default=360.0,
        ge=0,
        description="How long a night waits for its batches before `batch_late` holds for what is left.",
    )
    batch_poll_seconds: float = Field(default=60.0, gt=0, description="How often a night looks at its batches.")
    batch_late: Literal["single", "defer"] = Field(
        default="single",
        description="What becomes of what comes too late: `single` cancels the batch and asks singly, at the full price; `defer` "
        "leaves it to a later night.",
    )
    batch_price: float = Field(default=0.5, ge=0, le=1, description="A batch's price, as a share of single calls'.")
    batch_max_requests: int = Field(
        default=5000,
        ge=1,
        description="Most questions of one batch; more make several, since providers bound its size.",
    )
    tokenizer: str = Field(
        default="",
        description="A tokenizer.json of the model, to count tokens with before they are sent; empty means the one that the "
        "model's name tells, else the number of bytes as a bound.",
    )

    @model_validator(mode="after")
    def _has_both_prices(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("input_price and output_price are set together or not at all")
        return self

    @model_validator(mode="after")
    def _has_no_batch_of_rewrites(self) -> Self:
        if self.extraction == "rewrite" and self.batch != "off":
            raise ValueError("extraction = 'rewrite' asks in single calls: set batch = 'off'")
        return self

    @property
    def rewrites(self) -> int:
        """How many statements a model words in one request; 0 where it reads."""
        return self.rewrite_statements if self.extraction == "rewrite" else 0


class EmbedSettings(Rules):
    """Which embedder makes the vectors."""

    embedder: str = Field(
        default="static",
        description="`static`, `onnx:DIR`, `fastembed:NAME`, `litellm:MODEL`, or `none` for full text only.",
    )
    api_base: str = Field(
        default="", description="Address of the server of a `litellm:` embedder, e.g. a local one on loopback."
    )


class TrustSettings(Rules):
    """How far the memory files and records of agents are relied on: confidence in what they state is scaled by their origin.

    Whatever is set, an imported record stays below any statement of the owner, and never confirms one.
    """

    owner_curated: float = Field(
        default=1.0, ge=0, le=1, description="Notes that the owner keeps, decided, pinned or wrote by hand."
    )
    agent_curated: float = Field(
        default=0.9,
        ge=0,
        le=1,
        description="Notes that an agent chose to keep: its memory files, topics, wiki and records.",
    )
    raw_notes: float = Field(
        default=0.6, ge=0, le=1, description="Notes as they were taken: daily notes, logs of errors, notes of a chat."
    )


class Settings(BaseSettings):
    """Everything a person may set."""

    model_config = SettingsConfigDict(env_prefix="SLOWWAVE_", env_nested_delimiter="__", extra="forbid")

    owner: Owner = Owner()
    night: NightSettings = NightSettings()
    embed: EmbedSettings = EmbedSettings()
    egress: EgressSettings = EgressSettings()
    trust: TrustSettings = TrustSettings()
    recall: RecallSettings = RecallSettings()
    retention: RetentionSettings = RetentionSettings()
    export: ExportSettings = ExportSettings()
    reports: ReportSettings = ReportSettings()
    guards: GuardRules = GuardRules()
    remote: RemoteSettings = RemoteSettings()
    service: ServiceSettings = ServiceSettings()
    alerts: AlertSettings = AlertSettings()
    rules: StageRules = StageRules()

    @model_validator(mode="before")
    @classmethod
    def _reads_its_old_name(cls, given: Any) -> Any:
        """`forbidden_words` once stood under `[rules.extract]`; recorded runs and older files have it there."""
        extract = given.get("rules", {}).get("extract", {}) if isinstance(given, dict) else {}
        if not isinstance(extract, dict) or "forbidden_words" not in extract:
            return given
        rest = {name: value for name, value in extract.items() if name != "forbidden_words"}
        owner = {"forbidden_words": extract["forbidden_words"], **given.get("owner", {})}
        return {**given, "owner": owner, "rules": {**given["rules"], "extract": rest}}


def _layered(files: list[Path]) -> type[Settings]:
    """Settings that read these files, the first over the second."""

    class Layered(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            """Flags, the environment, then the files."""
            return (init_settings, env_settings, *(TomlConfigSettingsSource(settings_cls, path) for path in files))

    return Layered


def load(store: Path | None = None, **flags: Any) -> Settings:
    """The settings in force for a store. `flags` are nested mappings. Raises UsageError that names the bad key."""
    named = [CHECKOUT / "slowwave.toml"] if store is None else [store / "slowwave.toml", CHECKOUT / "slowwave.toml"]
    try:
        return _checked(_layered([path for path in named if path.is_file()])(**flags))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"the setting {where} is wrong: {first['msg']}",
            "Mend it in slowwave.toml (the store's, or the checkout's), the SLOWWAVE_ environment, or the flags; "
            "docs/settings.md lists them all.",
        ) from error
    except ValueError as error:
        raise UsageError(f"slowwave.toml cannot be read: {error}", "Mend the file; it must be valid TOML.") from error


def _checked(settings: Settings) -> Settings:
    """The settings, once the zone is one that there is. Raises UsageError."""
    if zone := settings.owner.zone:
        try:
            ZoneInfo(zone)
        except (KeyError, OSError, ValueError) as error:
            raise UsageError(
                f"there is no time zone {zone!r}",
                "Name it as in Europe/Lisbon: --zone, or zone under [owner] in slowwave.toml.",
            ) from error
    return settings
