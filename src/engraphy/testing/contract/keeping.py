"""Keeping: counts, dumps, backups, self-examination, closing, opening again."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from engraphy.errors import EngraphyError, NotFoundError, StoreClosedError
from engraphy.model.change import Change, Forget, PutFact, PutRelation, Touch
from engraphy.model.kinds import Kind, RelationType, Sensitivity, State
from engraphy.model.query import FactFilter, Listing
from engraphy.model.records import Fact, Relation
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    HERE,
    MODEL,
    T0,
    TENANT,
    full,
    made,
    seen_from,
    wide,
)
from engraphy.testing.contract.suite import Suite, embedded, ids_of, insert, one, write
from engraphy.text.tokens import tokens_of_bytes


class KeepingConformance(Suite):
    """What operators need."""

    def test_statistics_count_what_the_scope_sees(self, store: Store) -> None:
        """Counts cover every state of the caller's scope and nothing beyond it."""
        _populate(store)
        found = store.stats(wide())
        assert (found.total, found.facts, found.relations, found.sessions) == (4, 1, 1, 2)
        assert _set(found.by_state) == {"active": 3, "archived": 1}
        assert _set(found.by_kind) == {"fact": 3, "plan": 1}
        assert _set(found.by_sensitivity) == {"public": 3, "secret": 1}
        assert found.average_importance == pytest.approx((0.5 + 0.5 + 0.5 + 0.9) / 4)
        assert found.tokens == tokens_of_bytes(
            sum(len(memory.content.encode()) for memory in store.dump(wide()))
        )
        assert (found.oldest, found.newest) == (T0, T0 + 3)
        own = {memory.id for memory in store.dump(wide())}
        lines = [entry for entry in store.journal(TENANT) if entry.target_id in own]
        assert found.journal_entries == len(lines) > 0
        assert store.stats(wide(replace(HERE, user="u"))).total == 5
        nothing = store.stats(wide(replace(HERE, tenant=Tenant("nobody"))))
        assert (nothing.total, nothing.facts, nothing.sessions, nothing.oldest) == (0, 0, 0, None)
        assert nothing.average_importance == 0.0

    def test_size_is_told(self, store: Store) -> None:
        """A store with files says how large they are."""
        self.needs("files")
        _populate(store)
        assert store.stats(wide()).file_bytes > 0

    def test_dump_is_oldest_first(self, store: Store) -> None:
        """A dump gives every visible row once, in the order of writing."""
        insert(store, *(made(f"m{9 - n}") for n in range(10)))
        insert(store, made("hidden", sensitivity=Sensitivity.SECRET))
        assert ids_of(list(store.dump(seen_from()))) == [f"m{9 - n}" for n in range(10)]

    def test_dump_survives_writes_meanwhile(self, store: Store) -> None:
        """Writing while a dump is read neither fails nor hides what stood before it began."""
        insert(store, *(made(f"m{n:03d}") for n in range(300)))
        dumped = store.dump(seen_from())
        first = next(dumped)
        insert(store, made("late"))
        write(store, Touch(ids=("m299",)))
        rest = ids_of(list(dumped))
        assert {first.id, *rest} - {"late"} == {f"m{n:03d}" for n in range(300)}
        assert len(rest) == len(set(rest))

    def test_what_only_asks_sees_what_was_written(self, store: Store) -> None:
        """Reads that a replica may answer see all that was written before, also inside of them, and
        fail as they would have."""
        insert(store, made("a"))

        def run() -> list[str]:
            found = ids_of(store.get(wide(), ["a", "b"]))
            insert(store, made("b"))
            return [*found, *store.on_replica(lambda: ids_of(store.get(wide(), ["a", "b"])))]

        assert store.on_replica(run) == ["a", "a", "b"]
        with pytest.raises(NotFoundError):
            store.on_replica(lambda: write(store, Forget(id="nobody")))

    def test_healthy_store_passes_its_checks(self, store: Store) -> None:
        """Every check of an intact store is fine, before and after changes of every kind."""
        assert _wrong(store) == []
        _populate(store)
        insert(store, full())
        write(store, Forget(id="a"))
        assert _wrong(store) == []
        store.optimise()
        assert _wrong(store) == []
        assert one(store, wide(), "b").kind is Kind.PLAN

    def test_backup_holds_everything(self, store: Store, tmp_path: Path) -> None:
        """A backup opens as a store of its own with the same rows, and is told in bytes."""
        self.needs("backup")
        _populate(store)
        place = tmp_path / "copy"
        place.mkdir()
        target = place / Path(store.path).name
        told, size = store.journal(TENANT), store.backup(str(target))
        assert size == target.stat().st_size > 0
        write(store, Forget(id="a"))
        copy = self.open_store(place)
        try:
            assert ids_of(store.page(wide(), Listing(order="id"))) == ["b", "c", "d"]
            assert ids_of(copy.page(wide(), Listing(order="id"))) == ["a", "b", "c", "d"]
            assert copy.facts(wide(), FactFilter()) == store.facts(wide(), FactFilter())
            assert copy.journal(TENANT) == told
            assert _wrong(copy) == []
        finally:
            copy.close()

    def test_backup_overwrites_nothing(self, store: Store, tmp_path: Path) -> None:
        """A backup goes to a new file only."""
        self.needs("backup")
        target = tmp_path / "precious"
        target.write_text("precious")
        with pytest.raises(EngraphyError):
            store.backup(str(target))
        assert target.read_text() == "precious"

    def test_restore_brings_everything_back(self, store: Store, tmp_path: Path) -> None:
        """A restored store holds what the backup held, and nothing that came later."""
        self.needs("backup")
        _populate(store)
        before = (list(store.dump(wide())), store.journal(TENANT))
        target = str(tmp_path / "backup")
        store.backup(target)
        write(store, Forget(id="a"))
        insert(store, made("late", "zebra"))
        store.restore(target)
        assert (list(store.dump(wide())), store.journal(TENANT)) == before
        assert _wrong(store) == []
        if self.has_text_search:
            assert store.search_text(wide(), self.terms("zebra"), 9).matches == ()
        if self.has_vector_search:
            found = store.search_vector(wide(), MODEL, (1.0, 0.0), 9)
            assert [match.id for match in found] == ["a"]
        insert(store, made("afterwards"))
        assert store.count(wide(), Listing()) == len(before[0]) + 1

    @pytest.mark.parametrize("content", [None, b"", b"no backup", b"SQLite format 3\0" * 400])
    def test_restore_refuses_what_is_no_backup(
        self, store: Store, tmp_path: Path, content: bytes | None
    ) -> None:
        """A missing, empty, foreign or damaged source changes nothing."""
        self.needs("backup")
        _populate(store)
        before = list(store.dump(wide()))
        source = tmp_path / "source"
        if content is not None:
            source.write_bytes(content)
        with pytest.raises(EngraphyError):
            store.restore(str(source))
        assert list(store.dump(wide())) == before
        assert _wrong(store) == []

    def test_walls_in_use_are_told(self, store: Store) -> None:
        """An operator sees which walls a tenant uses and how many memories stand behind each."""
        owner = replace(HERE, user="u", project="")
        insert(
            store,
            made("a"),
            made("b", scope=replace(HERE, session="s"), state=State.ARCHIVED),
            made("c", scope=owner, sensitivity=Sensitivity.SECRET),
            made("d", scope=replace(HERE, tenant=Tenant("other"))),
        )
        told = dict(store.scopes(TENANT))
        assert {scope: count for scope, count in told.items() if count} == {HERE: 2, owner: 1}
        write(store, Forget(id="c"))
        assert {s: n for s, n in store.scopes(TENANT) if n} == {HERE: 2}
        assert store.scopes(Tenant("nobody")) == []
        assert TENANT in store.tenants()
        assert Tenant("nobody") not in store.tenants()

    def test_the_walls_of_one_memory_are_told(self, store: Store) -> None:
        """Who is told an id alone can ask behind which walls it stands, inside the tenant."""
        owner = replace(HERE, user="u", project="")
        insert(store, made("a", scope=replace(owner, session="s")), made("b"))
        assert store.scope_of(TENANT, "a") == owner
        assert store.scope_of(TENANT, "b") == HERE
        assert store.scope_of(Tenant("other"), "a") is None
        assert store.scope_of(TENANT, "nothing") is None
        assert set(store.places(TENANT, {})) == {HERE, owner}
        assert store.places(TENANT, {"user": "u", "project": ""}) == [owner]
        assert store.places(TENANT, {"user": "U"}) == []
        assert store.places(Tenant("other"), {}) == []

    def test_opened_again_it_is_all_there(self, tmp_path: Path) -> None:
        """What was written before a close is read after the next open."""
        self.needs("files")
        first = self.open_store(tmp_path)
        _populate(first)
        insert(first, full())
        before = (list(first.dump(wide(full().scope))), first.journal(TENANT))
        first.close()
        again = self.open_store(tmp_path)
        try:
            assert (list(again.dump(wide(full().scope))), again.journal(TENANT)) == before
            assert _wrong(again) == []
            if self.has_vector_search:
                found = again.search_vector(wide(), MODEL, (1.0, 0.0), 9)
                assert [match.id for match in found] == ["a"]
        finally:
            again.close()

    def test_two_openings_see_each_other(self, store: Store, tmp_path: Path) -> None:
        """What one writes, another opening of the same place reads at once, and the reverse."""
        self.needs("files")
        other = self.open_store(tmp_path)
        try:
            for number, (writer, reader) in enumerate(((store, other), (other, store)) * 2):
                write(writer, embedded(made(f"m{number}", f"zebra {number}"), (1.0, 0.0)))
                assert one(reader, seen_from(), f"m{number}") == one(
                    writer, seen_from(), f"m{number}"
                )
                if self.has_vector_search:
                    near = reader.search_vector(seen_from(), MODEL, (1.0, 0.0), 99)
                    assert len(near) == number + 1
                if self.has_text_search:
                    found = reader.search_text(seen_from(), self.terms("zebra"), 99)
                    assert len(found.matches) == number + 1
        finally:
            other.close()

    def test_threads_share_a_store(self, store: Store) -> None:
        """Threads write and read one opening at once; nothing is lost, refused or mixed up."""

        def work(number: int) -> list[str]:
            names = [f"t{number}-{serial}" for serial in range(15)]
            for name in names:
                write(store, embedded(made(name, f"zebra {name}"), (1.0, 0.0)))
                assert one(store, seen_from(), name).id == name
                assert store.count(seen_from(), Listing()) > 0
            return names

        with ThreadPoolExecutor(4) as pool:
            names = [name for names in pool.map(work, range(4)) for name in names]
        assert sorted(ids_of(list(store.dump(seen_from())))) == sorted(names)
        assert len(store.journal(TENANT, limit=999)) == len(names)
        assert _wrong(store) == []

    def test_closed_is_closed(self, store: Store) -> None:
        """After `close` every call says so; closing twice is no error."""
        insert(store, made("m"))
        store.close()
        store.close()
        for call in (
            lambda: store.get(seen_from(), ["m"]),
            lambda: store.page(seen_from(), Listing()),
            lambda: store.journal(TENANT),
            lambda: store.stats(seen_from()),
            lambda: list(store.dump(seen_from())),
            lambda: write(store, Forget(id="m")),
            store.check,
        ):
            with pytest.raises(StoreClosedError):
                call()

    def test_it_says_where_it_is(self, store: Store) -> None:
        """A store names its place for messages and says whether it can be written."""
        assert isinstance(store.path, str)
        assert store.read_only is False


def _populate(store: Store) -> None:
    relation = Relation(source_id="a", target_id="b", type=RelationType.CAUSES, created_at=T0)
    changes: list[Change] = [
        embedded(made("a", scope=replace(HERE, session="s")), (1.0, 0.0)),
        PutFact(fact=Fact(id="f", scope=HERE, subject="s", predicate="p", object="o")),
    ]
    insert(
        store,
        made("b", kind=Kind.PLAN, scope=replace(HERE, session="t"), valid_from=T0 + 1),
        made("c", state=State.ARCHIVED, valid_from=T0 + 2, recorded_at=T0 + 2),
        made("d", sensitivity=Sensitivity.SECRET, importance=0.9, valid_from=T0 + 3,
             recorded_at=T0 + 3),
        made("e", scope=replace(HERE, user="u"), valid_from=T0 + 9, recorded_at=T0 + 9),
    )  # fmt: skip
    write(store, *changes, PutRelation(relation=relation))


def _set(counts: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def _wrong(store: Store) -> list[str]:
    checks = store.check(deep=True)
    assert checks, "a store examines something"
    return [f"{check.name}: {check.detail}" for check in checks if not check.ok]
