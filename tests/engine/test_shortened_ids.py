"""A memory is named by its id, or by a beginning of it that no other one of the caller has."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import kept, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError

VERBS: dict[str, Callable[[Memory, str], Any]] = {
    "get": lambda m, name: m.get(name).id,
    "history": lambda m, name: len(m.history(name)),
    "update": lambda m, name: m.update(name, title="otter").id,
    "pin": lambda m, name: m.pin(name).id,
    "protect": lambda m, name: m.protect(name, immutable=False).id,
    "report": lambda m, name: m.report(name).id,
    "link": lambda m, name: m.link(name, kept(m.remember("Ravens fly over hills")).id).source_id,
    "links": lambda m, name: m.links(name),
    "deeds": lambda m, name: [deed.op for deed in m.deeds(name)],
    "timeline_of": lambda m, name: [row.id for row in m.timeline_of(name).memories],
    "facts": lambda m, name: [one.source_id for one in m.facts(source_id=name)],
    "fact": lambda m, name: m.fact("ada", "city", "porto", source_id=name).source_id,
    "explain": lambda m, name: m.explain("where do I live?", missing=name).missing,
    "forget": lambda m, name: m.forget(name).ids,
    "delete": lambda m, name: m.delete(name).ids,
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("length", [12, 25])
def test_every_verb_takes_a_beginning(opening: Opening, verb: str, length: int) -> None:
    """It does to that memory what it does with the whole id."""
    found = []
    for name in ("whole", "short"):
        memory = opening(name)
        given = kept(memory.remember("I live in Porto")).id
        memory.remember("Bread is baked at dawn")
        result = VERBS[verb](memory, given if name == "whole" else given[:length])
        left = texts(memory.list())
        found.append((str(result).replace(given, "ID"), left))
    assert found[0] == found[1]
    assert ("I live in Porto" in found[1][1]) is (verb not in {"forget", "delete"})


def test_several_are_listed_and_none_is_chosen(memory: Memory) -> None:
    """At most five are named, in their order; nothing is touched."""
    ids = [kept(memory.remember(f"Otter {n} swims in lake {n}")).id for n in range(7)]
    start = ids[0][:8]
    assert all(one.startswith(start[:6]) for one in ids)
    for verb in ("get", "forget", "delete", "update"):
        with pytest.raises(InvalidInputError, match="several begin") as caught:
            VERBS[verb](memory, ids[0][:6])
        assert sum(one in str(caught.value) for one in ids) == 5
        assert all(one in str(caught.value) for one in sorted(ids)[:5])
    assert len(memory.list()) == 7


@pytest.mark.parametrize(
    "name", ["01M8", "ZZZZZZZ9", "0OIL00LL", "01%", "______0", "", " ", "a\0b000"]
)
@pytest.mark.parametrize("verb", ["get", "delete", "pin", "deeds"])
def test_what_begins_none_is_not_found(memory: Memory, name: str, verb: str) -> None:
    """Neither does what is too short, or of other signs than an id has."""
    kept(memory.remember("I live in Porto"))
    with pytest.raises(NotFoundError):
        VERBS[verb](memory, name)
    assert len(memory.list()) == 1


def test_no_beginning_reaches_over_a_wall(opening: Opening) -> None:
    """Neither what is another user's or tenant's, nor what is private, is found or named."""
    memory = opening()
    hers = kept(memory.remember("I live in Porto", user="ada")).id
    private = kept(memory.remember("My pin is in the drawer", user="ben", sensitivity="private")).id
    for verb in ("get", "forget", "delete", "update", "pin"):
        for told in (one[:length] for one in (hers, private) for length in (6, 12, 25)):
            if verb == "forget":
                assert memory.forget(told, user="ben").erased == 0
                continue
            more = {"title": "x"} if verb == "update" else {}
            with pytest.raises(NotFoundError):
                getattr(memory, verb)(told, user="ben", **more)
    assert memory.get(private[:25], user="ben", allow_private=True).id == private
    with pytest.raises(NotFoundError):
        opening("store", tenant="other").get(hers[:25], user="ada")


def test_an_id_that_is_gone_never_turns_into_another(memory: Memory) -> None:
    """Forgotten twice, the second time finds nothing; nor does a short id of an import's own stand
    for a longer one."""
    first = kept(memory.remember("I live in Porto")).id
    memory.remember("Bread is baked at dawn")
    memory.delete(first[:12])
    for name in (first, first[:12]):
        with pytest.raises(NotFoundError):
            memory.delete(name)
    assert texts(memory.list()) == ["Bread is baked at dawn"]


@pytest.mark.parametrize("word", ["decade", "SERVER", "facade", "deadbeef"])
def test_a_word_is_no_beginning(memory: Memory, word: str) -> None:
    """A query that may be read as one previews, as every query does."""
    memory.remember(f"The {word} is of interest")
    found = memory.forget(word)
    assert (found.erased, len(found.ids)) == (0, 1)
