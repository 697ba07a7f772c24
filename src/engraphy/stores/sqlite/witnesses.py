"""Behind which walls the rows of a damaged store stand.

A flipped bit in the number of a scope, or in a name of its walls, would show what is one's own to
somebody else: so an index or the journal must say the same as the row, and what nothing else speaks
for is lost."""

import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import apsw
from msgspec import Struct, field

from engraphy.model.scope import WALLS
from engraphy.stores.relational.journal import GENESIS, line_hash, payload_hash, unpacked
from engraphy.stores.relational.sql import every
from engraphy.stores.sqlite.pages import Row, Value
from engraphy.stores.sqlite.shapes import Table, WALLS_INDEX

Walls = tuple[Value, ...]
"""Tenant, user, agent, project, conversation."""
_NAMED = ("scope_id", "tenant")
_IDS, _HASHES = "sqlite_autoindex_memories_1", "memories_by_hash"
_TABLE, _INDEX, _LINES, _ENOUGH = 2, 2, 3, 3
"""How much the table of walls, its index and so many lines of the journal at most count for one
number, and what is enough: two of the three, or the journal alone where many lines agree."""
_SCOPES = "SELECT id, tenant, user, agent, project, conversation FROM scopes"
_PUT = """INSERT OR IGNORE INTO scopes (id, tenant, user, agent, project, conversation)
VALUES (?, ?, ?, ?, ?, ?)"""
_PAYLOADS = """SELECT j.seq, j.tenant, j.target_id, j.payload_hash, t.salt, t.payload
FROM memory_journal AS j INNER JOIN journal_texts AS t ON t.journal_seq = j.seq ORDER BY j.seq"""
_RELATIONS = """UPDATE relations
SET scope_id = (SELECT m.scope_id FROM memories AS m WHERE m.id = source_id)"""
_LATER = frozenset({"revoked_at", "ended_at", "last_used_at"})
"""What changes of a row that gives access, and then only takes it away."""


def speaks(table: Table) -> bool:
    """Whether the entries of an index tell behind which walls a row stands."""
    if table.name == WALLS_INDEX:
        return True
    named = any(column.name in _NAMED for column in table.columns)
    return bool(table.of) and named and table.columns[-1].type == "INTEGER"


def identifies(table: Table) -> bool:
    """Whether an index is the one of the ids of memories: others look like it."""
    return table.name == _IDS


class Entries(Struct):
    """What indexes tell: of each row, by table and number, which indexes name which scope or
    tenant; of each scope its walls; of memories the numbers by id and by hash, and the ids by
    number."""

    rows: dict[tuple[str, int], dict[Value, set[str]]] = field(default_factory=dict)
    walls: dict[int, set[Walls]] = field(default_factory=dict)
    numbers: dict[Value, set[int]] = field(default_factory=dict)
    ids: dict[int, set[Value]] = field(default_factory=dict)

    def take(self, told: Iterable[tuple[Table, Row]]) -> "Entries":
        """Take entries of indexes that speak."""
        for table, row in told:
            *values, number = row.values
            if not isinstance(number, int):
                continue
            if table.name == WALLS_INDEX:
                tenant, *named = values
                walls = [str(one)[1:] if one else None for one in named]
                self.walls.setdefault(number, set()).add(_padded([tenant, *walls]))
            elif table.name == _IDS:
                self.numbers.setdefault(values[0], set()).add(number)
                self.ids.setdefault(number, set()).add(values[0])
            else:
                if table.name == _HASHES:
                    self.numbers.setdefault(values[-1], set()).add(number)
                place = next(at for at, one in enumerate(table.columns) if one.name in _NAMED)
                found = self.rows.setdefault((table.of, number), {})
                found.setdefault(values[place], set()).add(table.name)
        return self

    def named(self, told: dict[str, Value]) -> bool:
        """Give a memory the id or the number that its indexes have, where its own is another's;
        whether it can be told which of the two is right."""
        number, own, mark = told["seq"], told["id"], told.get("content_hash")
        others = self.numbers.get(own, set()) - {number}
        if not isinstance(number, int) or own in self.ids.get(number, ()) or not others:
            return True
        hashed, known = self.numbers.get(mark, set()), self.ids.get(number, set())
        if number in hashed and len(known) == 1:
            [told["id"]] = known
            return True
        if len(others) == 1 and others <= hashed:
            [told["seq"]] = others
            return True
        # Where no id is known of its number, what is damaged is the entry of the index.
        return not known


def lines(rows: Iterable[Row], entries: Entries) -> Iterator[tuple[Row, bool]]:
    """Lines of the journal in order, and whether each is its tenant's: its index says so, or its
    hash, which covers the name and the line before. On a page that is not what was written only
    the hash counts."""
    ends, seen = dict[Value, bytes](), dict[Value, bytes]()
    ordered = sorted(rows, key=lambda row: row.rowid or 0)
    alone = len({row.values[2] for row in ordered}) == 1
    for row in ordered:
        tenant, number = row.values[2], row.rowid or 0
        *told, covered, own = row.values[1:]
        known = alone or tenant in entries.rows.get(("memory_journal", number), {})
        known = known and row.sound
        if not known and isinstance(covered, bytes):
            before = {ends.get(tenant, GENESIS), seen.get(tenant, GENESIS)}
            known = any(own == line_hash(one, [number, *told], covered) for one in before)
        if isinstance(own, bytes):
            seen[tenant] = own
            if known:
                ends[tenant] = own
        yield row, known


class _Told(Struct):
    """What the journal tells: the walls of memories and facts by their ids, those of what was
    removed by the number of the line, and what gives access, by table and id."""

    memories: dict[str, Walls] = field(default_factory=dict)
    facts: dict[str, Walls] = field(default_factory=dict)
    removed: dict[int, Walls] = field(default_factory=dict)
    given: dict[str, dict[str, Any]] = field(default_factory=dict)

    def take(self, number: int, tenant: str, target: str, payload: Mapping[str, Any]) -> None:
        """Take one line."""
        if (new := payload.get("new")) is not None:
            self._changed(target, tenant, new)
        if (fact := payload.get("fact")) is not None:
            self.facts[fact["id"]] = _walls(tenant, fact)
        if (back := payload.get("restored")) is not None:
            self.memories[target] = _walls(tenant, back["row"])
            self.facts |= {fact["id"]: _walls(tenant, fact) for fact in back["facts"]}
        if (gone := payload.get("removed")) is not None:
            self.removed[number] = _walls(tenant, gone["row"])
        if (unsaid := payload.get("unstated")) is not None:
            self.removed[number] = _walls(tenant, unsaid)
        if (given := payload.get("grant") or payload.get("shared")) is not None:
            self.given[target] = given | {"tenant": tenant}

    def _changed(self, target: str, tenant: str, new: Mapping[str, Any]) -> None:
        if "id" in new:
            self.memories[new["id"]] = _walls(tenant, new)
        elif (held := self.memories.get(target)) is not None:
            kept = dict(zip(WALLS, held[1:], strict=True))
            self.memories[target] = _walls(tenant, kept | dict(new))


def _padded(told: Iterable[Value]) -> Walls:
    """Walls, of which an older schema has fewer."""
    walls = tuple(told)
    return walls + (None,) * (1 + len(WALLS) - len(walls))


def _walls(tenant: str, told: Mapping[str, Any]) -> Walls:
    return tenant, *(told.get(wall) for wall in WALLS)


def _told(fresh: apsw.Connection) -> _Told:
    found = _Told()
    for number, tenant, target, covered, salt, payload in fresh.execute(_PAYLOADS):
        if covered == payload_hash(salt, payload):
            try:
                told = json.loads(unpacked(payload))
            except (ValueError, zlib.error):
                continue
            found.take(number, tenant, target, told)
    return found


class _Standing(NamedTuple):
    """Scopes by their numbers, whether there never was another one, and what speaks for rows."""

    walls: dict[int, Walls]
    alone: bool
    entries: Entries
    told: _Told

    def place(self, key: tuple[str, int], number: int, told: Walls | None) -> int | None:
        """The scope of a row that says it is in `number`; None where nothing speaks for one."""
        found = self.entries.rows.get(key, {})
        if number in self.walls and (
            self.alone or number in found or told == self.walls[number]
        ):  # fmt: skip
            return number
        others = [
            one
            for one, indexes in found.items()
            if isinstance(one, int) and one in self.walls
            if told == self.walls[one] or (told is None and len(indexes) > 1)
        ]
        return others[0] if len(others) == 1 else None


def settle(fresh: apsw.Connection, entries: Entries, lost: Counter[str]) -> None:
    """Keep the walls, and the rows behind them, that something else speaks for; a row whose scope
    alone was damaged comes back where it was. The rest goes, and is counted as lost."""
    told = _told(fresh)
    standing = _scopes(fresh, entries, told, lost)
    for table, number, known in (
        ("memories", "seq", told.memories),
        ("facts", "rowid", told.facts),
        ("session_state", "rowid", {}),
    ):
        name = "NULL" if table == "session_state" else "id"
        rows = every(fresh, f"SELECT {number}, {name}, scope_id FROM {table}")
        for row, own, scope in rows:
            place = standing.place((table, row), scope, known.get(own))
            if place != scope:
                lost[table] += not _moved(fresh, table, number, row, place)
    for own, line, scope in every(fresh, "SELECT id, journal_seq, scope_id FROM removed"):
        if standing.place(("removed", 0), scope, told.removed.get(line)) is None:
            fresh.execute("DELETE FROM removed WHERE id = ?", (own,))
            lost["removed"] += 1
    _given(fresh, told, lost)
    fresh.execute(_RELATIONS)


def _scopes(fresh: apsw.Connection, entries: Entries, told: _Told, lost: Counter[str]) -> _Standing:
    votes = defaultdict[int, Counter[Walls]](Counter)
    for number, *walls in every(fresh, _SCOPES):
        votes[number][tuple(walls)] += _TABLE
    for number, found in entries.walls.items():
        votes[number].update(dict.fromkeys(found, _INDEX))
    seen = set(votes)
    for number, spoken in _spoken(fresh, told).items():
        votes[number].update({walls: min(_LINES, count) for walls, count in spoken.items()})
    fresh.execute("DELETE FROM scopes")
    for number, counted in votes.items():
        [(walls, count)] = counted.most_common(1)
        if count >= _ENOUGH:
            fresh.execute(_PUT, (number, *walls))
    standing = {number: tuple(walls) for number, *walls in every(fresh, _SCOPES)}
    lost["scopes"] += len(seen - standing.keys())
    return _Standing(standing, len(seen | standing.keys()) == 1, entries, told)


def _spoken(fresh: apsw.Connection, told: _Told) -> dict[int, Counter[Walls]]:
    """How many lines of the journal speak for each scope having which walls."""
    spoken = defaultdict[int, Counter[Walls]](Counter)
    for table, known in (("memories", told.memories), ("facts", told.facts)):
        for own, number in every(fresh, f"SELECT id, scope_id FROM {table}"):
            if own in known:
                spoken[number][known[own]] += 1
    return spoken


def _moved(fresh: apsw.Connection, table: str, number: str, row: int, place: int | None) -> bool:
    if place is not None:
        try:
            fresh.execute(f"UPDATE {table} SET scope_id = ? WHERE {number} = ?", (place, row))
        except apsw.ConstraintError:
            place = None
    if place is None:
        fresh.execute(f"DELETE FROM {table} WHERE {number} = ?", (row,))
    return place is not None


def _given(fresh: apsw.Connection, told: _Told, lost: Counter[str]) -> None:
    """Tokens, publications and subscriptions, of which the journal tells the same: a flipped bit
    would give to another."""
    for table in ("grants", "publications", "subscriptions"):
        columns = [name for _, name, *_ in every(fresh, f"PRAGMA table_info({table})")]
        for values in every(fresh, f"SELECT {', '.join(columns)} FROM {table}"):
            row = dict(zip(columns, values, strict=True))
            given = told.given.get(row["id"], {})
            known = bool(given) and all(
                row.get(name) == value for name, value in given.items() if name not in _LATER
            )
            if not known:
                own = (row["tenant"], row["id"])
                fresh.execute(f"DELETE FROM {table} WHERE tenant = ? AND id = ?", own)
                lost[table] += 1
