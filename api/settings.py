"""All configuration of the service. No other module reads environment variables. Their names begin with GRADUS_, except those
of OpenTelemetry, which have their standard names.
"""

import ipaddress
import os
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from api.external_service_settings import AssistantEndpoint, Provider

# Environment variables that programs started by the service get, above all the local node. None may contain a secret.
NODE_VARIABLES = (
    "PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR",
    "DOCKER_HOST", "DOCKER_API_VERSION", "DOCKER_CONTEXT", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
)  # fmt: skip
# The supported databases, by SQLAlchemy's driver names.
DRIVERS = ("sqlite+aiosqlite", "postgresql+psycopg")


class ConfigurationError(Exception):
    """The settings cannot be used as they are. The message says why, and what to change."""


class Settings(BaseSettings):
    """The settings of the service. Relative paths are relative to the working directory. Settings whose name ends in `_s` are
    in seconds, in `_kb` in KiB, and in `_mb` in MiB.
    """

    model_config = SettingsConfigDict(env_prefix="GRADUS_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    public_url: str = ""
    trusted_proxies: str = ""
    secure_cookies: bool = False
    log_format: Literal["auto", "json", "text"] = "auto"
    # The port on which Prometheus reads `/metrics`, or 0 for none. Everybody who can reach the port can read the metrics.
    metrics_port: int = Field(default=0, ge=0, le=65535)
    metrics_host: str = "127.0.0.1"

    # These variables decide whether traces are exported (api/kit/tracing.py). OpenTelemetry's SDK reads them too.
    otlp_endpoint: str = Field(
        default="",
        validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
    )
    otlp_protocol: str = Field(
        default="",
        validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"),
    )
    otel_disabled: str = Field(default="", validation_alias="OTEL_SDK_DISABLED")
    otel_exporter: str = Field(default="", validation_alias="OTEL_TRACES_EXPORTER")

    data_dir: Path = Path("var")
    # If a disk that the process writes to has less free space than this (in MiB), `/readyz` reports that it is not ready.
    disk_full_mb: int = Field(default=64, ge=0)
    database_url: str = ""
    # The folder in which each version of a challenge is stored by its digest. Processes that use the same PostgreSQL database
    # must use the same folder.
    versions_dir: Path | None = None
    challenges_dir: Path = Path("challenges")
    # The folder of the built web client. Without it, `/` is a plain page that explains how to use the service.
    web_dir: Path = Path("frontend/web/dist")
    # Whether to serve challenges whose current version has not passed `gradus challenge check`. This is meant for authors.
    serve_unproven: bool = False

    registration: Literal["open", "closed"] = "open"
    session_days: int = Field(default=14, ge=1, le=365)
    session_idle_hours: int = Field(default=72, ge=1)
    sessions_per_account: int = Field(default=50, ge=1)
    sign_in_failures: int = Field(default=5, ge=1)
    sign_in_failures_per_address: int = Field(default=50, ge=1)
    sign_in_failures_per_account: int = Field(default=100, ge=1)
    sign_in_window_s: float = Field(default=300, gt=0)
    registrations_per_hour: int = Field(default=30, ge=1)
    guests_per_hour: int = Field(default=60, ge=1)
    reports_of_guests_per_hour: int = Field(default=10, ge=1)
    api_tokens: int = Field(default=20, ge=1)
    # Guests are erased after this many days without a visit.
    guest_days: int = Field(default=30, ge=1)
    # After this many days, the output and the exhibits (pictures that tests drew) are removed from a judgement
    # (api/ops/privacy/retention.py). The outcome and the message of each test are kept. Judgements of candidates stay complete
    # for the retention period that their team has set.
    judgement_days: int = Field(default=30, ge=1)
    # Rows are deleted after this many days: the audit log, events for teams' programs, grades of revision cards (not their
    # schedules), rooms of live interviews, and attempts at a quiz without full marks that a later one has replaced.
    audit_days: int = Field(default=730, ge=30)
    team_event_days: int = Field(default=365, ge=30)
    card_review_days: int = Field(default=365, ge=30)
    quiz_attempt_days: int = Field(default=365, ge=30)
    room_days: int = Field(default=180, ge=30)
    exports_per_hour: int = Field(default=6, ge=1)
    # Some actions require the password. If the account has none, they require a sign-in within this many seconds before.
    recent_sign_in_s: float = Field(default=600, gt=0)
    # A JSON list: [{"id": "…", "name": "…", "issuer": "https://…", "client_id": "…", "client_secret": "…"}, …]
    oidc_providers: tuple[Provider, ...] = ()
    # The AI assistant that teams can give their candidates, as JSON: {"url": "https://…/v1", "key": "…", "model": "…"}
    assistant: AssistantEndpoint | None = None

    # The mail server, as smtp(s)://name:password@host:port. If it is empty, mail is printed on the console.
    smtp_url: SecretStr = SecretStr("")
    mail_from: str = "Gradus <gradus@localhost>"
    mails_per_address: int = Field(default=5, ge=1)
    mails_per_network: int = Field(default=30, ge=1)
    mail_attempts: int = Field(default=6, ge=1)
    mail_retry_s: float = Field(default=30, gt=0)
    letter_days: int = Field(default=30, ge=1)

    # Whether webhooks may be sent to http URLs and private addresses. Meant for tests, and for receivers in a private network.
    webhooks_private: bool = False

    requests_per_minute: int = Field(default=3000, ge=1)
    requests_per_minute_of_an_address: int = Field(default=6000, ge=1)
    body_kb: int = Field(default=2048, ge=16)
    body_s: float = Field(default=30, gt=0)
    head_s: float = Field(default=20, gt=0)
    unread_s: float = Field(default=60, gt=0)
    source_kb: int = Field(default=256, ge=1)
    unfinished_per_account: int = Field(default=8, ge=1)
    # Per account or guest. It need not be low: the fair order and `unfinished_per_account` already protect the queue.
    submissions_per_minute: int = Field(default=30, ge=1)
    # Per account and challenge within 24 hours, without runs of the samples. The limit prevents users from finding out the
    # hidden tests by the messages of many submissions. The default allows one every three minutes for ten hours.
    submissions_per_challenge_a_day: int = Field(default=200, ge=1)
    own_inputs_per_challenge_an_hour: int = Field(default=10, ge=1)  # each tells about a value of the reference
    unfinished_per_guest: int = Field(default=2, ge=1)
    queue_limit: int = Field(default=10_000, ge=1)
    repeat_window_s: float = Field(default=10, ge=0)
    fair_spacing_s: float = Field(default=2, ge=0)

    local_node: bool = True
    node_socket: Path | None = None
    node_slots: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1)
    node_cells: Literal["docker", "process"] = "docker"
    node_image: str = ""
    # The CPU weight of all cells (sandboxes) of the local node together; another program has the weight 1024. It matters only
    # while a CPU is busy: judging then gets a fifth of it (256 of 1280), so that requests are answered within milliseconds.
    node_cpu_shares: int = Field(default=256, ge=2, le=1024)
    node_drain_s: float = Field(default=10, ge=0)
    allow_public_process_cells: bool = False

    # nats-server for nodes on other machines: nats://name:password@host:4222, or tls://…. If empty, all nodes are local.
    nats_url: SecretStr = SecretStr("")
    # The file of users that nats-server includes. The service keeps it up to date. If nats-server runs elsewhere, leave this
    # unset, and create the file with `gradus nodes users`.
    nats_users: Path | None = None

    lease_s: float = Field(default=30, gt=0)
    poll_s: float = Field(default=1, gt=0)
    sweep_s: float = Field(default=3, gt=0)
    fault_pause_s: float = Field(default=0.5, ge=0)
    max_faults: int = Field(default=3, ge=1)
    max_attempts: int = Field(default=8, ge=1)
    streams_per_account: int = Field(default=32, ge=1)
    streams: int = Field(default=2000, ge=1)
    stream_s: float = Field(default=3600, gt=0)
    keep_alive_s: float = Field(default=15, gt=0)

    @property
    def database(self) -> str:
        """The URL of the database. The default is a SQLite file in the data folder."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir.absolute() / 'gradus.db'}"

    @property
    def socket(self) -> Path:
        """The Unix socket to which nodes connect."""
        return (self.node_socket or self.data_dir / "run" / "node.sock").absolute()

    @property
    def kept(self) -> Path:
        """The folder in which each version of a challenge is stored by its digest."""
        return (self.versions_dir or self.data_dir / "versions").absolute()

    @property
    def url(self) -> str:
        """The URL at which users reach this service, without a trailing slash."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return self.public_url.rstrip("/") or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def traced(self) -> bool:
        """Whether traces are exported."""
        return bool(self.otlp_endpoint) and self.otel_disabled.lower() != "true" and self.otel_exporter != "none"

    @property
    def https(self) -> bool:
        """Whether browsers reach this service by https. A proxy in front of it may still forward plain http."""
        return self.secure_cookies or self.public_url.startswith("https://")

    @property
    def sends_mail(self) -> bool:
        """Whether mail is sent by SMTP. Otherwise it is printed on the console."""
        return bool(self.smtp_url.get_secret_value())

    @property
    def proxy_is_untrusted(self) -> bool:
        """Whether a proxy handles https, but `trusted_proxies` does not allow it to report the addresses of clients."""
        return self.public_url.startswith("https://") and not self.trusted_proxies

    @property
    def hosts(self) -> frozenset[str]:
        """The host names that requests may use. If other machines can reach the service, the set is empty: any name is allowed.

        This prevents DNS rebinding, by which a page of another site sends requests to 127.0.0.1 under that site's host name.
        """
        if not _is_loopback(self.host):
            return frozenset()
        return frozenset(
            {"localhost", "127.0.0.1", "::1", self.host, urlsplit(self.public_url).hostname or "localhost"}
        )

    def check(self) -> None:
        """Raise `ConfigurationError` if the settings are unsafe or cannot work."""
        if self.node_cells == "process" and not _is_loopback(self.host) and not self.allow_public_process_cells:
            raise ConfigurationError(
                f"refusing to serve on {self.host} with process cells: without containers a submission runs as a plain "
                "process of this machine, so only people who already have this machine should reach it. Serve on "
                "127.0.0.1, or set GRADUS_NODE_CELLS=docker, or, if everyone who can connect is trusted, set "
                "GRADUS_ALLOW_PUBLIC_PROCESS_CELLS=true."
            )
        if len(os.fsencode(self.socket)) > 100:
            raise ConfigurationError(
                f"the path of the node socket is too long for a Unix socket: {self.socket}. "
                "Set GRADUS_NODE_SOCKET to a path of at most 100 bytes."
            )
        self._check_database()
        self._check_mail()
        self._check_nats()
        self._check_providers()
        self._check_traces()

    def _check_database(self) -> None:
        driver = self.database.partition(":")[0]
        if driver not in DRIVERS:
            raise ConfigurationError(
                f"GRADUS_DATABASE_URL names {driver}; write postgresql+psycopg://user:password@host/name, or leave it out."
            )

    def _check_mail(self) -> None:
        url = self.smtp_url.get_secret_value()
        try:
            parts = urlsplit(url)
            good = not url or (parts.scheme in ("smtp", "smtps") and parts.hostname and parts.port != 0)
            Address(addr_spec=parseaddr(self.mail_from)[1])
        except (ValueError, IndexError, HeaderParseError):
            good = False
        if not good:
            raise ConfigurationError(
                "email cannot be sent with these settings. GRADUS_SMTP_URL is smtp://name:password@host:587, or smtps://… for "
                "TLS from the start; GRADUS_MAIL_FROM is an address, or «Name <address>»."
            )

    def _check_nats(self) -> None:
        parts = urlsplit(self.nats_url.get_secret_value())
        good = parts.scheme in ("nats", "tls") and parts.hostname and parts.username and parts.password
        if parts.geturl() and not good:
            raise ConfigurationError("GRADUS_NATS_URL is nats://name:password@host:4222, or tls://… for TLS.")

    def _check_traces(self) -> None:
        parts = urlsplit(self.otlp_endpoint)
        if self.traced and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ConfigurationError("OTEL_EXPORTER_OTLP_ENDPOINT is http://host:4318, or https://… for TLS.")
        if self.traced and (self.otlp_protocol or "http/protobuf") != "http/protobuf":
            raise ConfigurationError("traces are sent as http/protobuf only: leave OTEL_EXPORTER_OTLP_PROTOCOL out.")

    def _check_providers(self) -> None:
        for each in self.oidc_providers:
            parts = urlsplit(each.issuer)
            if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname or "")):
                raise ConfigurationError(f"the issuer of provider {each.id} must be an https address: {each.issuer}")
        if len({each.id for each in self.oidc_providers}) < len(self.oidc_providers):
            raise ConfigurationError("two providers in GRADUS_OIDC_PROVIDERS have the same id. Give each its own.")


def plain_environment() -> dict[str, str]:
    """Return the environment for a program that the service starts. It contains no secrets."""
    return {name: os.environ[name] for name in NODE_VARIABLES if name in os.environ}


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
