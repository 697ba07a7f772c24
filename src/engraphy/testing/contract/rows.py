"""Rows: what goes in comes out, whole and in the asked order."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.change import Forget, Insert, Update
from engraphy.model.kinds import Kind, Origin, Priority, Sensitivity, State, Tier
from engraphy.model.memory import Memory
from engraphy.model.query import Listing, Order
from engraphy.model.scope import Scope, Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import (
    DAY,
    HERE,
    PROPERTY,
    T0,
    full,
    made,
    memories,
    seen_from,
    wide,
)
from engraphy.testing.contract.suite import Suite, ids_of, insert, one, write

ORDERS: tuple[Order, ...] = (
    "newest",
    "oldest",
    "happened",
    "importance",
    "updated",
    "accessed",
    "utility",
    "id",
)


class RowsConformance(Suite):
    """Writing and reading memories."""

    def test_every_field_comes_back(self, store: Store) -> None:
        """A memory with every field away from its default comes back equal."""
        memory = full()
        plain = Memory(id="plain", scope=HERE, content="plain")
        same = [f.name for f in fields(Memory) if getattr(memory, f.name) == getattr(plain, f.name)]
        assert same == [], "full() must set every field, or this proves less than it says"
        insert(store, memory)
        assert one(store, wide(memory.scope), memory.id) == memory

    @PROPERTY
    @given(data=st.data())
    def test_any_memory_comes_back(self, store: Store, data: st.DataObject) -> None:
        """Any memory the model allows comes back equal."""
        tenant = self.fresh_tenant()
        memory = data.draw(memories(f"any-{tenant}", tenant))
        insert(store, memory)
        view = wide(memory.scope, now=-(2**62))
        assert one(store, view, memory.id) == memory

    def test_a_long_text_comes_back(self, store: Store) -> None:
        """A text of the largest size the default profile allows is stored whole."""
        memory = made("long", "word é 記 " * 10_000)
        insert(store, memory)
        assert one(store, seen_from(), "long").content == memory.content

    def test_get_keeps_the_asked_order(self, store: Store) -> None:
        """`get` answers in the order of the ids and leaves unknown ones out."""
        insert(store, made("a"), made("b"), made("c"))
        assert ids_of(store.get(seen_from(), ["c", "missing", "a", "b"])) == ["c", "a", "b"]
        assert store.get(seen_from(), []) == []

    def test_get_takes_thousands_of_ids(self, store: Store) -> None:
        """No engine limit on bound values reaches the caller."""
        insert(store, made("a"), made("z"))
        many = ["a", *(f"missing-{number}" for number in range(3000)), "z"]
        assert ids_of(store.get(seen_from(), many)) == ["a", "z"]

    def test_hash_is_found_in_exactly_its_scope(self, store: Store) -> None:
        """`find_hash` compares walls, not visibility: a shared copy is not the user's copy."""
        mine, shared = made("mine", "same words", scope=_user("u")), made("shared", "same words")
        insert(store, mine, shared)
        digest = self.content_hash(mine)
        for memory in (mine, shared):
            found = store.find_hash(seen_from(memory.scope), digest)
            assert found == memory
        assert store.find_hash(seen_from(_user("v")), digest) is None
        assert store.find_hash(seen_from(replace(HERE, tenant=Tenant("other"))), digest) is None

    def test_hash_is_found_per_sensitivity_and_in_any_state(self, store: Store) -> None:
        """The same text may exist once per sensitivity, and an archived one is still found."""
        secret = made("s", "same words", sensitivity=Sensitivity.SECRET)
        public = made("p", "same words", state=State.ARCHIVED, expires_at=T0 + 1)
        insert(store, secret, public)
        digest = self.content_hash(public)
        for memory in (secret, public):
            view = seen_from(sensitivities=frozenset({memory.sensitivity}))
            assert store.find_hash(view, digest) == memory
        private = seen_from(sensitivities=frozenset({Sensitivity.PRIVATE}))
        assert store.find_hash(private, digest) is None
        assert store.find_hash(seen_from(), self.content_hash(made("other"))) is None

    def test_what_was_superseded_may_be_said_again(self, store: Store) -> None:
        """History does not take a text: it may stand once beside any number of superseded rows."""
        past = [made(f"past{n}", "same words", state=State.SUPERSEDED) for n in range(2)]
        insert(store, *past)
        digest = self.content_hash(past[0])
        assert store.find_hash(seen_from(), digest) is None
        again = made("again", "same words")
        insert(store, again)
        assert store.find_hash(seen_from(), digest) == again
        with pytest.raises(ConflictError):
            insert(store, made("twice", "same words"))

    def test_filters_of_a_listing(self, store: Store) -> None:
        """Each filter keeps what it names, exactly, and nothing that only resembles it."""
        wanted = made(
            "wanted",
            kind=Kind.DECISION,
            category="c_",
            tags=("t%", "u"),
            concepts=("k",),
            entities=("entity://org/x",),
            files_modified=("src/a.py",),
            speaker="Zoë",
            pinned=True,
            immutable=True,
            valid_from=T0 + 10,
            priority=Priority.HIGH,
            origin=Origin.TOOL,
            tier=Tier.SEMANTIC,
            access_count=3,
            utility=0.8,
        )
        near = made(
            "near",
            category="cx",
            tags=("tt", "T%"),
            concepts=("kk",),
            entities=("entity://org/xy",),
            files_read=("src/a_py",),
            speaker="Zoe",
            access_count=2,
            utility=0.79,
        )
        insert(store, wanted, near)
        for listing in _selective(self.content_hash(wanted)):
            assert ids_of(store.page(seen_from(), listing)) == ["wanted"], listing
            assert store.count(seen_from(), listing) == 1, listing
        read = made("read", files_read=("src/a.py",))
        insert(store, read)
        assert store.count(seen_from(), Listing(file="src/a.py")) == 2

    def test_half_open_time_range(self, store: Store) -> None:
        """`since` is inside the range, `until` outside."""
        insert(store, *(made(f"m{n}", valid_from=T0 + n) for n in range(4)))
        listing = Listing(since=T0 + 1, until=T0 + 3, order="oldest")
        assert ids_of(store.page(seen_from(), listing)) == ["m1", "m2"]

    @pytest.mark.parametrize("order", ORDERS)
    def test_orders(self, store: Store, order: Order) -> None:
        """Every order sorts by what it is called after, the largest first (oldest and id rise)."""
        insert(
            store,
            *(
                made(
                    f"m{n}",
                    valid_from=T0 + n,
                    recorded_at=T0 + n,
                    updated_at=T0 + n,
                    last_accessed_at=T0 + n,
                    importance=n / 10,
                    utility=n / 10,
                )
                for n in range(5)
            ),
        )
        found = ids_of(store.page(seen_from(), Listing(order=order)))
        rising = [f"m{n}" for n in range(5)]
        assert found == (rising if order in ("oldest", "id") else rising[::-1])

    @pytest.mark.parametrize("order", ORDERS)
    def test_pages_show_each_row_once(self, store: Store, order: Order) -> None:
        """Walking page by page shows every row once, also where the order has ties and gaps."""
        insert(
            store,
            *(
                made(f"m{n}", importance=(n % 3) / 10, last_accessed_at=None if n % 2 else T0)
                for n in range(11)
            ),
        )
        whole = ids_of(store.page(seen_from(), Listing(order=order)))
        walked: list[str] = []
        for _ in range(11):
            after = walked[-1] if walked else None
            page = ids_of(store.page(seen_from(), Listing(order=order, limit=3, after=after)))
            walked += page
            if len(page) < 3:
                break
        assert walked == whole
        assert sorted(walked) == sorted(f"m{n}" for n in range(11))
        assert store.count(seen_from(), Listing(order=order, limit=3, after="m3")) == 11

    def test_arrivals_are_counted_by_when_they_were_recorded(self, store: Store) -> None:
        """Spans begin at `since`, those without any are left out, what is older is not counted."""
        for name, at in (("a", T0 - 1), ("b", T0), ("c", T0 + DAY - 1), ("d", T0 + 3 * DAY)):
            insert(store, made(name, name, recorded_at=at), now=T0 + 3 * DAY)
        assert store.arrivals(wide(now=T0 + 4 * DAY), T0, DAY) == [(0, 2), (3, 1)]

    def test_versions_are_the_earlier_texts(self, store: Store) -> None:
        """Each change of the text keeps the one before, oldest first; other changes keep none."""
        first = made("m", "first text", title="one")
        insert(store, first)
        second = replace(first, content="second text", title="two", version=2, updated_at=T0 + 5)
        write(store, Update(memory=second, expected=first, reason="edited"), now=T0 + 5)
        pinned = replace(second, pinned=True, updated_at=T0 + 6)
        write(store, Update(memory=pinned, expected=second), now=T0 + 6)
        third = replace(pinned, content="third text", version=3, updated_at=T0 + 7)
        write(store, Update(memory=third, expected=pinned), now=T0 + 7)
        kept = store.versions(seen_from(), "m")
        assert [(v.version, v.content, v.title) for v in kept] == [
            (1, "first text", "one"),
            (2, "second text", "two"),
        ]
        assert (kept[0].memory_id, kept[0].replaced_at, kept[0].reason) == ("m", T0 + 5, "edited")
        assert one(store, seen_from(), "m") == third

    def test_the_texts_of_a_moment_are_those_that_were_replaced_since(self, store: Store) -> None:
        """`retold_since` gives of each visible memory edited after `known_at` the text of then."""
        secret = {"hidden": Sensitivity.SECRET}
        for name in ("twice", "once", "never", "hidden"):
            level = secret.get(name, Sensitivity.PUBLIC)
            insert(store, made(name, f"{name} first", sensitivity=level))
        for name, at in (("twice", 5), ("once", 5), ("twice", 9), ("hidden", 9)):
            old = one(store, wide(), name)
            number = old.version + 1
            new = replace(old, content=f"{name} {number}", version=number, updated_at=T0 + at)
            write(store, Update(memory=new, expected=old), now=T0 + at)

        def then(at: int | None, ids: list[str] | None = None, most: int = 9) -> list[str]:
            view = seen_from(known_at=None if at is None else T0 + at, now=T0 + 20)
            return [found.content for found in store.retold_since(view, ids, most)]

        assert then(None) == []
        assert then(4) == ["once first", "twice first"]
        assert then(5) == ["twice 2"]
        assert then(9) == []
        assert then(4, ids=["twice", "never"]) == ["twice first"]
        assert then(4, most=1) == ["once first"]

    def test_forgotten_is_gone_from_every_read(self, store: Store) -> None:
        """After `Forget` no read finds the memory, and its text may be written anew."""
        old = made("old", "to be forgotten")
        insert(store, old, made("stays"))
        changed = replace(old, title="t", content="to be forgotten soon", version=2)
        write(store, Update(memory=changed, expected=old))
        write(store, Forget(id="old", reason="asked"))
        assert ids_of(store.get(wide(), ["old", "stays"])) == ["stays"]
        assert ids_of(store.page(wide(), Listing())) == ["stays"]
        assert store.versions(wide(), "old") == []
        assert store.find_hash(wide(), self.content_hash(changed)) is None
        with pytest.raises(NotFoundError):
            write(store, Forget(id="old"))
        write(store, Insert(memory=made("new", "to be forgotten soon")))
        assert store.count(wide(now=T0 + DAY), Listing()) == 2


def _user(name: str) -> Scope:
    return replace(HERE, user=name)


def _selective(content_hash: str) -> list[Listing]:
    return [
        Listing(kinds=frozenset({Kind.DECISION, Kind.PLAN})),
        Listing(category="c_"),
        Listing(tag="t%"),
        Listing(concept="k"),
        Listing(entity="entity://org/x"),
        Listing(file="src/a.py"),
        Listing(speaker="Zoë"),
        Listing(pinned=True),
        Listing(immutable=True),
        Listing(since=T0 + 5),
        Listing(content_hash=content_hash),
        Listing(priority=Priority.HIGH),
        Listing(least_priority=Priority.HIGH),
        Listing(origin=Origin.TOOL),
        Listing(tier=Tier.SEMANTIC),
        Listing(least_access=3),
        Listing(least_utility=0.8),
        Listing(tag="t%", category="c_", pinned=True, kinds=frozenset({Kind.DECISION})),
    ]
