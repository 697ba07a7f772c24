"""Promotion from episodic to semantic, demotion to sleep, and what a promoted one holds (D-46)."""

from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept
from tests.engine.nights import lived, now, steps, told

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model import State, SubTier, Tier


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A memory of cognitive whose nights only judge tiers."""
    return opening(profile="cognitive", overrides=steps("tiers"))


def heron(memory: Memory, number: int = 0, **more: Any) -> Row:
    """A memory of nothing else."""
    return kept(memory.remember(f"The heron number {number} nests by the lake", **more))


@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    "case",
    [
        (3, 0.5, 0, Tier.SEMANTIC),
        (2, 0.5, 300, Tier.EPISODIC),
        (0, 0.7, 7, Tier.SEMANTIC),
        (0, 0.7, 6.9, Tier.EPISODIC),
        (0, 0.69, 300, Tier.EPISODIC),
    ],
)
def test_promotion_by_use_or_by_lasting_utility(
    memory: Memory, clock: Ticks, case: tuple[int, float, float, Tier]
) -> None:
    """Three deliveries, or a utility of .7 at seven days: any is enough, less is not."""
    accesses, utility, days, tier = case
    row = lived(memory, heron(memory), utility=utility)
    for _ in range(accesses):
        memory.get(row.id)
    clock.pass_days(days)
    memory.dream()
    assert now(memory, row).tier is tier
    assert memory.dream().changed == 0


@pytest.mark.spec("D-46")
@pytest.mark.parametrize(("others", "tier"), [(2, Tier.SEMANTIC), (1, Tier.EPISODIC)])
def test_promotion_by_what_several_tell(memory: Memory, others: int, tier: Tier) -> None:
    """Three episodic memories that share an entity are knowledge of it."""
    entity = ["entity://bird/heron"]
    row = heron(memory, entities=entity)
    for number in range(others):
        heron(memory, number + 1, entities=entity)
    heron(memory, 9, entities=["entity://bird/stork"])
    memory.dream()
    assert now(memory, row).tier is tier


@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    ("days", "utility", "state"),
    [
        (60, 0.19, State.DORMANT),
        (59.9, 0.19, State.ACTIVE),
        (60, 0.2, State.ACTIVE),
        (300, 0.0, State.DORMANT),
    ],
)
def test_demotion_needs_both(
    memory: Memory, clock: Ticks, days: float, utility: float, state: State
) -> None:
    """Sixty days without use, and a utility below .2; it sleeps, and is not deleted."""
    row = lived(memory, heron(memory), tier=Tier.SEMANTIC, utility=utility)
    clock.pass_days(days - 0.001)
    memory.dream()
    clock.pass_days(0.001)
    report = memory.dream()
    after = now(memory, row)
    assert (after.state, after.tier) == (state, Tier.SEMANTIC)
    assert report.changed == (state is State.DORMANT) or days == 300
    if state is State.DORMANT:
        assert memory.get(row.id).state is State.ACTIVE


@pytest.mark.spec("D-46")
def test_the_idle_time_counts_from_the_last_use(memory: Memory, clock: Ticks) -> None:
    """A delivery in between keeps it."""
    row = lived(memory, heron(memory), tier=Tier.SEMANTIC, utility=0.1)
    clock.pass_days(50)
    memory.get(row.id)
    clock.pass_days(50)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-46")
def test_an_episodic_memory_is_not_demoted(memory: Memory, clock: Ticks) -> None:
    """The rule is for what was proven once."""
    lived(memory, heron(memory), utility=0.0)
    clock.pass_days(300)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-46")
def test_anchors(memory: Memory, clock: Ticks) -> None:
    """Pinned ones may rise and do not fall, flashbulbs do not fall, immutable ones never move."""
    both: list[dict[str, Any]] = [
        {"pinned": True},
        {"pinned": True, "flashbulb": True},
        {"immutable": True},
    ]
    alone: list[dict[str, Any]] = [{"pinned": True}, {"flashbulb": True}, {"immutable": True}]
    risen = [
        lived(memory, heron(memory, n), access_count=9, **flags) for n, flags in enumerate(both)
    ]
    fallen = [
        lived(memory, heron(memory, 5 + n), tier=Tier.SEMANTIC, utility=0.0, **flags)
        for n, flags in enumerate(alone)
    ]
    clock.pass_days(100)
    memory.dream()
    assert [now(memory, row).tier for row in risen] == [
        Tier.SEMANTIC, Tier.SEMANTIC, Tier.EPISODIC,
    ]  # fmt: skip
    assert [now(memory, row).state for row in fallen] == [State.ACTIVE] * 3


@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    ("origin", "sub_tier"),
    [
        ("user", SubTier.PERSONAL),
        ("agent", SubTier.OBSERVED),
        ("tool", SubTier.OBSERVED),
        ("federation", SubTier.VICARIOUS),
    ],
)
def test_whose_experience_an_episodic_memory_is(
    memory: Memory, origin: str, sub_tier: SubTier
) -> None:
    """The user's own, one that was observed, or one that comes from another memory."""
    row = heron(memory, origin=origin)
    assert (row.tier, row.sub_tier) == (Tier.EPISODIC, sub_tier)


@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    ("text", "more", "sub_tier"),
    [
        ("Deploys always go through the staging cluster", {}, SubTier.SCHEMATIC),
        ("Never restart the primary before noon", {}, SubTier.SCHEMATIC),
        ("Her zaman önce testleri çalıştırırız", {}, SubTier.SCHEMATIC),
        ("Dağıtımı asla cuma günü yapmayız", {}, SubTier.SCHEMATIC),
        ("Three services time out on Mondays", {"kind": "pattern"}, SubTier.SCHEMATIC),
        ("How to rotate the signing keys of the vault", {}, SubTier.PROCEDURAL),
        ("First build the image, then push it to the registry", {}, SubTier.PROCEDURAL),
        ("Sunucu nasıl kurulur: imajı indir, başlat", {}, SubTier.PROCEDURAL),
        ("Fırın nasıl yakılır: kapağı aç, gazı ver", {}, SubTier.PROCEDURAL),
        ("Bozuk bir vana nasıl değiştirilir", {}, SubTier.PROCEDURAL),
        ("Build, sign, upload", {"kind": "workflow"}, SubTier.PROCEDURAL),
        ("The billing API listens on port 3000", {}, SubTier.FACTUAL),
        ("Fatura servisi 3000 portunu dinliyor", {}, SubTier.FACTUAL),
        ("Annem her şeyi nasıl bilir, kimse anlamadı", {}, SubTier.FACTUAL),
    ],
)
def test_what_a_proven_memory_holds(
    memory: Memory, text: str, more: dict[str, Any], sub_tier: SubTier
) -> None:
    """A rule, a way to do something, or a fact: by its kind, or its words in both languages."""
    row = lived(memory, kept(memory.remember(text, **more)), access_count=3)
    report = memory.dream()
    after = now(memory, row)
    assert (after.tier, after.sub_tier) == (Tier.SEMANTIC, sub_tier)
    assert told(report, "tiers").why == (("often delivered", 1),)
