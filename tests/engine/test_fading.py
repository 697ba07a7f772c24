"""Small talk goes to sleep where nobody asks for it; what matters stays awake (D-45, `fade`)."""

from collections.abc import Callable

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, texts
from tests.engine.nights import lived, now, steps, told

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model import State

CHAT = (
    "That concert photo looks so lively, Jon! You always find the best seats, where was it taken?"
)
ADVICE = "Redis or Memcached could hold the totals of the Grafana dashboards overnight."
PLAIN = "My brother moved into the flat above the bakery."
WORDY = (
    "Wow, you are kind! I spent the whole weekend repainting our garden shed, planting tomatoes "
    "behind the greenhouse and fixing the broken gate."
)
MONTH = 31


def heard(memory: Memory, text: str, role: str = "user") -> Row:
    """The memory of something overheard."""
    [outcome] = memory.observe([{"role": role, "content": text}], session="s")
    return kept(outcome)


@pytest.fixture
def memory(opening: Opening) -> Memory:
    return opening(profile="default", overrides=steps("fade"))


@pytest.mark.parametrize(("role", "text"), [("user", CHAT), ("assistant", ADVICE)])
def test_what_says_little_and_was_left_alone_sleeps(
    memory: Memory, clock: Ticks, role: str, text: str
) -> None:
    """A month after it was heard, and not before; and no night after that changes anything."""
    row = heard(memory, text, role)
    clock.pass_days(MONTH - 3)
    assert memory.dream().changed == 0
    clock.pass_days(3)
    report = memory.dream()
    assert (told(report, "fade").looked, told(report, "fade").changed) == (1, 1)
    assert now(memory, row).state is State.DORMANT
    assert memory.dream().changed == 0
    assert memory.list() == []


def test_it_wakes_when_it_is_used_and_sleeps_again(memory: Memory, clock: Ticks) -> None:
    """Delivered where nothing awake answers, it has another month."""
    row = heard(memory, CHAT)
    clock.pass_days(MONTH)
    memory.dream()
    assert texts(memory.recall("concert photo of Jon")) == [CHAT]
    assert now(memory, row).state is State.ACTIVE
    assert memory.dream().changed == 0
    clock.pass_days(MONTH)
    assert memory.dream().changed == 1


@pytest.mark.parametrize(
    "text", [PLAIN, WORDY, "Yay! It was 42 km, can you believe it? It took 5 hours!"]
)
def test_what_tells_something_stays_awake(memory: Memory, clock: Ticks, text: str) -> None:
    """Plain statements, whatever tells enough between small talk, numbers."""
    row = heard(memory, text)
    clock.pass_days(400)
    assert memory.dream().changed == 0
    assert now(memory, row).state is State.ACTIVE


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea, you know!",
        "We decided to use Postgres, you were right!",
        "Actually no, you got that wrong: it is Ana, not Anna!",
    ],
)
def test_kinds_that_matter_stay_awake(memory: Memory, clock: Ticks, text: str) -> None:
    """Preferences, decisions, corrections."""
    row = heard(memory, text)
    assert row.kind.value in {"preference", "decision", "correction"}
    clock.pass_days(400)
    assert memory.dream().changed == 0


def _used(memory: Memory, row: Row) -> None:
    for _ in range(3):
        memory.get(row.id)


@pytest.mark.parametrize(
    "keep",
    [
        lambda memory, row: memory.pin(row.id),
        lambda memory, row: memory.protect(row.id),
        lambda memory, row: lived(memory, row, importance=0.9),
        lambda memory, row: lived(memory, row, flashbulb=True),
        lambda memory, row: lived(memory, row, success_count=1),
        lambda memory, row: memory.update(row.id, priority="high"),
        _used,
    ],
    ids=["pinned", "immutable", "important", "flashbulb", "useful", "urgent", "often used"],
)
def test_what_somebody_holds_on_to_stays_awake(
    memory: Memory, clock: Ticks, keep: Callable[[Memory, Row], object]
) -> None:
    """Whatever it says."""
    row = heard(memory, CHAT)
    keep(memory, row)
    clock.pass_days(400)
    assert memory.dream().changed == 0
    assert now(memory, row).state is State.ACTIVE


def test_what_was_asked_to_be_remembered_stays_awake(memory: Memory, clock: Ticks) -> None:
    """Only what was overheard sleeps."""
    row = kept(memory.remember(CHAT))
    clock.pass_days(400)
    assert memory.dream().changed == 0
    assert now(memory, row).state is State.ACTIVE


def test_by_default_it_is_part_of_the_night(opening: Opening, clock: Ticks) -> None:
    """The documents' profiles have rules of their own."""
    for profile, state in (("default", State.DORMANT), ("titans", State.ACTIVE)):
        memory = opening(profile, profile=profile)
        row = kept(memory.observe([{"role": "user", "content": CHAT}])[0])
        clock.pass_days(MONTH)
        memory.dream()
        assert now(memory, row).state is state
