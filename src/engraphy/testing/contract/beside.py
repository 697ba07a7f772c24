"""Beside memories: relations, co-activation, facts, episodes, procedures, session state, names."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import NotFoundError
from engraphy.model.change import (
    CoActivate,
    DeleteFact,
    Forget,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
)
from engraphy.model.kinds import EpisodeOutcome, RelationType, Sensitivity
from engraphy.model.query import FactFilter
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    DAY,
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

    def test_fact_comes_back(self, store: Store) -> None:
        """A fact keeps every field."""
        insert(store, made("m"))
        fact = _fact("f", valid_until=T0 + 9 * DAY, source_id="m", confidence=0.4)
        write(store, PutFact(fact=fact))
        assert store.facts(seen_from(), FactFilter()) == [fact]

    def test_same_fact_is_one_fact(self, store: Store) -> None:
        """The same triple in the same scope is updated; in another scope it is another fact."""
        insert(store, made("m"), made("n"))
        write(store, PutFact(fact=_fact("f", source_id="m", confidence=0.4)))
        write(store, PutFact(fact=_fact("g", source_id="n", confidence=0.8)))
        write(store, PutFact(fact=_fact("h", scope=replace(HERE, user="u"))))
        (found,) = store.facts(seen_from(), FactFilter())
        assert (found.confidence, found.source_id) == (0.8, "n")
        assert len(store.facts(seen_from(replace(HERE, user="u")), FactFilter())) == 2

    def test_fact_filters(self, store: Store) -> None:
        """Filters are exact; facts that no longer hold are read only when asked for."""
        insert(store, made("m"))
        facts = [
            _fact("plain"),
            _fact("subject", subject="s%"),
            _fact("predicate", predicate="p_"),
            _fact("object", object="O"),
            _fact("source", object="x", source_id="m"),
            _fact("ended", object="y", valid_until=T0 + 1),
        ]
        write(store, *(PutFact(fact=fact) for fact in facts))
        wanted = {
            "subject": FactFilter(subject="s%"),
            "predicate": FactFilter(predicate="p_"),
            "object": FactFilter(object="O"),
            "source": FactFilter(source_id="m"),
            "ended": FactFilter(object="y", current=False),
        }
        for name, filters in wanted.items():
            assert [fact.id for fact in store.facts(seen_from(), filters)] == [name]
        assert len(store.facts(seen_from(), FactFilter())) == 5
        assert store.facts(seen_from(), FactFilter(object="y")) == []
        assert len(store.facts(seen_from(now=T0), FactFilter())) == 6

    def test_facts_are_newest_first(self, store: Store) -> None:
        """The latest facts come first, at most `limit` of them."""
        write(
            store,
            *(
                PutFact(
                    fact=_fact(
                        f"f{n}",
                        object=str(n),
                        valid_from=T0 + n,
                        recorded_at=T0 + n,
                        updated_at=T0 + n,
                    )
                )
                for n in range(4)
            ),
        )
        found = store.facts(seen_from(), FactFilter(limit=3))
        assert [fact.id for fact in found] == ["f3", "f2", "f1"]

    def test_fact_outlives_its_source_without_naming_it(self, store: Store) -> None:
        """Forgetting the source clears the link; deleting the fact deletes it."""
        insert(store, made("m"))
        write(store, PutFact(fact=_fact("f", source_id="m")), Forget(id="m"))
        (found,) = store.facts(seen_from(), FactFilter())
        assert found.source_id is None
        write(store, DeleteFact(id="f"))
        assert store.facts(seen_from(), FactFilter(current=False)) == []
        with pytest.raises(NotFoundError):
            write(store, DeleteFact(id="f"))

    def test_fact_is_as_sensitive_as_its_source(self, store: Store) -> None:
        """What was learnt from a secret memory is secret, also when the memory is forgotten."""
        insert(store, made("m", sensitivity=Sensitivity.SECRET))
        write(store, PutFact(fact=_fact("f", source_id="m")))
        for _ in range(2):
            assert store.facts(seen_from(), FactFilter(current=False)) == []
            assert [fact.id for fact in store.facts(wide(), FactFilter())] == ["f"]
            if store.get(wide(), ["m"]):
                write(store, Forget(id="m"))

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


def _fact(
    id: str,
    *,
    scope: Scope = HERE,
    subject: str = "s",
    predicate: str = "p",
    object: str = "o",
    confidence: float = 1.0,
    source_id: str | None = None,
    valid_from: int = T0,
    valid_until: int | None = None,
    recorded_at: int = T0,
    updated_at: int = T0,
) -> Fact:
    return Fact(
        id=id,
        scope=scope,
        subject=subject,
        predicate=predicate,
        object=object,
        confidence=confidence,
        source_id=source_id,
        valid_from=valid_from,
        valid_until=valid_until,
        recorded_at=recorded_at,
        updated_at=updated_at,
    )


def _walked(edges: set[tuple[str, str]], start: str, hops: int) -> set[tuple[str, str]]:
    reached, walked = {start}, set[tuple[str, str]]()
    for _ in range(hops):
        step = {edge for edge in edges if reached & set(edge)}
        walked |= step
        reached |= {end for edge in step for end in edge}
    return walked
