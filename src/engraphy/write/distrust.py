"""What a file may bring in: of a backup of one's own everything, of any other file no authority.

A file may claim that the user said what it holds. Unless whoever imports it vouches for it, its
rows come in as an import's (P-10): found like others, never standing in every prompt.
"""

from collections import defaultdict
from dataclasses import dataclass, replace

from engraphy.model import (
    DataSource,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Scope,
    State,
    Tenant,
    WALLS,
    WriteSource,
)
from engraphy.write.imported import Arrived
from engraphy.write.quarantine import signs


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a file comes in: whether it is trusted, and into which tenant and walls. A wall that
    is not named stays what the file says; the tenant never does."""

    tenant: Tenant
    trusted: bool = False
    names: tuple[tuple[str, str | None], ...] = ()

    def scope(self, said: Scope) -> Scope:
        """Where a row of the scope `said` comes to stand."""
        walls = {wall: getattr(said, wall) for wall in (*WALLS, "session")} | dict(self.names)
        return Scope(tenant=self.tenant, **walls)


def brought_in(rows: Arrived, terms: Terms) -> Arrived:
    """The rows as they may come in. Of a file that is not trusted facts stay out: a fact counts as
    what the user stated, whoever wrote it into the file."""
    placed = replace(
        rows,
        memories=tuple(replace(m, scope=terms.scope(m.scope)) for m in rows.memories),
        facts=tuple(replace(f, scope=terms.scope(f.scope)) for f in rows.facts),
    )
    if terms.trusted:
        return placed
    beside = _beside(rows)
    memories = tuple(_lessened(m, beside.get(m.id, [])) for m in placed.memories)
    return replace(placed, memories=memories, facts=())


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
