"""A store stays as small as its profile wants, and what goes for it can be brought back."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, everything_said, kept, texts
from tests.engine.nights import lived, steps, told

from engraphy import Memory
from engraphy.dream.capacity import over_cap
from engraphy.errors import NotFoundError
from engraphy.model import JournalEntry, Scope, Tenant
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store


def small(cap: int, **more: Any) -> dict[str, Any]:
    """Options of a memory with room for so many."""
    return {"profile": "letsgo", "overrides": {"write": {"max_memories": cap}}, **more}


def lines(memory: Memory, op: str) -> list[JournalEntry]:
    """The lines of the journal of one kind."""
    with closing(open_store(memory.path)) as store:
        return [one for one in store.journal(memory.tenant, limit=9_999) if one.op == op]


@pytest.mark.spec("A-08")
def test_the_least_delivered_goes_first(opening: Opening) -> None:
    """Of those delivered as often, the one updated first; the row just written never."""
    memory = opening(**small(3))
    rows = [kept(memory.remember(f"Crate {n} holds bolts")) for n in range(3)]
    memory.get(rows[0].id)
    for number in (3, 4, 5):
        memory.remember(f"Crate {number} holds bolts")
        assert memory.stats().total == 3
    assert set(texts(memory.list())) == {f"Crate {n} holds bolts" for n in (0, 4, 5)}
    assert [line.target_id for line in lines(memory, "delete")][:2] == [rows[1].id, rows[2].id]


@pytest.mark.spec("A-08")
def test_then_the_oldest_update_then_the_least_important(opening: Opening) -> None:
    """In this order, and no other number counts."""
    memory = opening(**small(4))
    rows = [
        kept(memory.remember(f"Crate {n} holds bolts", importance=0.9 - n / 10)) for n in range(4)
    ]
    lived(memory, rows[0], updated_at=rows[3].updated_at, importance=0.2)
    for row in rows[1:3]:
        lived(memory, row, updated_at=rows[3].updated_at)
    order = [rows[0], rows[3], rows[2], rows[1]]
    for number, gone in enumerate(order):
        memory.remember(f"Box {number} holds nuts")
        with pytest.raises(NotFoundError):
            memory.get(gone.id, touch=False)
    assert set(texts(memory.list())) == {f"Box {n} holds nuts" for n in range(4)}


@pytest.mark.spec("A-08")
def test_pinned_and_immutable_rows_stay(opening: Opening) -> None:
    """Though they are the least used; where nothing else may go, the store grows."""
    memory = opening(**small(2))
    pinned = kept(memory.remember("The pinned crate", pinned=True))
    immutable = memory.protect(kept(memory.remember("The protected crate")).id)
    for number in range(3):
        memory.remember(f"Crate {number} holds bolts")
    assert memory.stats().total == 3
    assert {pinned.id, immutable.id} < {row.id for row in memory.list()}
    assert "Crate 2 holds bolts" in texts(memory.list())


@pytest.mark.spec("A-08")
def test_what_a_session_writes_of_itself_counts_too(opening: Opening) -> None:
    """Its checkpoints and its summary take the room of others, and stay themselves."""
    memory = opening(**small(4))
    for number in range(10):
        new = f"crate_{number} = bolts({number})"
        made = {"file_path": f"src/crate{number}.py", "old_string": "", "new_string": new}
        memory.observe_tool("Edit", "ok", input=made, session="s")
        assert memory.stats().total <= 4
    assert [row.category for row in memory.list()].count("checkpoint") == 1
    report = memory.end_session("s")
    assert memory.stats().total == 4
    assert report.summary is not None
    assert memory.get(report.summary.id, touch=False).category == "session_summary"


@pytest.mark.spec("A-08")
def test_no_cap_is_no_cap(opening: Opening) -> None:
    """0 = none; the profile ships 1,000."""
    memory = opening(**small(0))
    for number in range(20):
        memory.remember(f"Crate {number} holds bolts")
    assert memory.stats().total == 20
    assert lines(memory, "delete") == []
    from_document = opening("document", profile="letsgo")
    assert from_document._engine.profile.write.max_memories == 1_000  # noqa: SLF001


def test_nobody_pushes_out_what_is_another_users(opening: Opening) -> None:
    """Each user, agent and project has the room for itself; conversations of one share it."""
    memory = opening(**small(2))
    for number in range(2):
        memory.remember(f"Crate {number} is Ada's", user="ada")
    for number in range(5):
        memory.remember(f"Crate {number} is Bob's", user="bob")
    assert {text for text in everything_said(memory, user="ada") if "Ada" in text} == {
        "Crate 0 is Ada's", "Crate 1 is Ada's",
    }  # fmt: skip
    walled = opening("walled", **small(2, profile="titans"))
    for session in ("a", "b", "c"):
        walled.remember(f"The crate of session {session}", session=session)
    assert walled.stats(session="a").total == 0
    assert walled.stats(session="c").total == 1


@pytest.mark.spec("A-08")
def test_maintenance_makes_room_too(opening: Opening) -> None:
    """What is too many since the cap was lowered goes at night, in the same order."""
    memory = opening(**small(0))
    for number in range(9):
        memory.remember(f"Crate {number} holds bolts")
    lower = {"write": {"max_memories": 4}, "dream": {"steps": ["cap"]}}
    again = opening(profile="letsgo", overrides=lower)
    assert again.dream(dry_run=True).changed == 5
    assert again.stats().total == 9
    done = told(again.dream(), "cap")
    assert done.changed == 5
    assert set(texts(again.list())) == {f"Crate {n} holds bolts" for n in range(5, 9)}
    assert {line.actor for line in lines(again, "delete")} == {"dream"}
    assert again.dream().changed == 0


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_order_is_total(data: st.DataObject) -> None:
    """Nothing that stays was delivered less than what goes; protected rows never go."""
    numbers = st.tuples(st.integers(0, 3), st.integers(0, 3), st.floats(0, 1), st.booleans())
    drawn = data.draw(st.lists(numbers, max_size=12))
    cap = data.draw(st.integers(0, 12))
    scope = Scope(tenant=Tenant("t"))
    rows = [
        Row(id=f"m{place:02}", scope=scope, content="x", access_count=a, updated_at=u,
            importance=i, pinned=pinned)
        for place, (a, u, i, pinned) in enumerate(drawn)
    ]  # fmt: skip
    gone = over_cap(rows, len(rows), cap, ("m00",))
    left = [one for one in rows if one not in gone and not one.pinned and one.id != "m00"]
    assert not any(one.pinned or one.id == "m00" for one in gone)
    assert len(gone) <= max(0, len(rows) - cap if cap else 0)
    key = [(one.access_count, one.updated_at, one.importance) for one in gone]
    assert all(mine <= (o.access_count, o.updated_at, o.importance) for mine in key for o in left)


@pytest.mark.spec("C-10")
def test_what_is_too_old_is_pruned(opening: Opening, clock: Ticks) -> None:
    """Whatever the setting was when it was written; pinned rows stay; on demand and at night."""
    memory = opening(profile="titans")
    memory.remember("An old crate")
    memory.remember("An old crate of another session", session="s")
    memory.remember("An old pinned crate", pinned=True)
    clock.pass_days(31)
    memory.remember("A new crate")
    shorter = {"dream": {"max_age_days": 30}}
    again = opening(profile="titans", overrides=shorter)
    planned = again.prune(dry_run=True)
    assert (len(planned.ids), planned.erased) == (2, 0)
    assert again.stats().total == 3
    assert again.prune().erased == 2
    assert set(texts(again.list())) == {"A new crate", "An old pinned crate"}
    assert again.prune().erased == 0
    clock.pass_days(31)
    assert told(again.dream(), "prune").changed == 1
    assert texts(again.list()) == ["An old pinned crate"]


@pytest.mark.spec("C-10")
def test_pruning_by_age_and_count_happens_by_itself(opening: Opening, clock: Ticks) -> None:
    """With the next write, whether anybody looks after the store or not."""
    knobs = {"dream": {"max_age_days": 30}, "write": {"max_memories": 3, "default_ttl_days": 0}}
    memory = opening(profile="titans", overrides=knobs)
    memory.remember("An old crate")
    memory.remember("An old pinned crate", pinned=True)
    clock.pass_days(31)
    memory.remember("A new crate")
    assert set(texts(memory.list())) == {"A new crate", "An old pinned crate"}
    for number in range(4):
        memory.remember(f"Box {number} has a lid")
    assert memory.stats().total == 3
    assert "An old pinned crate" in texts(memory.list())


@pytest.mark.spec("C-10")
@pytest.mark.spec("C-07")
def test_the_variables_of_the_document_prune(
    opening: Opening, clock: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MEMORY_MAX_AGE_DAYS and MEMORY_MAX_COUNT hold for what was written before them as well."""
    memory = opening(profile="titans")
    for number in range(5):
        memory.remember(f"Crate {number} holds bolts")
        clock.pass_days(10)
    monkeypatch.setenv("MEMORY_MAX_AGE_DAYS", "35")
    monkeypatch.setenv("MEMORY_MAX_COUNT", "2")
    again = opening(profile="titans")
    assert again.prune().erased == 3
    assert set(texts(again.list())) == {"Crate 3 holds bolts", "Crate 4 holds bolts"}


@pytest.mark.spec("A-18")
def test_what_is_neither_important_nor_used_is_evicted(opening: Opening, clock: Ticks) -> None:
    """At importance .05 or less, once it was not accessed for 90 days; it can come back."""
    memory = opening(profile="letsgo", overrides=steps("prune"))
    low = kept(memory.remember("The crate nobody needs", importance=0.04, ttl_days=900))
    high = kept(memory.remember("The crate somebody needs", importance=0.06, ttl_days=900))
    clock.pass_days(89.9)
    assert memory.dream().changed == 0
    clock.pass_days(0.2)
    assert told(memory.dream(), "prune").changed == 1
    assert [row.id for row in memory.list()] == [high.id]
    memory.forget(low.id)
    with pytest.raises(NotFoundError):
        memory.forget(low.id)


@pytest.mark.spec("A-07")
@pytest.mark.spec("P-16")
def test_after_thirty_days_no_byte_of_it_is_left(
    opening: Opening, clock: Ticks, tmp_path: Path
) -> None:
    """What was purged stays whole in the journal for `dream.undo_days`, then maintenance destroys
    its texts; no read, count or export shows it in between."""
    memory = opening(profile="letsgo", overrides={"form": {"extract_facts": True}})
    row = kept(memory.remember("I live in Quetzalville", ttl_days=1, user="ada"))
    memory.update(row.id, "I live in Quetzaltown", user="ada")
    clock.pass_days(2)
    assert memory.purge_expired().ids == (row.id,)
    memory.export(tmp_path / "export.jsonl", everything=True)
    shown = (memory.list(include=["expired"], user="ada"), memory.facts(current=False, user="ada"),
             memory.recall("Quetzaltown", include=["expired"], user="ada"))  # fmt: skip
    assert shown == ([], [], [])
    assert memory.stats(user="ada").total == memory.stats(user="ada").facts == 0
    assert "uetzal" not in (tmp_path / "export.jsonl").read_text()
    clock.pass_days(29)
    assert told(memory.dream(), "expunge").changed == 0
    clock.pass_days(1.1)
    assert told(memory.dream(), "expunge").changed == 1
    memory.close()
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        assert b"uetzal" not in file.read_bytes(), file.name


@pytest.mark.spec("P-16")
def test_what_is_removed_can_be_forgotten_at_once(
    opening: Opening, clock: Ticks, tmp_path: Path
) -> None:
    """By its id, behind its walls and levels only; no byte is left, and it never comes back."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("The Quetzal code", ttl_days=1, user="ada", sensitivity="private"))
    clock.pass_days(2)
    assert memory.purge_expired().erased == 1
    for who in ({}, {"user": "bob", "allow_private": True}, {"user": "ada"}):
        with pytest.raises(NotFoundError):
            memory.forget(row.id, **who)  # type: ignore[arg-type]
    assert memory.forget(row.id, user="ada", allow_private=True).ids == (row.id,)
    memory.close()
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        assert b"uetzal" not in file.read_bytes(), file.name
