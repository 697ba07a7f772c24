"""What ends, what stays, and what goes with it."""

from pathlib import Path

import pytest
from tests.engine.making import Ticks, kept, opened, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError


@pytest.mark.parametrize("fields", [{"evidence": "hypothetical"}, {"speaker": "Ann"}], ids=str)
def test_facts_go_with_a_memory_that_was_put_right(memory: Memory, fields: dict[str, str]) -> None:
    """An edit of who said it, or how, ends the facts as they were; a forget leaves none (P-16)."""
    row = kept(memory.remember("I live in Berlin."))
    memory.update(row.id, **fields)
    assert [fact for fact in memory.facts() if fact.subject == "user"] == []
    memory.forget(row.id)
    assert memory.facts(current=False) == []


def test_an_edit_of_history_ends_nothing(memory: Memory, clock: Ticks) -> None:
    """What was superseded may be put right; what holds now goes on holding."""
    old = kept(memory.remember("I live in Berlin."))
    clock.pass_days(1)
    memory.remember("I live in Porto.")
    clock.pass_days(1)
    assert memory.update(old.id, "I live in Hamburg.").state == "superseded"
    assert texts(memory.list()) == ["I live in Porto."]
    assert [fact.object for fact in memory.facts()] == ["porto"]
    memory.forget(old.id)
    assert [fact.object for fact in memory.facts(current=False)] == ["porto"]


def test_a_copy_is_refused_as_what_it_is(memory: Memory) -> None:
    """Raising a memory's sensitivity to that of a copy is no conflict of writers, and the answer
    names only what the caller may see."""
    row = kept(memory.remember("The heron code"))
    secret = kept(memory.remember("The heron code", sensitivity="secret"))
    with pytest.raises(InvalidInputError, match="second copy") as refusal:
        memory.update(row.id, sensitivity="secret")
    assert secret.id not in str(refusal.value)
    with pytest.raises(InvalidInputError, match=secret.id):
        memory.update(row.id, sensitivity="secret", allow_secret=True)


def test_facts_are_seen_no_longer_than_their_memory(memory: Memory, clock: Ticks) -> None:
    """What was read out of a memory with a time to live goes when the memory goes (R-05)."""
    memory.remember("I live in Berlin.", ttl_days=1)
    assert [fact.object for fact in memory.facts()] == ["berlin"]
    clock.pass_days(2)
    assert memory.facts(current=False) == []
    memory.remember("I live in Porto.")
    assert [fact.object for fact in memory.facts(current=False)] == ["porto"]


def test_what_has_expired_can_be_forgotten(memory: Memory, clock: Ticks, tmp_path: Path) -> None:
    """A memory that no read shows any more can still be erased by its id, without a trace."""
    row = kept(memory.remember("I live in Zanzibar.", ttl_days=1))
    clock.pass_days(2)
    with pytest.raises(NotFoundError):
        memory.get(row.id)
    assert memory.forget(row.id).erased == 1
    memory.close()
    for file in tmp_path.iterdir():
        assert b"zanzibar" not in file.read_bytes().lower(), file.name


@pytest.mark.parametrize("how", ["pin", "update", "remember", "flashbulb"])
def test_what_is_pinned_outlives_the_default_time(how: str, tmp_path: Path, clock: Ticks) -> None:
    """A profile's time to live is a kind of forgetting, from which pinned memories are exempt."""
    with opened(tmp_path / "letsgo.db", clock, profile="letsgo") as memory:
        text = "The office has a blue door"
        if how == "flashbulb":
            text = "I am absolutely furious and terrified, a HORRIBLE disaster!!! I hate it!"
        row = kept(memory.remember(text, pinned=how == "remember"))
        if how == "pin":
            memory.pin(row.id)
        elif how == "update":
            memory.update(row.id, pinned=True)
        clock.pass_days(100)
        (held,) = memory.list()
        assert held.pinned
