"""Who asks, and what they may see: checked before anything else happens."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from engraphy.errors import InvalidInputError, UnknownScopeError
from engraphy.model import Scope, Sensitivity, State, Tenant, View
from engraphy.profile import Sessions
from engraphy.text.clean import clean
from engraphy.text.meant import unknown
from engraphy.text.moments import microseconds
from engraphy.text.secrets import secret_in_name

KEYS = ("user", "agent", "project", "session")
INCLUDABLE = ("dormant", "archived", "superseded", "expired", "quarantined")
_DATABASES = ("postgresql", "postgres")
_LONGEST_NAME = 512
_NAME = "a name of 1 to 512 characters without NUL or lone surrogates, or None"
_PLAIN_NAME = "a name without one: names are stored as they are, so that no two become one"


def scope(tenant: Tenant, given: Mapping[str, object], sessions: Sessions) -> Scope:
    """The scope of a call; a profile may close it into its session (C-12). Raises
    UnknownScopeError and InvalidInputError."""
    for key in given:
        if key not in KEYS:
            raise UnknownScopeError(got=unknown(key))
    names = {key: name(key, value) for key, value in given.items()}
    wall = names.get("session") if sessions.wall else None
    return Scope(tenant=tenant, **names, conversation=wall)


def name(key: str, value: object) -> str | None:
    """One scope name, unchanged: two different names never become one (P-08). So a name with a
    credential in it is refused, where a text would be redacted (P-14). Raises InvalidInputError.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInputError(field=key, got=type(value).__name__, allowed=_NAME)
    return _named(key, value)


@lru_cache(maxsize=4_096)
def _named(key: str, value: str) -> str:
    """A name that is one; those of a caller come again with every call."""
    if not 1 <= len(value) <= _LONGEST_NAME or clean(value) != value:
        raise InvalidInputError(field=key, got=repr(value)[:60], allowed=_NAME)
    if kind := secret_in_name(value):
        got = f"a name with a credential in it ({kind})"
        raise InvalidInputError(field=key, got=got, allowed=_PLAIN_NAME)
    return value


def walls(told: Mapping[str, object]) -> dict[str, str]:
    """The walls that hold for a caller; None is open. Raises UnknownScopeError and
    InvalidInputError."""
    for key in told:
        if key not in KEYS or key == "session":
            raise UnknownScopeError(got=unknown(key))
    named = {key: name(key, value) for key, value in told.items()}
    return {key: wall for key, wall in named.items() if wall is not None}


def stands(where: Scope, walls: Mapping[str, str]) -> bool:
    """Whether a place is behind all of these walls."""
    return all(getattr(where, key) == wall for key, wall in walls.items())


def view(
    who: Scope,
    now: int,
    sessions: Sessions,
    *,
    include: Iterable[str] = (),
    as_of: object = None,
    known_at: object = None,
    allow_private: bool = False,
    allow_secret: bool = False,
) -> View:
    """The gate of a read: public, active and current unless the caller asks for more; where
    sessions are walls a session sees its own memories and global ones, else only what it asks
    for."""
    allowed = {Sensitivity.PUBLIC}
    if allow_private:
        allowed.add(Sensitivity.PRIVATE)
    if allow_secret:
        allowed.add(Sensitivity.SECRET)
    known = None if known_at is None else microseconds(known_at, field="known_at")
    only = not (sessions.wall and sessions.include_global)
    return View(
        scope=who,
        now=now,
        states=states(include),
        sensitivities=frozenset(allowed),
        as_of=known if as_of is None else microseconds(as_of, field="as_of"),
        known_at=known,
        session=who.session if only else None,
        closed_session=sessions.wall,
    )


def states(include: Iterable[str]) -> frozenset[State]:
    """Active and what else a caller includes. Raises InvalidInputError."""
    allowed = ", ".join(INCLUDABLE)
    if not isinstance(include, Iterable):
        raise InvalidInputError(field="include", got=repr(include)[:60], allowed=allowed)
    wanted = [include] if isinstance(include, str) else list(include)
    for one in wanted:
        if one not in INCLUDABLE:
            raise InvalidInputError(field="include", got=repr(one)[:60], allowed=allowed)
    return frozenset({State.ACTIVE, *(State(one) for one in wanted)})


def positive(field: str, value: object, most: int) -> int:
    """A count from 1 to `most`. Raises InvalidInputError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        allowed = f"a whole number from 1 to {most:,}"
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed=allowed)
    return value


def flag(field: str, value: object) -> bool:
    """True or False, and nothing that only looks like it. Raises InvalidInputError."""
    if not isinstance(value, bool):
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="True or False")
    return value


def told(field: str, value: Callable[..., object] | None) -> None:
    """Refuse what is to be called and cannot be, before anything is written for it. Raises
    InvalidInputError."""
    if value is not None and not callable(value):
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="a callable, or None")


def share(field: str, value: object) -> float:
    """A number from 0 to 1. Raises InvalidInputError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="a number from 0 to 1")
    return float(value)


def one_of(field: str, value: object, allowed: Sequence[str]) -> str:
    """One of a few words. Raises InvalidInputError."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed=", ".join(allowed))
    return value


def number(field: str, value: object, most: float) -> float:
    """A number from 0 to `most`. Raises InvalidInputError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= most:
        allowed = f"a number from 0 to {most:,.0f}"
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed=allowed)
    return float(value)


def text(field: str, value: object) -> str:
    """A query or prompt: any text is legal (R-02). Raises InvalidInputError for other types."""
    if not isinstance(value, str):
        raise InvalidInputError(field=field, got=type(value).__name__, allowed="text")
    return clean(value)


def known_as(field: str, value: object) -> str:
    """The id of something that is looked for. Raises InvalidInputError, also where none is told."""
    told = text(field, value)
    if not told.strip():
        raise InvalidInputError(field=field, got=repr(told)[:60], allowed="the id of a memory")
    return told


def texts(field: str, value: object) -> list[str]:
    """Several texts, or one. Raises InvalidInputError."""
    if isinstance(value, str):
        return [clean(value)]
    if not isinstance(value, Sequence):
        raise InvalidInputError(field=field, got=type(value).__name__, allowed="a list of texts")
    return [text(field, one) for one in value]


def path(value: object) -> str:
    """A file's path as text. Raises InvalidInputError."""
    named = str(value) if isinstance(value, str | Path) else ""
    if not named or clean(named) != named:
        allowed = "a path without NUL and undecodable bytes"
        raise InvalidInputError(field="path", got=repr(value)[:60], allowed=allowed)
    scheme, colon, rest = named.partition(":")
    is_url = rest.startswith("//") and scheme.isalnum()
    if is_url or (colon and scheme.lower() in _DATABASES):
        # Else it would become a folder of that name. What follows may hold a password.
        raise InvalidInputError(
            field="path", got=f"{scheme}://...", allowed="a file, or postgresql://user@host/name"
        )
    return named
