"""The journal: complete enough to rebuild the rows, and no edit of it goes unnoticed."""

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from tests.raw import raw
from tests.stores.making import HERE, NOW, TENANT, insert, made, opened, seen, write

from engraphy.model.change import (
    Change,
    CoActivate,
    DeleteFact,
    DeleteRelation,
    Forget,
    Growth,
    Insert,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutVersion,
    Reinforce,
    Restore,
    Settle,
    Spread,
    Strengthen,
    Tally,
    Touch,
    Update,
)
from engraphy.model.kinds import EpisodeOutcome, RelationType, Sensitivity, State
from engraphy.model.memory import Memory, Version
from engraphy.model.outlasting import Mark, Remove
from engraphy.model.query import FactFilter, Listing
from engraphy.model.records import Episode, Fact, JournalEntry, Procedure, Relation
from engraphy.stores.relational.replay import replay
from engraphy.stores.sqlite import SqliteStore

EVERYTHING = {"states": frozenset(State), "sensitivities": frozenset(Sensitivity)}
USER = replace(HERE, user="u", session="s", conversation="s")
WIDE = seen(USER, now=-(2**62), **EVERYTHING)


def whole_journal(store: SqliteStore) -> list[JournalEntry]:
    """Every line of the tenant."""
    return store.journal(TENANT, limit=100_000)


class Walk:
    """A seeded walk over every kind of change."""

    def __init__(self, store: SqliteStore, seed: int) -> None:
        self.store, self.random = store, random.Random(seed)
        self.known: list[str] = []
        self.removed: list[str] = []
        self.facts: list[str] = []
        self.clock = NOW
        self.serial = count()

    def step(self) -> None:
        """One legal change, with a clock that now and then jumps back."""
        self.clock += self.random.choice([1, 1_000, 10**9, -500])
        kinds = [self._insert, self._insert, self._update, self._update, self._beside]
        kinds += [self._count, self._fact, self._forget, self._remove, self._restore, self._settle]
        changes = self.random.choice(kinds)()
        write(self.store, *changes, now=self.clock)

    def _one(self) -> str:
        return self.random.choice(self.known)

    def _insert(self) -> list[Change]:
        name = f"m{next(self.serial)}"
        memory = made(
            name,
            scope=self.random.choice([HERE, USER]),
            importance=self.random.random(),
            tags=("x", "y") if self.random.random() < 0.5 else (),
            state=self.random.choice(list(State)),
            expires_at=self.random.choice([None, self.clock - 5, self.clock + 5]),
            recorded_at=self.clock,
        )
        self.known.append(name)
        return [Insert(memory=memory)]

    def _update(self) -> list[Change]:
        if not self.known:
            return []
        held = self.store.get(WIDE, [self._one()])[0]
        if self.random.random() < 0.5:
            new = replace(
                held, content=f"{held.id}, {held.version}, {self.clock}", version=held.version + 1
            )
        else:
            new = replace(held, pinned=not held.pinned, importance=self.random.random())
        if self.random.random() < 0.3:
            new = replace(new, scope=USER if held.scope == HERE else HERE, tags=("z",))
        return [Update(memory=replace(new, updated_at=self.clock), expected=held, reason="r")]

    def _count(self) -> list[Change]:
        if not self.known:
            return []
        gain = {"stability_factor": self.random.uniform(0.5, 3.0), "storage_gain": 0.25}
        names = tuple({self._one() for _ in range(3)})
        revive = self.random.random() < 0.5
        return [
            Touch(
                ids=names,
                revive=revive,
                growth=self.random.choice(
                    ((), tuple(Growth(self.random.uniform(0.5, 3.0), 0.25, 0.1) for _ in names))
                ),
                gap=self.random.choice((0, 3)),
            ),
            Reinforce(id=self._one(), revive=revive, **gain),
            Strengthen(ids=names, stability_factor=self.random.uniform(0.5, 3.0)),
            Tally(
                id=self._one(),
                successes=self.random.randrange(3),
                failures=1,
                utility_rate=self.random.choice((0.0, 0.1)),
            ),
            CoActivate(
                ids=names,
                stability_factor=self.random.uniform(0.5, 3.0),
                gap=self.random.choice((0, 3)),
            ),
            Spread(ids=names, view=WIDE, stability_factor=self.random.uniform(0.5, 3.0)),
        ]

    def _beside(self) -> list[Change]:
        if len(self.known) < 2:
            return []
        one, other = self.random.sample(self.known, 2)
        relation = Relation(
            source_id=one,
            target_id=other,
            type=self.random.choice(list(RelationType)),
            confidence=self.random.random(),
            created_at=self.clock,
        )
        version = Version(
            memory_id=one, version=0, content="c", title="", replaced_at=1, reason="imported"
        )
        return [
            PutRelation(relation=relation),
            DeleteRelation(
                source_id=one, target_id=other, type=self.random.choice(list(RelationType))
            ),
            PutEpisode(episode=Episode(memory_id=one, outcome=EpisodeOutcome.SUCCESS, lesson="l")),
            PutProcedure(procedure=Procedure(memory_id=other, name="n", steps=("a", "b"))),
            PutVersion(version=version),
        ]

    def _fact(self) -> list[Change]:
        if self.facts and self.random.random() < 0.3:
            gone = self.facts.pop(self.random.randrange(len(self.facts)))
            held = self.store.facts(WIDE, FactFilter(current=False, limit=999))
            known = any(fact.id == gone for fact in held)
            return [DeleteFact(id=gone, keep=self.random.random() < 0.5)] if known else []
        name = f"f{next(self.serial)}"
        fact = Fact(
            id=name,
            scope=self.random.choice([HERE, USER]),
            subject=self.random.choice("ab"),
            predicate="p",
            object=self.random.choice("cd"),
            confidence=self.random.random(),
            source_id=self._one() if self.known else None,
            recorded_at=self.clock,
            updated_at=self.clock,
        )
        held = self.store.facts(
            replace(WIDE, scope=fact.scope),
            FactFilter(subject=fact.subject, object=fact.object, current=False),
        )
        if not any(known.scope.user == fact.scope.user for known in held):
            self.facts.append(name)
        return [PutFact(fact=fact)]

    def _remove(self) -> list[Change]:
        free = [one for one in self.known if not self.store.get(WIDE, [one])[0].pinned]
        if not free:
            return []
        gone = self.random.choice(free)
        facts = self.store.facts(WIDE, FactFilter(source_id=gone, current=False))
        along = tuple(fact.id for fact in facts if self.random.random() < 0.5)
        self.known.remove(gone)
        self.removed.append(gone)
        held = self.store.get(WIDE, [gone])[0]
        return [Remove(id=gone, expected=held, facts=along, reason="r"), Mark(name=f"at {gone}")]

    def _restore(self) -> list[Change]:
        if not self.removed:
            return []
        back = self.removed.pop(self.random.randrange(len(self.removed)))
        if self.random.random() < 0.2:
            return [Forget(id=back)]
        self.known.append(back)
        return [Restore(id=back, reason="undo")]

    def _settle(self) -> list[Change]:
        held = self.store.get(WIDE, self.known[:5])
        moved = [replace(one, utility=self.random.random(), last_decayed_at=9) for one in held]
        return [Settle(rows=tuple(zip(held, moved, strict=True)))]

    def _forget(self) -> list[Change]:
        if not self.known or self.random.random() < 0.5:
            return []
        return [Forget(id=self.known.pop(self.random.randrange(len(self.known))))]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_replay_rebuilds_the_store(tmp_path: Path, seed: int) -> None:
    """From its journal alone, a store's rows come back equal: all but what was forgotten (R-07)."""
    store = opened(tmp_path)
    walk = Walk(store, seed)
    for _ in range(200):
        walk.step()
    rebuilt = replay(whole_journal(store))
    assert rebuilt.memories == {memory.id: memory for memory in store.dump(WIDE)}
    assert set(rebuilt.memories) == set(walk.known)
    for name in walk.known:
        assert rebuilt.versions.get(name, []) == store.versions(WIDE, name)
        assert rebuilt.episodes.get(name) == store.episode(WIDE, name)
        assert rebuilt.procedures.get(name) == store.procedure(WIDE, name)
    facts = store.facts(WIDE, FactFilter(current=False, limit=1000))
    assert rebuilt.facts == {fact.id: fact for fact in facts}
    relations = store.relations(WIDE, walk.known)
    assert set(rebuilt.relations.values()) == set(relations)
    pairs = store.coactivations(WIDE, walk.known, 1)
    assert set(rebuilt.coactivations.values()) == set(pairs)
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()


def _edit(path: str, *statements: str) -> None:
    with closing(raw(path)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for (name,) in names:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statements",
    [
        ("UPDATE memory_journal SET actor = 'someone' WHERE seq = 3",),
        ("UPDATE memory_journal SET at = at + 1 WHERE seq = 1",),
        ("UPDATE memory_journal SET hash = zeroblob(32) WHERE seq = 5",),
        ("UPDATE memory_journal SET tenant = 'other' WHERE seq = 2",),
        ("DELETE FROM journal_texts", "DELETE FROM memory_journal WHERE seq = 2"),
        ("DELETE FROM journal_texts", "DELETE FROM memory_journal WHERE seq = 5"),
        ("UPDATE journal_texts SET payload = zeroblob(9) WHERE journal_seq = 4",),
        ("UPDATE journal_texts SET salt = zeroblob(16) WHERE journal_seq = 4",),
    ],
)
def test_any_edit_is_found(tmp_path: Path, statements: tuple[str, ...]) -> None:
    """A changed, removed or cut off line breaks the chain, also behind disabled triggers."""
    store = opened(tmp_path)
    insert(store, *(made(f"m{number}") for number in range(5)))
    assert all(check.ok for check in store.check(deep=True))
    store.close()
    _edit(store.path, *statements)
    again = opened(tmp_path)
    assert {check.name for check in again.check(deep=True) if not check.ok} >= {"journal"}
    again.close()


def test_clock_that_jumps_back_keeps_the_order(tmp_path: Path) -> None:
    """Lines and rows stand in the order of writing, and no time of a memory runs backwards."""
    store = opened(tmp_path)
    first = made("a", recorded_at=NOW, updated_at=NOW)
    insert(store, first)
    write(store, Touch(ids=("a",)), Reinforce(id="a"), now=NOW + 10)
    write(store, Touch(ids=("a",)), Reinforce(id="a"), now=NOW - 25 * 365 * 86_400_000_000)
    earlier = made("b", recorded_at=NOW - 10**15, updated_at=NOW - 10**15, valid_from=NOW - 10**15)
    insert(store, earlier)
    (held,) = store.get(seen(), ["a"])
    assert (held.last_accessed_at, held.last_reinforced_at) == (NOW + 10, NOW + 10)
    assert [m.id for m in store.page(seen(), Listing(order="newest"))] == ["b", "a"]
    seqs = [entry.seq for entry in whole_journal(store)]
    assert seqs == sorted(seqs)
    store.close()


def test_restating_revives(tmp_path: Path) -> None:
    """A re-stated memory that was archived or expired is active again, for as long as before."""
    store = opened(tmp_path)
    rows: list[Callable[[], Memory]] = [
        lambda: made("archived", state=State.ARCHIVED),
        lambda: made("expired", state=State.EXPIRED),
        lambda: made("over", expires_at=NOW + 100),
    ]
    insert(store, *(row() for row in rows))
    later = NOW + 10**9
    write(store, *(Reinforce(id=row().id, revive=True) for row in rows), now=later)
    found = {m.id: m for m in store.page(seen(now=later), Listing())}
    assert set(found) == {"archived", "expired", "over"}
    assert found["over"].expires_at == later + 100
    store.close()
