"""The composition root: chooses the store, the embedder, the model, the clock and the profile.

Heavy modules are loaded here by their dotted name, and only when they are used.
"""

import errno
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

from engraphy.engine.parts import Engine
from engraphy.engine.scoping import name as scope_name
from engraphy.engine.scoping import path as checked_path
from engraphy.engine.scoping import told
from engraphy.engine.screening import behind_screen
from engraphy.errors import (
    EngraphyError,
    InvalidInputError,
    MissingExtraError,
    ProfileError,
    StoreReadOnlyError,
    UnreadableFileError,
)
from engraphy.keys import key_of, none_for_a_server
from engraphy.model import Tenant
from engraphy.ports import Clock, NewId, Store
from engraphy.profile import Files, Profile, load, merged, overridden, variables
from engraphy.providing import (
    answering,
    attribute,
    open_embedder,
    open_model,
    open_ops_log,
    open_personal,
    open_reranker,
    spec_of,
)
from engraphy.settings import Settings, declared, is_server, profile_tables, settings
from engraphy.text.zones import zone

_NOT_WRITABLE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NO_FILE = ":memory:"
"""A store that is gone once it is closed. SQLite's own is of no use: connections share none."""


def open_engine(
    path: str | Path | None = None,
    *,
    profile: str | Path | None = None,
    overrides: Mapping[str, object] | None = None,
    tenant: str | None = None,
    embedder: object = None,
    model: object = None,
    reranker: object = None,
    clock: Clock | None = None,
    new_id: NewId | None = None,
    actor: str = "user",
    reembed: bool = False,
    read_only: bool = False,
    key: object = None,
) -> Engine:
    """An engine over the store at `path` (None: the user's data folder or ENGRAPHY_HOME;
    ":memory:": a file in a folder of its own, which goes when it is closed or the process ends).

    `reembed`: vectors of another model are not refused. `read_only`: a store that is there is read,
    and nothing of it is written. `key`: of an encrypted file (None: the environment or the keyring
    says it).

    Raises the errors of the store, ProfileError, SettingsError, EmbedderMismatchError.
    """
    told("clock", clock)
    environment = settings()
    who = _tenant(environment.tenant if tenant is None else tenant)
    knobs = open_profile(_chosen(profile, environment), overrides, environment.variables)
    time = clock or attribute("engraphy.providers.clock", "now")
    chosen = open_embedder(embedder, environment, time)
    asked = open_model(model, environment, knobs.model)
    looking = open_reranker(reranker, environment)
    personal = open_personal(knobs.pii)
    file, folder = _place(path, environment, knobs.files)
    store = _store_of(file, environment, who, time, knobs.files, key=key, read_only=read_only)
    engine = Engine(
        personal=personal,
        store=store,
        embedder=chosen,
        profile=knobs,
        clock=time,
        new_secret=attribute("engraphy.providers.clock", "secret"),
        new_id=new_id or attribute("engraphy.providers.clock", "SortableIds")(),
        tenant=who,
        actor=actor,
        model=asked,
        reranker=looking,
        stopwatch=attribute("engraphy.providers.clock", "stopwatch"),
        ops=None if read_only else open_ops_log(file, environment, knobs.ops),
        spans=attribute("engraphy.providers.tracing", "finder")(environment.capture_content),
        embedder_spec=spec_of(embedder, environment),
        closed=finalize(store, rmtree, folder, True) if folder else None,
    )
    try:
        engine = answering(engine, embedder, environment, reembed=reembed)
    except EngraphyError:
        store.close()
        raise
    return behind_screen(engine)


def place_of(path: str | Path | None, profile: str | Path | None) -> str:
    """Where the store is that would be opened so, there or not; nothing is made."""
    environment = settings()
    knobs = open_profile(_chosen(profile, environment), None, environment.variables)
    return _named(path, environment, knobs.files)


def _store_of(
    file: str,
    environment: Settings,
    tenant: Tenant,
    clock: Clock,
    files: Files,
    *,
    key: object,
    read_only: bool,
) -> Store:
    if is_server(file):
        none_for_a_server(key)
        return _open_database(file, read_only=read_only)
    by = key_of(file, key, environment)
    sums = environment.page_sums
    return _open_store(file, tenant, clock, files, key=by, read_only=read_only, sums=sums)


def _tenant(named: str | None) -> Tenant:
    return Tenant(scope_name("tenant", named) or "default")


def _open_store(
    file: str,
    tenant: Tenant,
    clock: Clock,
    files: Files,
    *,
    key: Any,
    read_only: bool,
    sums: bool,
) -> Store:
    attribute("engraphy.stores.sqlite.upgrading", "upgrade")(
        file, tenant=tenant, clock=clock, read_only=read_only, key=key
    )
    opened: Callable[..., Store] = attribute("engraphy.stores.sqlite", "open_store")
    return opened(file, read_only=read_only, mirror=_mirror(file, files), key=key, sums=sums)


def _open_database(place: str, *, read_only: bool) -> Store:
    """The store in a database. Raises MissingExtraError where its driver is not there."""
    try:
        opened: Callable[..., Store] = attribute("engraphy.stores.postgres", "open_store")
    except ImportError as error:
        raise MissingExtraError(extra="postgres") from error
    return opened(place, read_only=read_only)


def open_store(place: str, *, key: Any, read_only: bool, unfinished: bool) -> Any:
    """A store alone, without what else a memory is made of; `unfinished`: also one that a move has
    not filled yet. Raises the errors of the store."""
    if is_server(place):
        try:
            opened = attribute("engraphy.stores.postgres", "open_store")
        except ImportError as error:
            raise MissingExtraError(extra="postgres") from error
        return opened(place, read_only=read_only, unfinished=unfinished)
    opened = attribute("engraphy.stores.sqlite", "open_store")
    return opened(place, read_only=read_only, unfinished=unfinished, key=key)


def open_profile(
    choice: str | Path,
    overrides: Mapping[str, object] | None = None,
    told: Mapping[str, str] | None = None,
) -> Profile:
    """The profile of that name, or of that file, with what the variables of its document say
    (`told`), and with `overrides` on top. Raises ProfileError and SettingsError."""
    if not isinstance(choice, str | Path):
        raise ProfileError(profile=repr(choice)[:60], problem="a profile is a name or a file")
    own = profile_tables(choice)
    base = load(str(choice), own=own)
    in_file = declared(one.name for one in variables(base))
    said = overridden(base, {**in_file, **(told or {})})
    if said and (overrides is None or isinstance(overrides, Mapping)):
        overrides = merged(said, overrides or {})
    return _timed(load(str(choice), overrides, own=own))


def _timed(profile: Profile) -> Profile:
    """Raises ProfileError where nobody knows the time zone it names."""
    named = profile.form.remind.timezone
    if zone(named) is None:
        problem = f"form.remind.timezone: got {named!r}; allowed: a name of the tz database"
        raise ProfileError(profile=profile.name, problem=f'{problem}, or an offset like "+03:00"')
    return profile


def _mirror(file: str, knobs: Files) -> Path | None:
    """Where the journal is written once more; None where it is not."""
    if not knobs.journal:
        return None
    home = Path(knobs.home).expanduser() if knobs.home else Path(file).parent
    return home / Path(knobs.journal).expanduser()


def store_file(path: str | Path | None, profile: str | Path | None = None) -> str:
    """The file that a memory of this path and profile is kept in. Raises ProfileError."""
    environment = settings()
    knobs = open_profile(_chosen(profile, environment), None, environment.variables)
    return _file(path, environment, knobs.files)


def _chosen(profile: str | Path | None, environment: Settings) -> str | Path:
    return environment.profile if profile is None else profile


def _place(path: str | Path | None, environment: Settings, knobs: Files) -> tuple[str, str]:
    """The file, and the folder that goes with it when it is closed ("": none)."""
    if str(path) != _NO_FILE:
        return _file(path, environment, knobs), ""
    folder = mkdtemp(prefix="engraphy-")
    return str(Path(folder) / "memory.db"), folder


def _file(path: str | Path | None, environment: Settings, knobs: Files) -> str:
    if str(path) == _NO_FILE:
        allowed = "a file here; Memory(':memory:') in Python is gone once it is closed"
        raise InvalidInputError(field="path", got=_NO_FILE, allowed=allowed)
    file = _named(path, environment, knobs)
    if path is not None or is_server(file):
        return file
    try:
        Path(file).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in _NOT_WRITABLE:
            raise StoreReadOnlyError(path=file) from error
        raise UnreadableFileError(path=file, problem=str(error)) from error
    return file


def _named(path: str | Path | None, environment: Settings, knobs: Files) -> str:
    if path is not None:
        return str(path) if is_server(path) else str(Path(checked_path(path)).expanduser())
    if environment.server and not knobs.database:
        return environment.server
    file = environment.database
    if knobs.home:
        file = Path(knobs.home).expanduser() / file.name
    if knobs.database:
        file = Path(knobs.database).expanduser()
    return str(file)
