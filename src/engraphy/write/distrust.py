"""What a file may bring in: of a backup of one's own everything, of any other file no authority.

A file may claim that the user said what it holds. Unless whoever imports it vouches for it, its
rows come in as an import's (P-10): found like others, never standing in every prompt.
"""

from collections import defaultdict
from dataclasses import replace
from typing import TypeVar

from engraphy.model import (
    DataSource,
    Fact,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Scope,
    State,
    Tenant,
    WALLS,
    WriteSource,
)
from engraphy.record import Record
from engraphy.write.ceiling import at_most
from engraphy.write.imported import Arrived
from engraphy.write.packed import Packed
from engraphy.write.quarantine import signs

Row = TypeVar("Row", Memory, Fact)


class Terms(Record, frozen=True, kw_only=True):
    """How a file comes in: whether it is trusted, into which tenant and walls, and as what at most.
    A wall that is not named stays what the file says; the tenant never does."""

    tenant: Tenant
    most: Origin
    trusted: bool = False
    names: tuple[tuple[str, str | None], ...] = ()

    def scope(self, said: Scope) -> Scope:
        """Where a row of the scope `said` comes to stand."""
        walls = {wall: getattr(said, wall) for wall in (*WALLS, "session")} | dict(self.names)
        return Scope(tenant=self.tenant, **walls)


def brought_in(rows: Arrived, terms: Terms, now: int) -> Arrived:
    """The rows as they may come in at this moment. Of a file that is not trusted facts stay out: a
    fact counts as what the user stated, whoever wrote it into the file."""

    def placed(row: Row) -> Row:
        scope = terms.scope(row.scope)
        return _dated(row if scope == row.scope else replace(row, scope=scope), now)

    if terms.trusted:
        return replace(
            rows,
            memories=rows.memories.changed(lambda m: at_most(placed(m), terms.most)),
            facts=rows.facts.changed(placed),
        )
    beside = _beside(rows)
    return replace(
        rows,
        memories=rows.memories.changed(
            lambda m: at_most(_lessened(placed(m), beside.get(m.id, [])), terms.most)
        ),
        facts=Packed(Fact),
    )


def _dated(row: Row, now: int) -> Row:
    """What a file tells no time of was learnt as it came in, and holds from then on."""
    if row.recorded_at:
        return row
    since = row.valid_from or min(now, row.valid_until or now)
    return replace(row, recorded_at=now, updated_at=row.updated_at or now, valid_from=since)


def _lessened(memory: Memory, beside: list[str]) -> Memory:
    """A memory as a stranger's word, and held back where any of its texts instructs."""
    less = ORIGIN_TRUST[memory.origin] <= ORIGIN_TRUST[Origin.IMPORT]
    origin = memory.origin if less else Origin.IMPORT
    return replace(
        memory,
        origin=origin,
        trust=min(memory.trust, ORIGIN_TRUST[origin]),
        write_source=WriteSource.IMPORT,
        data_source=DataSource.IMPORT,
        state=State.QUARANTINED if signs(memory, *beside) else memory.state,
        pinned=False,
        immutable=False,
    )


def _beside(rows: Arrived) -> dict[str, list[str]]:
    """The texts that stand beside each memory: what was learnt, and the steps to follow."""
    texts = defaultdict[str, list[str]](list)
    for episode in rows.episodes:
        texts[episode.memory_id].append(episode.lesson)
    for procedure in rows.procedures:
        texts[procedure.memory_id] += [procedure.name, procedure.trigger, *procedure.steps]
    return texts
