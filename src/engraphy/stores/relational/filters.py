"""The gate of every read: what a view may see, as SQL put together from a finite set of texts.

Values only ever travel as bindings; the walls are compared through the numbers of the scopes the
view sees (`scopes.visible`).
"""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engraphy.model.kinds import Kind, PRIORITY_RANK, Priority, Sensitivity, State
from engraphy.model.query import Listing, View
from engraphy.model.scope import WALLS

Bindings = dict[str, Any]

_SCOPES = 2 ** len(WALLS)
"""So many scopes a view sees at most: each wall is the caller's own or shared."""


def _among(column: str, prefix: str, size: int) -> str:
    # Compared one after the other, most often with the first: for a list SQLite would fill a table
    # in each statement and look each row up in it.
    # The unary plus keeps the gate from choosing the index: each query says how its rows are
    # reached.
    return f"({' OR '.join(f'+m.{column} = :{prefix}{number}' for number in range(size))})"


_WALLS = _among("scope_id", "s", _SCOPES)
_SENSITIVITY = _among("sensitivity", "v", len(Sensitivity))
_STATE = _among("state", "t", len(State))
_NOT_EXPIRED = "(m.expires_at IS NULL OR m.expires_at > :now)"
_NOT_ENDED = "(m.valid_until IS NULL OR m.valid_until > :now OR m.state <> 'active')"
_BEGUN = "(m.valid_from <= max(:now, m.recorded_at) OR m.state <> 'active')"
"""What was announced for later is not current yet; a clock that was put back hides nothing."""
_ENDS_AFTER = "m.valid_until IS NULL OR m.valid_until > :as_of"
_HELD_THEN = f"m.valid_from <= :as_of AND ({_ENDS_AFTER})"
_KNOWN_THEN = "m.recorded_at <= :known_at"
_OVERTAKEN_LATER = (
    "EXISTS (SELECT 1 FROM memories AS later"
    " WHERE later.id = m.superseded_by AND later.recorded_at > :known_at)"
)
"""Whether what ended a memory was not known yet: then it had no end, as far as was known."""
_SESSION = "m.session = :session"
_CLOSED = "(m.session IS NULL OR m.session = :own_session)"
_KINDS = "m.kind IN (SELECT value FROM json_each(:kinds))"


def gate(view: View, alias: str = "m") -> str:
    """The condition under which a row of `memories AS {alias}` is visible."""
    shape = _Shape(
        State.EXPIRED in view.states,
        State.SUPERSEDED in view.states,
        view.as_of is not None,
        view.known_at is not None,
        view.session is not None,
        view.closed_session,
        bool(view.kinds),
    )
    return _gate(alias, shape)


def beside(view: View) -> str:
    """The condition under which a row `n` of a scope that is known to be visible is visible."""
    return gate(view, "n").replace(_WALLS.replace("m.", "n."), "TRUE")


class _Shape(NamedTuple):
    """Which conditions a view needs; with the alias it decides the text."""

    expired: bool
    past: bool
    as_of: bool
    known: bool
    session: bool
    closed: bool
    kinds: bool


@cache
def _gate(alias: str, shape: _Shape) -> str:
    state, held_then = _STATE, _HELD_THEN
    if shape.known:
        state = f"({_STATE} OR (m.state = 'superseded' AND {_OVERTAKEN_LATER}))"
        held_then = f"m.valid_from <= :as_of AND ({_ENDS_AFTER} OR {_OVERTAKEN_LATER})"
    chosen = [
        (_WALLS, True),
        (_SENSITIVITY, True),
        (state, True),
        (held_then, shape.as_of),
        (_BEGUN, not shape.as_of and not shape.expired and not shape.past),
        (_NOT_ENDED, not shape.as_of and not shape.expired and not shape.past),
        (_NOT_EXPIRED, not shape.expired),
        (_KNOWN_THEN, shape.known),
        (_SESSION, shape.session),
        (_CLOSED, shape.closed),
        (_KINDS, shape.kinds),
    ]
    condition = " AND ".join(text for text, needed in chosen if needed)
    return condition.replace("m.", f"{alias}.")


def bindings(view: View, scope_ids: Sequence[int]) -> Bindings:
    """The values of `gate(view)`; `scope_ids` are the scopes the view sees."""
    states = view.states if view.as_of is None else view.states | {State.SUPERSEDED}
    if State.SUPERSEDED in states:
        # What maintenance found to be over is history too; what outlived its time to live is not.
        states |= {State.EXPIRED}
    bound: Bindings = {
        "now": view.now,
        "as_of": view.as_of,
        "known_at": view.known_at,
        "session": view.session,
        "own_session": view.scope.session,
    }
    return bound | _listed(tuple(scope_ids), view.sensitivities, states, view.kinds)


@lru_cache(maxsize=1_024)
def _listed(
    scope_ids: tuple[int, ...],
    sensitivities: frozenset[Sensitivity],
    states: frozenset[State],
    kinds: frozenset[Kind],
) -> Bindings:
    """The values of lists, which a caller's views share: a question is a dozen statements."""
    return {
        "kinds": json.dumps(sorted(kinds)),
        **_numbered("s", _SCOPES, sorted(scope_ids)),
        **_numbered("v", len(Sensitivity), sorted(sensitivities)),
        **_numbered("t", len(State), sorted(states)),
    }


def _numbered(prefix: str, size: int, values: Sequence[Any]) -> Bindings:
    padded = [*values, *(None for _ in range(size - len(values)))]
    return {f"{prefix}{place}": value for place, value in enumerate(padded)}


_LABELLED = (
    "m.seq IN (SELECT l.seq FROM memory_labels AS l"
    " WHERE l.scope_id = :scope AND l.label = '{label}' AND l.value = :{label})"
)
_LISTED = {
    "listed_kinds": "m.kind IN (SELECT value FROM json_each(:listed_kinds))",
    "category": "m.category = :category",
    "tag": _LABELLED.replace("{label}", "tag"),
    "concept": _LABELLED.replace("{label}", "concept"),
    "file": _LABELLED.replace("{label}", "file"),
    "entity": _LABELLED.replace("{label}", "entity"),
    "speaker": _LABELLED.replace("{label}", "speaker"),
    "pinned": "m.pinned = :pinned",
    "immutable": "m.immutable = :immutable",
    "globbed": "iif(m.scope_globs <> '[]', 1, 0) = :globbed",
    "content_hash": "m.content_hash = :content_hash",
    "priority": "m.priority = :priority",
    "least_priority": "m.priority IN (SELECT value FROM json_each(:least_priority))",
    "origin": "m.origin = :origin",
    "tier": "m.tier = :tier",
    "least_access": "m.access_count >= :least_access",
    "least_utility": "m.utility >= :least_utility",
    "since": "m.valid_from >= :since",
    "until": "m.valid_from < :until",
}
_FEW_KINDS = 4
"""So many kinds are told one by one: who plans a statement then takes them for few."""


def listed(listing: Listing) -> tuple[str, Bindings]:
    """The condition of a listing beside the gate, and its values."""
    bound: Bindings = {
        "listed_kinds": json.dumps(sorted(listing.kinds)) if listing.kinds else None,
        "content_hash": None if listing.content_hash is None else digest(listing.content_hash),
        "least_priority": None if listing.least_priority is None else _from(listing.least_priority),
    }
    for name in _LISTED.keys() - bound.keys():
        bound[name] = getattr(listing, name)
    texts = [text for name, text in _LISTED.items() if bound[name] is not None]
    if 0 < len(listing.kinds) <= _FEW_KINDS:
        few = {f"kind{place}": str(kind) for place, kind in enumerate(sorted(listing.kinds))}
        del bound["listed_kinds"]
        bound |= few
        texts[0] = f"m.kind IN ({', '.join(f':{name}' for name in few)})"
    return " AND ".join(["TRUE", *texts]), bound


def _from(least: Priority) -> str:
    """The priorities from `least` on, as JSON."""
    ranked = PRIORITY_RANK.items()
    return json.dumps([one for one, rank in ranked if rank >= PRIORITY_RANK[least]])


def digest(hexadecimal: str) -> bytes:
    """The bytes of a hash; what is no hash matches nothing."""
    try:
        return bytes.fromhex(hexadecimal)
    except ValueError:
        return b""


DESCENDING = {
    "newest": "m.seq",
    "happened": "m.valid_from",
    "importance": "m.importance",
    "updated": "m.updated_at",
    "accessed": "coalesce(m.last_accessed_at, -9223372036854775807)",
    "utility": "m.utility",
}
ASCENDING = {"oldest": "m.seq", "id": "m.id"}
