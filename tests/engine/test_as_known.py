"""What was known at a moment: edited memories are found and shown as they stood then."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, texts

from engraphy import Memory

FIRST = "The deploy runs every Monday from the Jenkins box"
SECOND = "The deploy runs on each merge, through Buildkite"
BESIDE = ("The lunch menu is posted on Mondays", "Jenkins wrote the report on owls")
BEFORE = START + DAY


@pytest.fixture(params=["none", "static"])
def edited(request: pytest.FixtureRequest, opening: Opening, clock: Ticks) -> Memory:
    """A memory whose statement on the deploy was rewritten after ten days, with and without
    vectors."""
    memory: Memory = opening(embedder=request.param)
    for text in BESIDE:
        memory.remember(text)
    row = kept(memory.remember(FIRST))
    clock.pass_days(10)
    memory.update(row.id, SECOND)
    clock.pass_days(10)
    return memory


@pytest.mark.spec("D-14")
def test_the_text_of_then_is_shown(edited: Memory) -> None:
    """`known_at` before an edit shows the text that stood then, with its title and version."""
    then = edited.recall("when does the deploy run", known_at=BEFORE, touch=False)[0].memory
    assert (then.content, then.version) == (FIRST, 1)
    assert then.title in FIRST
    assert then.updated_at == then.recorded_at
    now = edited.recall("when does the deploy run", touch=False)[0].memory
    assert (now.content, now.version, now.id) == (SECOND, 2, then.id)


@pytest.mark.spec("D-14")
def test_the_text_of_then_is_found_by_its_own_words(edited: Memory) -> None:
    """Words that only the earlier text held find it as known then, and not now."""
    asked = "the Jenkins box"
    assert texts(edited.recall(asked, known_at=BEFORE, touch=False))[0] == FIRST
    assert SECOND not in texts(edited.recall(asked, touch=False))


@pytest.mark.spec("D-14")
def test_words_told_later_find_nothing_of_then(edited: Memory) -> None:
    """What was not known yet answers no question as known then."""
    asked = "Buildkite merge"
    assert texts(edited.recall(asked, touch=False))[0] == SECOND
    hits = edited.recall(asked, known_at=BEFORE, touch=False)
    assert SECOND not in texts(hits)
    assert FIRST not in texts(hits)


@pytest.mark.spec("D-14")
def test_a_timeline_as_known_shows_the_texts_of_then(edited: Memory) -> None:
    """The timeline as known at a moment holds the texts of that moment; of now, those of now."""
    assert set(texts(edited.timeline(known_at=BEFORE))) == {FIRST, *BESIDE}
    assert set(texts(edited.timeline(known_at=START + 15 * DAY))) == {SECOND, *BESIDE}
    assert set(texts(edited.timeline())) == {SECOND, *BESIDE}


@pytest.mark.spec("D-14")
def test_what_was_true_is_told_in_the_words_of_now(edited: Memory) -> None:
    """`as_of` asks what held, by what is known now: an edit corrects the text for all time."""
    hits = edited.recall("when does the deploy run", as_of=BEFORE, touch=False)
    assert hits[0].memory.content == SECOND


@pytest.mark.spec("D-14")
def test_of_several_edits_the_moment_decides(opening: Opening, clock: Ticks) -> None:
    """Each text stands from its edit up to the next one."""
    memory = opening()
    row = kept(memory.remember("The gate code is kept under flower pot one"))
    for pot in ("two", "three"):
        clock.pass_days(10)
        memory.update(row.id, f"The gate code is kept under flower pot {pot}")
    shown = [
        memory.recall("the gate code", known_at=START + days * DAY, touch=False)[0].memory
        for days in (1, 11, 21)
    ]
    assert [one.content.split()[-1] for one in shown] == ["one", "two", "three"]
    assert [one.version for one in shown] == [1, 2, 3]
    assert shown[0].updated_at < shown[1].updated_at < shown[2].updated_at


@pytest.mark.spec("R-05")
def test_a_memory_made_private_hides_its_earlier_texts(opening: Opening, clock: Ticks) -> None:
    """Who may not see a memory sees no earlier text of it either."""
    memory = opening()
    row = kept(memory.remember(FIRST))
    clock.pass_days(5)
    memory.update(row.id, SECOND, sensitivity="private")
    assert memory.recall("the Jenkins box", known_at=BEFORE, touch=False) == []
    seen = memory.recall("the Jenkins box", known_at=BEFORE, touch=False, allow_private=True)
    assert texts(seen) == [FIRST]
