"""What time takes at rest: retrieval strength by kind and tier, utility, importance."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, opened
from tests.engine.nights import lived, now, steps, told
from tests.examples import few

from engraphy import Memory
from engraphy.errors import ProfileError
from engraphy.formulas import document_retention, shortened_stability
from engraphy.model import State, Tier

RATES = {
    "preference": 0.0, "entity": 0.0, "correction": 0.0,
    "fact": 0.005, "decision": 0.02,
    "plan": 0.05, "policy": 0.05, "summary": 0.05,
}  # fmt: skip
ANY = [state.value for state in State if state is not State.ACTIVE]
TIERS = {Tier.WORKING: 10.0, Tier.EPISODIC: 3.0, Tier.SEMANTIC: 1.0}


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A memory of cognitive whose nights only decay."""
    return opening(profile="cognitive", overrides=steps("decay"))


def kept_of(memory: Memory, kind: str = "fact", number: int = 0, **more: Any) -> Any:
    """A memory of a kind."""
    return kept(memory.remember(f"The heron number {number} nests by the lake", kind=kind, **more))


@pytest.mark.spec("D-41")
@pytest.mark.parametrize("kind", RATES)
@pytest.mark.parametrize("tier", TIERS)
def test_the_document_s_rates_and_multipliers(
    memory: Memory, clock: Ticks, kind: str, tier: Tier
) -> None:
    """Per day: 0 for what never fades, .005, .02, .05, times 10, 3 or 1 by tier; of retrieval
    strength, never of storage strength or stability."""
    row = lived(memory, kept_of(memory, kind), tier=tier)
    clock.pass_days(1)
    memory.dream()
    after = now(memory, row)
    assert after.retrieval_loss == pytest.approx(RATES[kind] * TIERS[tier], abs=1e-4)
    assert (after.storage_strength, after.stability) == (row.storage_strength, row.stability)


@pytest.mark.spec("D-41")
def test_a_loss_is_a_shorter_stability(memory: Memory, clock: Ticks) -> None:
    """What is lost comes off the curve: as if stability were shorter by as much."""
    row = lived(memory, kept_of(memory), stability=30.0)
    clock.pass_days(10)
    memory.dream()
    after = now(memory, row)
    age = (clock.now - row.recorded_at) / DAY
    shorter = shortened_stability(stability=30.0, age_days=age, loss=after.retrieval_loss)
    held = document_retention(age_days=age, stability=30.0)
    assert shorter < 30.0
    assert document_retention(age_days=age, stability=shorter) == pytest.approx(
        held - after.retrieval_loss
    )


@pytest.mark.spec("D-41")
def test_ten_nights_take_what_one_of_ten_days_takes(opening: Opening, clock: Ticks) -> None:
    """Each day is counted once, however many cycles there were."""
    lost = []
    for name, nights in (("often", 10), ("once", 1), ("at times", 4)):
        memory = opening(name, profile="cognitive", overrides=steps("decay"))
        row = kept_of(memory, "decision")
        for _ in range(nights):
            clock.pass_days(10 / nights)
            memory.dream()
        lost.append(now(memory, row).retrieval_loss)
    assert lost == pytest.approx([0.6] * 3, abs=1e-3)


@pytest.mark.spec("D-41")
def test_the_same_days_are_never_counted_twice(memory: Memory, clock: Ticks) -> None:
    """A second cycle, at once or some hours later, takes nothing; those hours are not lost."""
    row = kept_of(memory, "decision")
    clock.pass_days(1)
    assert memory.dream().changed == 1
    first = now(memory, row)
    assert memory.dream().changed == 0
    clock.pass_days(0.4)
    assert memory.dream().changed == 0
    assert now(memory, row) == first
    clock.pass_days(0.6)
    assert memory.dream().changed == 1
    assert now(memory, row).retrieval_loss == pytest.approx(0.12, abs=1e-4)


@pytest.mark.spec("D-41")
def test_an_access_restores_and_begins_anew(memory: Memory, clock: Ticks) -> None:
    """Retrieval strength comes back with a delivery; its days count from there."""
    row = kept_of(memory, "decision")
    clock.pass_days(5)
    memory.dream()
    assert now(memory, row).retrieval_loss == pytest.approx(0.3, abs=1e-3)
    clock.pass_days(3)
    memory.get(row.id)
    assert now(memory, row).retrieval_loss == 0.0
    clock.pass_days(1)
    memory.dream()
    assert now(memory, row).retrieval_loss == pytest.approx(0.06, abs=1e-3)


@pytest.mark.spec("D-41")
def test_what_sleeps_is_frozen(memory: Memory, clock: Ticks) -> None:
    """Dormant and archived memories lose nothing, and nothing for that time once they wake."""
    rows = [
        lived(memory, kept_of(memory, "decision", number), state=state)
        for number, state in enumerate((State.DORMANT, State.ARCHIVED))
    ]
    clock.pass_days(30)
    assert memory.dream().changed == 0
    for row in rows:
        memory.get(row.id)
    clock.pass_days(1)
    memory.dream()
    assert [now(memory, row).retrieval_loss for row in rows] == pytest.approx([0.06] * 2, abs=1e-3)


def test_what_does_not_change_is_not_written(memory: Memory, clock: Ticks) -> None:
    """A kind that never fades, and what is lost altogether, are looked at and left, clock and
    all."""
    never, lost = kept_of(memory, "preference"), kept_of(memory, "plan", 1)
    clock.pass_days(100)
    memory.dream()
    gone = now(memory, lost)
    assert (gone.retrieval_loss, now(memory, never)) == (1.0, never)
    clock.pass_days(100)
    report = memory.dream()
    assert (told(report, "decay").looked, report.changed) == (2, 0)
    assert now(memory, lost) == gone


@pytest.mark.spec("D-43")
@pytest.mark.parametrize(
    ("utility", "days", "after"),
    [(0.9, 50, 0.7), (0.9, 1, 0.896), (0.1, 25, 0.2), (0.9, 100, 0.5), (0.9, 900, 0.5)],
)
def test_utility_drifts_back(
    opening: Opening, clock: Ticks, utility: float, days: float, after: float
) -> None:
    """u += min(1, .01 x days) x (.5 - u), and never past the middle."""
    memory = opening(profile="cognitive", overrides=steps("drift"))
    row = lived(memory, kept_of(memory), utility=utility)
    clock.pass_days(days)
    memory.dream()
    assert now(memory, row).utility == pytest.approx(after, abs=1e-5)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-43")
def test_drift_counts_from_the_last_run_use_or_report(opening: Opening, clock: Ticks) -> None:
    """What was learned from a report is not lost to the time before it."""
    memory = opening(profile="cognitive", overrides=steps("drift"))
    row = kept_of(memory)
    clock.pass_days(90)
    memory.dream()
    for _ in range(10):
        memory.report(row.id)
    learned = now(memory, row).utility
    assert memory.dream().changed == 0
    clock.pass_days(10)
    memory.dream()
    expected = learned + 0.1 * (0.5 - learned)
    assert now(memory, row).utility == pytest.approx(expected, abs=1e-4)
    clock.pass_days(10)
    memory.get(row.id)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-43")
def test_forgetting_is_judged_before_drift(opening: Opening, clock: Ticks) -> None:
    """In one cycle after a long time: by what utility was, not by what time made of it."""
    memory = opening(profile="cognitive")
    row = lived(memory, kept_of(memory), utility=0.1)
    clock.pass_days(60)
    report = memory.dream()
    assert told(report, "useless").changed == 1
    assert now(memory, row).state is State.DORMANT
    names = [step.name for step in report.steps]
    assert names.index("useless") < names.index("drift")


@pytest.mark.spec("D-43")
@pytest.mark.spec("D-44")
@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    "case",
    [
        ("fact", Tier.EPISODIC, 0.14, 30),
        ("decision", Tier.EPISODIC, 0.1, 45),
        ("plan", Tier.SEMANTIC, 0.1, 30),
        ("fact", Tier.SEMANTIC, 0.19, 60),
        ("preference", Tier.SEMANTIC, 0.1, 60),
    ],
)
def test_what_is_useless_sleeps_where_every_night_is_dreamt(
    opening: Opening, clock: Ticks, case: tuple[str, Tier, float, int]
) -> None:
    """Below .15 after thirty days without use, and below .2 after sixty of what was proven once,
    with a cycle every night as the document wants it; not a day before."""
    kind, tier, utility, days = case
    memory = opening(profile="cognitive", overrides=steps("tiers", "useless", "drift"))
    row = lived(memory, kept_of(memory, kind), utility=utility, tier=tier)
    for night in range(1, days + 1):
        clock.pass_days(1)
        memory.dream()
        slept = now(memory, row).state is State.DORMANT
        assert slept == (night == days), night
    assert now(memory, row).utility == utility


@pytest.mark.spec("D-43")
@pytest.mark.parametrize(
    ("fields", "utility"),
    [
        ({}, 0.15), ({"tier": Tier.SEMANTIC}, 0.2), ({"pinned": True}, 0.1),
        ({"flashbulb": True}, 0.1), ({"immutable": True}, None),
    ],
    ids=str,
)  # fmt: skip
def test_what_no_rule_takes_drifts_every_night(
    opening: Opening, clock: Ticks, fields: dict[str, Any], utility: float | None
) -> None:
    """At the limit itself, and what is pinned or vivid; what is immutable stays as it is."""
    memory = opening(profile="cognitive")
    row = lived(memory, kept_of(memory), utility=utility or 0.1, **fields)
    clock.pass_days(1)
    memory.dream()
    held = row.utility
    expected = held if utility is None else held + 0.01 * (0.5 - held)
    assert now(memory, row).utility == pytest.approx(expected, abs=1e-5)


@pytest.mark.spec("R-03")
@pytest.mark.parametrize("profile", ["cognitive", "letsgo", "layered", "titans", "default"])
def test_maintenance_makes_nothing_look_fresh(opening: Opening, clock: Ticks, profile: str) -> None:
    """However many nights: neither changed nor accessed, no count, no version, in any profile."""
    memory = opening(profile=profile)
    texts = [f"The heron number {n} nests by lake {n * 7}, it is AMAZING!!!" for n in range(6)]
    rows = {kept(memory.remember(text)).id for text in texts}
    memory.recall("which heron nests by the lake?")
    before = {row.id: row for row in memory.list(include=ANY)}
    for _ in range(12):
        clock.pass_days(9)
        memory.dream()
    after = {row.id: row for row in memory.list(include=ANY)}
    assert rows <= before.keys()
    for one in rows & after.keys():
        for field in (
            "updated_at", "last_accessed_at", "last_reinforced_at", "last_strengthened_at",
            "recorded_at", "valid_from", "access_count", "reinforcement_count", "version",
        ):  # fmt: skip
            assert getattr(after[one], field) == getattr(before[one], field), field


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(("days", "share"), [(0.0, 1.0), (30.0, 0.5), (60.0, 0.25), (90.0, 0.125)])
@pytest.mark.parametrize("nights", [1, 3, 7])
@pytest.mark.spec("C-09")
def test_importance_halves(
    opening: Opening, clock: Ticks, days: float, share: float, nights: int
) -> None:
    """1.0, .5 at 30 days, .25 at 60, .125 at 90: what is stored, in one night or in several."""
    memory = opening(
        profile="titans", overrides={**steps("lessen"), "write": {"default_ttl_days": 0}}
    )
    row = lived(memory, kept_of(memory), importance=1.0)
    for _ in range(nights):
        clock.pass_days(days / nights)
        memory.dream()
    assert now(memory, row).importance == pytest.approx(share, rel=1e-4)


@pytest.mark.spec("C-09")
def test_reading_goes_on_where_maintenance_stopped(opening: Opening, clock: Ticks) -> None:
    """What a memory counts for in an answer is the same whether maintenance ran or not."""
    shares = []
    for name, nights in (("none", 0), ("some", 3)):
        memory = opening(name, profile="titans", overrides={"write": {"default_ttl_days": 0}})
        lived(memory, kept_of(memory), importance=1.0)
        for _ in range(nights):
            clock.pass_days(15)
            memory.dream()
        clock.pass_days(60 - 15 * nights)
        [hit] = memory.recall("heron lake nests")
        shares.append(hit.why["importance"])
    assert shares[0] == pytest.approx(0.1, rel=1e-3)
    assert shares[1] == pytest.approx(shares[0], rel=1e-3)


@pytest.mark.spec("C-09")
def test_the_variable_sets_both_halves(
    opening: Opening, clock: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MEMORY_DECAY_HALF_LIFE, and MEMORY_DECAY_ENABLED off: nothing fades, read or stored."""
    for value, share in (("10", 0.25), (None, 1.0)):
        with monkeypatch.context() as patch:
            name = "MEMORY_DECAY_HALF_LIFE" if value else "MEMORY_DECAY_ENABLED"
            patch.setenv(name, value or "false")
            memory = opening(f"of {value}", profile="titans")
        row = lived(memory, kept_of(memory), importance=1.0)
        clock.pass_days(20)
        memory.dream()
        assert now(memory, row).importance == pytest.approx(share, rel=1e-3)


def test_two_steps_that_count_the_same_days_exclude_each_other(opening: Opening) -> None:
    """The error says which, and what is allowed."""
    for profile, names in (
        ("cognitive", ["decay", "consolidate"]),
        ("titans", ["decay"]),
        ("letsgo", ["lessen", "consolidate"]),
    ):
        with pytest.raises(ProfileError, match="one of decay, consolidate and lessen"):
            opening(profile=profile, overrides={"dream": {"steps": names}})


@pytest.mark.spec("R-11")
def test_any_clock_leaves_everything_in_range(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Days that are many, few, none or backwards: losses rise, nothing leaves its range."""

    @settings(max_examples=few(15))
    @given(jumps=st.lists(st.floats(-4_000.0, 40_000.0), min_size=1, max_size=5))
    def run(jumps: list[float]) -> None:
        clock = Ticks(START)
        path = tmp_path_factory.mktemp("clock") / "store.db"
        with opened(path, clock, profile="cognitive", overrides=steps("decay", "drift")) as memory:
            row = lived(memory, kept_of(memory, "decision"), utility=0.9)
            last = row
            for jump in jumps:
                clock.pass_days(max(jump, (1 - clock.now) / DAY))
                memory.dream()
                held = now(memory, row)
                assert last.retrieval_loss <= held.retrieval_loss <= 1.0
                assert 0.5 <= held.utility <= last.utility
                assert replace(
                    held, retrieval_loss=0.0, utility=0.9, last_decayed_at=None,
                    last_drifted_at=None,
                ) == replace(row, retrieval_loss=0.0)  # fmt: skip
                last = held

    run()
