"""The journal: one line for each change, chained per tenant, its texts under a key of their own."""

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engraphy.model.past import LineFilter
from engraphy.model.records import JournalEntry, JournalOp
from engraphy.model.scope import Tenant
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.sql import Bound, Connection, Query, every, first, query

GENESIS = bytes(32)
"""The hash before a tenant's first line."""
_SALT = 16
_SHORT = 80
"""Characters of a payload that says little more than a state."""
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# What nearly every payload repeats; part of the file format, never changed.
_FAMILIAR = (
    b'"reason":"","valid_until":null,"expires_at":,"superseded_by":"supersedes":"state":"active'
    b'"dormant"archived"superseded"emotional_arousal":0.,"valence":0.,"emotion":"joy"novelty":0.'
    b'"arousal":0."reward":0."attention":0."utility":0."difficulty":"storage_strength":1.'
    b'"tier":"semantic"sub_tier":"factual"kind":"decision"preference"write_source":"observer"'
    b'"data_source":"assistant_message"evidence":"origin":"agent"sensitivity":"private"'
    b'"metadata":[["tags":["concepts":["files_modified":["src/"],"trust":0.7,"version":2,'
    b'{"touch":{"now":17,"factor":1.0,"gain":0.0,"revive":1,"ids":["{"reinforce":{'
    b'{"old":{"updated_at":17},"new":{"importance":0.5,"stability":1.0,"entities":'
    b'"[\\"entity://person/\\",\\"entity://tech/"]","session":"session_user":"speaker":"'
    b'{"new":{"id":"01","content":"the a to and of I in is that it for","valid_from":17672256,'
    b'"recorded_at":17672256,"updated_at":17672256'
)


class _Carried(NamedTuple):
    """Lines of a tenant that were brought here: from where to where, by how much they are numbered
    higher than they were written, how many there are, and the hash of the last."""

    first: int
    last: int
    shift: int
    lines: int
    hash: bytes


class Line(NamedTuple):
    """What one line says; `texts` is the key its payload stands under ('' = carries no texts),
    `payload` None where the line has none."""

    op: str
    target_id: str
    reason: str
    texts: str
    payload: Mapping[str, Any] | None


class Journal:
    """Appends lines of one tenant inside one transaction."""

    def __init__(
        self,
        connection: Connection,
        tenant: Tenant,
        *,
        now: int,
        actor: str,
        op: JournalOp | None = None,
    ) -> None:
        self._connection = connection
        self._tenant = tenant
        self._now = now
        self._actor = actor
        self._op = op
        self._last = _last_hash(connection, tenant)
        self._next: int | None = None

    def append(self, line: Line) -> int:
        """Write one line; returns its number."""
        # The number is part of the hash: take it before the row is written. Nobody else writes
        # lines inside a transaction.
        seq = _next_number(self._connection) if self._next is None else self._next
        salt, payload = b"", b""
        if line.payload is not None:
            salt, payload = os.urandom(_SALT), _packed(line.payload)
        covered = payload_hash(salt, payload)
        op = self._op or line.op
        told = (seq, self._now, self._tenant, op, line.target_id, self._actor, line.reason)
        self._last = line_hash(self._last, told, covered)
        self._connection.execute(query("insert_line"), (*told, covered, self._last))
        if line.payload is not None:
            self._connection.execute(query("insert_payload"), (seq, line.texts, salt, payload))
        self._next = seq + 1
        return seq


def payload_hash(salt: bytes, payload: bytes) -> bytes:
    """SHA-256 over a salt and a payload as it is stored."""
    return hashlib.sha256(salt + payload).digest()


def line_hash(previous: bytes, told: Sequence[Any], covered: bytes) -> bytes:
    """SHA-256 over the line before and what a line says: number, time, tenant, operation, target,
    actor, reason and the hash of its payload."""
    line = json.dumps([*told, covered.hex()])
    return hashlib.sha256(previous + line.encode("ascii")).digest()


def entries(connection: Connection, tenant: Tenant, after: int, limit: int) -> list[JournalEntry]:
    """A page of a tenant's lines, in order."""
    previous = _hash_at(connection, tenant, after)
    bound = {"tenant": tenant, "after": after, "limit": limit}
    with decoding("a line of the journal"):
        return list(_entries(previous, connection.execute(query("journal_page"), bound)))


def lines(connection: Connection, tenant: Tenant, wanted: LineFilter) -> list[JournalEntry]:
    """Lines of a tenant by a filter; the hash of the line before is not among what they tell."""
    bound = {"tenant": tenant} | {name: getattr(wanted, name) for name in wanted.__struct_fields__}
    text = query("lines", order="DESC" if wanted.newest else "ASC")
    with decoding("a line of the journal"):
        return [_entry(b"", line) for line in connection.execute(text, bound)]


def _entries(previous: bytes, found: Iterable[Sequence[Any]]) -> Iterator[JournalEntry]:
    for line in found:
        yield _entry(previous, line)
        previous = line[8]


def _entry(previous: bytes, line: Sequence[Any]) -> JournalEntry:
    seq, at, owner, op, target_id, actor, reason, covered, own, payload = line
    return JournalEntry(
        seq=seq,
        at=at,
        tenant=owner,
        op=op,
        target_id=target_id,
        actor=actor,
        reason=reason,
        payload_hash=covered.hex(),
        previous_hash=previous.hex(),
        hash=own.hex(),
        payload=None if payload is None else unpacked(payload),
    )


def broken_line(connection: Connection) -> int | None:
    """The number of the first line that does not fit: changed, missing, or cut off; None if the
    journal is whole.

    Lines that were brought here from another store may leave numbers out, and were written under
    the numbers they had there: how many there are, and how they end, is kept for each tenant.
    """
    carried = {one[0]: _Carried(*one[1:]) for one in every(connection, query("carried_lines"))}
    edge = max((one.last for one in carried.values()), default=0)
    ends: dict[str, bytes] = {}
    met: dict[str, int] = {}
    expected = 1
    for number, *told in connection.execute(query("journal_whole")):
        tenant, own = told[1], told[7]
        here = carried.get(tenant)
        is_carried = here is not None and here.first <= number <= here.last
        line = (number - here.shift if here is not None and is_carried else number, *told)
        rises = expected <= number <= edge if is_carried else number == max(expected, edge + 1)
        if not rises or not _fits(ends.get(tenant, GENESIS), line):
            return expected
        ends[tenant] = own
        if here is not None and is_carried:
            met[tenant] = met.get(tenant, 0) + 1
            if number == here.last and (met[tenant], own) != (here.lines, here.hash):
                return int(number)
        expected = number + 1
    lost = [one.last for name, one in carried.items() if met.get(name) != one.lines]
    if lost:
        return min(lost)
    return None if expected == _next_number(connection) else expected


def _fits(previous: bytes, line: Sequence[Any]) -> bool:
    *told, covered, own, salt, payload = line
    with decoding("a line of the journal"):
        whole = payload is None or covered == payload_hash(salt, payload)
        return bool(whole and own == line_hash(previous, told, covered))


def search(tenant: Tenant) -> list[tuple[Query, Bound]]:
    """What asks how a tenant's journal goes on."""
    return [(query("last_line"), {"tenant": tenant}), (query("next_line"), None)]


def _next_number(connection: Connection) -> int:
    (number,) = first(connection, query("next_line"))
    return int(number)


def _last_hash(connection: Connection, tenant: Tenant) -> bytes:
    found = first(connection, query("last_line"), {"tenant": tenant})
    return GENESIS if found is None else bytes(found[0])


def _hash_at(connection: Connection, tenant: Tenant, after: int) -> bytes:
    bound = {"tenant": tenant, "after": after}
    found = first(connection, query("line_before"), bound)
    return GENESIS if found is None else bytes(found[0])


def _packed(payload: Mapping[str, Any]) -> bytes:
    told = _json(payload)
    return _short(told) if len(told) <= _SHORT else _deflated(told)


@lru_cache(maxsize=256)
def _short(told: str) -> bytes:
    """The same again and again, where maintenance puts thousands to sleep."""
    return _deflated(told)


def _deflated(told: str) -> bytes:
    deflate = zlib.compressobj(level=6, wbits=-15, memLevel=5, zdict=_FAMILIAR)
    return deflate.compress(told.encode("utf-8")) + deflate.flush()


def unpacked(payload: bytes) -> str:
    """A payload as JSON text."""
    inflate = zlib.decompressobj(wbits=-15, zdict=_FAMILIAR)
    return (inflate.decompress(payload) + inflate.flush()).decode("utf-8")
