"""Facts: triples with a source, a sensitivity and a time in which they hold."""

from dataclasses import replace

import pytest

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.change import DeleteFact, Forget, PutFact
from engraphy.model.kinds import Sensitivity, State
from engraphy.model.query import FactFilter
from engraphy.model.records import Fact
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import DAY, HERE, T0, made, seen_from, wide
from engraphy.testing.contract.suite import Suite, insert, write


class FactConformance(Suite):
    """What is known as subject, predicate and object."""

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

    def test_fact_that_ended_may_open_again(self, store: Store) -> None:
        """An ended triple is history: it is changed by its id, and the same one opens beside it."""
        first = _fact("f", valid_from=T0 - 9 * DAY)
        write(store, PutFact(fact=first))
        ended = replace(first, valid_until=T0 - 5 * DAY)
        write(store, PutFact(fact=ended))
        again = _fact("g", valid_from=T0 - DAY)
        write(store, PutFact(fact=again))
        write(store, PutFact(fact=_fact("h", valid_from=T0 - 2 * DAY)))
        found = store.facts(seen_from(), FactFilter(current=False))
        assert sorted(found, key=lambda fact: fact.id) == [
            ended,
            replace(again, valid_from=T0 - 2 * DAY),
        ]

    def test_fact_of_another_scope_is_not_taken(self, store: Store) -> None:
        """An id that stands in another scope is a conflict, not a change there."""
        write(store, PutFact(fact=_fact("f", scope=replace(HERE, user="u"))))
        with pytest.raises(ConflictError):
            write(store, PutFact(fact=_fact("f", scope=replace(HERE, user="v"))))
        assert store.facts(seen_from(replace(HERE, user="v")), FactFilter()) == []

    def test_ids_are_held_whosever_they_are(self, store: Store) -> None:
        """`held_ids` knows the ids of a tenant's memories and facts, and none that is free: what it
        does not name can be given, also where another tenant has it."""
        insert(store, made("a"))
        elsewhere = replace(HERE, tenant=Tenant("other"))
        insert(store, made("b", scope=elsewhere))
        fact = PutFact(fact=_fact("f", scope=elsewhere))
        store.apply(elsewhere.tenant, [fact], now=T0, actor="test")
        held = store.held_ids(HERE.tenant, ["a", "b", "f", "c"])
        assert held in ({"a"}, {"a", "b", "f"})
        assert store.held_ids(elsewhere.tenant, ["b", "f"]) == {"b", "f"}
        assert store.held_ids(HERE.tenant, []) == frozenset()
        free = sorted({"b", "c"} - held)
        insert(store, *(made(one, content=f"what {one} says") for one in free))
        assert len(store.get(seen_from(HERE), free)) == len(free)

    def test_ids_are_found_by_their_beginning(self, store: Store) -> None:
        """`ids_from` tells ids of one length, in order, of what the view shows: of no other walls,
        tenant or state."""
        elsewhere, other = replace(HERE, tenant=Tenant("other")), replace(HERE, user="v")
        insert(store, *(made(one, content=f"it is {one}") for one in ("ab2", "ab1", "abc1", "b_1")))
        insert(store, made("ab3", scope=other))
        insert(store, made("ab5", scope=HERE, state=State.DORMANT))
        insert(store, made("ab4", scope=elsewhere))
        assert store.ids_from(seen_from(), "ab", 3, 9) == ["ab1", "ab2"]
        assert store.ids_from(seen_from(), "ab", 3, 1) == ["ab1"]
        assert store.ids_from(seen_from(), "ab", 4, 9) == ["abc1"]
        assert store.ids_from(seen_from(other), "ab3", 3, 9) == ["ab3"]
        assert store.ids_from(seen_from(elsewhere), "ab", 3, 9) == ["ab4"]
        for odd in ("b%", "A", "ab\U0010ffff", "c", "%"):
            assert store.ids_from(seen_from(), odd, 3, 9) == []

    def test_ids_that_nobody_has_are_not_there(self, store: Store) -> None:
        """Whatever an id is made of, also what an engine cannot hold, it is just not found."""
        insert(store, made("a"))
        odd = ["a\0b", "a\ud800b", "\\u0000", "a'--"]
        assert [row.id for row in store.get(seen_from(HERE), [*odd, "a"])] == ["a"]
        assert store.held_ids(HERE.tenant, [*odd, "a"]) == {"a"}

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
