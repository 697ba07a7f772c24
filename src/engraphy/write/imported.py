"""An export as it comes in: every line read, checked and made fit before the first is written."""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, get_type_hints

import msgspec

from engraphy.errors import ImportFormatError
from engraphy.model import Episode, Fact, Memory, Procedure, Relation, Scope, Version, WALLS
from engraphy.record import Record, names
from engraphy.text.clean import clean
from engraphy.text.moments import in_range
from engraphy.text.secrets import secret_in_name
from engraphy.write import documents
from engraphy.write.intake import storable, storable_pair
from engraphy.write.packed import Packed

FORMAT = "engraphy-export"
FORMAT_VERSION = 1
RECORDS: Mapping[str, Any] = {
    "memory": Memory,
    "version": Version,
    "relation": Relation,
    "fact": Fact,
    "episode": Episode,
    "procedure": Procedure,
}
_LONGEST_NAME = 512
_NAMES = ("id", "memory_id", "source_id", "target_id", "superseded_by", "supersedes")
_ENDS = ("memory_id", "source_id", "target_id")
_SCOPE = ("tenant", *WALLS, "session")
_SHARES = (
    "trust",
    "source_confidence",
    "importance",
    "utility",
    "emotional_arousal",
    "retrieval_loss",
    "confidence",
    "novelty",
    "arousal",
    "reward",
    "attention",
)
_RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(_SHARES, (0.0, 1.0)),
    "valence": (-1.0, 1.0),
    "stability": (1e-6, 36_500.0),
    "difficulty": (1.0, 10.0),
    "storage_strength": (1.0, 10.0),
    "version": (1, 2**31),
    **dict.fromkeys(
        (
            "access_count",
            "settled_access_count",
            "reinforcement_count",
            "success_count",
            "failure_count",
            "discovery_tokens",
        ),
        (0, 2**53),
    ),
}
_MOMENTS = (
    "valid_from",
    "valid_until",
    "expires_at",
    "recorded_at",
    "updated_at",
    "last_accessed_at",
    "last_decayed_at",
    "last_reinforced_at",
    "created_at",
    "replaced_at",
    "started_at",
    "ended_at",
)
_NUMBERS = {
    kind: tuple(name for name in names(kind) if name in _RANGES or name in _MOMENTS)
    for kind in RECORDS.values()
}
"""The fields of each kind of row whose numbers have a range."""


class Arrived(Record, frozen=True, kw_only=True):
    """The rows of an export by what they are, in the order of the file."""

    memories: Packed[Memory]
    versions: Packed[Version]
    relations: Packed[Relation]
    facts: Packed[Fact]
    episodes: Packed[Episode]
    procedures: Packed[Procedure]


_EMPTY = "the file is empty"


class _LineError(Exception):
    """What is wrong with a line."""


def arrived(path: str, lines: Iterable[str]) -> list[Arrived]:
    """The rows of an export's lines, or of several exports one after the other, each by itself.
    Raises ImportFormatError."""
    parts: list[_Part] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = _parsed(line) if parts else _first(line)
            if not parts or (value.get("format") == FORMAT and "record" not in value):
                _check_version(value)
                parts.append(_Part())
            else:
                parts[-1].take(number, value)
        except _LineError as problem:
            raise ImportFormatError(line=number, path=path, problem=str(problem)) from problem
    if not parts:
        raise ImportFormatError(line=1, path=path, problem=_EMPTY)
    return [part.whole(path) for part in parts]


class _Part:
    """What was read of one export, from its header on."""

    def __init__(self) -> None:
        self._rows = {name: Packed[Any](kind) for name, kind in RECORDS.items()}
        self._known = set[str]()
        self._ends = dict[str, tuple[int, str]]()

    def take(self, number: int, value: dict[str, Any]) -> None:
        """One more line. Raises _LineError."""
        name, row = _record(value)
        _keep(self._rows[name], row)
        self._known.update([row.id] if name == "memory" else ())
        for end in _ENDS:
            if (told := getattr(row, end, None)) is not None:
                self._ends.setdefault(told, (number, end))

    def whole(self, path: str) -> Arrived:
        """All of it. Raises ImportFormatError."""
        _check_ends(path, self._ends, self._known)
        return Arrived(
            memories=self._rows["memory"],
            versions=self._rows["version"],
            relations=self._rows["relation"],
            facts=self._rows["fact"],
            episodes=self._rows["episode"],
            procedures=self._rows["procedure"],
        )


def _keep(rows: Packed[Any], row: Any) -> None:
    try:
        rows.append(row)
    except (OverflowError, UnicodeEncodeError) as error:
        raise _LineError(str(error)) from error


def _parsed(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _LineError(str(error) or "it is nested too deeply") from error
    if not isinstance(value, dict):
        raise _LineError("a line must be a JSON object")
    return value


def _first(line: str) -> dict[str, Any]:
    """What the first line tells, which must be a header."""
    try:
        value = _parsed(line)
    except _LineError:
        value = {}
    if value.get("format") != FORMAT:
        begins = f'it is no export of engraphy, which begins with {{"format": "{FORMAT}", ...}}'
        others = "for what another memory keeps use `engraphy import --from auto`"
        raise _LineError(f"{begins}; {others}")
    return value


def _check_version(value: Mapping[str, Any]) -> None:
    if value.get("version") != FORMAT_VERSION:
        raise _LineError(f"version {value.get('version')!r}; this engraphy reads {FORMAT_VERSION}")


def _record(value: dict[str, Any]) -> tuple[str, Any]:
    name = value.pop("record", None)
    if not isinstance(name, str) or name not in RECORDS:
        raise _LineError(f"record is {str(name)[:60]!r}; allowed: {', '.join(RECORDS)}")
    try:
        row = msgspec.convert(dict(_fit(value)), RECORDS[name], strict=True)
    except (msgspec.ValidationError, OverflowError) as error:
        raise _LineError(str(error)) from error
    _check(row)
    return name, row


def _fit(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Texts as they may be stored: legal, and without secrets (P-14); names as they are."""
    done, own_words = documents.brought(value), _own_words()
    for key, field in {**value, **_triple(value), **done}.items():
        if key in _NAMES or key in _SCOPE or key in done:
            yield key, field
        elif key == "metadata" and isinstance(field, list):
            yield key, [_pair(one) for one in field]
        elif isinstance(field, str):
            yield key, field if field in own_words else storable(field)
        elif isinstance(field, list):
            yield key, [storable(one) if isinstance(one, str) else one for one in field]
        else:
            yield key, field


@cache
def _own_words() -> frozenset[str]:
    """What a field of few allowed words may say, and nothing: no secret is in it, and most fields
    of a memory are such."""
    hints = (kind for record in RECORDS.values() for kind in get_type_hints(record).values())
    kinds = (kind for kind in hints if isinstance(kind, type) and issubclass(kind, StrEnum))
    return frozenset(str(word) for kind in kinds for word in kind) | {""}


def _triple(value: Mapping[str, Any]) -> dict[str, str]:
    """A fact's value under its predicate, which helps to tell a password from a word."""
    predicate, told = value.get("predicate"), value.get("object")
    if not isinstance(predicate, str) or not isinstance(told, str):
        return {}
    return dict(zip(("predicate", "object"), storable_pair(predicate, told), strict=True))


def _pair(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(x, str) for x in value):
        return storable_pair(*value)
    return value


def _check(row: Any) -> None:
    for name in _NAMES:
        _check_name(name, getattr(row, name, None))
    if isinstance(row, Memory | Fact):
        _check_scope(row.scope)
    for name in _NUMBERS[type(row)]:
        _check_number(name, getattr(row, name))
    if isinstance(row, Memory):
        if not row.content.strip():
            raise _LineError("content is empty")
        for name, value in zip(row.channels._fields, row.channels, strict=True):
            _check_number(name, value)


def _check_scope(scope: Scope) -> None:
    for name in _SCOPE:
        named = getattr(scope, name)
        _check_name(f"scope.{name}", named)
        if named is not None and (kind := secret_in_name(named)):
            raise _LineError(f"scope.{name} holds a credential ({kind}); allowed: a plain name")


def _check_number(name: str, value: Any) -> None:
    if name in _RANGES:
        least, most = _RANGES[name]
        if not least <= value <= most:
            raise _LineError(f"{name} is {value}; allowed: {least:g} to {most:g}")
    elif name in _MOMENTS and value is not None and not in_range(value):
        raise _LineError(f"{name} is {value}; allowed: microseconds of a year from 1 to 9999")


def _check_name(name: str, value: object) -> None:
    if value is None:
        return
    fit = isinstance(value, str) and 1 <= len(value) <= _LONGEST_NAME and clean(value) == value
    if not fit:
        raise _LineError(f"{name} is {str(value)[:40]!r}; allowed: 1 to {_LONGEST_NAME} characters")


def _check_ends(path: str, ends: Mapping[str, tuple[int, str]], known: set[str]) -> None:
    """Everything that belongs to a memory belongs to one of the same file."""
    for end, (number, name) in ends.items():
        if end not in known:
            problem = f"{name} is {end!r}, and no memory of the file has that id"
            raise ImportFormatError(line=number, path=path, problem=problem)
