"""Any clock: far ahead, far back, jumping; scores and strengths stay inside their ranges (R-11),
what is listed stays in order, and nothing ends early (P-23)."""

import math
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, opened, texts
from tests.examples import few

from engraphy import Hit, Memory
from engraphy.errors import InvalidInputError
from engraphy.model import Memory as Row

YEARS = 365 * DAY
JUMPS = st.integers(-25 * 365, 25 * 365)
RANGES = {
    "importance": (0.0, 1.0),
    "trust": (0.0, 1.0),
    "utility": (0.0, 1.0),
    "valence": (-1.0, 1.0),
    "emotional_arousal": (0.0, 1.0),
    "stability": (0.0, 36_500.0),
    "difficulty": (1.0, 10.0),
    "storage_strength": (1.0, 10.0),
    "retrieval_loss": (0.0, 1.0),
}


def check(rows: list[Row], hits: list[Hit]) -> None:
    """Everything that is a number is finite and inside its range."""
    for row in rows:
        for name, (least, most) in RANGES.items():
            assert least <= getattr(row, name) <= most, name
    for hit in hits:
        assert 0.0 <= hit.score <= 1.0
        assert 0.0 <= hit.confidence <= 1.0
        assert all(math.isfinite(share) for share in hit.why.values())


@pytest.mark.long
@pytest.mark.spec("R-11")
@pytest.mark.parametrize("profile", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_every_number_stays_in_range(tmp_path: Path, profile: str) -> None:
    """Through any jumps of the clock, restatements and deliveries, in every profile."""

    @settings(max_examples=few(8))
    @given(jumps=st.lists(JUMPS, min_size=1, max_size=8))
    def run(jumps: list[int]) -> None:
        clock = Ticks(START + len(list(tmp_path.iterdir())))
        with opened(tmp_path / f"{clock.now}.db", clock, profile=profile) as memory:
            for number, jump in enumerate(jumps):
                clock.pass_days(jump)
                memory.remember("The heron nests by the lake!!!", importance=1.0)
                memory.remember(f"Heron {number} AMAZES me, I love it so much!!!")
                hits = memory.recall("where does the heron nest by the lake?")
                memory.context("where does the heron nest by the lake?")
                memory.dream()
                check(memory.list(include=["expired", "superseded"]), hits)

    run()


@pytest.mark.long
@pytest.mark.spec("R-11")
def test_strengths_are_capped(memory: Memory, clock: Ticks) -> None:
    """A thousand restatements and deliveries never leave the ranges."""
    row = kept(memory.remember("The heron nests by the lake"))
    for _ in range(300):
        memory.remember("The heron nests by the lake")
        memory.get(row.id)
    last = memory.get(row.id)
    check([last], [])
    assert last.reinforcement_count == 300
    assert last.access_count == 301


def test_a_clock_that_goes_back_loses_nothing(memory: Memory, clock: Ticks) -> None:
    """What was kept before the clock went back is still there, in its order, and not expired."""
    memory.remember("first", ttl_days=30)
    clock.pass_days(-365 * 10)
    memory.remember("second", ttl_days=30)
    assert texts(memory.list()) == ["second", "first"]
    assert set(texts(memory.timeline())) == {"first", "second"}
    memory.dream()
    assert memory.stats().by_state == {"active": 2}
    rows = memory.list()
    assert all(row.updated_at >= 0 for row in rows)
    assert [row.id for row in memory.list(order="oldest")] == [rows[1].id, rows[0].id]


def test_a_clock_that_is_behind_doubles_nothing(memory: Memory, clock: Ticks) -> None:
    """What another writer told a moment later, by its clock, is told again and not announced."""
    text = "The ferry leaves at nine"
    first = kept(memory.remember(text))
    clock.now -= 30_000_000
    again = memory.remember(text)
    assert (again.action, kept(again).id) == ("reinforced", first.id)
    assert memory.stats().total == 1


def test_the_earliest_and_the_latest_year(opening: Opening, clock: Ticks) -> None:
    """Years 1 to 9999 are moments like any other."""
    memory = opening()
    memory.remember("long ago", at="0001-01-01")
    memory.remember("far ahead", at="9999-12-31T23:59:59.999999")
    assert set(texts(memory.timeline())) == {"long ago", "far ahead"}
    assert texts(memory.recall("long ago", as_of="0001-01-02")) == ["long ago"]
    memory.export(Path(memory.path).with_suffix(".jsonl"))
    assert opening("other").import_(Path(memory.path).with_suffix(".jsonl")).memories == 2


SPAN = 25 * 365
WALK = (1, -SPAN, 0, SPAN, SPAN, 1 / 24, -1 / 24, -2 * SPAN)
"""Days by which the clock jumps, one after the other."""
THINGS = tuple("ladder barometer violin samovar anvil loom sextant theodolite".title().split())


@pytest.mark.spec("P-23")
def test_order_is_that_of_writing(memory: Memory, clock: Ticks) -> None:
    """Whatever the clock said, lists, the lines of the journal, the versions of a memory and what a
    conversation was given follow one another as they were written."""
    ids, lines = [], []
    for thing, jump in zip(THINGS, WALK, strict=True):
        clock.pass_days(jump)
        row = kept(memory.remember(f"{thing} is kept in the cellar"))
        memory.update(row.id, f"{thing} is kept in the attic, says the caretaker")
        memory.context(f"Where is {thing}?", session="s")
        ids.append(row.id)
        lines += [deed.line for deed in memory.deeds(row.id)]
    assert [row.id for row in memory.list(order="oldest")] == ids
    assert [row.id for row in memory.list()] == ids[::-1]
    assert lines == sorted(lines)
    assert memory.audit().whole
    for thing, name in zip(THINGS, ids, strict=True):
        assert [deed.op for deed in memory.deeds(name)][:2] == ["insert", "update"]
        assert memory.get(name).content.startswith(f"{thing} is kept in the attic")


def test_a_time_to_live_counts_from_the_change_that_gives_it(memory: Memory, clock: Ticks) -> None:
    """What is old is given its days from now on, and is there as long."""
    row = kept(memory.remember("The bridge is closed"))
    clock.pass_days(400)
    row = memory.update(row.id, ttl_days=30)
    assert row.expires_at == clock.now + 30 * DAY
    clock.pass_days(29.9)
    assert texts(memory.list()) == ["The bridge is closed"]
    clock.pass_days(0.2)
    assert memory.list() == []


@pytest.mark.spec("P-23")
@pytest.mark.parametrize("before", [0, SPAN, -SPAN])
def test_nothing_ends_before_its_end(memory: Memory, clock: Ticks, before: int) -> None:
    """A memory with an end is there until the clock says that it is over, also after it said so
    wrongly, and after it went back; a purge takes none before."""
    clock.pass_days(before)
    row = kept(memory.remember("The bridge is closed for thirty days", ttl_days=30))
    written = clock.now
    for days in (29.9, -SPAN, 15, -1, 29.99):
        clock.now = written + round(days * DAY)
        memory.purge_expired()
        assert texts(memory.list()) == ["The bridge is closed for thirty days"]
        assert texts(memory.recall("is the bridge closed?"))
        assert memory.get(row.id).expires_at == row.expires_at
    clock.now = written + 30 * DAY
    assert memory.list() == []
    clock.now = written
    assert texts(memory.list()) == ["The bridge is closed for thirty days"]


@pytest.mark.spec("P-23")
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is fixed there")
@pytest.mark.parametrize(
    ("zone", "night"),
    [
        ("Europe/Berlin", "2026-03-28T12:00:00"),
        ("Europe/Berlin", "2026-10-24T12:00:00"),
        ("America/New_York", "2026-11-01T03:00:00"),
        ("Australia/Lord_Howe", "2026-04-04T10:00:00"),
    ],
)
def test_a_day_has_24_hours(
    memory: Memory, clock: Ticks, zone: str, night: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a night in which the clocks of the machine's zone are changed, a day is a day."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        clock.now = int(datetime.fromisoformat(night).replace(tzinfo=UTC).timestamp()) * 1_000_000
        memory.remember("The bridge is closed until tomorrow", ttl_days=1)
        written = clock.now
        clock.now = written + DAY - 10_000_000
        assert len(memory.list()) == 1
        clock.now = written + DAY + 1
        assert memory.list() == []
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.spec("P-23")
@pytest.mark.parametrize("jump", [-SPAN, -1, -1 / 24])
@pytest.mark.parametrize("profile", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_no_age_is_negative(tmp_path: Path, profile: str, jump: float) -> None:
    """What was written in what is now the future is as old as what was written just now: in the
    survey, in scores, in explanations and in a cycle of maintenance, which takes nothing away."""
    clock = Ticks()
    with opened(tmp_path / "m.db", clock, profile=profile) as memory:
        row = kept(memory.remember("The heron nests by the lake", importance=0.9))
        fresh = memory.recall("where does the heron nest?", touch=False)[0]
        clock.pass_days(jump)
        assert all(one.age_days >= 0 for one in memory.survey().sample)
        hit = memory.recall("where does the heron nest?", touch=False)[0]
        assert hit.memory.id == row.id
        check([hit.memory], [hit])
        assert hit.score <= fresh.score + 0.01
        told = memory.explain("where does the heron nest?", missing=row.id)
        assert "-" not in "".join(
            word for step in told.steps for word in step.detail.split() if word.endswith("days")
        )
        memory.dream()
        assert memory.get(row.id).state == "active"


YEAR_2025 = 1_735_689_600


@pytest.mark.parametrize(
    "told",
    [
        YEAR_2025,
        str(YEAR_2025),
        float(YEAR_2025),
        YEAR_2025 * 1_000,
        f"{YEAR_2025}000",
        YEAR_2025 * 1_000_000,
        f"{YEAR_2025}000000",
        "20250101",
        "2025-01-01",
        datetime(2025, 1, 1, tzinfo=UTC),
    ],
)
def test_a_number_since_1970_is_told_by_its_digits(memory: Memory, told: object) -> None:
    """Ten digits are seconds, thirteen milliseconds, sixteen microseconds, also as a text; of no
    digits is a moment of 2025 one of 1970."""
    row = kept(memory.remember("I live in Berlin", at=told))
    assert row.valid_from == YEAR_2025 * 1_000_000
    found = memory.list(since=told, until=told + 1 if isinstance(told, int) else "2025-01-02")
    assert [one.id for one in found] == [row.id]


@pytest.mark.parametrize(
    ("told", "moment"),
    [
        (1_735_689_600.25, 1_735_689_600_250_000),
        ("1735689600.25", 1_735_689_600_250_000),
        (978_307_200, 978_307_200_000_000),
        (-1_735_689_600, -1_735_689_600_000_000),
        (0, 0),
        (5, 5),
    ],
)
def test_parts_of_a_second_and_other_moments_count(
    memory: Memory, told: object, moment: int
) -> None:
    """What `time.time()` gives is a moment, and so is one before 2001 or 1970."""
    assert kept(memory.remember("I live in Berlin", at=told)).valid_from == moment


@pytest.mark.parametrize(
    "told", ["", "123", "202501011230", "17356896001", 5.5, math.inf, math.nan, True, [1]]
)
def test_what_is_no_moment_is_refused_with_what_is_one(memory: Memory, told: object) -> None:
    """Nothing is guessed, and nothing is written."""
    with pytest.raises(InvalidInputError, match="10 digits are seconds"):
        memory.remember("I live in Berlin", at=told)
    assert memory.list() == []
