"""What deliveries do to strength, and what is found by a name: what a walk is made of."""

from dataclasses import replace

import pytest

from engraphy.errors import NotFoundError
from engraphy.model.change import CoActivate, Forget, Growth, PutRelation, Spread, Touch
from engraphy.model.kinds import RelationType, Sensitivity, State
from engraphy.model.records import Relation
from engraphy.ports import Store
from engraphy.testing.contract.making import HERE, T0, made, seen_from, wide
from engraphy.testing.contract.suite import Suite, insert, one, write


class StrengthConformance(Suite):
    """Deliveries, joint deliveries, spreading strength, memories by name."""

    def test_delivery_is_relative(self, store: Store) -> None:
        """Deliveries count up, refresh retrieval and wake sleeping rows; nothing looks edited."""
        states = [State.ACTIVE, State.DORMANT, State.ARCHIVED, State.QUARANTINED]
        insert(store, *(made(state, retrieval_loss=0.5, state=state) for state in states))
        growth = Growth(stability_factor=2.0, storage_gain=1.0, difficulty_shift=0.5)
        touch = Touch(ids=tuple(states), growth=(growth,) * len(states))
        write(store, touch, touch, now=T0 + 9)
        for state in states:
            found = one(store, wide(), state)
            assert (found.access_count, found.last_accessed_at) == (2, T0 + 9)
            assert (found.retrieval_loss, found.stability, found.storage_strength) == (0.0, 4.0, 3)
            assert (found.difficulty, found.last_strengthened_at) == (6.0, T0 + 9)
            assert (found.updated_at, found.last_reinforced_at) == (T0, None)
            assert (found.state is state) == (state in (State.ACTIVE, State.QUARANTINED))

    def test_deliveries_close_together_count_once(self, store: Store) -> None:
        """Each is an access; what grows grows once in a `gap`, counted from the last that counted,
        each memory by its own growth."""
        insert(store, made("a"), made("b"))
        growth = (Growth(stability_factor=2.0), Growth(stability_factor=3.0))
        for at in (0, 6, 9, 10, 19):
            write(store, Touch(ids=("a", "b"), growth=growth, gap=10), now=T0 + at)
        write(store, Touch(ids=("a",)), now=T0 + 50)
        rows = {row.id: row for row in store.get(wide(), ["a", "b"])}
        assert {name: row.stability for name, row in rows.items()} == {"a": 4.0, "b": 9.0}
        assert {name: row.access_count for name, row in rows.items()} == {"a": 6, "b": 5}
        assert {row.last_strengthened_at for row in rows.values()} == {T0 + 10}

    def test_reads_at_once_see_what_was_written(self, store: Store) -> None:
        """Reads of one moment see all that was written before it, and what is written inside; after
        letting go, and after an error, reads go on."""
        insert(store, made("a"))
        with store.at_once():
            assert [row.id for row in store.get(wide(), ["a", "b"])] == ["a"]
            insert(store, made("b"))
            assert [row.id for row in store.get(wide(), ["a", "b"])] == ["a", "b"]
            with pytest.raises(NotFoundError):
                write(store, Forget(id="nobody"))
            assert [row.id for row in store.get(wide(), ["a", "b"])] == ["a", "b"]
            store.let_go()
            assert [row.id for row in store.get(wide(), ["a", "b"])] == ["a", "b"]

    def test_whether_anything_sleeps(self, store: Store) -> None:
        """Dormant or archived, at any sensitivity, behind the walls that are open to the view."""
        insert(store, made("m"), made("over", state=State.SUPERSEDED))
        theirs = replace(HERE, user="somebody")
        insert(store, made("t", scope=theirs, state=State.DORMANT))
        assert not store.any_asleep(seen_from())
        insert(store, made("z", state=State.ARCHIVED, sensitivity=Sensitivity.SECRET))
        assert store.any_asleep(seen_from())
        write(store, Forget(id="z"))
        assert not store.any_asleep(seen_from())

    def test_a_pair_counts_once_within_its_gap(self, store: Store) -> None:
        """A pair that was counted less than the gap ago counts again only after it, whatever other
        pairs do; who is in a pair that counts grows stronger once, up to the cap."""
        insert(store, made("a", stability=10.0), made("b", stability=36_000.0), made("c"))
        pair = CoActivate(ids=("a", "b"), stability_factor=1.5, gap=60)
        assert len(write(store, pair, now=T0)) == 1
        assert write(store, pair, now=T0 + 59) == ()
        trio = replace(pair, ids=("a", "b", "c"), stability_factor=2.0)
        assert len(write(store, trio, now=T0 + 59)) == 1
        assert len(write(store, pair, now=T0 + 60)) == 1
        counted = {
            (p.first_id, p.second_id): p.count for p in store.coactivations(wide(), ["a"], 1)
        }
        assert counted == {("a", "b"): 2, ("a", "c"): 1}
        grown = [row.stability for row in store.get(wide(), ["a", "b"])]
        assert grown == pytest.approx([10.0 * 1.5 * 2.0 * 1.5, 36_500.0])

    def test_a_stale_pair_grows_no_stronger(self, store: Store) -> None:
        """What is superseded, expired or quarantined keeps its stability in a joint delivery."""
        gone = {s.value: s for s in (State.SUPERSEDED, State.EXPIRED, State.QUARANTINED)}
        insert(store, made("a", stability=10.0))
        insert(store, *(made(n, state=s, stability=10.0) for n, s in gone.items()))
        write(store, CoActivate(ids=("a", *gone), stability_factor=1.5))
        rows = store.get(wide(), ["a", *gone])
        assert [row.stability for row in rows] == [15.0, 10.0, 10.0, 10.0]

    def test_strength_spreads_one_hop_as_far_as_is_seen(self, store: Store) -> None:
        """What is related to a memory grows stronger, either way and up to the cap: not the memory
        itself, nothing two hops away, nothing stale and nothing that the view does not see."""
        theirs = replace(HERE, user="somebody")
        insert(store, *(made(n, stability=10.0) for n in ("m", "to", "from", "far")))
        insert(store, made("secret", stability=10.0, sensitivity=Sensitivity.SECRET))
        insert(store, made("old", stability=10.0, state=State.SUPERSEDED))
        insert(store, made("other", stability=10.0, scope=theirs))
        insert(store, made("full", stability=36_000.0))
        for target in ("to", "full", "secret", "old", "other"):
            write(store, PutRelation(relation=_linked("m", target)))
        write(store, PutRelation(relation=_linked("from", "m")))
        write(store, PutRelation(relation=_linked("to", "far")))
        spread = Spread(ids=("m",), view=seen_from(), stability_factor=1.5)
        assert len(write(store, spread)) == 1
        names = ["m", "to", "from", "full", "far", "secret", "old"]
        held = [row.stability for row in store.get(wide(), names)]
        assert held == [10.0, 15.0, 15.0, 36_500.0, 10.0, 10.0, 10.0]
        assert [row.stability for row in store.get(wide(theirs), ["other"])] == [10.0]
        assert write(store, replace(spread, ids=("far",), view=seen_from())) != ()
        assert write(store, replace(spread, ids=("missing",))) == ()

    def test_memories_are_found_by_entity_or_speaker(self, store: Store) -> None:
        """The newest of each name, as far as the view sees them."""
        insert(store, *(made(f"m{n}", entities=("entity://tech/redis",)) for n in range(3)))
        insert(store, made("said", speaker="Ann"), made("none", speaker="Ben"))
        insert(store, made("s", speaker="Ann", sensitivity=Sensitivity.SECRET))
        found = store.labelled(seen_from(), ["entity://tech/redis", "Ann", "nobody"], 2)
        assert found == [
            ("entity://tech/redis", "m2"),
            ("entity://tech/redis", "m1"),
            ("Ann", "said"),
        ]


def _linked(source: str, target: str) -> Relation:
    return Relation(source_id=source, target_id=target, type=RelationType.CAUSES, created_at=T0)
