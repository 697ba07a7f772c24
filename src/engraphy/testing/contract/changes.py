"""Changes: what `apply` refuses, counts, caps, and that a list is written whole or not at all."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import ConflictError, EngraphyError, NotFoundError, ProtectedError
from engraphy.model.change import (
    Change,
    DeleteFact,
    Forget,
    Growth,
    Insert,
    PutEpisode,
    PutProcedure,
    PutRelation,
    Reinforce,
    Tally,
    Touch,
    Update,
)
from engraphy.model.kinds import Origin, RelationType, Sensitivity, State
from engraphy.model.memory import Memory
from engraphy.model.query import Listing
from engraphy.model.records import Episode, Procedure, Relation
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import HERE, PROPERTY, T0, made, seen_from, wide
from engraphy.testing.contract.reference import MOST_STABILITY, MOST_STORAGE, Reference
from engraphy.testing.contract.suite import Suite, ids_of, insert, one, write

_serial = itertools.count()


class ChangesConformance(Suite):
    """The rules of `apply`."""

    def test_update_replaces_the_row(self, store: Store) -> None:
        """An update on the row as it stands is written field by field."""
        row = made("m")
        insert(store, row)
        moved = replace(row, state=State.ARCHIVED, importance=0.9, tags=("x",), updated_at=T0 + 1)
        write(store, Update(memory=moved, expected=row), now=T0 + 1)
        assert one(store, wide(), "m") == moved

    @pytest.mark.parametrize("stale", ["version", "state", "updated_at"])
    def test_stale_update_is_a_conflict(self, store: Store, stale: str) -> None:
        """An update decided on another version, state or update time changes nothing."""
        row = made("m")
        insert(store, row)
        other = {"version": 2, "state": State.DORMANT, "updated_at": T0 - 1}[stale]
        expected = replace(row, **{stale: other})  # type: ignore[arg-type]
        changed = replace(expected, content="changed", version=expected.version + 1)
        with pytest.raises(ConflictError):
            write(store, Update(memory=changed, expected=expected))
        assert one(store, wide(), "m") == row

    def test_counters_do_not_make_an_update_stale(self, store: Store) -> None:
        """Deliveries and re-statements between reading and updating are no conflict."""
        row = made("m")
        insert(store, row)
        write(store, Touch(ids=("m",)), Reinforce(id="m"), now=T0 + 1)
        pinned = replace(row, pinned=True, updated_at=T0 + 2)
        write(store, Update(memory=pinned, expected=row), now=T0 + 2)
        assert one(store, seen_from(), "m").pinned

    def test_same_text_in_the_same_scope_is_a_conflict(self, store: Store) -> None:
        """Two writers who store the same text at once do not both succeed."""
        insert(store, made("a", "same words"))
        with pytest.raises(ConflictError):
            write(store, Insert(memory=made("b", "same words")))
        assert store.get(wide(), ["b"]) == []

    def test_update_into_the_text_of_another_is_a_conflict(self, store: Store) -> None:
        """An update may not make two rows of one scope hold the same text."""
        first, second = made("a", "one text"), made("b", "another text")
        insert(store, first, second)
        twin = replace(second, content="one text", version=2)
        with pytest.raises(ConflictError):
            write(store, Update(memory=twin, expected=second))
        assert one(store, wide(), "b") == second

    def test_same_text_elsewhere_is_no_conflict(self, store: Store) -> None:
        """Another wall, tenant or sensitivity may hold the same text."""
        places = [
            made("a", "same words"),
            made("b", "same words", scope=replace(HERE, user="u")),
            made("c", "same words", scope=replace(HERE, agent="u")),
            made("d", "same words", scope=replace(HERE, project="u")),
            made("e", "same words", scope=replace(HERE, user="")),
            made("f", "same words", scope=replace(HERE, tenant=Tenant("other"))),
            made("g", "same words", sensitivity=Sensitivity.PRIVATE),
        ]
        for row in places:
            insert(store, row)
            assert one(store, wide(row.scope), row.id) == row

    def test_an_id_is_used_once(self, store: Store) -> None:
        """A second row with the same id is refused and the first stays."""
        row = made("m", "first")
        insert(store, row)
        with pytest.raises(EngraphyError):
            write(store, Insert(memory=made("m", "second")))
        assert one(store, wide(), "m") == row

    def test_immutable_text_stays(self, store: Store) -> None:
        """The text of an immutable row is protected; its counters and state are not."""
        row = made("m", immutable=True)
        insert(store, row)
        for changed in (replace(row, content="x", version=2), replace(row, title="x", version=2)):
            with pytest.raises(ProtectedError):
                write(store, Update(memory=changed, expected=row))
        write(store, Touch(ids=("m",)), now=T0 + 1)
        assert one(store, seen_from(), "m").content == row.content
        assert one(store, seen_from(), "m").access_count == 1

    def test_the_immutable_is_not_forgotten(self, store: Store) -> None:
        """What was protected after the decision to forget it stays, and all that was to go with
        it."""
        insert(store, made("m", immutable=True), made("n"))
        with pytest.raises(ProtectedError):
            write(store, Forget(id="n"), Forget(id="m"))
        assert ids_of(store.get(wide(), ["m", "n"])) == ["m", "n"]

    @pytest.mark.parametrize("origin", [Origin.USER, Origin.AGENT, Origin.IMPORT])
    def test_origin_stays(self, store: Store, origin: Origin) -> None:
        """Where a row comes from is bound when it is written."""
        row = made("m", origin=Origin.WEB)
        insert(store, row)
        with pytest.raises(ProtectedError):
            write(store, Update(memory=replace(row, origin=origin), expected=row))
        assert one(store, seen_from(), "m") == row

    def test_unknown_ids_are_not_found(self, store: Store) -> None:
        """Every change of a row that does not exist says so."""
        for change in _of_the_unknown():
            with pytest.raises(NotFoundError):
                write(store, change)
        assert store.journal(HERE.tenant) == []

    def test_a_list_is_written_whole_or_not_at_all(self, store: Store) -> None:
        """One bad change at any place of a list leaves no trace of the others."""
        row = made("kept")
        insert(store, row)
        before = store.journal(HERE.tenant)
        good: list[Change] = [
            Insert(memory=made("new", "zebra words")),
            Touch(ids=("kept",)),
            Update(memory=replace(row, pinned=True, updated_at=T0 + 1), expected=row),
        ]
        for bad in (*_of_the_unknown(), Insert(memory=made("twin", row.content))):
            for place in range(len(good) + 1):
                with pytest.raises((NotFoundError, ConflictError)):
                    write(store, *good[:place], bad, *good[place:], now=T0 + 1)
        assert store.page(wide(), Listing()) == [row]
        assert store.journal(HERE.tenant) == before
        if self.has_text_search:
            assert store.search_text(wide(), self.terms("zebra"), 9).matches == ()

    def test_nothing_to_write_writes_nothing(self, store: Store) -> None:
        """An empty list of changes is legal."""
        assert write(store) == ()

    def test_reinforcement_is_relative(self, store: Store) -> None:
        """Re-statements count up from whatever is stored and leave text and update time alone."""
        insert(store, made("m", stability=2.0, state=State.ARCHIVED))
        twice = Reinforce(id="m", stability_factor=1.5, storage_gain=0.5, revive=True)
        write(store, twice, twice, now=T0 + 9)
        found = one(store, seen_from(), "m")
        assert (found.reinforcement_count, found.last_reinforced_at) == (2, T0 + 9)
        assert (found.stability, found.storage_strength) == (4.5, 2.0)
        assert (found.updated_at, found.version, found.access_count) == (T0, 1, 0)

    def test_a_tally_is_relative(self, store: Store) -> None:
        """How uses went is counted up from whatever is stored, and is neither edit nor access."""
        insert(store, made("m", success_count=2))
        write(store, Tally(id="m", successes=1), Tally(id="m", failures=3), now=T0 + 9)
        found = one(store, seen_from(), "m")
        assert (found.success_count, found.failure_count, found.utility) == (3, 3, 0.5)
        write(store, Tally(id="m", utility_rate=0.5), Tally(id="m", successes=1, utility_rate=0.5))
        assert one(store, seen_from(), "m").utility == 0.75
        write(store, Tally(id="m", failures=1, utility_rate=0.5))
        found = one(store, seen_from(), "m")
        assert (found.success_count, found.failure_count, found.utility) == (4, 4, 0.375)
        assert (found.updated_at, found.version, found.access_count) == (T0, 1, 0)

    def test_restating_the_expired_brings_it_back(self, store: Store) -> None:
        """A re-stated row is current again, whether its state or its time said it was over."""
        insert(store, made("state", state=State.EXPIRED), made("time", expires_at=T0 + 5))
        for name in ("state", "time"):
            assert store.get(seen_from(), [name]) == []
            write(store, Reinforce(id=name, revive=True), now=seen_from().now)
            assert one(store, seen_from(), name).state is State.ACTIVE

    def test_sleeping_rows_sleep_on_unless_revived(self, store: Store) -> None:
        """Without `revive` a count changes no state."""
        insert(store, made("m", state=State.ARCHIVED))
        write(store, Touch(ids=("m",), revive=False), Reinforce(id="m"))
        assert one(store, wide(), "m").state is State.ARCHIVED

    def test_strengths_are_capped(self, store: Store) -> None:
        """However often it is delivered, a row stays within the ranges of the model."""
        insert(store, made("m", stability=30_000.0, storage_strength=9.5))
        growth = Growth(stability_factor=1e6, storage_gain=99.0, difficulty_shift=99.0)
        write(store, Touch(ids=("m",), growth=(growth,)))
        write(store, Reinforce(id="m", stability_factor=10.0, storage_gain=1.0))
        found = one(store, seen_from(), "m")
        assert (found.stability, found.storage_strength) == (MOST_STABILITY, MOST_STORAGE)
        assert found.difficulty == 10.0

    @PROPERTY
    @given(data=st.data())
    def test_any_sequence_matches_a_dictionary(self, store: Store, data: st.DataObject) -> None:
        """After any sequence of legal changes the store holds what a plain dictionary holds."""
        tenant = self.fresh_tenant()
        scope = replace(HERE, tenant=tenant)
        reference = Reference()
        for step in range(data.draw(st.integers(1, 8))):
            now = T0 + step
            change = data.draw(_legal(reference, f"{tenant}-{step}-{next(_serial)}", tenant, now))
            reference.apply(change, now)
            write(store, change, tenant=tenant, now=now)
        stored = {row.id: row for row in store.dump(wide(scope))}
        assert stored == reference.rows
        assert store.count(seen_from(scope), Listing()) == sum(
            row.state is State.ACTIVE for row in reference.rows.values()
        )


def _of_the_unknown() -> Iterator[Change]:
    ghost = made("ghost")
    known_end = Relation(source_id="kept", target_id="ghost", type=RelationType.CAUSES)
    yield Update(memory=replace(ghost, pinned=True), expected=ghost)
    yield Reinforce(id="ghost")
    yield Touch(ids=("ghost",))
    yield Forget(id="ghost")
    yield PutRelation(relation=known_end)
    yield DeleteFact(id="ghost")
    yield PutEpisode(episode=Episode(memory_id="ghost"))
    yield PutProcedure(procedure=Procedure(memory_id="ghost", name="n", steps=()))


RowChange = Insert | Update | Reinforce | Touch | Forget


def _legal(
    reference: Reference, fresh_id: str, tenant: Tenant, now: int
) -> st.SearchStrategy[RowChange]:
    scope = replace(HERE, tenant=tenant)
    new = st.just(Insert(memory=made(fresh_id, scope=scope, updated_at=now)))
    if not reference.rows:
        return new
    ids = st.sampled_from(sorted(reference.rows))
    shared = {
        "stability_factor": st.floats(1.0, 1000.0),
        "storage_gain": st.floats(0.0, 5.0),
        "revive": st.booleans(),
    }
    return st.one_of(
        new,
        st.builds(Forget, id=ids),
        st.builds(Reinforce, id=ids, **shared),
        st.sets(ids, min_size=1).flatmap(_touch),
        st.builds(_update, ids.map(reference.rows.__getitem__), st.booleans(), st.just(now)),
    )


def _touch(ids: set[str]) -> st.SearchStrategy[Touch]:
    growth = st.builds(
        Growth,
        stability_factor=st.floats(1.0, 1000.0),
        storage_gain=st.floats(0.0, 5.0),
        difficulty_shift=st.floats(-5.0, 5.0),
    )
    return st.builds(
        Touch,
        ids=st.just(tuple(sorted(ids))),
        growth=st.one_of(st.just(()), st.tuples(*(growth for _ in ids))),
        gap=st.integers(0, 5),
        revive=st.booleans(),
    )


def _update(row: Memory, with_text: bool, now: int) -> Update:
    if with_text:
        new = replace(row, content=f"{row.content}+{now}", version=row.version + 1, updated_at=now)
    else:
        states = list(State)
        turned = states[(states.index(row.state) + 1) % len(states)]
        new = replace(row, state=turned, importance=row.importance / 2, updated_at=now)
    return Update(memory=new, expected=row)
