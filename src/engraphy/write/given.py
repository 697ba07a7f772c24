"""What a caller may say about a memory beside its text: checked, typed, laid onto the draft."""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, UNSET, UnsetType

from engraphy.errors import InvalidInputError, UnknownFieldError
from engraphy.model import (
    Evidence,
    Kind,
    MICROSECONDS_PER_DAY,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Priority,
    Sensitivity,
    SubTier,
    Tier,
    moved,
)
from engraphy.model.federating import vicarious
from engraphy.model.kinds import ORIGIN_SUB_TIER
from engraphy.text.globs import problem
from engraphy.text.meant import unknown
from engraphy.text.moments import iso, microseconds
from engraphy.text.paths import normal_path
from engraphy.write.intake import storable, storable_pair, told

_LONGEST = 20_000
Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Short = Annotated[str, Meta(max_length=2_000)]
Long = Annotated[str, Meta(max_length=_LONGEST)]
Items = Annotated[list[Short], Meta(max_length=256)]

_SCOPE = ("user", "agent", "project", "session")
_TIMES = ("valid_from", "valid_until")
_MOMENTS = (*_TIMES, "remind_at")
_FILES = ("files_read", "files_modified")
_GLOBS = "globs with *, ?, **, [..] and {a,b}; one that begins with ! takes out of the others"
_CHOICES: Mapping[str, type[StrEnum]] = {
    "kind": Kind,
    "priority": Priority,
    "origin": Origin,
    "evidence": Evidence,
    "sensitivity": Sensitivity,
}
_TEXT = "text of at most 2,000 characters"
_TEXTS = "a list of at most 256 texts, each of at most 2,000 characters"
_TAKES: Mapping[str, str] = {
    **dict.fromkeys(("importance", "trust", "source_confidence"), "a number from 0 to 1"),
    **dict.fromkeys(("tags", "concepts", "entities", *_FILES, "scope_globs"), _TEXTS),
    **dict.fromkeys(("pinned", "immutable", "only_found"), "True or False"),
    **dict.fromkeys(("title", "subtitle", "category", "speaker", "remind_when"), _TEXT),
    "context": f"text of at most {_LONGEST:,} characters",
    "metadata": "a mapping of texts to texts",
    "discovery_tokens": "a whole number, 0 or more",
    "ttl_days": "a number of days above 0, at most 36,500",
}
_KIND_PRIORITY = {
    Kind.POLICY: Priority.CRITICAL,
    Kind.WORKFLOW: Priority.HIGH,
    Kind.PITFALL: Priority.HIGH,
    Kind.ARCHITECTURE: Priority.HIGH,
    Kind.CORRECTION: Priority.HIGH,
    Kind.DECISION: Priority.MEDIUM,
    Kind.PREFERENCE: Priority.MEDIUM,
}


class Given(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields a caller may give to `remember` and `update`; what is unset is worked out."""

    kind: Kind | UnsetType = UNSET
    title: Short | UnsetType = UNSET
    subtitle: Short | UnsetType = UNSET
    context: Long | UnsetType = UNSET
    category: Short | UnsetType = UNSET
    speaker: Short | UnsetType = UNSET
    tags: Items | UnsetType = UNSET
    concepts: Items | UnsetType = UNSET
    entities: Items | UnsetType = UNSET
    files_read: Items | UnsetType = UNSET
    files_modified: Items | UnsetType = UNSET
    scope_globs: Items | UnsetType = UNSET
    metadata: dict[Short, Long] | UnsetType = UNSET
    priority: Priority | UnsetType = UNSET
    discovery_tokens: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    origin: Origin | UnsetType = UNSET
    evidence: Evidence | UnsetType = UNSET
    trust: Unit | UnsetType = UNSET
    source_confidence: Unit | UnsetType = UNSET
    sensitivity: Sensitivity | UnsetType = UNSET
    importance: Unit | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    immutable: bool | UnsetType = UNSET
    valid_from: int | UnsetType = UNSET
    valid_until: int | UnsetType | None = UNSET
    ttl_days: Annotated[float, Meta(gt=0.0, le=36_500.0)] | UnsetType = UNSET
    remind_at: int | UnsetType | None = UNSET
    remind_when: Short | UnsetType = UNSET
    only_found: bool | UnsetType = UNSET
    """Whether it makes nothing stand in every prompt, whatever its kind and importance (P-10)."""

    @property
    def ranked(self) -> bool:
        """Whether the priority was given, or the kind that it follows from."""
        return self.priority is not UNSET or self.kind is not UNSET

    @property
    def urgent(self) -> bool:
        """Whether the priority was given, or a kind that is critical whatever its importance."""
        kind = self.kind if isinstance(self.kind, Kind) else None
        critical = kind is not None and kind_priority(kind) is Priority.CRITICAL
        return critical or self.priority is not UNSET


ALLOWED = tuple(sorted(Given.__struct_fields__))


def given(values: Mapping[str, object], *, allowed: tuple[str, ...] = ALLOWED) -> Given:
    """The caller's fields, checked. Raises UnknownFieldError and InvalidInputError."""
    for key in values:
        if key not in allowed:
            known = f"{', '.join(allowed)}; and the scope: {', '.join(_SCOPE)}"
            raise UnknownFieldError(got=unknown(key), allowed=known)
    plain = {key: _legal(key, value) for key, value in values.items()}
    _check_globs(plain.get("scope_globs"))
    try:
        return msgspec.convert(plain, Given)
    except msgspec.ValidationError as error:
        text = str(error)
        field = text.rpartition("`$.")[2].rstrip("`") if "`$." in text else "metadata"
        got = repr(plain.get(field.partition("[")[0]))[:80]
        raise InvalidInputError(field=field, got=got, allowed=_allowed(field, text)) from error


def _allowed(field: str, why: str) -> str:
    """What a field takes, in words; what the check told where nothing better is known."""
    name = field.partition("[")[0]
    if name in _CHOICES:
        return ", ".join(one.value for one in _CHOICES[name])
    return _TAKES.get(name, why.partition(" - at")[0])


def _check_globs(value: object) -> None:
    """A glob that would hold nothing, whatever it seems to say, is told. Raises
    InvalidInputError."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return
    if got := problem(value):
        raise InvalidInputError(field="scope_globs", got=got[:200], allowed=_GLOBS)


def laid_on(memory: Memory, wanted: Given) -> Memory:
    """`memory` with the caller's fields; the priority follows the kind where none is given."""
    changes: dict[str, Any] = {}
    for name in _MEMORY_FIELDS:
        value = getattr(wanted, name, UNSET)
        if value is not UNSET:
            changes[name] = _frozen(value)
    if wanted.ttl_days is not UNSET:
        start = max(memory.recorded_at, memory.updated_at)
        changes["expires_at"] = start + round(wanted.ttl_days * MICROSECONDS_PER_DAY)
    elif wanted.pinned is True:
        changes["expires_at"] = None
    if wanted.priority is UNSET and wanted.kind is not UNSET:
        changes["priority"] = kind_priority(wanted.kind)
    if wanted.origin is not UNSET and memory.tier is Tier.EPISODIC:
        changes["sub_tier"] = ORIGIN_SUB_TIER.get(wanted.origin, SubTier.OBSERVED)
    made = moved(memory, **changes)
    # No caller's word raises the trust of an origin (P-10).
    made = moved(made, trust=min(made.trust, ORIGIN_TRUST[made.origin]))
    if vicarious(memory):
        made = _as_long_as_its_source(memory, made)
    return _lasting(made) if changes.keys() & set(_TIMES) else made


def _as_long_as_its_source(held: Memory, made: Memory) -> Memory:
    """What others shared ends when they said it does, or before: no pin makes it last (D-70)."""
    return replace(
        made,
        expires_at=_earlier(held.expires_at, made.expires_at),
        valid_until=_earlier(held.valid_until, made.valid_until),
    )


def _earlier(one: int | None, other: int | None) -> int | None:
    return min((end for end in (one, other) if end is not None), default=None)


def _lasting(memory: Memory) -> Memory:
    """What ends before it begins would never be seen. Raises InvalidInputError."""
    if memory.valid_until is not None and memory.valid_until <= memory.valid_from:
        allowed = f"a moment after {iso(memory.valid_from)}, when it begins"
        raise InvalidInputError(field="valid_until", got=iso(memory.valid_until), allowed=allowed)
    return memory


def versioned(old: Memory, new: Memory) -> Memory:
    """`new` as the next version of `old`: text and title are what versions keep."""
    retold = (old.content, old.title) != (new.content, new.title)
    return replace(new, version=old.version + int(retold))


def kind_priority(kind: Kind) -> Priority:
    """The priority a kind has unless a caller says otherwise (B-02)."""
    return _KIND_PRIORITY.get(kind, Priority.NORMAL)


def _legal(key: str, value: object) -> object:
    if key in _MOMENTS and value is not None:
        return microseconds(value, field=key)
    if key == "metadata" and not isinstance(value, Mapping):
        raise InvalidInputError(field=key, got=repr(value)[:80], allowed="a mapping of texts")
    if isinstance(value, str):
        return _fit(value)
    if isinstance(value, tuple | list | set | frozenset):
        spelled = _spelled if key in _FILES else _fit
        return [spelled(item) if isinstance(item, str) else item for item in value]
    if isinstance(value, Mapping):
        return dict(_pair(str(k), told(v, f"{key}[{k!r}]")) for k, v in value.items())
    return value


def _fit(text: str) -> str:
    """A text as it may be stored; what no field takes is refused by its length, not read."""
    return storable(text) if len(text) <= _LONGEST else text


def _pair(name: str, value: str) -> tuple[str, str]:
    return storable_pair(name, value) if len(name) + len(value) <= 2 * _LONGEST else (name, value)


def _spelled(path: str) -> str:
    return normal_path(_fit(path))


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(dict.fromkeys(value))
    if isinstance(value, dict):
        return tuple(sorted(value.items()))
    return value


_MEMORY_FIELDS = tuple(f.name for f in fields(Memory) if f.name in ALLOWED)
