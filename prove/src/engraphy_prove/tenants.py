"""P-26, P-08: two tenants on one pooled connection never meet."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from engraphy.errors import EngraphyError
from engraphy.model.change import Change, Forget, Insert, PutFact, Touch, Update
from engraphy.model.memory import Memory
from engraphy.model.query import FactFilter, Listing, Term, View
from engraphy.model.records import Fact
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.instance import QUICK, Server, running
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import DIM, EVERYTHING, MODEL, T0, fresh, vector

STEPS = 50
TENANTS = (Tenant("a"), Tenant("A%"))
SHARED = "shared"
"""The first word of every memory."""


@dataclass(slots=True)
class _Walk:
    """Two tenants by turns on one store, and what each of them has."""

    store: Store
    chance: random.Random
    round: int
    rows: dict[Tenant, dict[str, Memory]] = field(default_factory=lambda: {t: {} for t in TENANTS})
    reads: int = 0

    def step(self, number: int) -> None:
        """One change by one tenant, of a row of its own or of the other's."""
        tenant = self.chance.choice(TENANTS)
        every = sorted(name for rows in self.rows.values() for name in rows)
        draw = self.chance.random()
        if draw < 0.5 or not every:
            self._insert(tenant, f"{tenant}-{self.round}-{number}")
            return
        target = self.chance.choice(every)
        changed: Change = Touch(ids=(target,))
        old = self.rows[tenant].get(target)
        if draw < 0.7:
            held = old or _row(tenant, target, SHARED)
            new = replace(held, title=f"t{number}", version=held.version + 1)
            changed = Update(memory=new, expected=held, vector=vector(self.chance), reason="prove")
        elif draw < 0.9:
            changed = Forget(id=target, reason="prove")
        with suppress(EngraphyError):
            self.store.apply(tenant, [changed], now=T0, actor="prove")
        if isinstance(changed, Update) and old is not None:
            self.rows[tenant][target] = changed.memory
        if isinstance(changed, Forget):
            self.rows[tenant].pop(target, None)

    def _insert(self, tenant: Tenant, name: str) -> None:
        row = _row(tenant, name, f"{SHARED} {fresh(self.chance, name).content}")
        fact = Fact(
            id=f"f-{name}", scope=row.scope, subject=SHARED, predicate="of", object=name,
            source_id=name, valid_from=T0, recorded_at=T0, updated_at=T0,
        )  # fmt: skip
        changes: list[Change] = [
            Insert(memory=row, vector=vector(self.chance), reason="prove"),
            PutFact(fact=fact),
        ]
        self.store.apply(tenant, changes, now=T0, actor="prove")
        self.rows[tenant][name] = row

    def look(self) -> list[str]:
        """What a tenant sees that is not its own, or does not see that is."""
        told = []
        every = [name for rows in self.rows.values() for name in rows]
        for tenant, rows in self.rows.items():
            view = replace(EVERYTHING, scope=Scope(tenant=tenant))
            for name, read in _READS.items():
                seen = read(self.store, view, every)
                self.reads += 1
                told += [f"{name} of {tenant} shows {one}" for one in sorted(seen - {*rows})]
                told += [f"{name} of {tenant} lacks {one}" for one in sorted({*rows} - seen)]
            lines = {one.target_id for one in self.store.journal(tenant, limit=10_000)}
            others = {name for t, held in self.rows.items() if t != tenant for name in held}
            told += [f"the journal of {tenant} tells of {one}" for one in sorted(lines & others)]
        return told


def _row(tenant: Tenant, name: str, content: str) -> Memory:
    scope = Scope(tenant=tenant)
    return Memory(
        id=name, scope=scope, content=content, valid_from=T0, recorded_at=T0, updated_at=T0
    )


def _text(store: Store, view: View, _: list[str]) -> set[str]:
    found = store.search_text(view, [Term(term=SHARED, surface=SHARED)], 1_000)
    return {one.id for one in found.matches}


def _near(store: Store, view: View, _: list[str]) -> set[str]:
    found = store.search_vector(view, MODEL, (1.0,) * DIM, 1_000)
    return {one.id for one in found}


_READS: dict[str, Callable[[Store, View, list[str]], set[str]]] = {
    "get": lambda store, view, every: {one.id for one in store.get(view, every)},
    "dump": lambda store, view, _: {one.id for one in store.dump(view)},
    "page": lambda store, view, _: {one.id for one in store.page(view, Listing(limit=1_000))},
    "text": _text,
    "vectors": _near,
    "facts": lambda store, view, _: {
        one.source_id for one in store.facts(view, FactFilter(limit=1_000)) if one.source_id
    },
}


def tenants(trial: Trial) -> Findings:
    """`rounds` walks of fifty steps, each on a database of its own, on one connection."""
    findings, reads = Findings(), 0
    with running(**QUICK) as server:
        for number in range(trial.rounds):
            walk = _walked(trial, server, number, findings)
            reads += walk.reads
            findings.tried += 1
            if findings.breaches and trial.until_caught:
                break
    findings.figure = f"{trial.rounds} walks x {STEPS} steps, {reads} reads, on one connection"
    return findings


def _walked(trial: Trial, server: Server, number: int, findings: Findings) -> _Walk:
    url = server.fresh_url()
    store = trial.build.open(url)
    walk = _Walk(store, random.Random(f"{trial.seed} {number}"), number)
    try:
        for step in range(STEPS):
            walk.step(step)
            if step % 5 == 4:
                for what in walk.look():
                    findings.breach(f"walk {number}, step {step}: {what}")
    finally:
        store.close()
        server.drop(url)
    return walk
