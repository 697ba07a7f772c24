"""Walls: no read shows, counts or names what its view may not see."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import NotFoundError
from engraphy.model.change import (
    Forget,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutSessionState,
    Reinforce,
    Touch,
)
from engraphy.model.kinds import Kind, Sensitivity, State
from engraphy.model.memory import Memory
from engraphy.model.query import FactFilter, Listing, View
from engraphy.model.records import Episode, Fact, Procedure, SessionState
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    DAY,
    HERE,
    HOSTILE,
    MODEL,
    PROPERTY,
    T0,
    contents,
    made,
    scopes,
    seen_from,
    wide,
)
from engraphy.testing.contract.reference import visible
from engraphy.testing.contract.suite import Suite, embedded, ids_of, insert, one, write

_serial = itertools.count()


class WallsConformance(Suite):
    """Tenant, user, agent, project, sensitivity, state, kind, session."""

    @pytest.mark.parametrize("wall", WALLS)
    def test_hostile_names_are_just_names(self, store: Store, wall: str) -> None:
        """Each caller sees their own rows and the shared ones, whatever the names look like."""
        owners = (None, *HOSTILE)
        places = {name: replace(HERE, **{wall: name}) for name in owners}  # type: ignore[arg-type]
        rows = {name: _row(scope) for name, scope in places.items()}
        self._store_all(store, list(rows.values()))
        for name in owners:
            self._check_reads(store, seen_from(places[name]), rows.values())
            assert one(store, seen_from(places[name]), rows[name].id) == rows[name]

    def test_tenants_share_nothing(self, store: Store) -> None:
        """Not even rows without an owner, and not even a count, cross tenants."""
        tenants = [Tenant(name) for name in HOSTILE]
        rows = [_row(Scope(tenant=tenant)) for tenant in tenants]
        self._store_all(store, rows)
        for tenant in tenants:
            self._check_reads(store, seen_from(Scope(tenant=tenant)), rows)
            assert {entry.tenant for entry in store.journal(tenant)} == {tenant}
            assert store.stats(wide(Scope(tenant=tenant))).journal_entries == 1

    @PROPERTY
    @given(data=st.data())
    def test_any_scope_sees_what_scope_sees_says(self, store: Store, data: st.DataObject) -> None:
        """On every read, the visible set of any caller is the one `Scope.sees` gives."""
        tenant = self.fresh_tenant()
        owners = data.draw(st.lists(scopes(tenant), min_size=1, max_size=6))
        rows = [_row(owner, data.draw(contents())) for owner in owners]
        self._store_all(store, rows)
        for caller in (data.draw(scopes(tenant)), data.draw(st.sampled_from(owners))):
            assert {row.id for row in rows if caller.sees(row.scope)} == {
                row.id for row in rows if visible(seen_from(caller), row)
            }
            self._check_reads(store, seen_from(caller), rows)

    @PROPERTY
    @given(data=st.data())
    def test_what_is_shared_can_be_left_out(self, store: Store, data: st.DataObject) -> None:
        """Without what is shared, a view sees what stands behind exactly its walls."""
        tenant = self.fresh_tenant()
        owners = data.draw(st.lists(scopes(tenant), min_size=1, max_size=6))
        rows = [_row(owner, data.draw(contents())) for owner in owners]
        self._store_all(store, rows)
        caller = data.draw(st.sampled_from(owners))
        self._check_reads(store, replace(seen_from(caller), shared=False), rows)

    def test_sensitivity_is_asked_for(self, store: Store) -> None:
        """Only the sensitivities of the view are read, in every combination."""
        rows = [_row(HERE, sensitivity=level) for level in Sensitivity]
        self._store_all(store, rows)
        for size in range(len(Sensitivity) + 1):
            for levels in itertools.combinations(Sensitivity, size):
                view = seen_from(sensitivities=frozenset(levels))
                self._check_reads(store, view, rows)

    def test_states_are_asked_for(self, store: Store) -> None:
        """Only active rows are read unless the view includes other states."""
        rows = [_row(HERE, state=state) for state in State]
        self._store_all(store, rows)
        self._check_reads(store, seen_from(), rows)
        for state in State:
            view = seen_from(states=frozenset({State.ACTIVE, state}))
            self._check_reads(store, view, rows)

    def test_kinds_narrow_the_view(self, store: Store) -> None:
        """A view may ask for some kinds only."""
        rows = [_row(HERE, kind=kind) for kind in (Kind.FACT, Kind.PLAN, Kind.DECISION)]
        self._store_all(store, rows)
        for kinds in (frozenset({Kind.PLAN}), frozenset({Kind.PLAN, Kind.FACT})):
            self._check_reads(store, seen_from(kinds=kinds), rows)

    def test_session_filters_where_asked_for(self, store: Store) -> None:
        """A session is provenance: it hides nothing, filters on request, and may be closed."""
        names = (None, *HOSTILE)
        rows = [_row(replace(HERE, session=name)) for name in names]
        self._store_all(store, rows)
        self._check_reads(store, seen_from(replace(HERE, session="a")), rows)
        for name in HOSTILE:
            here = replace(HERE, session=name)
            self._check_reads(store, seen_from(here, session=name), rows)
            self._check_reads(store, seen_from(here, closed_session=True), rows)

    def test_the_wall_of_a_session_opens_to_its_name(self, store: Store) -> None:
        """What is closed into a session is seen from there, and by who asks for that session; by
        nobody else, and the same text stands once behind each wall."""
        places = [HERE, *(replace(HERE, session=n, conversation=n) for n in HOSTILE)]
        rows = [_row(place) for place in places]
        self._store_all(store, rows)
        for place in places:
            shared = replace(place, conversation=None)
            self._check_reads(store, seen_from(place), rows)
            self._check_reads(store, seen_from(place, closed_session=True), rows)
            self._check_reads(store, seen_from(shared, session=place.session), rows)
        same = [made(f"{row.id}s", "the same text", scope=row.scope) for row in rows]
        insert(store, *same)
        for place, row in zip(places, same, strict=True):
            assert store.find_hash(seen_from(place), sha256(b"the same text").hexdigest()) == row

    def test_history_is_found_by_its_text_and_moment(self, store: Store) -> None:
        """What held for a while from exactly a moment on and is superseded; what ended as it began
        is not, nor what stands in another scope."""
        lasted = made("past", "same words", state=State.SUPERSEDED, valid_from=T0)
        lasted = replace(lasted, valid_until=T0 + DAY)
        ended = replace(lasted, id="short", valid_from=T0 + 1, valid_until=T0 + 1)
        insert(store, lasted, ended, made("now", "same words", valid_from=T0 + 2))
        digest, other = sha256(b"same words").hexdigest(), sha256(b"other").hexdigest()
        assert store.find_over(seen_from(), digest, T0) == lasted
        assert [store.find_over(seen_from(), digest, T0 + n) for n in (1, 2)] == [None, None]
        assert store.find_over(seen_from(replace(HERE, user="v")), digest, T0) is None
        assert store.find_over(seen_from(), other, T0) is None

    def test_time_decides_validity(self, store: Store) -> None:
        """What ended or expired is not current; `as_of` and `known_at` show what held then."""
        rows = [
            _row(HERE, valid_from=T0 - 5, valid_until=T0, state=State.SUPERSEDED),
            _row(HERE, valid_from=T0),
            _row(HERE, valid_until=T0 + 10),
            _row(HERE, expires_at=T0 + 10),
            _row(HERE, recorded_at=T0 + 20, valid_from=T0 - 20),
            _row(HERE, valid_from=T0 - 9, state=State.ARCHIVED),
            _row(HERE, valid_from=T0 + 9),
        ]
        self._store_all(store, rows)
        for now in (T0, T0 + 9, T0 + 10, T0 + DAY):
            self._check_reads(store, seen_from(now=now), rows)
        for moment in (T0 - 21, T0 - 6, T0 - 5, T0 - 1, T0, T0 + 9, T0 + 10, T0 + 20):
            self._check_reads(store, seen_from(as_of=moment), rows)
            self._check_reads(store, seen_from(known_at=moment, now=T0 + 1), rows)
            self._check_reads(store, seen_from(as_of=moment, known_at=T0, now=T0 + 1), rows)

    def test_what_was_not_known_yet_ended_nothing(self, store: Store) -> None:
        """A memory that was superseded by what was recorded later is seen as it was known: current
        and without its end; and what was recorded later is not seen at all."""
        old = made("old", valid_until=T0 + 5, state=State.SUPERSEDED, superseded_by="new")
        new = made("new", valid_from=T0 + 5, recorded_at=T0 + 50)
        gone = made("gone", valid_until=T0 + 5, state=State.SUPERSEDED, superseded_by="erased")
        insert(store, old, new, gone)

        def known(at: int, of: int) -> list[str]:
            view = seen_from(known_at=T0 + at, as_of=T0 + of)
            return ids_of(store.get(view, ["old", "new", "gone"]))

        assert known(at=49, of=4) == ["old", "gone"]
        assert known(at=49, of=30) == ["old"]
        assert known(at=50, of=4) == ["old", "gone"]
        assert known(at=50, of=30) == ["new"]
        assert ids_of(store.get(seen_from(known_at=T0 + 49), ["old", "new", "gone"])) == ["old"]

    def test_another_tenant_cannot_write_here(self, store: Store) -> None:
        """A change of a row of another tenant is a change of an unknown row."""
        insert(store, made("mine"))
        before = one(store, wide(), "mine")
        for change in (Forget(id="mine"), Reinforce(id="mine"), Touch(ids=("mine",))):
            with pytest.raises(NotFoundError):
                write(store, change, tenant=Tenant("thief"))
        assert one(store, wide(), "mine") == before
        assert store.journal(Tenant("thief")) == []

    def test_what_stands_beside_a_row_is_behind_its_wall(self, store: Store) -> None:
        """Versions, episode, procedure, facts, names and session state obey the same gate."""
        owner = replace(HERE, user="owner", session="s")
        row = made("row", scope=owner, kind=Kind.EPISODE, speaker="Ada", entities=("entity://x/y",))
        fact = Fact(id="f", scope=owner, subject="s", predicate="p", object="o", source_id="row")
        state = SessionState(scope=owner, name="window", value="{}", updated_at=T0)
        insert(store, row)
        write(
            store,
            PutEpisode(episode=Episode(memory_id="row", lesson="l")),
            PutProcedure(procedure=Procedure(memory_id="row", name="n", steps=("one",))),
            PutFact(fact=fact),
            PutSessionState(state=state),
        )
        assert _beside(store, seen_from(owner)) == (True, True, 1, 2, True)
        for stranger in (HERE, replace(owner, user="OWNER"), replace(owner, tenant=Tenant("x"))):
            assert _beside(store, seen_from(stranger)) == (False, False, 0, 0, False)

    def _store_all(self, store: Store, rows: Iterable[Memory]) -> None:
        for row in rows:
            write(store, embedded(row, (1.0, 0.0)), tenant=row.scope.tenant)

    def _check_reads(self, store: Store, view: View, rows: Iterable[Memory]) -> None:
        everything = list(rows)
        expected = {row.id for row in everything if visible(view, row)}
        for name, found in self._read_paths(store, view, [row.id for row in everything]):
            assert found == expected, f"{name} with {view}"
        assert store.count(view, Listing()) == len(expected)
        assert sum(count for _, count in store.arrivals(view, 0, DAY)) == len(expected)

    def _read_paths(
        self, store: Store, view: View, ids: list[str]
    ) -> Iterator[tuple[str, set[str]]]:
        yield "get", set(ids_of(store.get(view, ids)))
        yield "page", set(ids_of(store.page(view, Listing(limit=len(ids) + 1))))
        yield "dump", set(ids_of(list(store.dump(view))))
        yield "candidates", {row.id for row in store.candidates(view, ids)}
        around = store.candidates(view, ids, neighbours=2)
        named = {name for row in around for name in (row.id, row.previous_id, row.next_id)}
        yield "neighbours", {name for name in named if name is not None}
        if self.has_text_search:
            result = store.search_text(view, self.terms("zebra"), len(ids) + 1)
            yield "search_text", {match.id for match in result.matches}
        if self.has_vector_search:
            near = store.search_vector(view, MODEL, (1.0, 0.0), len(ids) + 1)
            yield "search_vector", {match.id for match in near}


def _row(scope: Scope, content: str = "", **fields: Any) -> Memory:
    number = next(_serial)
    return made(f"w{number:06d}", f"{content} zebra {number}", scope=scope, **fields)


def _beside(store: Store, view: View) -> tuple[bool, bool, int, int, bool]:
    return (
        store.episode(view, "row") is not None,
        store.procedure(view, "row") is not None,
        len(store.facts(view, FactFilter())),
        len(store.entity_names(view, 10)),
        store.session_state(view, "window") is not None,
    )
