"""layered: what decays, what is archived, and how it comes back (B-09, B-10)."""

import math

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, kept, texts
from tests.engine.nights import lived, now, steps, told

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model import State

__all__ = ["clock", "opening"]

WEIGHTS = {
    "policy": 1.0, "workflow": 0.9, "pitfall": 0.9, "architecture": 0.9,
    "decision": 0.7, "preference": 0.7, "fact": 0.5,
}  # fmt: skip
FACT = "The billing service listens on port 3000"


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A memory of layered whose maintenance archives alone."""
    return opening(profile="layered", overrides=steps("archive"))


def days_to_archive(weight: float, reinforcement: float = 1.0) -> float:
    """After so many days weight x 0.5 ** (days / 90) x reinforcement is .1."""
    return 90.0 * math.log2(weight * reinforcement / 0.1)


@pytest.mark.spec("B-10")
@pytest.mark.spec("R-08")
@pytest.mark.parametrize("kind", WEIGHTS)
def test_what_scores_below_a_tenth_is_archived(memory: Memory, clock: Ticks, kind: str) -> None:
    """Kind weight x decay x reinforcement, the decay a half every 90 days; not a day sooner."""
    row = kept(memory.remember(FACT, kind=kind))
    clock.pass_days(days_to_archive(WEIGHTS[kind]) - 0.1)
    assert memory.dream().changed == 0
    clock.pass_days(0.2)
    assert told(memory.dream(), "archive").changed == 1
    assert now(memory, row).state is State.ARCHIVED
    assert memory.dream().changed == 0


@pytest.mark.spec("B-09")
@pytest.mark.spec("B-04")
@pytest.mark.parametrize(("recalls", "factor"), [(1, 1.0), (2, 2.0), (4, 3.0), (8, 4.0), (40, 4.0)])
def test_each_recall_reinforces(memory: Memory, clock: Ticks, recalls: int, factor: float) -> None:
    """1 + log2 of the count, at most 4: so much later is it archived."""
    row = kept(memory.remember(FACT, kind="fact"))
    for _ in range(recalls):
        assert memory.recall("billing port")
    clock.pass_days(days_to_archive(0.5, factor) - 0.1)
    assert memory.dream().changed == 0
    clock.pass_days(0.2)
    assert memory.dream().changed == 1
    assert now(memory, row).state is State.ARCHIVED


@pytest.mark.spec("B-09")
def test_a_recall_begins_the_time_anew(memory: Memory, clock: Ticks) -> None:
    """The days are those without access."""
    row = kept(memory.remember(FACT, kind="fact"))
    for _ in range(4):
        clock.pass_days(200)
        assert memory.dream().changed == 0
        memory.recall("billing port")
    assert now(memory, row).state is State.ACTIVE


@pytest.mark.spec("B-09")
def test_an_explicit_word_begins_the_time_anew(memory: Memory, clock: Ticks) -> None:
    """To remember the same once more resets it, though nobody recalled it."""
    row = kept(memory.remember(FACT, kind="fact"))
    clock.pass_days(200)
    memory.remember(FACT, kind="fact")
    clock.pass_days(200)
    assert memory.dream().changed == 0
    assert now(memory, row).access_count == 0
    clock.pass_days(20)
    assert memory.dream().changed == 1


@pytest.mark.spec("B-09")
@pytest.mark.parametrize(
    "said",
    [
        "Remember this: the billing service listens on port 9400",
        "Please remember that the billing service listens on port 9400.",
        "Keep in mind that the billing service listens on port 9400",
    ],
)
def test_remember_this_begins_the_time_anew(memory: Memory, clock: Ticks, said: str) -> None:
    """As the user says it in a conversation, in other words than before."""
    row = kept(memory.remember("The billing service listens on port 9400", kind="fact"))
    clock.pass_days(200)
    (outcome,) = memory.observe(said)
    assert (outcome.action, kept(outcome).id) == ("reinforced", row.id)
    clock.pass_days(200)
    assert memory.dream().changed == 0
    assert now(memory, row).access_count == 0


@pytest.mark.spec("B-09")
@pytest.mark.parametrize(
    ("said", "captured"),
    [
        ("Remember this: the staging host is called bluebird", True),
        ("Bunu hatırla: hazırlık sunucusunun adı mavi kuş", True),
        ("Not sure what the staging host is called", False),
        ("Remember that time we got lost in Rome?", False),
        ("I remember that the staging host was slow", False),
    ],
)
def test_what_is_to_be_remembered_is_captured(memory: Memory, said: str, captured: bool) -> None:
    """Who asks for it by these words is heard, though no other pattern fits."""
    (outcome,) = memory.observe(said)
    assert (outcome.action == "created") is captured
    if captured:
        row = kept(outcome)
        assert (row.kind, row.priority, row.content) == ("fact", "normal", said)


@pytest.mark.spec("B-10")
def test_the_archived_is_searchable_and_comes_back(memory: Memory, clock: Ticks) -> None:
    """No prompt brings it; a search that nothing else answers does, and so does one that asks for
    it. Used, it is active again, and its time begins anew."""
    row = kept(memory.remember(FACT, kind="fact"))
    clock.pass_days(300)
    memory.dream()
    assert memory.list() == []
    assert memory.context("on which port does the billing service listen?").hits == ()
    assert texts(memory.recall("billing port", include=["archived"], touch=False)) == [FACT]
    assert texts(memory.recall("billing port")) == [FACT]
    assert now(memory, row).state is State.ACTIVE
    clock.pass_days(100)
    assert memory.dream().changed == 0
    assert memory.context("on which port does the billing service listen?").hits


@pytest.mark.spec("B-10")
@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_anchors_are_not_archived(memory: Memory, clock: Ticks, flag: str) -> None:
    """What its owner protects stays."""
    row: Row = kept(memory.remember(FACT, kind="fact"))
    flags: dict[str, bool] = {flag: True}
    lived(memory, row, seen=None, **flags)
    clock.pass_days(5_000)
    assert memory.dream().changed == 0


@pytest.mark.spec("B-10")
def test_consolidation_is_due_once_a_week(opening: Opening, clock: Ticks) -> None:
    """The date stands in the store: whoever asks, and after a restart; on demand it runs at
    once."""
    memory = opening(profile="layered")
    assert memory.dream(due=True).due
    for days, due in ((6.5, False), (0.6, True), (1.0, False)):
        clock.pass_days(days)
        assert opening(profile="layered").dream(due=True).due is due
    assert memory.dream().finished_at is not None
