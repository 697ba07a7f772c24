"""The journal shows its work: who did what and why, the life of a memory, what two moments hold."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, opened, texts
from tests.examples import few

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError, StoreCorruptError
from engraphy.stores.relational import checksums
from engraphy.stores.relational.rows import content_hash
from engraphy.stores.sqlite import open_store


@pytest.mark.spec("D-71")
def test_an_audit_says_who_did_what_and_why(opening: Opening, clock: Ticks) -> None:
    """Newest first, by actor, kind, time and target; fields by name, never a text."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("The Quetzal flies", ttl_days=1, tags=["bird"]))
    memory.update(row.id, "The Quetzal swims", importance=0.9)
    middle = clock.now
    clock.pass_days(2)
    memory.dream()
    memory.purge_expired()
    told = memory.audit()
    assert (told.whole, told.broken) == (True, None)
    assert [one.op for one in told.entries] == ["delete", "state", "update", "insert"]
    assert [one.actor for one in told.entries] == ["user", "dream", "user", "user"]
    assert told.entries[0].reason == "purge: its time to live is over"
    assert {one.field for one in told.entries[2].fields} >= {"content", "importance"}
    assert "uetzal" not in repr(told)
    assert [one.op for one in memory.audit(actor="dream").entries] == ["state"]
    assert [one.op for one in memory.audit(op="update").entries] == ["update"]
    assert [one.op for one in memory.audit(until=middle + 1).entries] == ["update", "insert"]
    assert [one.op for one in memory.audit(since=middle + 1).entries] == ["delete", "state"]
    assert len(memory.audit(target=row.id, limit=2).entries) == 2
    assert memory.audit(target="nobody").entries == ()
    for wrong in ({"op": "sing"}, {"limit": 0}, {"since": "yesterdayish"}, {"actor": 5}):
        with pytest.raises(InvalidInputError):
            memory.audit(**wrong)  # type: ignore[arg-type]


@pytest.mark.spec("P-25")
@pytest.mark.parametrize("edit", [
    "UPDATE memory_journal SET actor = 'nobody' WHERE seq = 2",
    "UPDATE memory_journal SET reason = 'nothing' WHERE seq = 1",
    "UPDATE journal_texts SET payload = zeroblob(9) WHERE journal_seq = 2",
    "DELETE FROM memory_journal WHERE seq = 3",
])  # fmt: skip
@pytest.mark.spec("D-71")
def test_an_audit_finds_any_edit(opening: Opening, edit: str) -> None:
    """The database refuses it; who goes round that breaks the chain, and the audit says where."""
    memory = opening()
    for number in range(3):
        memory.remember(f"Crate {number} holds bolts")
    with closing(apsw.Connection(memory.path)) as connection:
        with pytest.raises(apsw.ConstraintError):
            connection.execute(edit)
        found = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        for (name,) in connection.execute(found).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM journal_texts WHERE journal_seq = 3")
        connection.execute(edit)
    told = memory.audit()
    assert not told.whole
    assert told.broken in (1, 2, 3)


_EDITS = {
    "changed": "UPDATE memories SET content = 'no', content_hash = :hash WHERE id = :id",
    "taken out": "DELETE FROM memories WHERE id = :id",
    "moved in time": "UPDATE memories SET recorded_at = recorded_at - 1 WHERE id = :id",
    "raised": "UPDATE memories SET trust = 0.1 WHERE id = :id",
    "replayed": "UPDATE memories SET (content, content_hash) = (SELECT content, content_hash "
    "FROM memories WHERE id != :id) WHERE id = :id",
    "forged": "INSERT INTO memories SELECT * FROM forged",
}


@pytest.mark.parametrize("edit", _EDITS)
def test_an_audit_finds_what_was_written_past_the_journal(opening: Opening, edit: str) -> None:
    """Rows are compared with what the journal says: which was changed, taken out, put in."""
    memory = opening()
    kept(memory.remember("Crate one holds bolts", user="ada"))
    row = kept(memory.remember("Crate two holds rope", user="bob", at="2026-03-01"))
    memory.fact("crate two", "holds", "rope", user="bob")
    memory.recall("rope", user="bob")
    assert memory.audit(rows=True).differing == ()
    with closing(apsw.Connection(memory.path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        found = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        for (name,) in connection.execute(found).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("CREATE TEMP TABLE forged AS SELECT * FROM memories WHERE id = :id",
                           {"id": row.id})  # fmt: skip
        forged = "UPDATE forged SET id = '01F', seq = 99, content = 'no', content_hash = :hash"
        connection.execute(forged, {"hash": content_hash("no")})
        connection.execute(_EDITS[edit], {"id": row.id, "hash": content_hash("no")})
    if edit != "taken out":
        # Reading alone refuses a row that is not what its checksum says.
        with pytest.raises(StoreCorruptError, match="01F" if edit == "forged" else row.id):
            memory.list(user="bob")
    with closing(apsw.Connection(memory.path)) as connection:
        connection.execute("UPDATE memories SET checksum = 0")
        checksums.fill(connection)
    told = memory.audit(rows=True)
    assert told.whole
    assert told.differing == (("01F",) if edit == "forged" else (row.id,))
    assert memory.audit().differing is None


def test_an_older_copy_is_found_by_the_head(opening: Opening, tmp_path: Path) -> None:
    """A store that was set back is whole in itself; it has no line that was seen elsewhere."""
    memory = opening()
    assert memory.audit().head == ""
    memory.remember("Crate one holds bolts")
    first = memory.audit().head
    memory.backup(tmp_path / "older.db")
    memory.remember("Crate two holds rope")
    second = memory.audit().head
    assert (memory.audit(head=first).whole, memory.audit(head=second).whole) == (True, True)
    memory.restore(tmp_path / "older.db")
    assert memory.audit().whole
    assert memory.audit(head=first).whole
    told = memory.audit(head=second)
    assert (told.whole, told.broken) == (False, int(second.partition(":")[0]))
    memory.remember("Crate three holds nails")
    assert not memory.audit(head=second).whole
    for wrong in ("", "7", "x:y", f"-1:{'0' * 64}", 7):
        with pytest.raises(InvalidInputError):
            memory.audit(head=wrong)  # type: ignore[arg-type]


@pytest.mark.spec("R-07")
def test_the_life_of_a_memory(opening: Opening, clock: Ticks) -> None:
    """From its first line to its last: what each change was from and to, by whom and why."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("The heron flies", importance=0.5, user="ada"))
    memory.update(row.id, "The heron swims", user="ada")
    memory.remember("The owl sleeps", importance=0.5, user="ada")
    clock.pass_days(9)
    memory.dream()
    told = memory.deeds(row.id, user="ada")
    assert [(one.op, one.actor) for one in told] == [
        ("insert", "user"), ("update", "user"), ("maintenance", "dream"),
    ]  # fmt: skip
    edit = {one.field: (one.old, one.new) for one in told[1].fields}
    assert edit["content"] == ("The heron flies", "The heron swims")
    lost = {one.field: (one.old, one.new) for one in told[2].fields}["importance"]
    assert lost[0] > lost[1]
    assert [one.line for one in told] == sorted(one.line for one in told)
    for who in ({}, {"user": "bob"}):
        with pytest.raises(NotFoundError):
            memory.deeds(row.id, **who)  # type: ignore[arg-type]


def test_snapshots_and_what_is_different(memory: Memory) -> None:
    """Between two names, two lines, or a name and now: what came, went and changed."""
    kept(memory.remember("The heron flies"))
    kept(memory.remember("The owl sleeps"))
    first = memory.snapshot("before the move")
    [heron, owl] = sorted(memory.list(), key=lambda row: row.content)
    memory.update(heron.id, "The heron swims", tags=["bird"])
    memory.forget(owl.id)
    new = kept(memory.remember("The duck quacks"))
    second = memory.snapshot("after")
    memory.remember("The crow caws")
    assert [point.name for point in memory.snapshots()] == ["after", "before the move"]
    told = memory.diff("before the move", "after")
    assert (told.first, told.second) == (first.line, second.line)
    assert texts(told.added) == [new.content]
    assert told.removed == ()
    [change] = told.changed
    assert (change.memory.id, {(one.field, one.old, one.new) for one in change.fields}) == (
        heron.id,
        {("content", "The heron flies", "The heron swims"), ("tags", (), ("bird",)),
         ("title", "The heron flies", "The heron swims")},
    )  # fmt: skip
    assert len(memory.diff("before the move").added) == 2
    assert memory.diff(first.line, second.line) == told
    assert memory.diff(str(first.line), "now").added == memory.diff(first.line).added
    assert memory.diff("after", "after").added == ()


def test_a_difference_stays_behind_the_walls(memory: Memory) -> None:
    """Nobody sees what they may not, nor what was more sensitive on either side."""
    memory.snapshot("start")
    mine = kept(memory.remember("Ada's heron", user="ada"))
    memory.remember("Bob's owl", user="bob")
    memory.remember("Ada's secret", user="ada", sensitivity="secret")
    memory.snapshot("middle")
    memory.update(mine.id, user="ada", sensitivity="private")
    assert texts(memory.diff("start", "middle", user="ada").added) == ["Ada's heron"]
    assert texts(memory.diff("start", "middle").added) == []
    assert memory.diff("middle", user="ada").changed == ()
    assert len(memory.diff("middle", user="ada", allow_private=True).changed) == 1
    seen = memory.diff("start", user="ada", allow_private=True, allow_secret=True)
    assert len(seen.added) == 2


@pytest.mark.parametrize("name", ["", "now", "12", 5, "x" * 600])
def test_a_snapshot_has_a_name_of_its_own(memory: Memory, name: Any) -> None:
    """Neither a number nor now, nor one that is taken."""
    memory.snapshot("taken")
    for wrong in (name, "taken"):
        with pytest.raises(InvalidInputError):
            memory.snapshot(wrong)
    assert len(memory.snapshots()) == 1


@pytest.mark.parametrize("points", [("nobody",), (-1,), (9, 1), (True,), (None,), ("now", 0)])
def test_a_point_that_is_none_is_named(memory: Memory, points: Any) -> None:
    """Unknown names, and a second point before the first."""
    memory.remember("The heron flies")
    with pytest.raises(InvalidInputError):
        memory.diff(*points)


VERBS = ("remember", "update", "observe", "pin", "link", "fact", "recall", "forget", "dream",
         "purge", "undo", "prune", "snapshot")  # fmt: skip


@pytest.mark.long
@pytest.mark.spec("P-25")
@pytest.mark.spec("R-07")
@given(data=st.data())
@settings(max_examples=few(12), deadline=None, suppress_health_check=list(HealthCheck))
def test_replaying_the_journal_gives_the_store(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """After any run of verbs, cycles, purges and undos the journal alone rebuilds every row, and
    its chain is whole."""
    clock = Ticks()
    path = tmp_path_factory.mktemp("replay") / "store.db"
    knobs = {"write": {"max_memories": 6, "default_ttl_days": 5}, "form": {"extract_facts": True}}
    with opened(path, clock, profile="letsgo", overrides=knobs) as memory:
        for number in range(data.draw(st.integers(5, 25))):
            _do(memory, data, number)
            clock.pass_days(data.draw(st.sampled_from([0, 0, 1, 3])))
        assert memory.audit().whole
        tenant = memory.tenant
    with closing(open_store(str(path))) as store:
        [last] = store.journal(tenant, limit=99_999)[-1:]
        held = next(store.replayed(tenant, [last.seq]))
        ids = list(held.memories)
        stands = store.standing(tenant, ids, list(held.facts))
        assert held.memories == stands.memories
        assert store.crowd(next(iter(stands.memories.values())).scope) == len(ids) if ids else True
        assert {k: v for k, v in held.relations.items() if set(k[:2]) <= set(ids)} == (
            stands.relations
        )
        assert held.facts == stands.facts


def _do(memory: Memory, data: st.DataObject, number: int) -> None:
    verb = data.draw(st.sampled_from(VERBS))
    rows = memory.list(limit=99)
    if verb == "remember" or not rows:
        city = data.draw(st.sampled_from(["Berlin", "Porto", "Bern", "Oslo"]))
        memory.remember(data.draw(st.sampled_from([f"I live in {city}", f"Crate {number}"])))
        return
    one, other = (data.draw(st.sampled_from(rows)).id for _ in range(2))
    said = f"We decided to use Kafka {number} for the event bus at Acme"
    verbs: dict[str, Callable[[], object]] = {
        "update": lambda: memory.update(one, f"Crate {number} holds nuts", importance=0.25),
        "observe": lambda: memory.observe(said),
        "pin": lambda: memory.pin(one, pinned=data.draw(st.booleans())),
        "link": lambda: one == other or memory.link(one, other),
        "fact": lambda: memory.fact("release", "owner", f"Ada {number % 2}", source_id=one),
        "recall": lambda: memory.recall("crate berlin", limit=3),
        "forget": lambda: memory.forget(one),
        "dream": memory.dream,
        "purge": memory.purge_expired,
        "prune": memory.prune,
        "snapshot": lambda: memory.snapshot(f"after {number}"),
        "undo": lambda: memory.undo(
            data.draw(st.sampled_from(memory.audit(limit=20).entries)).line
        ),
    }
    verbs[verb]()
