"""Counts of what a view may see."""

from collections import Counter
from typing import Any

from engraphy.model.query import StoreStats, View
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.sql import Connection, first, query
from engraphy.text.tokens import tokens_of_bytes


def counted(connection: Connection, view: View, file_bytes: int) -> StoreStats:
    """Counts of what the view's walls and sensitivities show, in every state; a session that is a
    wall and is asked for alone counts alone."""
    visible = scopes.visible(connection, view)
    shared = {"closed": int(view.closed_session), "shared": int(view.session is None)}
    bound = filters.bindings(view, visible) | shared
    lines: list[tuple[Any, ...]] = []
    sessions: set[str] = set()
    facts = relations = 0
    for number in visible:
        here = bound | {"scope": number}
        lines += connection.execute(query("stats_of_scope"), here)
        sessions |= {name for (name,) in connection.execute(query("sessions_of_scope"), here)}
        facts += first(connection, query("count_facts"), here)[0]
        relations += first(connection, query("count_relations"), here)[0]
    total = sum(line[3] for line in lines)
    entries = 0
    if total:
        # Each line of the tenant's journal is looked at: none where nothing is seen.
        bound |= {"tenant": view.scope.tenant}
        (entries,) = first(connection, query("count_lines"), bound)
    sessionless = sum(line[7] for line in lines)
    return StoreStats(
        total=total,
        by_state=_sums(lines, 0),
        by_kind=_sums(lines, 1),
        by_sensitivity=_sums(lines, 2),
        facts=facts,
        relations=relations,
        sessions=len(sessions),
        sessionless=sessionless,
        in_sessions=total - sessionless,
        average_importance=sum(line[4] for line in lines) / total if total else 0.0,
        tokens=tokens_of_bytes(sum(line[8] for line in lines)),
        oldest=min((line[5] for line in lines), default=None),
        newest=max((line[6] for line in lines), default=None),
        file_bytes=file_bytes,
        journal_entries=entries,
    )


def _sums(lines: list[tuple[Any, ...]], column: int) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for line in lines:
        sums[line[column]] += line[3]
    return dict(sorted(sums.items()))
