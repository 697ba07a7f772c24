"""P-25: the journal is complete: one entry for each change, replay rebuilds the store, the database
refuses edits, and none made around it goes unnoticed."""

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import apsw

from engraphy.model.change import (
    Change,
    CoActivate,
    DeleteFact,
    DeleteRelation,
    Forget,
    Insert,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    Reinforce,
    Restore,
    Settle,
    Strengthen,
    Tally,
    Touch,
    Update,
)
from engraphy.model.granting import Grant, PutGrant, RevokeGrant, TokenRole
from engraphy.model.kinds import RelationType, State
from engraphy.model.memory import Memory
from engraphy.model.outlasting import Mark, Remove
from engraphy.model.records import Episode, Fact, Procedure, Relation
from engraphy.ports import Store
from engraphy.stores import summing
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import ACTOR, EVERYTHING, SCOPE, T0, TENANT, fresh, vector

BATCH = 40
"""Changes between two comparisons."""
REFUSED = (
    "UPDATE memory_journal SET actor = 'nobody'",
    "DELETE FROM memory_journal",
    "UPDATE journal_texts SET payload = x'00'",
    "REPLACE INTO memory_journal SELECT * FROM memory_journal LIMIT 1",
)
EDITS = (
    "UPDATE memory_journal SET actor = 'nobody' WHERE seq = :line",
    "UPDATE memory_journal SET at = at + 1 WHERE seq = :line",
    "UPDATE memory_journal SET target_id = 'x' WHERE seq = :line",
    "UPDATE memory_journal SET hash = zeroblob(32) WHERE seq = :line",
    "UPDATE journal_texts SET salt = zeroblob(16) WHERE journal_seq = :line",
    "DELETE FROM memory_journal WHERE seq = :line",
)


def journal(trial: Trial) -> Findings:
    """Make `rounds` changes of every kind; compare the store with its journal after each batch."""
    chance = random.Random(trial.seed)
    path = str(trial.folder / "memories.db")
    store = trial.build.open(path)
    findings, walk = Findings(), _Walk(store, chance)
    while findings.tried < trial.rounds:
        for what in walk.step():
            findings.breach(what)
        findings.tried += 1
        if findings.tried % BATCH == 0 or findings.tried == trial.rounds:
            for what in _disagreements(store):
                findings.breach(what)
    store.close()
    tried = [_refusals(path, findings), _unnoticed(trial, path, chance, findings)]
    findings.figure = (
        f"{findings.tried} changes of {len(walk.kinds)} kinds, replayed every {BATCH}; "
        f"{tried[0]} statements refused, {tried[1]} edits found"
    )
    return findings


def _disagreements(store: Store) -> list[str]:
    entries = store.journal(TENANT, limit=10_000_000)
    if not entries:
        return []
    held = next(store.replayed(TENANT, [entries[-1].seq]))
    ids = [memory.id for memory in store.dump(EVERYTHING)]
    stands = store.standing(TENANT, ids, list(held.facts))
    parts = ("memories", "relations", "facts", "episodes", "procedures")
    wrong = [
        f"replay tells other {name}"
        for name in parts
        if getattr(held, name) != getattr(stands, name)
    ]
    if held.grants != {one.id: one for one in store.grants(TENANT)}:
        wrong.append("replay tells other grants")
    if store.broken_line() is not None:
        wrong.append("the chain of an untouched journal is broken")
    return wrong


def _refusals(path: str, findings: Findings) -> int:
    with closing(apsw.Connection(path)) as connection:
        for statement in REFUSED:
            try:
                connection.execute(statement)
            except apsw.ConstraintError:
                continue
            findings.breach(f"the database allows: {statement}")
    return len(REFUSED)


def _unnoticed(trial: Trial, path: str, chance: random.Random, findings: Findings) -> int:
    """Edit the journal around the store, once in each way, and ask the store."""
    for edit in EDITS:
        store = trial.build.open(path)
        copy = str(trial.folder / f"copy-{EDITS.index(edit)}.db")
        store.backup(copy)
        lines = [one.seq for one in store.journal(TENANT, limit=10_000_000) if one.payload]
        store.close()
        with closing(apsw.Connection(copy, vfs=summing.layer())) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            for (name,) in names.fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute(edit, {"line": chance.choice(lines)})
        edited = trial.build.open(copy)
        if edited.broken_line() is None:
            findings.breach(f"nobody notices: {edit}")
        edited.close()
    return len(EDITS)


class _Walk:
    """A walk over every kind of change that is journaled."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self._store, self._chance, self._now = store, chance, T0
        self._serial = self._last = 0
        self._rows: list[str] = []
        self._away: list[str] = []
        self._facts: list[str] = []
        self._grants: list[str] = []
        self.kinds: dict[str, Callable[[], Change | None]] = {
            "insert": self._insert, "update": self._update, "state": self._state,
            "forget": self._forget, "remove": self._remove, "restore": self._restore,
            "reinforce": lambda: self._of(lambda row: Reinforce(id=row.id, revive=True)),
            "touch": lambda: self._of(lambda row: Touch(ids=(row.id,))),
            "strengthen": lambda: self._of(
                lambda row: Strengthen(ids=(row.id,), stability_factor=1.5)
            ),
            "tally": lambda: self._of(lambda row: Tally(id=row.id, successes=1, utility_rate=0.1)),
            "settle": lambda: self._of(
                lambda row: Settle(rows=((row, replace(row, utility=chance.random())),))
            ),
            "coactivate": lambda: self._of_two(lambda a, b: CoActivate(ids=(a, b))),
            "relation": lambda: self._of_two(
                lambda a, b: PutRelation(relation=_relation(a, b, chance.random()))
            ),
            "unrelated": lambda: self._of_two(
                lambda a, b: DeleteRelation(source_id=a, target_id=b, type=RelationType.CAUSES)
            ),
            "fact": self._fact, "unstated": self._unstated, "mark": self._mark,
            "grant": self._grant, "revoke": self._revoke,
            "episode": lambda: self._of(
                lambda row: PutEpisode(episode=Episode(memory_id=row.id, lesson="l"))
            ),
            "procedure": lambda: self._of(
                lambda row: PutProcedure(procedure=Procedure(memory_id=row.id, name="n", steps=()))
            ),
        }  # fmt: skip

    def step(self) -> list[str]:
        """One change; what is wrong with its line."""
        kind = self._chance.choice(sorted(self.kinds))
        change = self.kinds[kind]() or self._insert()
        self._now += self._chance.choice((1, 1_000, -500))
        numbers = self._store.apply(TENANT, [change], now=self._now, actor=ACTOR)
        new = self._store.journal(TENANT, after=self._last)
        self._last, lines = (new[-1].seq if new else self._last), len(new)
        if lines != len(numbers) or (lines != 1 and kind not in ("unrelated", "settle")):
            return [f"{type(change).__name__} has {lines} lines"]
        return []

    def _name(self, kind: str) -> str:
        self._serial += 1
        return f"{kind}{self._serial}"

    def _row(self) -> Memory | None:
        found = self._store.get(EVERYTHING, [self._chance.choice(self._rows)]) if self._rows else []
        return found[0] if found else None

    def _of(self, made: Callable[[Memory], Change]) -> Change | None:
        row = self._row()
        return None if row is None else made(row)

    def _of_two(self, made: Callable[[str, str], Change]) -> Change | None:
        if len(self._rows) < 2:
            return None
        return made(*self._chance.sample(self._rows, 2))

    def _insert(self) -> Change:
        row = fresh(self._chance, self._name("m"), words=4)
        self._rows.append(row.id)
        return Insert(memory=row, vector=vector(self._chance))

    def _update(self) -> Change | None:
        row = self._row()
        if row is None:
            return None
        new = replace(row, content=f"{row.content} {self._serial}", version=row.version + 1)
        self._serial += 1
        return Update(memory=new, expected=row, vector=vector(self._chance))

    def _state(self) -> Change | None:
        row = self._row()
        if row is None:
            return None
        state = self._chance.choice([State.ACTIVE, State.DORMANT, State.ARCHIVED, State.EXPIRED])
        return Update(memory=replace(row, state=state), expected=row, op="state")

    def _taken(self, rows: list[str]) -> str | None:
        return rows.pop(self._chance.randrange(len(rows))) if rows else None

    def _forget(self) -> Change | None:
        gone = self._taken(self._away if self._chance.random() < 0.3 else self._rows)
        return None if gone is None else Forget(id=gone)

    def _remove(self) -> Change | None:
        gone = self._taken(self._rows)
        if gone is None:
            return None
        self._away.append(gone)
        return Remove(id=gone)

    def _restore(self) -> Change | None:
        back = self._taken(self._away)
        if back is None:
            return None
        self._rows.append(back)
        return Restore(id=back, vector=vector(self._chance))

    def _fact(self) -> Change:
        name = self._name("f")
        self._facts.append(name)
        return PutFact(fact=Fact(id=name, scope=SCOPE, subject=name, predicate="p", object="o",
                                 recorded_at=self._now, updated_at=self._now))  # fmt: skip

    def _unstated(self) -> Change | None:
        gone = self._taken(self._facts)
        return None if gone is None else DeleteFact(id=gone, keep=self._chance.random() < 0.5)

    def _grant(self) -> Change:
        name = self._name("g")
        self._grants.append(name)
        role = self._chance.choice(list(TokenRole))
        grant = Grant(id=name, tenant=TENANT, name=name, role=role, created_at=self._now)
        return PutGrant(grant=grant, digest=self._chance.randbytes(32))

    def _revoke(self) -> Change | None:
        gone = self._taken(self._grants)
        return None if gone is None else RevokeGrant(id=gone)

    def _mark(self) -> Change:
        return Mark(name=self._name("point"))


def _relation(source: str, target: str, confidence: float) -> Relation:
    return Relation(
        source_id=source, target_id=target, type=RelationType.CAUSES, confidence=confidence
    )
