"""What maintenance asks: one set of walls in the order it was written, and one cycle at a time."""

from dataclasses import replace

import pytest

from engraphy.errors import AlreadyDreamingError
from engraphy.model.change import CoActivate, Forget, PutDream, PutRelation, Settle, Touch, Update
from engraphy.model.dreaming import DreamRun, DreamStep, Example, Progress
from engraphy.model.kinds import Kind, RelationType, Sensitivity, State, Tier
from engraphy.model.records import Relation
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    EVERY_SENSITIVITY,
    HERE,
    MODEL,
    T0,
    TENANT,
    made,
    seen_from,
    wide,
)
from engraphy.testing.contract.suite import Suite, embedded, insert, write

THEIRS = replace(HERE, user="somebody")


class RestingConformance(Suite):
    """Walking through rows, counting them, settling their numbers, keeping cycles."""

    @pytest.fixture(autouse=True)
    def _maintenance_only(self, request: pytest.FixtureRequest) -> None:
        if request.node.name in vars(RestingConformance):
            self.needs("maintenance")

    def test_a_walk_goes_through_one_set_of_walls(self, store: Store) -> None:
        """Rows of exactly these walls in the order they were written, of the states asked for and
        of every sensitivity, a few at a time; no shared row and none of another tenant."""
        insert(store, *(made(f"m{n}") for n in range(5)), made("z", state=State.DORMANT))
        insert(store, made("s", sensitivity=Sensitivity.SECRET), made("t", scope=THEIRS))
        first = store.walk(HERE, [State.ACTIVE], after=0, limit=4)
        assert [memory.id for _, memory in first] == ["m0", "m1", "m2", "m3"]
        rest = store.walk(HERE, [State.ACTIVE], after=first[-1][0], limit=9)
        assert [memory.id for _, memory in rest] == ["m4", "s"]
        asleep = store.walk(HERE, [State.DORMANT], after=0, limit=9)
        assert [memory.id for _, memory in asleep] == ["z"]
        assert [m.id for _, m in store.walk(THEIRS, [State.ACTIVE], after=0, limit=9)] == ["t"]
        other = replace(HERE, tenant=Tenant("other"))
        assert store.walk(other, [State.ACTIVE], after=0, limit=9) == []

    def test_parts_of_memories_hold_what_was_asked_for(self, store: Store) -> None:
        """A walk that asks for some fields, and a look at some memories, tell of each what a whole
        one tells; nothing of other walls."""
        row = made("a", tags=("x",), metadata=(("tool", "sh"),), utility=0.25, pinned=True)
        insert(store, row, made("b", state=State.DORMANT), made("t", scope=THEIRS))
        fields = frozenset({"tags", "metadata", "utility", "pinned", "kind", "scope"})
        [(_, walked)] = store.walk(HERE, [State.ACTIVE], after=0, limit=9, fields=fields)
        found = {one.id: one for one in store.among(HERE, ["b", "t", "a", "none"], fields)}
        assert sorted(found) == ["a", "b"]
        [whole] = store.get(wide(), ["a"])
        for one in (walked, found["a"]):
            for name in (*fields, "id", "state", "version", "updated_at"):
                assert getattr(one, name) == getattr(whole, name)
        assert found["b"].state is State.DORMANT

    def test_a_census_counts_what_is_active(self, store: Store) -> None:
        """Active rows of exactly these walls: how many, of which kind and category, how often
        delivered, and the entities that three or more episodic ones share."""
        both = ("entity://tech/redis", "entity://tech/go")
        insert(
            store, *(made(f"m{n}", entities=both) for n in range(2)), made("n", kind=Kind.DECISION)
        )
        insert(store, made("o", entities=("entity://tech/redis",), category="cache"))
        insert(store, made("p", tier=Tier.SEMANTIC, entities=both), made("q", state=State.DORMANT))
        insert(store, made("r", scope=THEIRS, entities=both))
        write(store, Touch(ids=("m0", "n")))
        census = store.census(HERE)
        assert (census.active, census.mean_accesses) == (5, 0.4)
        assert census.entities == {"entity://tech/redis": 3}
        assert census.kinds == {"fact": 4, "decision": 1}
        assert census.categories == {"fact": 3, "decision": 1, "cache": 1}
        assert store.census(replace(HERE, user="nobody")).active == 0

    def test_settling_moves_numbers_of_many_at_once(self, store: Store) -> None:
        """One line of the journal tells what was written; who was delivered, edited or settled
        since is left alone, and nothing written is no line."""
        insert(store, *(made(name) for name in ("a", "b", "c", "d")))
        held = {row.id: row for row in store.get(wide(), ["a", "b", "c", "d"])}
        write(store, Touch(ids=("b",)))
        moved = replace(held["c"], content="new", version=2, updated_at=T0 + 1)
        write(store, Update(memory=moved, expected=held["c"]))
        rows = tuple(
            (row, replace(row, utility=0.25, tier=Tier.SEMANTIC, last_decayed_at=T0 + 9))
            for row in held.values()
        )
        assert len(write(store, Settle(rows=rows, reason="night"))) == 1
        found = {row.id: row for row in store.get(wide(), list(held))}
        assert {name: row.utility for name, row in found.items()} == {
            "a": 0.25,
            "b": 0.5,
            "c": 0.5,
            "d": 0.25,
        }
        assert found["a"] == rows[0][1]
        last = store.journal(TENANT, limit=100)[-1]
        assert (last.op, last.target_id, last.reason) == ("maintenance", "", "night")
        assert write(store, Settle(rows=rows, reason="again")) == ()
        theirs = replace(held["a"], id="unknown")
        assert write(store, Settle(rows=((theirs, replace(theirs, utility=0.1)),))) == ()

    def test_settling_a_memory_twice_leaves_it_readable(self, store: Store) -> None:
        """Two moves of one memory in one change both stand, and its checksum is of what it says."""
        insert(store, made("a"))
        [held] = store.get(wide(), ["a"])
        first = replace(held, utility=0.25, importance=0.75)
        second = replace(first, tier=Tier.SEMANTIC)
        write(store, Settle(rows=((held, first), (first, second))))
        assert store.get(wide(), ["a"]) == [second]

    def test_what_took_the_place_of_another_is_found_among_memories(self, store: Store) -> None:
        """Pairs of an older and a newer one, each among those asked for; other relations tell
        nothing of it."""
        insert(store, made("a"), made("b"), made("c"))
        newer = RelationType.SUPERSEDES
        for ends, told in (("ba", newer), ("ca", newer), ("bc", RelationType.CAUSES)):
            write(store, PutRelation(relation=replace(_contradicts(*ends), type=told)))
        every = ["c", "b", "a"]
        assert store.successions(TENANT, every, every) == [("a", "b"), ("a", "c")]
        assert store.successions(TENANT, ["a"], ["b"]) == [("a", "b")]
        assert store.successions(TENANT, ["a"]) == [("a", "b"), ("a", "c")]
        for ids, among in ((["b"], every), (every, []), ([], every)):
            assert store.successions(TENANT, ids, among) == []

    def test_contradictions_stay_inside_the_walls(self, store: Store) -> None:
        """Only relations of this type, either way, with both ends behind exactly these walls."""
        insert(store, *(made(name) for name in ("a", "b", "c")), made("t", scope=THEIRS))
        for source, target in (("a", "b"), ("t", "a")):
            write(store, PutRelation(relation=_contradicts(source, target)))
        loose = replace(_contradicts("a", "c"), type=RelationType.RELATED_TO)
        write(store, PutRelation(relation=loose))
        for ids in (["a"], ["b"], ["a", "b"]):
            found = store.contradictions(HERE, ids)
            assert [(one.source_id, one.target_id) for one in found] == [("a", "b")]
        assert store.contradictions(HERE, ["c"]) == []

    def test_pairs_delivered_together_since_a_moment(self, store: Store) -> None:
        """Pairs counted often enough, the last time since then, by either end, each once."""
        insert(store, *(made(name) for name in ("a", "b", "c")))
        write(store, CoActivate(ids=("a", "b")), now=T0)
        write(store, CoActivate(ids=("a", "b")), now=T0 + 5)
        write(store, CoActivate(ids=("a", "c")), now=T0 + 9)
        for ids in (["a", "b"], ["b"]):
            found = store.coactivated(TENANT, ids, since=T0 + 5, least=2)
            assert [(one.first_id, one.second_id, one.count) for one in found] == [("a", "b", 2)]
        assert store.coactivated(TENANT, ["a"], since=T0 + 10, least=1) == []

    def test_near_vector_pairs_of_one_set_of_walls(self, store: Store) -> None:
        """Each pair once, with its cosine; nothing shared, of others, asleep or superseded."""
        self.needs("vector_search")
        near = {"a": (1.0, 0.0), "b": (0.8, 0.6), "c": (0.0, 1.0)}
        write(store, *(embedded(made(name), vector) for name, vector in near.items()))
        write(store, embedded(made("d", state=State.DORMANT), (1.0, 0.0)))
        write(store, embedded(made("t", scope=THEIRS), (1.0, 0.0)))
        view = seen_from(HERE, sensitivities=EVERY_SENSITIVITY)
        found = store.nearest(view, ["a", "b"], MODEL, 2)
        pairs = {(one.first_id, one.second_id): one.cosine for one in found}
        assert pairs == {
            ("a", "b"): pytest.approx(0.8, abs=self.vector_tolerance),
            ("a", "c"): pytest.approx(0.0, abs=self.vector_tolerance),
            ("b", "c"): pytest.approx(0.6, abs=self.vector_tolerance),
        }
        assert store.nearest(view, ["a"], "unknown", 2) == []
        theirs = seen_from(THEIRS, sensitivities=EVERY_SENSITIVITY)
        assert store.nearest(theirs, ["t"], MODEL, 5) == []

    def test_cycles_are_kept_per_tenant(self, store: Store) -> None:
        """A cycle comes back as it was written last, with the journal's numbers before and at its
        last line; the newest first, and none of another tenant's."""
        insert(store, made("a"))
        run = DreamRun(id="r1", profile="default", started_at=T0, stages=("expire", "compact"))
        assert write(store, PutDream(run=run)) == ()
        [begun] = store.dream_runs(TENANT, 5)
        assert begun == replace(run, first_seq=begun.first_seq, last_seq=begun.first_seq)
        step = DreamStep(name="expire", looked=3, changed=1, why=(("over", 1),), seconds=0.5)
        step = replace(step, examples=(Example(id="a", reason="over"),))
        progress = Progress(stage=1, walls="walls//", after=7, spent={"x": 2}, model_calls=1)
        done = replace(run, finished_at=T0 + 5, progress=progress, steps=(step,))
        write(store, Touch(ids=("a",)), PutDream(run=done))
        [ended] = store.dream_runs(TENANT, 5)
        assert ended == replace(done, first_seq=begun.first_seq, last_seq=begun.first_seq + 1)
        write(store, PutDream(run=replace(run, id="r2", started_at=T0 + 9)))
        assert [one.id for one in store.dream_runs(TENANT, 5)] == ["r2", "r1"]
        assert [one.id for one in store.dream_runs(TENANT, 1)] == ["r2"]
        assert store.dream_runs(Tenant("other"), 5) == []

    def test_nobody_dreams_beside_another(self, store: Store) -> None:
        """A second one is refused at once, and let in when the first is done; writing goes on."""
        with store.alone(TENANT):
            insert(store, made("a"))
            with pytest.raises(AlreadyDreamingError), store.alone(TENANT):
                raise AssertionError("two at once")
        with store.alone(TENANT):
            pass

    def test_a_scratch_copy_changes_nothing(self, store: Store) -> None:
        """The copy holds everything and takes every change; the store has none of it."""
        self.needs("files")
        insert(store, made("a"), made("b"))
        with store.scratch() as copy:
            write(copy, Forget(id="a"))
            assert [row.id for row in copy.get(wide(), ["a", "b"])] == ["b"]
        assert [row.id for row in store.get(wide(), ["a", "b"])] == ["a", "b"]

    def test_what_is_searched_on_a_scratch_copy_is_forgotten_with_it(self, store: Store) -> None:
        """A search on the copy, after a removal there, changes no search on the store."""
        self.needs("files")
        self.needs("vector_search")
        write(store, *(embedded(made(f"m{n}"), (1.0, n / 10)) for n in range(8)))
        asked = (wide(), MODEL, (1.0, 0.0), 20)
        before = {match.id for match in store.search_vector(*asked)}
        with store.scratch() as copy:
            write(copy, Forget(id="m1"), Forget(id="m2"))
            assert len(copy.search_vector(*asked)) == 6
        write(store, embedded(made("m9"), (1.0, 0.9)))
        assert {match.id for match in store.search_vector(*asked)} == before | {"m9"}

    def test_tidying_stops_when_it_is_told_to(self, store: Store) -> None:
        """It says whether everything was done, and loses nothing."""
        insert(store, *(made(f"m{n}") for n in range(50)))
        assert store.tidy(lambda: False) is False
        assert store.tidy(lambda: True) is True
        assert store.tidy(lambda: True) is True
        assert len(store.walk(HERE, [State.ACTIVE], after=0, limit=99)) == 50


def _contradicts(source: str, target: str) -> Relation:
    return Relation(
        source_id=source, target_id=target, type=RelationType.CONTRADICTS, created_at=T0
    )
