"""Strategic forgetting, one memory at a time: rules 2 and 3 of five (D-44, D-51)."""

from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, Ticks, kept, texts
from tests.engine.nights import lived, now, steps, told

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model import State, TemporalType

PLAN = "The user will present the heron census at the conference"


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A memory of cognitive whose nights only forget, by the rules for one memory."""
    return opening(profile="cognitive", overrides=steps("foresight", "useless"))


def heron(memory: Memory, number: int = 0, **more: Any) -> Row:
    """A memory of nothing else."""
    return kept(memory.remember(f"The heron number {number} nests by the lake", **more))


@pytest.mark.spec("D-44")
@pytest.mark.parametrize(
    "case",
    [
        ("fact", 0.149, 30, True),
        ("fact", 0.149, 29.9, False),
        ("fact", 0.15, 300, False),
        ("plan", 0.1, 30, True),
        ("decision", 0.1, 44.9, False),
        ("decision", 0.1, 45, True),
        ("correction", 0.0, 900, False),
        ("preference", 0.0, 900, False),
        ("entity", 0.0, 900, False),
    ],
)
def test_the_useless_sleeps(
    memory: Memory, clock: Ticks, case: tuple[str, float, float, bool]
) -> None:
    """Utility below .15 and thirty days unused: dormant, never deleted; not before its kind's
    days, and never a kind that is permanent."""
    kind, utility, days, asleep = case
    row = lived(memory, heron(memory, kind=kind), utility=utility)
    clock.pass_days(days)
    report = memory.dream()
    after = now(memory, row)
    assert after.state is (State.DORMANT if asleep else State.ACTIVE)
    assert told(report, "useless").changed == asleep
    assert texts(memory.list(include=["dormant"])) == [row.content]
    assert memory.dream().changed == 0


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("days", [13.9, 14])
def test_facts_are_kept_for_fourteen_days(opening: Opening, clock: Ticks, days: float) -> None:
    """Whatever the idle time asks for."""
    shorter = steps("useless", forget={"idle_days": 1.0})
    memory = opening(profile="cognitive", overrides=shorter)
    row = lived(memory, heron(memory), utility=0.0)
    other = lived(memory, heron(memory, 1, kind="plan"), utility=0.0)
    clock.pass_days(days)
    memory.dream()
    assert (now(memory, row).state is State.DORMANT) == (days >= 14)
    assert now(memory, other).state is State.DORMANT


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("days", [6.9, 7])
def test_what_the_table_does_not_name_is_kept_for_seven_days(
    opening: Opening, clock: Ticks, days: float
) -> None:
    """A plan, as any kind that the document has no days for."""
    shorter = steps("useless", forget={"idle_days": 1.0})
    memory = opening(profile="cognitive", overrides=shorter)
    row = lived(memory, heron(memory, kind="plan"), utility=0.0)
    clock.pass_days(days)
    memory.dream()
    assert (now(memory, row).state is State.DORMANT) == (days >= 7)


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
def test_anchors_are_not_forgotten(memory: Memory, clock: Ticks, flag: str) -> None:
    """Pinned, immutable and flashbulb memories pass both rules."""
    flags: dict[str, Any] = {flag: True}
    row = lived(memory, heron(memory), utility=0.0, **flags)
    plan = lived(
        memory,
        kept(memory.remember(PLAN)),
        temporal_type=TemporalType.TIME_BOUNDED,
        valid_until=clock.now,
        **flags,
    )
    clock.pass_days(900)
    assert memory.dream().changed == 0
    assert now(memory, row).state is State.ACTIVE
    assert now(memory, plan).state is State.ACTIVE


@pytest.mark.spec("D-44")
@pytest.mark.spec("D-51")
@pytest.mark.parametrize("kind", ["plan", "preference"])
def test_what_was_announced_expires(memory: Memory, clock: Ticks, kind: str) -> None:
    """Past its date it is out of the current view, a permanent kind too, and in the timeline;
    before, it stands."""
    row = kept(memory.remember(PLAN, kind=kind))
    lived(
        memory,
        row,
        temporal_type=TemporalType.TIME_BOUNDED,
        valid_until=clock.now + 5 * DAY,
    )
    clock.pass_days(4)
    assert memory.dream().changed == 0
    assert texts(memory.list()) == [PLAN]
    clock.pass_days(1.1)
    assert told(memory.dream(), "foresight").changed == 1
    assert memory.list() == []
    assert memory.recall("heron census conference") == []
    assert texts(memory.recall("heron census", as_of=clock.now - 2 * DAY, touch=False)) == [PLAN]
    [gone] = memory.list(include=["expired"])
    assert (gone.id, gone.state) == (row.id, State.EXPIRED)
    assert PLAN in texts(memory.timeline())


@pytest.mark.spec("D-51")
def test_a_stated_date_is_the_end(opening: Opening, clock: Ticks) -> None:
    """Foresight as it is formed of a message, through a whole cycle."""
    memory = opening(profile="cognitive")
    told_at = memory.observe("I will present the heron census at the conference on 2026-05-10")
    row = kept(told_at[0])
    assert row.temporal_type is TemporalType.TIME_BOUNDED
    clock.pass_days(30)
    memory.dream()
    assert [one.state for one in memory.list(include=["expired"]) if one.id == row.id] == [
        State.EXPIRED
    ]
