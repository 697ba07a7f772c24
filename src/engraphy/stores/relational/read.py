"""Memories as they are read: by id, by hash, page by page."""

import heapq
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model.memory import Memory, Version
from engraphy.model.query import Listing, View
from engraphy.stores.relational import filters, rows, scopes
from engraphy.stores.relational.damage import DamagedValueError
from engraphy.stores.relational.sql import Connection, every, first, found_before, query

_SLOTS = {"columns": rows.SELECTED, "walls": rows.WALLS_SELECTED}
_ORDERS = (*filters.DESCENDING, *filters.ASCENDING)
_SCOPE = 2 + rows.COLUMNS.index("scope_id")
"""Where a line of a page, behind its key and its number, tells its scope."""
_LAST = chr(0x10FFFF)
"""No text that begins like another one, and goes on, stands behind that one with this."""
DUMPED = 500
"""Rows a dump reads at once."""


def get(connection: Connection, view: View, ids: Sequence[str]) -> list[Memory]:
    """The visible memories among `ids`, in that order."""
    wanted = list(dict.fromkeys(ids))
    bound = _bound(connection, view)
    text = query("get_memories", **_SLOTS, gate=filters.gate(view))
    found: dict[str, Memory] = found_before(connection, text, bound)
    if missing := [one for one in wanted if one not in found]:
        lines = every(connection, text, bound | {"ids": json.dumps(missing)})
        found |= {memory.id: memory for memory in rows.from_tuples(lines)}
    return [found[known] for known in wanted if known in found]


def ids_from(connection: Connection, view: View, start: str, length: int, limit: int) -> list[str]:
    """The ids of this length, of visible memories, that begin with `start`, in order."""
    text = query("ids_from", gate=filters.gate(view))
    span = {"start": start, "behind": f"{start}{_LAST}", "length": length, "limit": limit}
    return [one for (one,) in every(connection, text, _bound(connection, view) | span)]


def held_ids(connection: Connection, ids: Sequence[str]) -> frozenset[str]:
    """Those of `ids` that are given to something already, whosever it is."""
    found = every(connection, query("held_ids"), {"ids": json.dumps(list(ids))})
    return frozenset(one for (one,) in found)


def find_hash(connection: Connection, view: View, content_hash: str) -> Memory | None:
    """The memory of exactly this scope and sensitivity with this hash, not superseded."""
    scope_id = scopes.find(connection, view.scope)
    if scope_id is None:
        return None
    told = {"scope": scope_id, "content_hash": filters.digest(content_hash)}
    bound = filters.bindings(view, [scope_id]) | told
    found = first(connection, query("find_hash", **_SLOTS), bound)
    return None if found is None else rows.from_tuple(found)


def find_over(connection: Connection, view: View, content_hash: str, told_of: int) -> Memory | None:
    """The superseded memory of exactly this scope, hash and moment, which held for a while."""
    scope_id = scopes.find(connection, view.scope)
    if scope_id is None:
        return None
    told = {"scope": scope_id, "content_hash": filters.digest(content_hash), "told_of": told_of}
    bound = filters.bindings(view, [scope_id]) | told
    found = first(connection, query("find_over", **_SLOTS), bound)
    return None if found is None else rows.from_tuple(found)


def any_asleep(connection: Connection, view: View) -> bool:
    """Whether anything behind the view's walls is dormant or archived."""
    bound = {"scopes": json.dumps(scopes.visible(connection, view))}
    return first(connection, query("any_asleep"), bound) is not None


def page(connection: Connection, view: View, listing: Listing) -> list[Memory]:
    """One page of visible memories."""
    after = None
    visible = scopes.visible(connection, view)
    if listing.after is not None:
        after = _start(connection, view, listing, visible)
    return [memory for _, memory in _rows(connection, view, listing, visible, after)]


def count(connection: Connection, view: View, listing: Listing) -> int:
    """How many visible memories the listing matches."""
    visible = scopes.visible(connection, view)
    condition, listed = filters.listed(listing)
    text = query("count", gate=filters.gate(view), listed=condition)
    bound = filters.bindings(view, visible) | listed
    total = 0
    for number in visible:
        total += first(connection, text, bound | {"scope": number})[0]
    return total


def arrivals(connection: Connection, view: View, since: int, step: int) -> list[tuple[int, int]]:
    """How many visible memories were recorded in each span of `step` from `since` on."""
    visible = scopes.visible(connection, view)
    text = query("arrivals", gate=filters.gate(view))
    bound = filters.bindings(view, visible) | {"since": since, "step": step}
    found = Counter[int]()
    for number in visible:
        for span, count in connection.execute(text, bound | {"scope": number}):
            found[span] += count
    return sorted(found.items())


def versions(connection: Connection, view: View, id: str) -> list[Version]:
    """Earlier texts of a visible memory, oldest first."""
    text = query("versions", gate=filters.gate(view))
    found = connection.execute(text, _bound(connection, view) | {"id": id})
    return [_version(row) for row in found]


def retold_since(
    connection: Connection, view: View, ids: Sequence[str] | None, limit: int
) -> list[Version]:
    """Of visible memories the texts that stood at `view.known_at` and stand no longer."""
    if view.known_at is None:
        return []
    wanted = None if ids is None else json.dumps(list(ids))
    bound = _bound(connection, view) | {"ids": wanted, "limit": limit}
    text = query("retold_since", gate=filters.gate(view))
    return [_version(row) for row in connection.execute(text, bound)]


def _version(row: Sequence[Any]) -> Version:
    memory_id, version, content, title, replaced_at, reason = row
    return Version(
        memory_id=memory_id,
        version=version,
        content=content,
        title=title,
        replaced_at=replaced_at,
        reason=reason,
    )


def dump_page(connection: Connection, view: View, after: int) -> Iterator[tuple[int, Memory]]:
    """The next visible memories behind row `after`, oldest first, with their row numbers."""
    listing = Listing(order="oldest", limit=DUMPED)
    visible = scopes.visible(connection, view)
    for (_, seq), memory in _rows(connection, view, listing, visible, (after, after)):
        yield seq, memory


def _bound(connection: Connection, view: View) -> filters.Bindings:
    return filters.bindings(view, scopes.visible(connection, view))


def _start(
    connection: Connection, view: View, listing: Listing, visible: Sequence[int]
) -> tuple[Any, int]:
    key, _, _ = _order(listing)
    bound = filters.bindings(view, visible) | {"after": listing.after}
    found = first(connection, query("page_start", key=key), bound)
    if found is None:
        raise NotFoundError(id=listing.after)
    return found[0], found[1]


def _order(listing: Listing) -> tuple[str, str, bool]:
    """The sort key, the direction and whether it falls."""
    if listing.order in filters.DESCENDING:
        return filters.DESCENDING[listing.order], "DESC", True
    if listing.order in filters.ASCENDING:
        return filters.ASCENDING[listing.order], "ASC", False
    raise InvalidInputError(field="order", got=repr(listing.order), allowed=", ".join(_ORDERS))


def _rows(
    connection: Connection,
    view: View,
    listing: Listing,
    visible: Sequence[int],
    after: tuple[Any, int] | None,
) -> list[tuple[tuple[Any, int], Memory]]:
    """Each scope's rows come from its own index; the first of all of them are the page."""
    key, direction, falling = _order(listing)
    condition, listed = filters.listed(listing)
    sign = "<" if falling else ">"
    text = query(
        "page",
        **_SLOTS,
        key=key,
        gate=filters.gate(view),
        listed=condition,
        after="TRUE" if after is None else f"({key}, m.seq) {sign} (:after_key, :after_seq)",
        order=f"{key} {direction}, m.seq {direction}",
    )
    bound = filters.bindings(view, visible) | listed | {"limit": max(0, listing.limit)}
    if after is not None:
        bound |= {"after_key": after[0], "after_seq": after[1]}
    found: list[tuple[Any, ...]] = []
    for number in visible:
        lines = every(connection, text, bound | {"scope": number})
        # The index has led here: a row that says it lives elsewhere is damaged (P-05).
        if any(line[_SCOPE] != number for line in lines):
            raise DamagedValueError("a memory is not where its index says")
        found += lines
    first = heapq.nlargest if falling else heapq.nsmallest
    chosen = first(listing.limit, found, key=lambda row: (row[0], row[1]))
    made = rows.from_tuples([row[2:] for row in chosen])
    return [((row[0], row[1]), memory) for row, memory in zip(chosen, made, strict=True)]
