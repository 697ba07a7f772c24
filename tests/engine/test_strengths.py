"""How well a memory is held: two strengths, FSRS-6, rehearsal, replay, flashbulbs (D-40, D-49)."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import fsrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, opened, texts
from tests.engine.nights import lived, now, steps, told
from tests.examples import few

from engraphy import Memory
from engraphy.formulas import document_retention, fsrs_retrievability, grown_storage
from engraphy.model import Memory as Row
from engraphy.model import State

HOUR = 1 / 24
PORT = "The billing API listens on port 3000"
KEY = "The billing API key is kept in the vault"
FSRS = {"dream": {"decay": {"curve": "fsrs6"}}}


def heron(memory: Memory, number: int = 0) -> Row:
    """A memory of nothing else."""
    return kept(memory.remember(f"The heron number {number} nests by the lake", kind="decision"))


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A fresh memory of cognitive."""
    return opening(profile="cognitive")


@pytest.mark.spec("D-40")
def test_storage_grows_more_where_the_memory_was_nearly_lost(memory: Memory, clock: Ticks) -> None:
    """Each spaced retrieval adds to storage strength, the more the lower retention was; retrieval
    strength is restored."""
    soon, late = heron(memory), heron(memory, 1)
    clock.pass_days(0.5)
    memory.get(soon.id)
    clock.pass_days(19.5)
    memory.dream()
    before = now(memory, late)
    assert before.retrieval_loss > 0.5
    memory.get(late.id)
    first, second = now(memory, soon), now(memory, late)
    assert 1.0 < first.storage_strength < second.storage_strength <= 10.0
    age = (second.last_accessed_at or 0) - late.recorded_at
    held = document_retention(age_days=age / DAY, stability=1.0) - before.retrieval_loss
    expected = grown_storage(storage=1.0, retrievability=max(0.0, held), gain=1.6)
    assert second.storage_strength == pytest.approx(expected, rel=1e-9)
    assert second.retrieval_loss == 0.0


@pytest.mark.spec("D-40")
def test_several_hits_within_an_hour_count_once(memory: Memory, clock: Ticks) -> None:
    """Each is an access; the strengths grow once an hour, from the last that counted."""
    row = heron(memory)
    clock.pass_days(3)
    grown = []
    for _ in range(7):
        memory.get(row.id)
        grown.append(now(memory, row).storage_strength)
        clock.pass_days(HOUR / 3)
    assert grown[0] == grown[1] == grown[2] < grown[3] == grown[4] == grown[5] < grown[6]
    assert now(memory, row).access_count == 7


@pytest.mark.spec("D-40")
def test_storage_never_decays(memory: Memory, clock: Ticks) -> None:
    """Two hundred days take retrieval strength, and leave what is deeply stored."""
    row = lived(memory, heron(memory), storage_strength=6.5)
    for _ in range(4):
        clock.pass_days(50)
        memory.dream()
    after = now(memory, row)
    assert (after.storage_strength, after.retrieval_loss) == (6.5, 1.0)


@pytest.mark.spec("D-40")
@pytest.mark.spec("R-03")
@pytest.mark.parametrize("profile", ["cognitive", "default", "letsgo", "layered", "titans"])
def test_stale_values_are_not_strengthened_by_being_found(
    opening: Opening, clock: Ticks, profile: str
) -> None:
    """A superseded memory is shown where it is asked for, and stays exactly as it was."""
    memory = opening(profile=profile)
    old = lived(memory, kept(memory.remember(PORT)), state=State.SUPERSEDED)
    memory.remember(KEY)
    clock.pass_days(2)
    assert PORT in texts(memory.recall("billing API port", include=["superseded"]))
    memory.get(old.id)
    memory.context("which port does the billing API listen on?")
    assert now(memory, old) == old


@pytest.mark.spec("D-40")
def test_every_door_strengthens(memory: Memory, clock: Ticks) -> None:
    """Reading by id, a recall and an injection alike; looking does not."""
    doors: list[Callable[[], object]] = [
        lambda: memory.get(row.id),
        lambda: memory.recall("billing API port"),
        lambda: memory.context("which port does the billing API listen on?"),
    ]
    row = kept(memory.remember(PORT))
    for door in doors:
        clock.pass_days(1)
        before = now(memory, row)
        memory.recall("billing API port", touch=False)
        assert now(memory, row) == before
        door()
        assert now(memory, row).storage_strength > before.storage_strength


@pytest.mark.spec("D-40")
def test_fsrs_6_end_to_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With the curve `fsrs6` a memory's stability and difficulty after any spaced deliveries are
    those of the `fsrs` package, to 1e-9."""
    scheduler = fsrs.Scheduler(enable_fuzzing=False)

    @settings(max_examples=few(12))
    @given(
        waits=st.lists(st.integers(0, 400), min_size=1, max_size=8),
        stability=st.floats(0.1, 300.0),
        difficulty=st.floats(1.0, 10.0),
    )
    def run(waits: list[int], stability: float, difficulty: float) -> None:
        path = tmp_path_factory.mktemp("fsrs") / "store.db"
        with opened(path, clock := Ticks(START), profile="default", overrides=FSRS) as memory:
            row = heron(memory)
            row = lived(memory, row, stability=stability, difficulty=difficulty)
            card = fsrs.Card(
                state=fsrs.State.Review,
                stability=stability,
                difficulty=difficulty,
                last_review=_moment(row.recorded_at),
            )
            at = row.recorded_at
            for days in waits:
                # Whole days, or a part of one that counts as the same day.
                at += days * DAY if days else DAY // 4
                clock.now = at - 1_000_000
                memory.get(row.id)
                card, _ = scheduler.review_card(card, fsrs.Rating.Good, _moment(at))
                held = now(memory, row)
                assert held.last_strengthened_at == at
                assert held.stability == pytest.approx(card.stability, rel=1e-9)
                assert held.difficulty == pytest.approx(card.difficulty, rel=1e-9)

    run()


def _moment(at: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)


@pytest.mark.spec("D-49")
@pytest.mark.parametrize(("curve", "days"), [("document", 7.43), ("fsrs6", 2_508.2)])
@pytest.mark.parametrize("late", [True, False])
def test_what_is_about_to_be_lost_is_rehearsed(
    opening: Opening, clock: Ticks, curve: str, days: float, *, late: bool
) -> None:
    """Where retention is below .3, by the curve that the profile names: stability x 1.5, without
    a delivery."""
    memory = opening(profile="cognitive", overrides=steps("rehearse", decay={"curve": curve}))
    row = lived(memory, heron(memory), stability=1.0)
    retention = {"document": document_retention, "fsrs6": fsrs_retrievability}[curve]
    assert retention(age_days=days * 1.001, stability=1.0) < 0.3
    assert retention(age_days=days * 0.999, stability=1.0) > 0.3
    clock.pass_days(days * (1.001 if late else 0.999))
    report = memory.dream()
    after = now(memory, row)
    assert after.stability == (1.5 * row.stability if late else row.stability)
    assert (after.access_count, after.last_accessed_at) == (0, None)
    assert told(report, "rehearse").changed == late
    assert memory.dream().changed == 0


@pytest.mark.spec("D-49")
def test_loss_counts_towards_it(opening: Opening, clock: Ticks) -> None:
    """What category decay took off retention endangers as well."""
    memory = opening(profile="cognitive", overrides=steps("rehearse"))
    row = lived(memory, heron(memory), stability=100.0, retrieval_loss=0.72)
    safe = lived(memory, heron(memory, 1), stability=100.0, retrieval_loss=0.6)
    clock.pass_days(1)
    memory.dream()
    assert (now(memory, row).stability, now(memory, safe).stability) == (150.0, 100.0)


@pytest.mark.long
@pytest.mark.spec("D-49")
def test_fifty_at_most_the_most_important_first(opening: Opening, clock: Ticks) -> None:
    """Of sixty, fifty in a cycle; the second one of the same night has no more room."""
    memory = opening(profile="cognitive", overrides=steps("rehearse"))
    for number in range(60):
        lived(memory, heron(memory, number), importance=number / 100, stability=1.0)
    clock.pass_days(30)
    assert told(memory.dream(), "rehearse").changed == 50
    rehearsed = {row.importance for row in memory.list(limit=100) if row.stability > 1.0}
    assert rehearsed == {number / 100 for number in range(10, 60)}
    clock.pass_days(0.1)
    assert memory.dream().changed == 0
    clock.pass_days(1)
    assert told(memory.dream(), "rehearse").changed == 10


@pytest.mark.spec("D-49")
def test_one_cycle_rehearses_once(opening: Opening, clock: Ticks) -> None:
    """The scheduled rehearsal is the dream's own: nothing is doubled, and a memory that nobody
    uses is left until the curve has taken it that far again."""
    memory = opening(profile="cognitive", overrides=steps("decay", "rehearse"))
    row = heron(memory)
    grown = [row.stability]
    for _ in range(73):
        clock.pass_days(5)
        memory.dream()
        if (held := now(memory, row)).stability != grown[-1]:
            grown.append(held.stability)
    assert 3 <= len(grown) <= 10
    for earlier, later in pairwise(grown):
        assert later == pytest.approx(1.5 * earlier)


@pytest.mark.spec("D-12")
@pytest.mark.spec("D-42")
def test_a_flashbulb_is_consolidated_once(opening: Opening, clock: Ticks) -> None:
    """Its stability grows by half in its first cycle, and in none after."""
    memory = opening(profile="cognitive", overrides=steps("decay", "emotions"))
    row = lived(memory, heron(memory), flashbulb=True)
    other = heron(memory, 1)
    for _ in range(3):
        clock.pass_days(1)
        memory.dream()
        assert now(memory, row).stability == 1.5 * row.stability
    assert now(memory, other).stability == other.stability


@pytest.mark.spec("D-42")
@pytest.mark.spec("D-76")
def test_what_was_used_together_is_replayed(opening: Opening, clock: Ticks) -> None:
    """A pair that came together three times gains two percent in the night after; each memory
    once, in however many pairs, and nothing for a pair that did not come again."""
    memory = opening(profile="cognitive", overrides=steps("replay") | {"relate": {"most": 0}})
    rows = [kept(memory.remember(text)) for text in (PORT, KEY, "The billing API runs in Oslo")]
    alone = heron(memory)
    for expected in (0, 0, 3):
        clock.pass_days(1)
        assert len(memory.recall("billing API")) == 3
        before = [now(memory, row).stability for row in rows]
        assert told(memory.dream(), "replay").changed == expected
    grown = [now(memory, row).stability for row in rows]
    assert grown == pytest.approx([1.02 * one for one in before])
    assert now(memory, alone).stability == alone.stability
    clock.pass_days(1)
    assert memory.dream().changed == 0
    with closing(sqlite3.connect(memory.path)) as connection:
        [(count,)] = connection.execute("SELECT count(*) FROM coactivations WHERE count = 3")
    assert count == 3
