"""Beside memories: relations, co-activation, facts, episodes, procedures, session state, names."""

import itertools
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.change import (
    CoActivate,
    Forget,
    PutEpisode,
    PutProcedure,
    PutRelation,
    PutSessionState,
)
from engraphy.model.kinds import EpisodeOutcome, RelationType, Sensitivity
from engraphy.model.records import (
    CoActivation,
    Episode,
    Procedure,
    Relation,
    SessionState,
)
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
