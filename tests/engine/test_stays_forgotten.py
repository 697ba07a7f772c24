"""What was said before it was forgotten does not come back by another way afterwards."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, opened, texts
from tests.engine.test_leaving import bytes_of

from engraphy import Memory
from engraphy.model import Role
from engraphy.model.importing import Imported, Item

WORD = "quetzalcoatlus"
SECRET = f"I keep my {WORD} in the barn behind the mill."
LONG = f"My bicycle is a red Bianchi. {SECRET} My sister Vera lives in Ghent."
WALLS: dict[str, Any] = {"user": "ada", "project": "shop"}


def talk(*said: str, at: int | None = START, **more: Any) -> list[Item]:
    """A conversation held elsewhere."""
    return [
        Item(id=f"turn-{number}", content=one, role=Role.USER, at=at, **{**WALLS, **more})
        for number, one in enumerate(said)
    ]


def imported(memory: Memory, *said: str, **more: Any) -> Imported:
    """What came of the import of a conversation."""
    known = {one: more.pop(one) for one in ("forgotten", "dry_run") if one in more}
    return memory.bring_in(talk(*said, **more), source="notes", **known)


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A memory that was told something live."""
    memory.observe(SECRET, at=START, **WALLS)
    assert texts(memory.recall(WORD, **WALLS))
    return memory


@pytest.mark.parametrize("way", ["forget", "forget_all", "forget_user", "purge_expired"])
def test_an_import_brings_nothing_back(told: Memory, clock: Ticks, way: str) -> None:
    """However it was forgotten, the transcript it came from does not bring it back; the import
    says so."""
    [row] = told.list(**WALLS)
    if way == "forget":
        told.forget(row.id, **WALLS)
    elif way == "forget_all":
        told.forget_all(**WALLS)
    elif way == "forget_user":
        told.forget_user("ada", confirm=True)
    else:
        told.update(row.id, ttl_days=1, **WALLS)
        clock.pass_days(2)
        assert told.purge_expired().erased == 1
    for dry in (True, False):
        done = imported(told, SECRET, "My sister Vera lives in Ghent.", dry_run=dry)
        assert (done.memories, done.forgotten) == (1, 1)
    assert texts(told.list(**WALLS)) == ["My sister Vera lives in Ghent."]
    assert imported(told, SECRET).already == 1


def test_in_other_letters_it_is_the_same(told: Memory) -> None:
    """Case, spaces and what stands around a text do not make another of it."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    other = "  " + SECRET.upper().replace(" ", "   ").rstrip(".") + "!"
    assert imported(told, other).forgotten == 1
    assert told.list(**WALLS) == []


def test_a_sentence_among_others_is_left_out(told: Memory) -> None:
    """Of a turn that says more, what was not forgotten comes in, and nothing reads of the rest."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    done = imported(told, LONG)
    assert done.memories >= 1
    held = " ".join(texts(told.list(**WALLS)))
    assert "Bianchi" in held
    assert "Ghent" in held
    assert WORD not in held
    assert [one for one in told.facts(**WALLS) if WORD in one.object] == []


@pytest.mark.long
def test_however_much_comes_in_it_is_compared_whole(told: Memory) -> None:
    """What was forgotten stays out also at the end of a long text, and is let in again by who has
    such a text remembered."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    shelves = " ".join(f"Shelf {number} of the cellar holds jam." for number in range(70))
    done = imported(told, f"{shelves} {SECRET}")
    assert done.memories >= 1
    held = " ".join(texts(told.list(limit=200, **WALLS)))
    assert "Shelf 69" in held
    assert WORD not in held
    kept(told.remember(f"{shelves} {SECRET}", **WALLS))
    assert told.bring_in(talk(SECRET), source="others").forgotten == 0


def test_a_sentence_of_what_was_forgotten_stays_out(memory: Memory) -> None:
    """What was forgotten as one text does not come back sentence by sentence."""
    row = kept(memory.remember(LONG, **WALLS))
    memory.forget(row.id, **WALLS)
    assert imported(memory, SECRET).forgotten == 1
    assert memory.list(**WALLS) == []


def test_an_earlier_text_is_forgotten_too(memory: Memory) -> None:
    """What a memory said before it was edited does not come back either."""
    row = kept(memory.remember(SECRET, **WALLS))
    memory.update(row.id, "It moved to the zoo.", **WALLS)
    memory.forget(row.id, **WALLS)
    assert imported(memory, SECRET).forgotten == 1


def test_what_another_memory_keeps_stays_out(memory: Memory) -> None:
    """It holds for what was kept elsewhere as for what was said; without a moment it was before."""
    row = kept(memory.remember(SECRET, **WALLS))
    memory.forget(row.id, **WALLS)
    item = Item(id="note", content=SECRET, **WALLS)
    assert memory.bring_in([item], source="notes").forgotten == 1


def test_who_asks_for_it_has_it_again(told: Memory) -> None:
    """What the user asks to be remembered is no longer forgotten; an agent's word ends nothing."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    again = kept(told.remember(SECRET, origin="agent", **WALLS))
    assert imported(told, SECRET).forgotten == 1
    told.delete(again.id, **WALLS)
    kept(told.remember(SECRET, **WALLS))
    assert told.bring_in(talk(SECRET), source="others").stands == 1


def test_what_is_said_anew_is_news(told: Memory, clock: Ticks) -> None:
    """What is told after it was forgotten comes in, live and by an import."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    clock.pass_days(2)
    assert imported(told, SECRET, at=START + DAY).memories == 1
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    told.observe(SECRET, **WALLS)
    assert len(told.list(**WALLS)) == 1


def test_an_import_may_be_asked_to_bring_it_back(told: Memory) -> None:
    """Who wants to begin anew from the transcripts says so."""
    told.forget_all(**WALLS)
    assert imported(told, SECRET, forgotten=True).memories == 1


def test_walls_hold(told: Memory) -> None:
    """Somebody else's memory is not touched by what one forgot, and learns nothing of it; what was
    forgotten where all see it stays out everywhere."""
    [row] = told.list(**WALLS)
    told.forget(row.id, **WALLS)
    others: tuple[dict[str, Any], ...] = ({"user": "bob"}, {"project": "other"}, {"user": None})
    for number, walls in enumerate(others):
        done = told.bring_in(talk(SECRET, **walls), source=f"notes-{number}")
        assert (done.memories, done.forgotten) == (1, 0)
    shared = kept(told.remember("The alarm code is on the old fridge."))
    told.forget(shared.id)
    assert imported(told, "The alarm code is on the old fridge.").forgotten == 1


def test_a_mark_tells_nothing(opening: Opening, tmp_path: Path) -> None:
    """What is left is no word of it and no name; two stores mark the same text differently, and an
    export holds neither marks nor key."""
    marks = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        memory = opening(f"{name}/store")
        memory.remember(SECRET, user="xochiquetzal")
        memory.forget_user("xochiquetzal", confirm=True)
        memory.export(tmp_path / f"{name}.jsonl", everything=True, allow_secret=True)
        memory.close()
        data = bytes_of(tmp_path / name)
        assert WORD.encode() not in data
        assert b"xochiquetzal" not in data
        marks.append(set(re.findall(rb"forgotten\.text\.[0-9a-f]{32}", data)))
        assert "forgotten" not in (tmp_path / f"{name}.jsonl").read_text()
    assert marks[0]
    assert not marks[0] & marks[1]


class Waiting:
    """A language model that answers nothing before it may: what is queued meanwhile waits."""

    def __init__(self) -> None:
        self.asked, self.free = Event(), Event()

    def __call__(self, prompt: str) -> str:
        self.asked.set()
        assert self.free.wait(30)
        return '{"statements": []}'


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple[Memory, Waiting]]:
    """A memory whose first job is under way, and a second one waits behind it."""
    model = Waiting()
    knobs = {"model": {"skills": ["formation"]}}
    with opened(tmp_path / "store.db", model=model, overrides=knobs) as memory:
        memory.enqueue("I live in Oslo, in the Grefsen quarter.", **WALLS)
        assert model.asked.wait(30)
        memory.enqueue(SECRET, **WALLS)
        memory.enqueue("The heron nests by the lake.", user="bob")
        yield memory, model
        model.free.set()


@pytest.mark.parametrize("way", ["forget_all", "forget_user"])
def test_what_waits_is_forgotten_with_its_scope(waiting: tuple[Memory, Waiting], way: str) -> None:
    """Who forgets a whole scope forgets what waits in it and what is being read this moment; its
    words do not wait in the file either, and what others handed over comes in."""
    memory, model = waiting
    memory.remember("My sister Vera lives in Ghent.", **WALLS)
    memory.forget_all(**WALLS) if way == "forget_all" else memory.forget_user("ada", confirm=True)
    assert [job.scope.user for job in memory.queue() if not job.done] == ["bob"]
    assert WORD not in str(memory.queue())
    model.free.set()
    assert memory.flush()
    assert memory.list(**WALLS) == []
    assert texts(memory.list(user="bob")) == ["The heron nests by the lake."]
    memory.enqueue(SECRET, **WALLS)
    assert memory.flush()
    assert texts(memory.list(**WALLS)) == [SECRET]


def test_what_waits_is_compared(waiting: tuple[Memory, Waiting]) -> None:
    """A message that waits while its words are forgotten does not bring them back."""
    memory, model = waiting
    row = kept(memory.remember(SECRET, **WALLS))
    memory.forget(row.id, **WALLS)
    model.free.set()
    assert memory.flush()
    assert WORD not in " ".join(texts(memory.list(**WALLS)))
    assert "Oslo" in " ".join(texts(memory.list(**WALLS)))
