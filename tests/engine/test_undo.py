"""What was done can be undone: a change, a session, a dream, a purge, and an undo itself."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, everything_said, kept, texts
from tests.engine.nights import lived, steps

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError, UnknownSessionError
from engraphy.model import JournalEntry
from engraphy.model.importing import Item
from engraphy.stores.sqlite import open_store

STATES = ("dormant", "archived", "superseded", "expired", "quarantined")


def journal(memory: Memory) -> list[JournalEntry]:
    """Every line."""
    with closing(open_store(memory.path)) as store:
        return store.journal(memory.tenant, limit=99_999)


def line_of(memory: Memory, op: str, target: str) -> int:
    """The number of the last line of one kind about a memory."""
    return max(one.seq for one in journal(memory) if (one.op, one.target_id) == (op, target))


def rows(memory: Memory, **scope: Any) -> dict[str, Any]:
    """Every row by its id, but what follows from having been edited."""
    found = memory.list(include=STATES, limit=999, allow_private=True, allow_secret=True, **scope)
    return {row.id: row for row in found}


def test_an_edit_is_undone(memory: Memory) -> None:
    """The earlier text and fields are back, as a version of their own; the other fields stay."""
    row = kept(memory.remember("The gateway listens on port 8443", tags=["net"]))
    memory.update(row.id, "The gateway listens on port 9000", tags=["new"], importance=0.9)
    line = line_of(memory, "update", row.id)
    memory.pin(row.id)
    planned = memory.undo(line, dry_run=True)
    assert (planned.changed, planned.journal, planned.dry_run) == ((row.id,), (), True)
    assert memory.get(row.id).content == "The gateway listens on port 9000"
    done = memory.undo(line)
    assert (done.changed, done.left, done.lines) == ((row.id,), (), (line,))
    back = memory.get(row.id)
    assert (back.content, back.tags, back.importance) == (row.content, ("net",), row.importance)
    assert (back.pinned, back.version) == (True, 3)
    assert [one.content for one in memory.history(row.id)] == [
        "The gateway listens on port 8443", "The gateway listens on port 9000",
    ]  # fmt: skip
    assert {journal(memory)[number - 1].op for number in done.journal} == {"undo"}


def test_what_changed_again_is_left_and_named(memory: Memory) -> None:
    """A field that is no longer what the change made of it is never overwritten."""
    row = kept(memory.remember("The gateway listens on port 8443"))
    memory.update(row.id, "The gateway listens on port 9000", importance=0.9)
    line = line_of(memory, "update", row.id)
    memory.update(row.id, "The gateway listens on port 7000")
    done = memory.undo(line)
    assert {(one.id, one.field, one.why) for one in done.left} >= {
        (row.id, "content", "it was changed again since"),
    }  # fmt: skip
    held = memory.get(row.id)
    assert (held.content, held.importance) == ("The gateway listens on port 7000", row.importance)


def test_an_insert_is_taken_out_and_what_it_superseded_revives(memory: Memory) -> None:
    """With the facts that were read out of it; and the undo can be undone."""
    old = kept(memory.remember("I live in Berlin", user="ada"))
    new = kept(memory.remember("I moved to Porto", user="ada"))
    assert [fact.object for fact in memory.facts(user="ada")] == ["porto"]
    before = rows(memory, user="ada")
    done = memory.undo(line_of(memory, "insert", new.id))
    assert (done.removed, done.changed, done.left) == ((new.id,), (old.id,), ())
    assert texts(memory.list(user="ada")) == ["I live in Berlin"]
    assert [fact.object for fact in memory.facts(current=False, user="ada")] == ["berlin"]
    assert [fact.valid_until for fact in memory.facts(user="ada")] == [None]
    again = memory.undo(last="undo")
    assert (again.restored, again.changed) == ((new.id,), (old.id,))
    assert rows(memory, user="ada") == before
    assert [fact.object for fact in memory.facts(user="ada")] == ["porto"]
    assert memory.undo(last="undo").removed == (new.id,)
    assert texts(memory.list(user="ada")) == ["I live in Berlin"]


def test_what_is_protected_is_never_taken_out(memory: Memory) -> None:
    """A pinned or immutable memory stays, and is named."""
    for name, flag in (("pinned", {"pinned": True}), ("protected", {})):
        row = kept(memory.remember(f"The {name} heron", **flag))
        if not flag:
            memory.protect(row.id)
        done = memory.undo(line_of(memory, "insert", row.id))
        assert [(one.id, one.why) for one in done.left] == [(row.id, f"it is {name}")]
        assert memory.get(row.id).content == row.content


def test_a_purge_is_undone_whole(opening: Opening, clock: Ticks) -> None:
    """Rows with their words, vectors, versions, relations and facts come back as they were."""
    memory = opening(profile="letsgo", overrides={"form": {"extract_facts": True}},
                     embedder="static")  # fmt: skip
    first = kept(memory.remember("I live in Berlin", ttl_days=1))
    second = kept(memory.remember("Herons nest by the lake", ttl_days=1))
    other = kept(memory.remember("Bread is baked at dawn"))
    memory.update(second.id, "Herons nest by the northern lake")
    memory.link(first.id, second.id)
    memory.link(second.id, other.id)
    links = memory.links(second.id)
    facts = memory.facts()
    clock.pass_days(2)
    before = rows(memory)
    assert memory.purge_expired().erased == 2
    assert (set(rows(memory)), memory.links(other.id), memory.facts()) == ({other.id}, [], [])
    done = memory.undo(last="purge")
    assert (set(done.restored), done.left) == ({first.id, second.id}, ())
    assert rows(memory) == before
    clock.now -= 2 * 86_400_000_000
    assert memory.links(second.id) == links
    assert memory.facts() == facts
    assert [one.version for one in memory.history(second.id)] == [1]
    assert texts(memory.recall("northern herons"))[0] == "Herons nest by the northern lake"
    assert [one.name for one in memory.doctor(deep=True) if not one.ok] == []
    with closing(open_store(memory.path)) as store:
        assert store.missing_vectors(memory.tenant, memory.embedder_id, 9) == []


def test_one_by_one_in_any_order(opening: Opening, clock: Ticks) -> None:
    """A relation between two that were taken out is back once both are."""
    for order in ((0, 1), (1, 0)):
        memory = opening(f"s{order[0]}", profile="letsgo")
        pair = [kept(memory.remember(f"Heron number {n} nests", ttl_days=1)) for n in range(2)]
        memory.link(pair[0].id, pair[1].id)
        clock.pass_days(2)
        memory.purge_expired()
        for place in order:
            memory.undo(line_of(memory, "delete", pair[place].id))
        clock.now -= 2 * 86_400_000_000
        assert len(memory.links(pair[0].id)) == 1


def test_a_text_that_is_held_again_is_left(opening: Opening, clock: Ticks) -> None:
    """What came back by itself is not stored twice."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Herons nest by the lake", ttl_days=1))
    clock.pass_days(2)
    memory.purge_expired()
    again = kept(memory.remember("Herons nest by the lake"))
    assert again.id != row.id
    done = memory.undo(last="purge")
    assert (done.restored, [one.id for one in done.left]) == ((), [row.id])
    assert texts(memory.list()) == ["Herons nest by the lake"]


def test_what_was_forgotten_stays_forgotten(opening: Opening, clock: Ticks) -> None:
    """Neither a forget nor what it erased can be undone, and the report says so."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Herons nest by the lake", ttl_days=1))
    clock.pass_days(2)
    memory.purge_expired()
    memory.forget(row.id)
    for number in (line_of(memory, "delete", row.id), line_of(memory, "forget", row.id)):
        done = memory.undo(number)
        assert (done.restored, done.journal) == ((), ())
        assert memory.list(include=STATES) == []
    assert done.left[0].why == "its text was erased for good"


@pytest.mark.long
def test_a_dream_is_undone(opening: Opening, clock: Ticks) -> None:
    """States, numbers, summaries: everything a cycle changed is as it was before it, but what was
    changed by somebody since."""
    memory = opening(profile="cognitive", embedder="static")
    for number in range(12):
        row = kept(memory.remember(f"The build of service {number} failed on disk {number % 3}"))
        lived(memory, row, utility=0.1 if number < 3 else 0.6)
    clock.pass_days(200)
    memory.remember("The new build works")
    before = rows(memory)
    report = memory.dream()
    assert report.changed > 10
    after = rows(memory)
    assert after != before
    done = memory.undo()
    assert done.what == f"dream {report.run}"
    assert done.left == ()
    assert rows(memory) == before
    redone = memory.undo(last="undo")
    assert redone.left == ()
    assert rows(memory) == after
    memory.undo(run=report.run)
    assert rows(memory) == before


def test_what_was_used_since_the_dream_keeps_its_use(opening: Opening, clock: Ticks) -> None:
    """Deliveries after a dream are not lost by undoing it."""
    memory = opening(overrides=steps("lessen"), profile="titans")
    row = kept(memory.remember("Herons nest by the lake", importance=0.8))
    clock.pass_days(30)
    assert memory.dream().changed == 1
    memory.get(row.id)
    memory.update(row.id, tags=["seen"])
    memory.undo(last="dream")
    held = memory.get(row.id, touch=False)
    assert (held.importance, held.access_count, held.tags) == (row.importance, 1, ("seen",))


def test_a_session_is_undone(opening: Opening) -> None:
    """Its memories go, with what they superseded revived; those of others stay."""
    memory = opening()
    old = kept(memory.remember("I live in Berlin", session="one", user="ada"))
    other = kept(memory.remember("Bread is baked at dawn", user="ada"))
    memory.observe([
        {"role": "user", "content": "I moved to Porto"},
        {"role": "user", "content": "My dog is called Rex and he is a beagle"},
    ], session="two", user="ada")  # fmt: skip
    memory.remember("Herons nest by the lake", user="bob", session="two")
    assert "I live in Berlin" not in texts(memory.list(user="ada"))
    with pytest.raises(UnknownSessionError):
        memory.undo(session="three", user="ada")
    planned = memory.undo(last="session", user="ada", dry_run=True)
    done = memory.undo(last="session", user="ada")
    assert done.left == planned.left == ()
    assert set(done.removed) == set(planned.removed)
    assert set(texts(memory.list(user="ada"))) == {old.content, other.content}
    assert texts(memory.list(user="bob")) == ["Herons nest by the lake"]
    assert {fact.object for fact in memory.facts(user="ada")} == {"berlin"}
    named = memory.undo(session="one", user="ada")
    assert named.removed == (old.id,)
    assert texts(memory.list(user="ada")) == [other.content]


def test_nobody_undoes_a_session_they_do_not_see(memory: Memory) -> None:
    """Walls hold for sessions as for everything else."""
    memory.remember("Herons nest by the lake", user="bob", session="s")
    with pytest.raises(UnknownSessionError):
        memory.undo(session="s", user="ada")
    with pytest.raises(InvalidInputError):
        memory.undo(last="session", user="ada")
    assert texts(memory.list(user="bob")) == ["Herons nest by the lake"]


def test_relations_and_facts_are_undone(memory: Memory) -> None:
    """A relation goes or returns with its confidence; a fact's earlier values return."""
    one, two = (kept(memory.remember(f"Heron {name} nests")) for name in ("Ada", "Bob"))
    memory.link(one.id, two.id, type="causes", confidence=0.4)
    first = line_of(memory, "relation", one.id)
    memory.link(one.id, two.id, type="causes", confidence=0.9)
    memory.undo(line_of(memory, "relation", one.id))
    assert [link.confidence for link in memory.links(one.id)] == [0.4]
    memory.undo(first)
    assert memory.links(one.id) == []
    fact = memory.fact("release", "owner", "Ada", confidence=0.5)
    memory.fact("release", "owner", "Ada", confidence=0.8)
    memory.undo(line_of(memory, "fact", fact.id))
    assert [one.confidence for one in memory.facts()] == [0.5]
    told = memory.undo(min(e.seq for e in journal(memory) if e.op == "fact"))
    assert (told.beside, memory.facts(current=False)) == (1, [])
    assert memory.undo(last="undo").beside == 1
    assert [one.confidence for one in memory.facts()] == [0.5]


def test_a_restatement_is_undone(opening: Opening, clock: Ticks) -> None:
    """What it counted is taken off, and what it revived sleeps again."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Herons nest by the lake"))
    lived(memory, row, state="archived")
    clock.pass_days(1)
    before = rows(memory)[row.id]
    memory.remember("Herons nest by the lake")
    assert memory.get(row.id, touch=False).state == "active"
    memory.undo(line_of(memory, "dedup_refresh", row.id))
    held = rows(memory)[row.id]
    assert (held.state, held.reinforcement_count) == ("archived", 0)
    assert held.stability == pytest.approx(before.stability)


def test_a_delivery_is_no_change_to_take_back(memory: Memory) -> None:
    """What was delivered was delivered."""
    row = kept(memory.remember("Herons nest by the lake"))
    memory.get(row.id)
    done = memory.undo(line_of(memory, "access", row.id))
    assert (done.journal, done.left[0].why) == ((), "it only tells what was delivered")


@pytest.mark.parametrize("values", [
    {"change": 0}, {"change": 99}, {"change": True}, {"last": "night"}, {"run": "none"},
    {"change": 1, "last": "dream"}, {"last": "purge"}, {"last": "undo"}, {"run": "x", "change": 1},
    {"last": "dream"}, {}, {"dry_run": "yes"}, {"last": 5},
])  # fmt: skip
def test_bad_input_is_named_and_changes_nothing(memory: Memory, values: dict[str, Any]) -> None:
    """What there is none of, and what cannot be meant."""
    memory.remember("Herons nest by the lake")
    before = len(journal(memory))
    with pytest.raises(InvalidInputError):
        memory.undo(**values)
    assert len(journal(memory)) == before


@pytest.mark.spec("P-16")
def test_an_undo_keeps_no_text_of_what_is_forgotten(opening: Opening, tmp_path: Path) -> None:
    """Whatever was removed, restored, edited and undone: a forget leaves no byte."""
    memory = opening(embedder="static")
    row = kept(memory.remember("I live in Quetzalville", user="ada"))
    memory.update(row.id, "I live in Quetzaltown", user="ada")
    memory.undo(line_of(memory, "update", row.id))
    memory.undo(last="undo")
    memory.undo(line_of(memory, "insert", row.id))
    facts = line_of(memory, "insert", row.id)
    assert facts
    memory.undo(max(e.seq for e in journal(memory) if e.op == "undo"))
    memory.forget(row.id, user="ada")
    memory.close()
    for file in tmp_path.iterdir():
        assert b"uetzal" not in file.read_bytes(), file.name
    assert not everything_said(opening(), user="ada")


def test_removed_memories_are_found_by_nobody(opening: Opening, clock: Ticks) -> None:
    """Not by id, by text, by filter or by count, whatever a caller includes."""
    memory = opening(profile="letsgo", embedder="static")
    row = kept(memory.remember("Herons nest by the lake", ttl_days=1, tags=["bird"]))
    clock.pass_days(2)
    memory.purge_expired()
    with pytest.raises(NotFoundError):
        memory.get(row.id)
    with pytest.raises(NotFoundError):
        memory.deeds(row.id)
    found = (memory.recall("herons", include=STATES), memory.list(include=STATES, tag="bird"),
             memory.timeline(include=STATES))  # fmt: skip
    assert found == ([], [], [])
    assert (memory.stats().total, memory.stats().journal_entries) == (0, 0)


def test_an_import_that_was_brought_back_is_the_last_one_again(memory: Memory) -> None:
    """Who undoes an import, undoes that, and undoes the last import again takes out that import
    and not the one before it, as often as they like."""
    for number, told in enumerate(("Herons nest by the lake", "Otters sleep in the reeds"), 1):
        item = Item(id=f"note-{number}", content=told)
        done = memory.bring_in([item], source=f"notes-{number}")
    [last, first] = [row.id for row in memory.list()]
    for _ in range(2):
        assert memory.undo(last="import").removed == (last,)
        assert memory.undo(last="undo").restored == (last,)
    assert memory.undo(run=done.run, dry_run=True).removed == (last,)
    memory.undo(last="import")
    memory.undo(last="undo")
    assert memory.undo(last="undo").removed == (last,)
    assert texts(memory.list()) == ["Herons nest by the lake"]
    assert memory.undo(last="import").removed == (first,)
