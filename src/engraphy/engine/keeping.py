"""Verbs over the whole store: facts, listings, statistics, export, backup, doctor."""

import json
import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, IO, get_args

import msgspec
from msgspec.structs import replace

from engraphy.engine import scoping, transfer
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError, UnknownFieldError, UnreadableFileError
from engraphy.model import (
    Check,
    Fact,
    FactFilter,
    Kind,
    Listing,
    Order,
    Scope,
    Sensitivity,
    Transfer,
    View,
)
from engraphy.text.clean import clean
from engraphy.text.meant import unknown
from engraphy.text.moments import microseconds
from engraphy.write.distrust import Terms
from engraphy.write.imported import RECORDS, arrived
from engraphy.write.intake import storable, storable_pair

_SCOPE_KEYS = (*scoping.KEYS, "allow_private", "allow_secret", "shared")
_FILTERS = (
    "kind",
    "category",
    "tag",
    "concept",
    "file",
    "entity",
    "speaker",
    "pinned",
    "immutable",
    "since",
    "until",
    "order",
    "after",
)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_TRIPLE = ("subject", "predicate", "object")
_LONGEST_PART = 2_000
_SIGN = 16
_OTHERS = (
    (b"\x1f\x8b\x08", "it is packed with gzip: unpack it first"),
    (b"PK\x03\x04", "it is a ZIP archive: unpack it first"),
    (b"SQLite format 3\0", "it is a store: see `engraphy restore` and `engraphy migrate`"),
)
"""What other files begin with, and what is to be done with them."""
_GIVEN = "the lines"
"""What an export is called that comes from no file."""
_ORDERS = get_args(Order)


def split_filters(given: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scope keys apart from filters. Raises UnknownFieldError."""
    for key in given:
        if key not in _SCOPE_KEYS and key not in _FILTERS:
            allowed = ", ".join((*_FILTERS, *_SCOPE_KEYS))
            raise UnknownFieldError(got=unknown(key), allowed=allowed)
    scope = {key: value for key, value in given.items() if key in _SCOPE_KEYS}
    return scope, {key: value for key, value in given.items() if key in _FILTERS}


def split_scope(given: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scope keys apart from everything else."""
    scope = {key: value for key, value in given.items() if key in _SCOPE_KEYS}
    return scope, {key: value for key, value in given.items() if key not in _SCOPE_KEYS}


def listing(wanted: Mapping[str, Any], limit: int, order: str) -> Listing:
    """The filters of a listing, checked. Raises InvalidInputError."""
    fields = {key: value for key, value in wanted.items() if value is not None}
    for key in ("since", "until"):
        if key in fields:
            fields[key] = microseconds(fields[key], field=key)
    for key in ("pinned", "immutable"):
        if key in fields:
            scoping.flag(key, fields[key])
    if "kind" in fields:
        fields["kinds"] = kinds(fields.pop("kind"))
    if fields.setdefault("order", order) not in _ORDERS:
        raise InvalidInputError(
            field="order", got=repr(fields["order"])[:60], allowed=", ".join(_ORDERS)
        )
    try:
        return msgspec.convert({**fields, "limit": limit}, Listing)
    except msgspec.ValidationError as error:
        raise InvalidInputError(field="filter", got=str(error), allowed="see list") from error


def kinds(value: object) -> frozenset[Kind]:
    """One kind or several, by name. Raises InvalidInputError."""
    try:
        names = [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
        return frozenset(Kind(name) for name in names)
    except (TypeError, ValueError) as error:
        allowed = ", ".join(Kind)
        raise InvalidInputError(field="kind", got=repr(value)[:60], allowed=allowed) from error


def fact(engine: Engine, who: Scope, now: int, given: Mapping[str, Any]) -> Fact:
    """A checked fact, not yet written. Raises InvalidInputError."""
    at = given.get("at")
    predicate, value = storable_pair(_words(given, "predicate"), _words(given, "object"))
    return Fact(
        id=engine.new_id(now),
        scope=who,
        subject=storable(_words(given, "subject")),
        predicate=predicate,
        object=value,
        confidence=scoping.share("confidence", given.get("confidence", 1.0)),
        source_id=given.get("source_id"),
        valid_from=now if at is None else microseconds(at),
        recorded_at=now,
        updated_at=now,
    )


def fact_filter(given: Mapping[str, object], *, current: bool, limit: int) -> FactFilter:
    """A checked filter over facts. Raises InvalidInputError."""
    words = {key: None if given[key] is None else _text(key, given[key]) for key in _TRIPLE}
    return FactFilter(**words, current=current, limit=limit)


def _words(given: Mapping[str, object], field: str) -> str:
    text = _text(field, given[field])
    if not text.strip():
        raise InvalidInputError(field=field, got="empty", allowed="text")
    if len(text) > _LONGEST_PART:
        allowed = f"at most {_LONGEST_PART:,} characters"
        raise InvalidInputError(field=field, got=f"{len(text):,} characters", allowed=allowed)
    return text


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(field=field, got=type(value).__name__, allowed="text")
    return clean(value)


def all_scopes(engine: Engine, view: View) -> list[View]:
    """One view per set of walls in use inside the tenant, every sensitivity: for its operator."""
    return [
        replace(
            view,
            scope=walls,
            sensitivities=frozenset(Sensitivity),
            session=None,
            closed_session=False,
        )
        for walls, _ in engine.store.scopes(view.scope.tenant)
    ]


def export(engine: Engine, path: str, views: list[View], *, whole: bool) -> Transfer:
    """Write an export to a new file, for its owner alone; nothing is left of it if it fails."""
    counts: dict[str, int] = {}
    partial = Path(f"{path}.partial")
    if not partial.parent.is_dir():
        raise UnreadableFileError(path=path, problem=f"there is no folder {partial.parent}")
    try:
        _check_replaceable(Path(path))
        partial.unlink(missing_ok=True)
        held = os.open(partial, _NEW, 0o600)
        with os.fdopen(held, "w", encoding="utf-8", newline="\n") as file:
            for line in transfer.lines(engine, views, whole=whole):
                file.write(line)
                row = transfer.type_of(line)
                counts[row] = counts.get(row, 0) + 1
        partial.replace(path)
    except OSError as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    return Transfer(
        path=path,
        memories=counts.get("memory", 0),
        facts=counts.get("fact", 0),
        relations=counts.get("relation", 0),
    )


def import_file(
    engine: Engine, path: str, view: View, terms: Terms, progress: Callable[[int], None] | None
) -> Transfer:
    """Bring an export in from a file; the whole file is checked before the first row is written."""
    with _reading(path) as file:
        rows = arrived(path, file)
    return transfer.load(engine, rows, path, view, terms=terms, progress=progress)


def check_export(path: str) -> None:
    """What tells that a file is no export, was cut off or is broken, by the shape of its lines: a
    glance, of what `import_file` looks at in every value. Raises what that raises."""
    with _reading(path) as file:
        lines = (line for line in file if line.strip())
        first = next(lines, "")
        arrived(path, [first])
        is_shaped = all(map(_is_row, lines))
    if not is_shaped:
        with _reading(path) as file:
            arrived(path, file)


def _is_row(line: str) -> bool:
    """Whether a line is a record with its fields."""
    with suppress(ValueError, RecursionError, LookupError, TypeError, AttributeError):
        told = json.loads(line)
        msgspec.convert(told, RECORDS[told.pop("record")], strict=True)
        return True
    return False


@contextmanager
def _reading(path: str) -> Iterator[IO[str]]:
    """The lines of an export, as an editor may have saved it: with its mark before the first, or in
    UTF-16. Raises UnreadableFileError."""
    try:
        with Path(path).open("rb") as raw:
            begins = raw.peek(_SIGN)[:_SIGN]
            for sign, problem in _OTHERS:
                if begins.startswith(sign):
                    raise UnreadableFileError(path=path, problem=problem)
            coding = "utf-16" if begins.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
            yield TextIOWrapper(raw, encoding=coding)
    except UnicodeDecodeError as error:
        where = f"it is not all {error.encoding}: byte {error.object[error.start]:#04x}"
        raise UnreadableFileError(path=path, problem=where) from error
    except OSError as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error


def import_lines(engine: Engine, lines: Iterable[str], view: View, terms: Terms) -> Transfer:
    """Bring an export in; every line is checked before the first row is written."""
    return transfer.load(engine, arrived(_GIVEN, lines), _GIVEN, view, terms=terms)


def _check_replaceable(path: Path) -> None:
    """An export replaces an earlier export and nothing else: never a store, never a document."""
    if path.is_dir():
        raise UnreadableFileError(path=str(path), problem="it is a folder; choose a file in it")
    if path.exists() and path.stat().st_size:
        with path.open("rb") as file:
            if not file.read(64).startswith(b'{"format": "engraphy-export"'):
                problem = "it exists and is no export; choose another path"
                raise UnreadableFileError(path=str(path), problem=problem)


def sizes(engine: Engine, view: View) -> list[Check]:
    """What the tenant holds and how big the file is, for its operator."""
    scopes = engine.store.scopes(view.scope.tenant)
    count = sum(rows for _, rows in scopes)
    size = engine.store.stats(view).file_bytes
    models = engine.store.stored_models(view.scope.tenant)
    vectors = ", ".join(f"{name} for {rows}" for name, rows in models.items()) or "none"
    chosen = "none" if engine.embedder is None else engine.embedder.model_id
    missing = engine.embedder is not None and models.get(chosen, 0) < count
    return [
        Check(name="memories", ok=True, detail=f"{count} in {len(scopes)} scopes"),
        Check(name="size", ok=True, detail=f"{size / 1e6:.1f} MB at {engine.store.path}"),
        Check(
            name="embedder",
            ok=True,
            detail=f"{chosen}; vectors: {vectors}",
            advice="Some have no vector of it yet: engraphy doctor --reembed" if missing else "",
        ),
        Check(name="profile", ok=True, detail=engine.profile.name),
    ]
