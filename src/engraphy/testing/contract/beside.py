"""Beside memories: relations, co-activation, facts, episodes, procedures, session state, names."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import ConflictError
from engraphy.model.change import (
    CoActivate,
    DeleteRelation,
    Forget,
    Insert,
    PutEpisode,
    PutProcedure,
    PutRelation,
    PutSessionState,
    Strengthen,
)
from engraphy.model.kinds import EpisodeOutcome, RelationType, Sensitivity
from engraphy.model.overview import SessionLine
from engraphy.model.records import (
    CoActivation,
    Episode,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    HERE,
    HOSTILE,
    PROPERTY,
    T0,
    made,
    seen_from,
    wide,
)
from engraphy.testing.contract.suite import Suite, insert, write

_serial = itertools.count()


class BesideConformance(Suite):
    """What hangs on memories or stands alone."""

    def test_relation_comes_back(self, store: Store) -> None:
        """A relation is read from either end with every field."""
        insert(store, made("a"), made("b"))
        relation = _linked("a", "b", confidence=0.25)
        write(store, PutRelation(relation=relation))
        for end in ("a", "b"):
            assert store.relations(seen_from(), [end]) == [relation]
        assert store.relations(seen_from(), []) == []

    def test_relation_keeps_the_higher_confidence(self, store: Store) -> None:
        """The same pair and type is one relation; a weaker statement does not weaken it."""
        insert(store, made("a"), made("b"))
        for confidence in (0.5, 0.9, 0.3):
            write(store, PutRelation(relation=_linked("a", "b", confidence=confidence)))
        write(store, PutRelation(relation=_linked("b", "a")))
        write(store, PutRelation(relation=_linked("a", "b", type=RelationType.RELATED_TO)))
        found = {(r.source_id, r.type): r.confidence for r in store.relations(seen_from(), ["a"])}
        assert found[("a", RelationType.CAUSES)] == 0.9
        assert len(found) == 3
        only = store.relations(seen_from(), ["a"], types=frozenset({RelationType.RELATED_TO}))
        assert [r.type for r in only] == [RelationType.RELATED_TO]

    def test_relation_with_a_forgotten_end_is_gone(self, store: Store) -> None:
        """Forgetting one end takes its relations and joint deliveries along."""
        insert(store, made("a"), made("b"), made("c"))
        write(
            store,
            PutRelation(relation=_linked("a", "b")),
            PutRelation(relation=_linked("b", "c")),
            CoActivate(ids=("a", "b", "c")),
            Forget(id="a"),
        )
        assert store.relations(wide(), ["a", "b", "c"], hops=3) == [_linked("b", "c")]
        pairs = store.coactivations(wide(), ["b", "c"], 1)
        assert [(p.first_id, p.second_id) for p in pairs] == [("b", "c")]

    def test_relation_is_deleted_by_its_key(self, store: Store) -> None:
        """One type between two memories goes, the others stay; what is gone is deleted again
        without an error and without a line in the journal."""
        insert(store, made("a"), made("b"))
        loose = _linked("a", "b", type=RelationType.RELATED_TO)
        write(store, PutRelation(relation=_linked("a", "b")), PutRelation(relation=loose))
        gone = DeleteRelation(source_id="a", target_id="b", type=RelationType.RELATED_TO)
        assert len(write(store, gone)) == 1
        assert store.relations(wide(), ["a"]) == [_linked("a", "b")]
        assert write(store, gone) == ()
        others = replace(gone, type=RelationType.CAUSES)
        assert write(store, others, tenant=self.fresh_tenant()) == ()
        assert store.relations(wide(), ["a"]) == [_linked("a", "b")]

    def test_relations_are_counted_where_they_start(self, store: Store) -> None:
        """A scope counts what starts in it, up to the most that is asked for, and lists the types
        in the order asked for, each from its weakest."""
        elsewhere = replace(HERE, user="somebody")
        insert(store, *(made(n) for n in "abcd"), made("e", scope=elsewhere))
        kinds = (RelationType.ELABORATES, RelationType.RELATED_TO, RelationType.SUPERSEDES)
        for share, target in ((0.9, "b"), (0.2, "c"), (0.5, "d")):
            for kind in kinds:
                one = _linked("a", target, type=kind, confidence=share)
                write(store, PutRelation(relation=one))
        write(store, PutRelation(relation=_linked("e", "a", type=RelationType.RELATED_TO)))
        assert [store.count_relations(seen_from(), most) for most in (5, 9, 100)] == [5, 9, 9]
        assert store.count_relations(seen_from(elsewhere), 100) == 1
        asked = (RelationType.RELATED_TO, RelationType.ELABORATES)
        found = [(r.type, r.confidence) for r in store.weakest_relations(seen_from(), asked, 4)]
        assert found == [(asked[0], 0.2), (asked[0], 0.5), (asked[0], 0.9), (asked[1], 0.2)]
        assert store.weakest_relations(seen_from(self._nowhere()), asked, 4) == []
        write(store, Forget(id="d"))
        assert store.count_relations(seen_from(), 100) == 6

    def _nowhere(self) -> Scope:
        return Scope(tenant=self.fresh_tenant())

    def test_strengthening_counts_nothing(self, store: Store) -> None:
        """Stability grows up to its cap; counts and times stay, and ids that are gone are left
        out."""
        insert(store, made("a", stability=10.0), made("b", stability=36_000.0))
        write(store, Strengthen(ids=("a", "gone", "b"), stability_factor=1.3), now=T0 + 5)
        a, b = store.get(wide(), ["a", "b"])
        assert a == made("a", stability=13.0)
        assert b == made("b", stability=36_500.0)
        assert write(store, Strengthen(ids=("gone",), stability_factor=2.0)) == ()

    @PROPERTY
    @given(data=st.data())
    def test_any_graph_is_walked_like_a_set(self, store: Store, data: st.DataObject) -> None:
        """Walks of any length find the relations a breadth-first walk over visible rows finds."""
        scope = replace(HERE, tenant=self.fresh_tenant())
        names = [f"g{next(_serial)}" for _ in range(6)]
        hidden = data.draw(st.sets(st.sampled_from(names), max_size=2))
        level = {True: Sensitivity.SECRET, False: Sensitivity.PUBLIC}
        insert(store, *(made(n, scope=scope, sensitivity=level[n in hidden]) for n in names))
        ends = st.tuples(st.sampled_from(names), st.sampled_from(names))
        edges = data.draw(st.sets(ends.filter(lambda e: e[0] != e[1]), max_size=10))
        for source, target in edges:
            write(store, PutRelation(relation=_linked(source, target)), tenant=scope.tenant)
        start, hops = data.draw(st.sampled_from(names)), data.draw(st.integers(1, 4))
        open_edges = {edge for edge in edges if not hidden & set(edge)}
        found = store.relations(seen_from(scope), [start], hops=hops)
        assert {(r.source_id, r.target_id) for r in found} == _walked(open_edges, start, hops)
        assert len(found) == len({(r.source_id, r.target_id) for r in found})

    def test_joint_delivery_counts_each_pair(self, store: Store) -> None:
        """Every pair of a delivery counts once; pairs are ordered and filtered by count."""
        insert(store, made("a"), made("b"), made("c"), made("s", sensitivity=Sensitivity.SECRET))
        write(store, CoActivate(ids=("b", "a", "c")), now=T0 + 1)
        write(store, CoActivate(ids=("a", "b", "s")), now=T0 + 2)
        twice = CoActivation(first_id="a", second_id="b", count=2, last_at=T0 + 2)
        assert store.coactivations(seen_from(), ["b"], 2) == [twice]
        pairs = store.coactivations(seen_from(), ["a"], 1)
        assert {(p.first_id, p.second_id, p.count) for p in pairs} == {("a", "b", 2), ("a", "c", 1)}
        assert store.coactivations(seen_from(), ["missing"], 1) == []

    def test_episode_and_procedure_come_back(self, store: Store) -> None:
        """The parts of a memory are replaced whole and go with it."""
        insert(store, made("m"))
        for outcome in (EpisodeOutcome.FAILURE, EpisodeOutcome.SUCCESS):
            episode = Episode(memory_id="m", outcome=outcome, started_at=T0, ended_at=T0 + 1,
                              lesson="test first")  # fmt: skip
            write(store, PutEpisode(episode=episode))
            assert store.episode(seen_from(), "m") == episode
        for steps in ((), ("one", "two;three", "")):
            procedure = Procedure(memory_id="m", name="deploy", steps=steps, trigger="on tag")
            write(store, PutProcedure(procedure=procedure))
            assert store.procedure(seen_from(), "m") == procedure
        write(store, Forget(id="m"))
        assert (store.episode(wide(), "m"), store.procedure(wide(), "m")) == (None, None)

    def test_state_is_found_by_the_beginning_of_its_name(self, store: Store) -> None:
        """Of every session of one tenant, what has not ended, oldest first, no wildcards."""
        for place, (name, scope) in enumerate(
            [("job:1", HERE), ("job:2", replace(HERE, session="s")), ("jobs", HERE), ("j_b:", HERE)]
        ):
            state = SessionState(scope=scope, name=name, value="{}", updated_at=T0 + 9 - place)
            write(store, PutSessionState(state=state))
        ended = SessionState(scope=HERE, name="job:0", value="", updated_at=T0, expires_at=T0 + 5)
        write(store, PutSessionState(state=ended))
        found = store.session_states(HERE.tenant, "job:", now=T0 + 6, limit=9)
        assert [(one.name, one.scope.session) for one in found] == [("job:2", "s"), ("job:1", None)]
        assert [one.name for one in store.session_states(HERE.tenant, "j_b", now=T0, limit=9)] == [
            "j_b:"
        ]
        assert store.session_states(Tenant("other"), "job:", now=T0, limit=9) == []
        assert len(store.session_states(HERE.tenant, "", now=T0 + 6, limit=2)) == 2

    def test_state_is_found_by_several_names(self, store: Store) -> None:
        """Of exactly one scope and session, what has not ended; a name that is none finds none."""
        scope = replace(HERE, session="s")
        for name, where, end in (("a", scope, None), ("b", scope, T0), ("c", HERE, None)):
            state = SessionState(
                scope=where, name=name, value=f'"{name}"', updated_at=T0, expires_at=end
            )
            write(store, PutSessionState(state=state))
        view = replace(wide(scope), session="s")
        assert store.session_values(view, ["a", "b", "c", "it's"]) == {"a": '"a"'}
        assert store.session_values(view, []) == {}

    def test_session_state_is_of_exactly_its_scope(self, store: Store) -> None:
        """State is read by the scope that wrote it, replaced by name, and ends in time."""
        owners = [replace(HERE, user=name, session="s") for name in (None, *HOSTILE)]
        owners += [replace(HERE, session=name) for name in (None, *HOSTILE)]
        states = [
            SessionState(scope=scope, name="n", value=f'{{"n": {n}}}', updated_at=T0)
            for n, scope in enumerate(owners)
        ]
        for state in states:
            write(store, PutSessionState(state=replace(state, value='"former"')))
            write(store, PutSessionState(state=state))
        for state in states:
            assert store.session_state(seen_from(state.scope), "n") == state
            assert store.session_state(seen_from(state.scope), "N") is None
        brief = replace(states[0], name="brief", expires_at=T0 + 5)
        write(store, PutSessionState(state=brief))
        assert store.session_state(seen_from(brief.scope, now=T0 + 4), "brief") == brief
        assert store.session_state(seen_from(brief.scope, now=T0 + 5), "brief") is None

    def test_guarded_state_is_written_over_what_was_read_only(self, store: Store) -> None:
        """Where another value stands meanwhile the write is a conflict, and nothing of it stays;
        what has ended counts as nothing."""
        scope = replace(HERE, session="s")
        state = SessionState(scope=scope, name="n", value="1", updated_at=T0, expires_at=T0 + 9)
        write(store, PutSessionState(state=state, guarded=True))
        second = replace(state, value="2")
        write(store, PutSessionState(state=second, guarded=True, expected="1"))
        late = PutSessionState(state=replace(state, value="3"), guarded=True, expected="1")
        with pytest.raises(ConflictError):
            write(store, Insert(memory=made("beside")), late)
        assert store.session_state(seen_from(scope, now=T0), "n") == second
        assert store.get(wide(), ["beside"]) == []
        write(store, PutSessionState(state=state, guarded=True), now=T0 + 9)

    def test_names_are_counted(self, store: Store) -> None:
        """Speakers and entities of visible rows are counted together, the most frequent first."""
        ada = "entity://person/ada"
        insert(
            store,
            made("a", speaker="Ada", entities=(ada, "entity://org/x")),
            made("b", entities=(ada,)),
            made("c", entities=(ada,), speaker="Ada"),
            made("d", entities=(ada, "entity://secret/y"), sensitivity=Sensitivity.SECRET),
        )
        names = [(ada, 3), ("Ada", 2), ("entity://org/x", 1)]
        assert store.entity_names(seen_from(), 10) == names
        assert store.entity_names(seen_from(), 2) == names[:2]

    def test_sessions_are_listed(self, store: Store) -> None:
        """Sessions of visible rows, the one with the newest row first, page by page; what a view
        may not see counts nowhere."""
        first, second = replace(HERE, session="one"), replace(HERE, session="two")
        insert(
            store,
            made("a", scope=first, recorded_at=T0),
            made("b", scope=second, recorded_at=T0 + 1),
            made("c", scope=first, recorded_at=T0 + 2),
            made("d", scope=second, recorded_at=T0 + 3, sensitivity=Sensitivity.SECRET),
            made("e", recorded_at=T0 + 4),
        )
        one = SessionLine(session="one", memories=2, first_at=T0, last_at=T0 + 2)
        two = SessionLine(session="two", memories=1, first_at=T0 + 1, last_at=T0 + 1)
        assert store.sessions(seen_from(), 10, None) == [one, two]
        assert store.sessions(seen_from(), 1, None) == [one]
        assert store.sessions(seen_from(), 10, one.last_at) == [two]


def _linked(
    source: str, target: str, *, type: RelationType = RelationType.CAUSES, confidence: float = 1.0
) -> Relation:
    return Relation(
        source_id=source, target_id=target, type=type, confidence=confidence, created_at=T0
    )


def _walked(edges: set[tuple[str, str]], start: str, hops: int) -> set[tuple[str, str]]:
    reached, walked = {start}, set[tuple[str, str]]()
    for _ in range(hops):
        step = {edge for edge in edges if reached & set(edge)}
        walked |= step
        reached |= {end for edge in step for end in edge}
    return walked
