"""What was put together tells nothing that has been replaced or taken back since."""

import pytest
from tests.dream.conftest import Resting, everything, tagged
from tests.dream.stories import BACKUPS
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory

GATEWAY = (
    "The billing gateway listens on port 8443",
    "The billing gateway runs in a hall near Frankfurt",
    "The owner of the billing gateway is Marcus",
    "The billing gateway was written in Go",
)


@pytest.fixture
def memory(resting: Resting, clock: Ticks) -> Memory:
    """A memory with a theme about a gateway, and its pattern."""
    memory = resting("cluster", "abstract")
    for text in GATEWAY:
        memory.remember(text)
    clock.pass_days(8)
    memory.dream()
    assert len(tagged(memory, "theme")) == 1
    return memory


@pytest.mark.spec("D-47")
def test_a_theme_does_not_tell_a_value_that_was_replaced(memory: Memory) -> None:
    """The new statement supersedes the one that the theme stands for; theme and pattern go on
    without it, in one transaction, and their earlier texts are history."""
    (theme,) = tagged(memory, "theme")
    new = kept(memory.remember("The billing gateway now listens on port 9000"))
    assert not any("8443" in text for text in texts(memory.list()))
    (again,) = tagged(memory, "theme")
    assert (again.id, again.version) == (theme.id, 2)
    assert all(text in again.content for text in GATEWAY[1:])
    old = next(row for row in everything(memory) if row.content == GATEWAY[0])
    assert (old.state, old.superseded_by) == ("superseded", new.id)
    (hit, *_) = memory.recall("on which port does the billing gateway listen?")
    assert hit.memory.id == new.id
    memory.remember("The owner of the billing gateway is Ines")
    assert not any("8443" in text or "Marcus" in text for text in texts(memory.list()))


@pytest.mark.spec("R-04")
def test_forgetting_what_was_replaced_leaves_no_word_of_it(memory: Memory) -> None:
    """Also no earlier text of the theme: it goes, and what it still stood for is current again."""
    memory.remember("The billing gateway now listens on port 9000")
    old = next(row for row in everything(memory) if row.content == GATEWAY[0])
    memory.forget(old.id)
    rows = everything(memory)
    assert not any("8443" in row.content for row in rows)
    assert set(texts(memory.list())) >= set(GATEWAY[1:])


@pytest.mark.spec("D-47")
def test_what_a_theme_tells_can_be_taken_back(memory: Memory) -> None:
    """By name, as if it stood alone; the rest of the theme stands."""
    memory.observe("Forget what I said about Marcus")
    assert not any("Marcus" in text for text in texts(memory.list()))
    (theme,) = tagged(memory, "theme")
    assert all(text in theme.content for text in (*GATEWAY[:2], GATEWAY[3]))


def test_a_theme_goes_where_nothing_of_it_is_left(memory: Memory) -> None:
    """All of it taken back: no summary goes on telling it."""
    assert any("gateway" in text for text in texts(memory.list()))
    memory.observe("Forget what I said about the billing gateway")
    assert not any("gateway" in text for text in texts(memory.list()))


def test_no_statement_takes_the_place_of_a_summary(resting: Resting, clock: Ticks) -> None:
    """However near it stands: the theme stays, and what else it tells with it."""
    memory = resting("cluster")
    for text in BACKUPS:
        memory.remember(text)
    clock.pass_days(8)
    memory.dream()
    memory.remember("Actually the PostgreSQL backups of staging are kept for 90 days in Oslo")
    (theme,) = tagged(memory, "theme")
    assert theme.state == "active"
    assert BACKUPS[0] in theme.content
