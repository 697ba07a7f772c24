"""What maintenance takes out: found by nobody, whole in the journal, brought back or erased."""

from dataclasses import replace

import pytest

from engraphy.errors import ConflictError, NotFoundError, ProtectedError
from engraphy.model.change import (
    CoActivate,
    DeleteFact,
    Forget,
    Insert,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    Reinforce,
    Restore,
    Touch,
    Update,
)
from engraphy.model.kinds import RelationType, Sensitivity
from engraphy.model.outlasting import Mark, Remove
from engraphy.model.past import LineFilter
from engraphy.model.query import FactFilter, Listing
from engraphy.model.records import Episode, Fact, Procedure, Relation
from engraphy.ports import Store
from engraphy.testing.contract.making import DAY, HERE, T0, TENANT, made, seen_from, wide
from engraphy.testing.contract.suite import Suite, ids_of, insert, one, write

THEIRS = replace(HERE, user="somebody")


class RemovingConformance(Suite):
    """Remove, Restore, and what is asked of what was removed."""

    def test_what_is_removed_is_nowhere(self, store: Store) -> None:
        """No read, listing or count shows it, nor what stood beside it; one line tells of it."""
        self.needs("removal")
        insert(store, made("a"), made("b"))
        write(store, PutRelation(relation=_causes("a", "b")))
        before = len(store.journal(TENANT))
        numbers = write(store, Remove(id="a", reason="why"))
        (line,) = store.journal(TENANT)[before:]
        assert (line.op, line.target_id, line.reason, numbers) == (
            "delete",
            "a",
            "why",
            (line.seq,),
        )
        assert store.get(wide(), ["a"]) == []
        assert ids_of(list(store.dump(wide()))) == ["b"]
        assert store.count(wide(), Listing()) == store.stats(wide()).total == 1
        assert store.relations(wide(), ["b"]) == []
        with pytest.raises(NotFoundError):
            write(store, Remove(id="a"))

    def test_it_comes_back_whole(self, store: Store) -> None:
        """Row, versions, relations, pairs, parts and facts, in its old place."""
        self.needs("removal")
        insert(store, made("a"), made("b"), made("c"))
        row = one(store, wide(), "a")
        changed = replace(row, content="another text", version=2, updated_at=T0 + 1)
        fact = Fact(id="f", scope=HERE, subject="s", predicate="p", object="o", source_id="a")
        given = replace(fact, id="g", object="given")
        write(
            store,
            Update(memory=changed, expected=row, reason="edit"),
            PutRelation(relation=_causes("a", "b")),
            CoActivate(ids=("a", "c")),
            PutEpisode(episode=Episode(memory_id="a", lesson="l")),
            PutProcedure(procedure=Procedure(memory_id="a", name="n", steps=("x", "y"))),
            PutFact(fact=fact),
            PutFact(fact=given),
        )
        held = (
            store.get(wide(), ["a"]), store.versions(wide(), "a"), store.relations(wide(), ["a"]),
            store.coactivations(wide(), ["a"], 1), store.episode(wide(), "a"),
            store.procedure(wide(), "a"),
        )  # fmt: skip
        order = ids_of(store.page(wide(), Listing(order="oldest")))
        write(store, Remove(id="a", facts=("f",)))
        assert [(f.id, f.source_id) for f in store.facts(wide(), FactFilter())] == [("g", None)]
        write(store, Restore(id="a"))
        assert held == (
            store.get(wide(), ["a"]), store.versions(wide(), "a"), store.relations(wide(), ["a"]),
            store.coactivations(wide(), ["a"], 1), store.episode(wide(), "a"),
            store.procedure(wide(), "a"),
        )  # fmt: skip
        assert ids_of(store.page(wide(), Listing(order="oldest"))) == order
        found = {f.id: f.source_id for f in store.facts(wide(), FactFilter())}
        assert found == {"f": "a", "g": "a"}
        with pytest.raises(NotFoundError):
            write(store, Restore(id="a"))

    def test_a_relation_returns_once_both_ends_are_there(self, store: Store) -> None:
        """Whichever of them comes back first."""
        self.needs("removal")
        insert(store, made("a"), made("b"))
        write(store, PutRelation(relation=_causes("a", "b")))
        for order in (("a", "b"), ("b", "a")):
            write(store, Remove(id="a"), Remove(id="b"))
            write(store, Restore(id=order[0]))
            assert store.relations(wide(), [order[0]]) == []
            write(store, Restore(id=order[1]))
            assert store.relations(wide(), ["a"]) == [_causes("a", "b")]

    @pytest.mark.parametrize("flag", ["pinned", "immutable"])
    def test_what_is_protected_is_not_removed(self, store: Store, flag: str) -> None:
        """One guard for all, whoever decided it and when."""
        self.needs("removal")
        protected = replace(made("a"), pinned=flag == "pinned", immutable=flag == "immutable")
        insert(store, protected)
        with pytest.raises(ProtectedError):
            write(store, Remove(id="a"))
        assert store.count(wide(), Listing()) == 1

    def test_what_was_used_otherwise_meanwhile_is_not_removed(self, store: Store) -> None:
        """A row that was edited or stated again since the decision is a conflict, one that was
        only delivered is none."""
        self.needs("removal")
        insert(store, made("a"))
        row = one(store, wide(), "a")
        write(store, Reinforce(id="a"))
        with pytest.raises(ConflictError):
            write(store, Remove(id="a", expected=row))
        write(store, Touch(ids=("a",)))
        stated = replace(row, reinforcement_count=1)
        write(store, Remove(id="a", expected=stated))

    def test_a_text_that_is_held_again_is_a_conflict(self, store: Store) -> None:
        """Two rows of one text in one place are none."""
        self.needs("removal")
        insert(store, made("a", "the same words"))
        write(store, Remove(id="a"))
        write(store, Insert(memory=made("b", "the same words")))
        with pytest.raises(ConflictError):
            write(store, Restore(id="a"))
        write(store, Forget(id="b"))
        write(store, Restore(id="a"))

    def test_a_forget_erases_what_is_removed(self, store: Store) -> None:
        """Every text the journal held of it; it never comes back."""
        self.needs("removal")
        insert(store, made("a", "unspeakable zebra"))
        write(store, Remove(id="a"))
        write(store, Forget(id="a", reason="asked"))
        assert "unspeakable" not in repr(store.journal(TENANT))
        assert store.removed(wide(), ["a"]) == []
        for again in (Restore(id="a"), Forget(id="a")):
            with pytest.raises(NotFoundError):
                write(store, again)
        assert all(check.ok for check in store.check(deep=True))

    def test_removed_rows_are_told_behind_their_walls(self, store: Store) -> None:
        """By walls, session and sensitivity, as they were; the operator is told of all."""
        self.needs("removal")
        rows = [made("a"), made("t", scope=THEIRS), made("s", sensitivity=Sensitivity.SECRET),
                made("n", scope=replace(HERE, session="n"))]  # fmt: skip
        insert(store, *rows)
        write(store, *(Remove(id=row.id) for row in rows))
        names = [row.id for row in rows]
        assert {row.id for row in store.removed(seen_from(), names)} == {"a", "n"}
        assert {row.id for row in store.removed(seen_from(THEIRS), names)} == {"a", "t", "n"}
        assert {row.id for row in store.removed(wide(), names)} == {"a", "s", "n"}
        assert [row.id for row in store.removed(seen_from(session="n"), names)] == ["n"]
        assert {row.id: row for row in store.removed_of(TENANT, names)} == {r.id: r for r in rows}

    def test_what_was_removed_before_a_moment(self, store: Store) -> None:
        """The first removed first, facts that were taken back among it."""
        self.needs("removal")
        insert(store, made("a"), made("b"))
        write(store, PutFact(fact=Fact(id="f", scope=HERE, subject="s", predicate="p", object="o")))
        write(store, Remove(id="b"), now=T0)
        write(store, DeleteFact(id="f", keep=True), now=T0 + 1)
        write(store, Remove(id="a"), now=T0 + DAY)
        assert store.removed_since(TENANT, T0 + DAY, 9) == [("b", True), ("f", False)]
        assert store.removed_since(TENANT, T0 + 2 * DAY, 1) == [("b", True)]
        assert store.removed_since(TENANT, T0, 9) == []

    def test_what_a_cap_takes_first(self, store: Store) -> None:
        """A place is counted over its conversations; the least used come first, protected never."""
        self.needs("removal")
        talk = replace(HERE, conversation="c", session="c")
        insert(store, made("a"), made("b", updated_at=T0 - 5), made("p", pinned=True))
        insert(store, made("c", scope=talk), made("t", scope=THEIRS))
        write(store, Touch(ids=("b",)))
        assert (store.crowd(HERE), store.crowd(talk), store.crowd(THEIRS)) == (4, 4, 1)
        assert set(ids_of(store.least_used(HERE, 1))) == {"a", "c"}
        assert set(ids_of(store.least_used(talk, 9))) == {"a", "b", "c"}
        assert ids_of(store.written_first(HERE, 9)) == ["a", "b"]
        assert ids_of(store.written_first(talk, 1)) == ["c"]

    def test_points_and_lines_are_told(self, store: Store) -> None:
        """A named point is a line; lines come by filter, newest first or oldest, as values."""
        self.needs("removal")
        insert(store, made("a"), made("b"))
        (point,) = write(store, Mark(name="here"), now=T0 + 5, actor="me")
        write(store, Remove(id="a"), now=T0 + 9)
        ops = [one.entry.op for one in store.past(TENANT, LineFilter())]
        assert ops == ["delete", "snapshot", "insert", "insert"]
        assert [one.entry.seq for one in store.past(TENANT, LineFilter(op="snapshot"))] == [point]
        [mine] = store.past(TENANT, LineFilter(actor="me", newest=False))
        assert mine.entry.target_id == "here"
        told = store.past(TENANT, LineFilter(target="a", newest=False))
        assert [bool(one.inserted) for one in told] == [True, False]
        assert told[1].removed is not None
        assert told[1].removed.memory == made("a")
        since = store.past(TENANT, LineFilter(since=T0 + 5, until=T0 + 9))
        assert [one.entry.seq for one in since] == [point]
        assert len(store.past(TENANT, LineFilter(after=1, upto=3, limit=1))) == 1

    def test_a_replay_tells_what_was_held_at_a_line(self, store: Store) -> None:
        """Before and after, in one pass."""
        self.needs("removal")
        insert(store, made("a"), made("b"))
        numbers = write(store, Remove(id="a"), Restore(id="a"), Remove(id="b"))
        held = [set(at.memories) for at in store.replayed(TENANT, numbers)]
        assert held == [{"b"}, {"a", "b"}, {"a"}]
        assert store.broken_line() is None
        stands = store.standing(TENANT, ["a", "b"], [])
        assert (set(stands.memories), stands.away) == ({"a"}, {"b"})


def _causes(source: str, target: str) -> Relation:
    return Relation(source_id=source, target_id=target, type=RelationType.CAUSES, created_at=T0)
