"""Labelled questions: what is asked, and which memories answer it."""

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from engraphy.engine import scoping
from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash
from engraphy.errors import InvalidInputError, LabelledDataError, UnreadableFileError
from engraphy.model import Listing, Memory, Sensitivity, View
from engraphy.record import Record
from engraphy.text.clean import clean

FIELDS = ("question", "gold", *scoping.KEYS, "as_of")
_MOST_EQUAL = 100
_MOST_NAMED = 20
_GOLD = "a list of at least one memory's id or exact text"


class Labelled(Record, frozen=True, kw_only=True):
    """One question under its view; `gold`: for each memory that answers it the ids it goes by
    (several where an exact text stands more than once)."""

    line: int
    question: str
    gold: tuple[frozenset[str], ...]
    view: View


class Reader(Record, frozen=True, kw_only=True):
    """What turns rows into questions: the store they are about, who asks where a row does not
    say, and at which moment."""

    engine: Engine
    asker: Mapping[str, object]
    leave: Mapping[str, bool]
    now: int

    def questions(self, data: str | Path | Iterable[Mapping[str, object]]) -> tuple[Labelled, ...]:
        """The questions of a JSON Lines file, or of rows in memory (numbered from 1).

        Raises LabelledDataError with line and field of the first row that cannot be used and the
        lines of the others, UnreadableFileError.
        """
        path = str(data) if isinstance(data, str | Path) else "the data"
        rows = _lines(path) if isinstance(data, str | Path) else enumerate(data, 1)
        found, wrong = list[Labelled](), list[tuple[int, InvalidInputError]]()
        for line, row in rows:
            try:
                found.append(self._question(line, row))
            except InvalidInputError as error:
                wrong.append((line, error))
        if wrong:
            (line, first), *others = wrong
            field, got, allowed = (first.details.get(key) for key in ("field", "got", "allowed"))
            also = _also([one for one, _ in others])
            raise LabelledDataError(
                path=path, line=line, field=field, got=got, allowed=allowed, others=also
            ) from first
        return tuple(found)

    def _question(self, line: int, row: object) -> Labelled:
        question, gold, own = _checked(_parsed(row) if isinstance(row, bytes) else row)
        as_of = own.pop("as_of", None)
        sessions = self.engine.profile.sessions
        who = scoping.scope(self.engine.tenant, {**self.asker, **own}, sessions)
        view = scoping.view(
            who,
            self.now,
            sessions,
            as_of=as_of,
            allow_private=self.leave["allow_private"],
            allow_secret=self.leave["allow_secret"],
        )
        found = tuple(self._named(view, place, one) for place, one in enumerate(gold))
        return Labelled(line=line, question=clean(question), gold=found, view=view)

    def _named(self, view: View, place: int, named: object) -> frozenset[str]:
        ids = self._ids(view, named) if isinstance(named, str) else frozenset[str]()
        if not ids:
            got = repr(named)[:80] + self._state(view, named)
            raise InvalidInputError(field=f"gold[{place}]", got=got, allowed=_named_by(view))
        return ids

    def _state(self, view: View, named: object) -> str:
        """Why a memory that is there is not delivered: it is over, archived, private ..."""
        everything = frozenset(Sensitivity)
        hidden = replace(view, states=scoping.states(scoping.INCLUDABLE), sensitivities=everything)
        rows = self._found(hidden, named) if isinstance(named, str) else []
        if not rows:
            return ""
        if (kept := rows[0].sensitivity) not in view.sensitivities:
            return f" ({kept.value}: --allow-{kept.value})"
        state = rows[0].state.value
        return f" ({'no longer holds' if state == 'active' else state})"

    def _ids(self, view: View, named: str) -> frozenset[str]:
        return frozenset(memory.id for memory in self._found(view, named))

    def _found(self, view: View, named: str) -> Sequence[Memory]:
        store = self.engine.store
        listing = Listing(content_hash=content_hash(clean(named)), limit=_MOST_EQUAL)
        return store.get(view, [named]) or store.page(view, listing)


def _named_by(view: View) -> str:
    named = {key: getattr(view.scope, key) for key in scoping.KEYS}
    scope = ", ".join(f"{key} {name!r}" for key, name in named.items() if name is not None)
    seen_by = scope or "a scope without user, agent and project"
    return f"the id or the exact text of an active memory that is seen by {seen_by}"


def _checked(row: object) -> tuple[str, Sequence[object], dict[str, object]]:
    """A row's question, gold, and from where and when it is asked. Raises InvalidInputError."""
    if not isinstance(row, Mapping):
        allowed = f"an object with {', '.join(FIELDS)}"
        raise InvalidInputError(field="the row", got=type(row).__name__, allowed=allowed)
    for key in row:
        if key not in FIELDS:
            allowed = ", ".join(FIELDS)
            raise InvalidInputError(field="a field", got=repr(key)[:60], allowed=allowed)
    question, gold = row.get("question"), row.get("gold")
    if not isinstance(question, str) or not question.strip():
        allowed = "a text that is not empty"
        raise InvalidInputError(field="question", got=repr(question)[:60], allowed=allowed)
    if not isinstance(gold, list | tuple) or not gold:
        raise InvalidInputError(field="gold", got=repr(gold)[:60], allowed=_GOLD)
    return question, gold, {key: row[key] for key in FIELDS[2:] if key in row}


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    try:
        raw = Path(path).read_bytes()
        if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raw = raw.decode("utf-16").encode()
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error
    for line, row in enumerate(raw.removeprefix(BOM_UTF8).split(b"\n"), 1):
        if row.strip():
            yield line, row


def _parsed(row: bytes) -> object:
    try:
        return json.loads(row.decode())
    except (ValueError, RecursionError) as error:
        told = str(error)
        raise InvalidInputError(field="the line", got=told, allowed="a JSON object") from error


def _also(lines: Sequence[int]) -> str:
    """That further lines cannot be used; the first of them are named."""
    if not lines:
        return ""
    named = ", ".join(map(str, lines[:_MOST_NAMED]))
    more = len(lines) - _MOST_NAMED
    return f" Cannot be used either: line {named}" + (f" and {more} more." if more > 0 else ".")
