"""The only reader of the environment and of profile files: where the store is, and what it is
opened with."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from engraphy import here
from engraphy.errors import ProfileError, SettingsError
from engraphy.profile import tables
from engraphy.profile.variables import IN_FILE

_DATABASE = "memory.db"
_USUAL_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURED = frozenset({"true", "span_only", "span_and_event"})
_FOLDERS = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
_SESSIONS = ("CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID")
_TOKEN = "ENGRAPHY_MCP_TOKEN"
_SHORTEST_TOKEN = 16
_SWITCHED = {"on": True, "1": True, "true": True, "off": False, "0": False, "false": False}
_SECRET = frozenset({"server", "api_key", "key", "model_api_key", "usual_keys", "reranker_api_key"})


class Settings(NamedTuple):
    """What the environment says. Every other number is profile data."""

    home: Path
    """ENGRAPHY_HOME, or the user's data folder."""
    profile: str
    """ENGRAPHY_PROFILE."""
    tenant: str
    """ENGRAPHY_TENANT."""
    embedder: str
    """ENGRAPHY_EMBEDDER: static, none, minilm, multilingual or provider/model."""
    api_key: str | None
    """ENGRAPHY_API_KEY, for an embeddings endpoint."""
    base_url: str | None
    """ENGRAPHY_BASE_URL, for an embeddings endpoint."""
    model: str = ""
    """ENGRAPHY_MODEL: provider/model of a language model; empty = none."""
    model_base_url: str | None = None
    """ENGRAPHY_MODEL_BASE_URL."""
    model_api_key: str | None = None
    """ENGRAPHY_MODEL_API_KEY."""
    usual_keys: Mapping[str, str] = {}
    """Keys by provider, from the variables their own tools read: ANTHROPIC_API_KEY, OPENAI_API_KEY.
    For the provider's own address only."""

    reranker: str = ""
    """ENGRAPHY_RERANKER: a folder with a cross-encoder, or provider/model; empty = none."""
    reranker_base_url: str | None = None
    """ENGRAPHY_RERANKER_BASE_URL."""
    reranker_api_key: str | None = None
    """ENGRAPHY_RERANKER_API_KEY."""
    ops_log: str = ""
    """ENGRAPHY_OPS_LOG: the file operations are logged to, on (the profile's) or none; empty = what
    the profile says."""
    capture_content: bool = False
    """Whether a tracer is told texts as well: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    as its convention has it."""
    key: str | None = None
    """ENGRAPHY_KEY, or the first line of the file ENGRAPHY_KEY_FILE: what the store is encrypted
    with; `keyring` for the key that the system's keyring holds."""
    server: str = ""
    """ENGRAPHY_DATABASE: where the store is where no path is given and it is no file, as
    `postgresql://user@host/name`."""
    variables: Mapping[str, str] = {}
    """What is said by the variables of the documents, for the profiles they belong to."""
    page_sums: bool = True
    """ENGRAPHY_PAGE_SUMS: whether the pages of a store that is made in a file have checksums."""
    embedder_is_told: bool = False
    """Whether ENGRAPHY_EMBEDDER says which embedder, and it is not taken for want of a word."""

    def __repr__(self) -> str:
        """Without the keys: settings are shown in tracebacks and logs."""
        shown = (f"{k}={v!r}" for k, v in self._asdict().items() if k not in _SECRET)
        return f"Settings({', '.join(shown)})"

    @property
    def database(self) -> Path:
        """The store's file where no path is given."""
        return self.home / _DATABASE


def environment() -> Mapping[str, str]:
    """The variables of this process, for whoever is told where to look."""
    return os.environ


def settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the environment. Raises SettingsError where a value is unusable."""
    env = os.environ if environment is None else environment
    folder = Path(here.home(env)).expanduser()
    if folder.exists() and not folder.is_dir():
        raise SettingsError(setting="ENGRAPHY_HOME", problem=f"{folder} is not a folder")
    return Settings(
        home=folder,
        profile=env.get("ENGRAPHY_PROFILE") or "default",
        tenant=env.get("ENGRAPHY_TENANT") or "default",
        embedder=env.get("ENGRAPHY_EMBEDDER") or "static",
        api_key=env.get("ENGRAPHY_API_KEY"),
        base_url=env.get("ENGRAPHY_BASE_URL"),
        model=env.get("ENGRAPHY_MODEL") or "",
        model_base_url=env.get("ENGRAPHY_MODEL_BASE_URL"),
        model_api_key=env.get("ENGRAPHY_MODEL_API_KEY"),
        usual_keys={who: env[name] for who, name in _USUAL_KEYS.items() if env.get(name)},
        reranker=env.get("ENGRAPHY_RERANKER") or "",
        reranker_base_url=env.get("ENGRAPHY_RERANKER_BASE_URL"),
        reranker_api_key=env.get("ENGRAPHY_RERANKER_API_KEY"),
        ops_log=_log(env.get("ENGRAPHY_OPS_LOG") or ""),
        capture_content=(env.get(_CAPTURE) or "").strip().lower() in _CAPTURED,
        key=_key(env),
        server=_server(env),
        variables={name: env[name] for name in _documented() if env.get(name)},
        page_sums=_switch(env, "ENGRAPHY_PAGE_SUMS", usual="on"),
        embedder_is_told=bool(env.get("ENGRAPHY_EMBEDDER")),
    )


def _switch(env: Mapping[str, str], name: str, usual: str = "off") -> bool:
    told = (env.get(name) or usual).strip().lower()
    if told not in _SWITCHED:
        raise SettingsError(setting=name, problem="allowed: on, off")
    return _SWITCHED[told]


def _log(told: str) -> str:
    """A file's name, and what is a switch as `on` or `none`."""
    switched = _SWITCHED.get(told.strip().lower())
    return told if switched is None else ("on" if switched else "none")


def _server(env: Mapping[str, str]) -> str:
    told = env.get("ENGRAPHY_DATABASE") or ""
    if told and not is_server(told):
        allowed = "postgresql://user@host/name; for a file, ENGRAPHY_HOME or a path"
        raise SettingsError(setting="ENGRAPHY_DATABASE", problem=f"allowed: {allowed}")
    return told


def is_server(place: object) -> bool:
    """Whether a store's place is a database server, not a file."""
    return isinstance(place, str) and place.lower().startswith(("postgresql://", "postgres://"))


def _key(env: Mapping[str, str]) -> str | None:
    try:
        return here.key(env)
    except (OSError, ValueError) as error:
        named = "ENGRAPHY_KEY_FILE" if "ENGRAPHY_KEY_FILE" in env else "ENGRAPHY_KEY"
        raise SettingsError(setting=named, problem=str(error)) from error


def agents_folder(environment: Mapping[str, str] | None = None) -> Path:
    """The folder an agent works in: what it tells the programs it starts, else the current one."""
    env = os.environ if environment is None else environment
    told = next((env[name] for name in _FOLDERS if env.get(name)), None)
    return Path(told) if told else Path.cwd()


def agents_session(environment: Mapping[str, str] | None = None) -> str | None:
    """The agent's session, where it tells the programs it starts."""
    env = os.environ if environment is None else environment
    return next((env[name] for name in _SESSIONS if env.get(name)), None)


def graph_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """The file of the official memory server (MEMORY_FILE_PATH), where there is one: it stands in
    the settings of those who had that server in this one's place."""
    env = os.environ if environment is None else environment
    told = env.get("MEMORY_FILE_PATH")
    file = Path(told).expanduser() if told else None
    return file if file is not None and file.is_file() else None


def bearer_token(
    file: str | None = None, environment: Mapping[str, str] | None = None
) -> str | None:
    """What a caller over HTTP has to know: the first line of `file`, or ENGRAPHY_MCP_TOKEN; None
    where there is neither. Raises SettingsError for one that is no token."""
    env = os.environ if environment is None else environment
    told, where = env.get(_TOKEN), _TOKEN
    if file is not None:
        where = file
        try:
            told = Path(file).expanduser().read_text("utf-8").strip()
        except (OSError, ValueError) as error:
            raise SettingsError(setting=where, problem=f"it cannot be read: {error}") from error
    if told is None:
        return None
    if len(told) < _SHORTEST_TOKEN or not told.isascii() or not told.isprintable() or " " in told:
        problem = f"a token is {_SHORTEST_TOKEN} or more visible ASCII characters in one line"
        raise SettingsError(setting=where, problem=problem)
    return told


def declared(names: Iterable[str]) -> dict[str, str]:
    """What the tables of the file of the current folder's project say by these dotted names, as
    texts; nothing where there is no such file. Raises SettingsError, also for a key of such a table
    that nobody knows."""
    wanted = {name for name in names if name.startswith(IN_FILE)}
    file = _project_file() if wanted else None
    if file is None:
        return {}
    try:
        held = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(setting=str(file), problem=f"it cannot be read: {error}") from error
    said: dict[str, str] = {}
    for table in {name.rpartition(".")[0] for name in wanted}:
        for key, value in _table(held, table).items():
            if f"{table}.{key}" not in wanted:
                known = ", ".join(sorted(name.rpartition(".")[2] for name in wanted))
                raise SettingsError(setting=f"{table}.{key}", problem=f"unknown; known: {known}")
            # A text stays between its quotes, so that it is no number.
            said[f"{table}.{key}"] = json.dumps(value, default=str)
    return said


def _project_file() -> Path | None:
    """The nearest pyproject.toml: in the current folder or, inside a git work tree, in one above
    it, up to the tree's top, as long as the folders are the same user's."""
    try:
        folder = Path.cwd()
        owner = folder.stat().st_uid
    except OSError:
        return None
    above = [folder, *folder.parents]
    top = next((place for place, one in enumerate(above) if (one / ".git").exists()), 0)
    for one in above[: top + 1]:
        if one.stat().st_uid != owner:
            break
        if (file := one / "pyproject.toml").is_file():
            return file
    return None


def _table(held: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    for name in path.split("."):
        held = held.get(name, {})
        if not isinstance(held, Mapping):
            raise SettingsError(setting=path, problem="it is not a table")
    return held


def _documented() -> set[str]:
    return {one.name for table in tables().values() for one in table}


def profile_tables(choice: str | Path) -> dict[str, Any] | None:
    """The tables of a profile's file (TOML); None where `choice` is the name of a shipped profile.

    A file is what is given as a Path, ends in ".toml" or has a folder in it. Without a `name` of
    its own it is called by the file's. Raises ProfileError.
    """
    if isinstance(choice, str) and not choice.lower().endswith(".toml") and "/" not in choice:
        return None
    file = Path(choice).expanduser()
    try:
        return {"name": file.stem, **tomllib.loads(file.read_text("utf-8"))}
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        problem = f"its file cannot be read: {why}"
        raise ProfileError(profile=str(choice), problem=problem) from error
