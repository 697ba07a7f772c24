"""`migrate`: a whole store, or one tenant of it, from any engine to any other."""

import logging
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.scoping import name as scope_name
from engraphy.engine.scoping import path as checked_path
from engraphy.errors import EmbedderMismatchError, InvalidInputError, MoveRefusedError
from engraphy.keys import key_of, lend
from engraphy.memory import Memory
from engraphy.model import Tenant
from engraphy.model.moving import Moved, Question
from engraphy.opening import open_engine, open_store
from engraphy.ports import Store
from engraphy.settings import is_server, settings

_log = logging.getLogger("engraphy")
_BARE = (
    "%s is encrypted; the database that it goes into is encrypted by the disk of its server, or by"
    " nothing."
)
_HITS = 10
_LEAST = 0.9
"""What share of their hits two engines have to have in common: their text indexes are not the same,
so that what is far down may change places. On one engine it is always 1."""


def migrate(
    source: str | Path,
    target: str | Path,
    *,
    tenant: str | None = None,
    key: str | bytes | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Moved:
    """Bring a store, or one `tenant` of it, into another that is empty: a file or a database
    (`postgresql://...`), to either. What was killed goes on where it stood when it is called again.

    The source is only read. At the end every row of every table is compared, the journal's chain
    and its hashes, and a sample of questions asked of both; before that the target cannot be
    opened. A file that is encrypted goes into one with the same key. `key`: of files that are
    encrypted, where not the environment or the system's keyring says it. `progress` is told the
    name of a table and how many of its rows were written.

    Raises InvalidInputError, MoveRefusedError (the target is not empty, holds another move, is in
    the clear where the source is not, or came out unequal), and what opening the stores raises.
    """
    old, new = _place(source), _place(target)
    if old == new:
        raise InvalidInputError(field="target", got="the source", allowed="another place")
    only = scope_name("tenant", tenant)
    heard = progress or _unheard
    carried: Any = import_module("engraphy.stores.carrying.moving")
    by = None if is_server(old) else key_of(old, key, settings())
    with closing(open_store(old, key=by, read_only=True, unfinished=False)) as read:
        # What cannot be moved makes no target.
        carried.check(read, only, "a database" if is_server(new) else new)
        if by is not None and is_server(new):
            _log.warning(_BARE, old)
        parts = _Looking.parts(old, by)
        made = _Target(new, _target_key((old, by), new, key))
        with closing(made.opened(read_only=False)) as filled:
            if made.key is not None and not is_server(old):
                lend(old, new, key, settings())
            moved, questions = carried.bring(read, filled, tenant=only, progress=heard)
            with closing(made.opened(read_only=True)) as seen:
                asked = _asked(moved, (read, seen), parts, questions)
            carried.finish(filled)
            return replace(asked, behind=carried.behind(read, moved, only))


def _unheard(table: str, rows: int) -> None:
    """Nobody listens."""


def _place(told: str | Path) -> str:
    return str(told) if is_server(told) else str(Path(checked_path(told)).expanduser().absolute())


class _Target(NamedTuple):
    """Where a move goes, and what that file is encrypted with."""

    place: str
    key: Any

    def opened(self, *, read_only: bool) -> Any:
        """The store there, also while a move fills it."""
        return open_store(self.place, key=self.key, read_only=read_only, unfinished=True)


def _target_key(source: tuple[str, Any], new: str, told: object) -> Any:
    """What a file is to be encrypted with: as the source is where that is a file, with its place
    and key. Raises MoveRefusedError where the file is there and is not what the source is."""
    old, key = source
    if is_server(new):
        return None
    if is_server(old):
        return key_of(new, told, settings())
    ciphering: Any = import_module("engraphy.stores.ciphering")
    stands = ciphering.header(new)
    if stands and ciphering.is_encrypted(stands) != (key is not None):
        one, other = ("it", "the source") if key is None else ("the source", "it")
        problem = f"{one} is encrypted and {other} is not; name a file that is not there yet"
        raise MoveRefusedError(path=new, problem=problem)
    return key


class _Looking(Memory):
    """A memory that only reads, over a store that somebody else has opened."""

    def __init__(self, engine: Engine) -> None:
        super(Memory, self).__init__(engine)

    @staticmethod
    def parts(place: str, key: object) -> Engine:
        """What both stores are asked with: everything but the store."""
        given: dict[str, Any] = {"read_only": True}
        if not is_server(place):
            given["key"] = key
        try:
            engine = open_engine(place, **given)
        except EmbedderMismatchError:
            engine = open_engine(place, embedder="none", **given)
        engine.store.close()
        return engine


def _asked(
    moved: Moved, stores: tuple[Store, Store], parts: Engine, questions: Iterable[Question]
) -> Moved:
    """The same questions to both. Raises MoveRefusedError where the answers are far apart."""
    equal = count = 0
    common = 0.0
    for one in questions:
        engines = (replace(parts, store=store, tenant=Tenant(one.tenant)) for store in stores)
        before, after = (_answers(_Looking(engine), one) for engine in engines)
        count, equal = count + 1, equal + (before == after)
        both = len(set(before) & set(after))
        common += both / max(len(before), len(after)) if before or after else 1.0
    share = common / count if count else 1.0
    if share < _LEAST:
        problem = f"asked the same, both have {share:.0%} of their hits in common"
        raise MoveRefusedError(path=moved.target, problem=problem)
    return replace(moved, recalls=count, recalls_equal=equal, recall_overlap=round(share, 4))


def _answers(memory: Memory, one: Question) -> list[str]:
    with suppress(InvalidInputError):
        hits = memory.recall(
            one.text,
            limit=_HITS,
            touch=False,
            user=one.user,
            agent=one.agent,
            project=one.project,
            allow_private=True,
            allow_secret=True,
        )
        return [hit.memory.id for hit in hits]
    return []
