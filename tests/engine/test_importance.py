"""How much a memory matters, and what a strong one does to the weak ones around it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import START, Ticks, kept, opened
from tests.examples import few
from tests.processes import forked

from engraphy import Memory
from engraphy.model import Memory as Row

HOUR_DAYS = 1 / 24
FLAT = {"weigh": {"kind_boost": {}}}
WEAK, STRONG = 0.3, 0.9


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """Profile `cognitive`."""
    return opening(profile="cognitive")


def weighed(row: Row, boost: float = 1.0) -> float:
    """The document's composite of a row's own channels."""
    novelty, arousal, reward, attention = row.channels
    blended = 0.25 * novelty + 0.30 * arousal + 0.25 * reward + 0.20 * attention
    return min(1.0, max(0.0, blended * boost))


@pytest.mark.spec("D-10")
def test_four_channels_are_weighed(opening: Opening) -> None:
    """Novelty .25, arousal .30, reward .25, attention .20, and nothing else."""
    memory = opening(profile="cognitive", overrides=FLAT)
    for said in ("The kitchen closes at noon", "URGENT!!! The server is down!!", "A quiet day"):
        row = kept(memory.remember(said))
        if not row.flashbulb:
            assert row.importance == pytest.approx(weighed(row))


@pytest.mark.spec("D-10")
@pytest.mark.parametrize(
    ("wanted", "used"), [(0.7, 0.7), (1.3, 1.3), (0.2, 0.7), (5.0, 1.3), (1.1, 1.1)]
)
def test_the_boost_stays_between_its_bounds(opening: Opening, wanted: float, used: float) -> None:
    """The encoding boost multiplies the composite, by 0.7 to 1.3."""
    knobs = {"weigh": {"kind_boost": {"fact": wanted}}}
    memory = opening(f"b{wanted}", profile="cognitive", overrides=knobs)
    row = kept(memory.remember("The kitchen closes at noon", kind="fact"))
    assert row.importance == pytest.approx(weighed(row, used))


@pytest.mark.spec("D-10")
def test_importance_never_leaves_its_range(opening: Opening) -> None:
    """The boosted composite is clamped to [0, 1]."""
    knobs = {"weigh": {"kind_boost": {"fact": 1.3}, "arousal": 0.9, "flashbulb_from": 1.0}}
    memory = opening(profile="cognitive", overrides=knobs)
    row = kept(memory.remember("URGENT: security breach, data leak, outage now!", kind="fact"))
    assert weighed(row, 1.3) <= row.importance <= 1.0


@pytest.mark.spec("D-10")
def test_novelty_is_what_is_new(memory: Memory) -> None:
    """The first of its kind is wholly new, a similar one less so."""
    first = kept(memory.remember("The kitchen table stands near the window"))
    second = kept(memory.remember("The kitchen table stands on a red carpet"))
    assert first.channels.novelty == 1.0
    assert second.channels.novelty < 0.8


@pytest.mark.spec("D-10")
@pytest.mark.parametrize(
    ("urgent", "calm"),
    [
        ("There is a security breach in the billing service", "There is a bench in the garden"),
        ("The build fails with an error", "The build is green"),
        ("The deadline of the offer is near", "The colour of the offer is blue"),
        ("Sunucuda güvenlik açığı var", "Sunucuda yeni bir tema var"),
        ("Derleme hata verdi", "Derleme yeşil"),
    ],
)
def test_what_is_urgent_arouses(memory: Memory, urgent: str, calm: str) -> None:
    """Errors, security and deadlines raise the arousal channel, English and Turkish."""
    loud, quiet = (kept(memory.remember(one)).channels.arousal for one in (urgent, calm))
    assert loud >= 0.6
    assert quiet < loud


@pytest.mark.spec("D-10")
def test_reward_is_how_useful_the_like_has_been(opening: Opening, tmp_path: Path) -> None:
    """The utility of what stands near, by its similarity; without any, the neutral .5."""
    source = opening("source", profile="cognitive")
    assert kept(source.remember("The kitchen table stands near the window")).channels.reward == 0.5
    file = tmp_path / "out.jsonl"
    source.export(file)
    useful = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in useful:
        row = line.get("memory", line)
        if "content" in row:
            row["utility"] = 0.9
    file.write_text("\n".join(map(json.dumps, useful)) + "\n", encoding="utf-8")
    memory = opening("target", profile="cognitive")
    memory.import_(file)
    new = kept(memory.remember("The kitchen table needs new paint"))
    assert new.channels.reward == pytest.approx(0.9)


@pytest.mark.spec("D-10")
def test_attention_is_what_the_session_is_about(memory: Memory) -> None:
    """The nearest of the same session; half where the session knows nothing like it."""
    memory.remember("The kitchen table stands near the window", session="one")
    near = kept(memory.remember("The kitchen table needs paint", session="one"))
    other = kept(memory.remember("The kitchen table has a drawer", session="two"))
    assert near.channels.attention == pytest.approx(1.0 - near.channels.novelty)
    assert other.channels.attention == 0.5


@pytest.mark.spec("D-10")
@pytest.mark.parametrize(
    ("importance", "priority"),
    [(1.0, "critical"), (0.8, "critical"), (0.79, "high"), (0.6, "high"), (0.59, "normal"),
     (0.4, "normal"), (0.39, "low"), (0.0, "low")],
)  # fmt: skip
def test_priority_follows_importance(memory: Memory, importance: float, priority: str) -> None:
    """From .8 critical, from .6 high, from .4 normal, else low; a caller's own stays, and so does
    that of the kind a caller gives."""
    said = f"The kitchen closes at noon {importance}"
    assert kept(memory.remember(said, importance=importance)).priority == priority
    own = kept(memory.remember(f"{said} today", importance=importance, priority="medium"))
    assert own.priority == "medium"
    policy = kept(memory.remember(f"{said} always", importance=importance, kind="policy"))
    assert policy.priority == "critical"


@pytest.mark.spec("D-10")
@pytest.mark.parametrize(
    "kind", ["preference", "decision", "fact", "correction", "plan", "pitfall"]
)
def test_priority_follows_importance_whatever_the_category(memory: Memory, kind: str) -> None:
    """Also where a caller says what it is, and where its importance is changed later; a policy has
    its own, and a priority that was given stays."""
    for importance, priority in ((0.8, "critical"), (0.6, "high"), (0.4, "normal"), (0.1, "low")):
        said = f"The kitchen of the {kind} closes at noon {importance}"
        row = kept(memory.remember(said, importance=importance, kind=kind))
        assert (row.kind, row.priority) == (kind, priority)
    assert memory.update(row.id, importance=0.85).priority == "critical"
    assert memory.update(row.id, importance=0.2, priority="high").priority == "high"
    assert memory.update(row.id, kind="policy", importance=0.2).priority == "critical"
    assert memory.update(row.id, importance=0.1).priority == "critical"


@pytest.mark.spec("D-10")
def test_elsewhere_priority_follows_the_kind(opening: Opening) -> None:
    """In `default` importance changes no priority."""
    memory = opening("default")
    row = kept(memory.remember("The kitchen closes at noon", importance=0.95))
    assert (row.kind, row.priority) == ("fact", "normal")


def said(memory: Memory, what: str, importance: float, session: str | None = "s") -> str:
    """The id of a memory of that importance."""
    row = kept(memory.remember(what, importance=importance, session=session))
    assert row.importance == importance
    return row.id


def stability(memory: Memory, id: str) -> float:
    """How stable a memory is, looked at without being delivered."""
    return memory.get(id, touch=False).stability


@pytest.mark.spec("D-11")
@pytest.mark.parametrize(
    ("weak", "strong", "factor"),
    [(0.49, 0.7, 1.3), (0.5, 0.7, 1.0), (0.49, 0.69, 1.0), (0.0, 1.0, 1.3)],
)
def test_a_strong_memory_captures_the_weak(
    memory: Memory, weak: float, strong: float, factor: float
) -> None:
    """Below .5 a memory is tagged; one from .7 on multiplies its stability by 1.3."""
    tagged = said(memory, "The kitchen closes at noon", weak)
    before = stability(memory, tagged)
    said(memory, "A flood hit the archive", strong)
    assert stability(memory, tagged) == pytest.approx(before * factor)


@pytest.mark.spec("D-11")
def test_each_is_captured_once(memory: Memory) -> None:
    """All tagged memories are captured, each by the first strong one only; the strong one is not
    strengthened by itself, and a capture counts as no delivery."""
    weak = [said(memory, one, WEAK) for one in ("Oak leaves fell", "Rain came in sideways")]
    before = stability(memory, weak[0])
    first = said(memory, "A flood hit the archive", STRONG)
    second = said(memory, "Thieves broke into a museum", STRONG)
    assert [stability(memory, one) for one in weak] == [pytest.approx(before * 1.3)] * 2
    assert [stability(memory, one) for one in (first, second)] == [before] * 2
    row = memory.get(weak[0], touch=False)
    assert (row.access_count, row.reinforcement_count, row.last_accessed_at) == (0, 0, None)


@pytest.mark.spec("D-11")
@pytest.mark.parametrize(("hours", "factor"), [(3.99, 1.3), (4.01, 1.0)])
def test_a_tag_ends_after_four_hours(
    memory: Memory, clock: Ticks, hours: float, factor: float
) -> None:
    """What is stored later captures no more."""
    tagged = said(memory, "The kitchen closes at noon", WEAK)
    before = stability(memory, tagged)
    clock.pass_days(hours * HOUR_DAYS)
    said(memory, "A flood hit the archive", STRONG)
    assert stability(memory, tagged) == pytest.approx(before * factor)


@pytest.mark.spec("D-11")
def test_only_the_same_session_captures(memory: Memory) -> None:
    """Another session, another user's session of the same name, and no session capture nothing."""
    tagged = said(memory, "The kitchen closes at noon", WEAK)
    loose = said(memory, "Oak leaves fell", WEAK, session=None)
    before = stability(memory, tagged)
    said(memory, "A flood hit the archive", STRONG, session="other")
    said(memory, "Thieves broke into a museum", STRONG, session=None)
    memory.remember("A storm took the roof", importance=STRONG, session="s", user="ada")
    assert stability(memory, tagged) == stability(memory, loose) == before


@pytest.mark.spec("D-11")
def test_a_clock_that_goes_back_breaks_nothing(memory: Memory, clock: Ticks) -> None:
    """A tag from a little ahead is captured still; one from far ahead has ended."""
    near = said(memory, "The kitchen closes at noon", WEAK)
    before = stability(memory, near)
    clock.pass_days(-HOUR_DAYS)
    said(memory, "A flood hit the archive", STRONG)
    assert stability(memory, near) == pytest.approx(before * 1.3)
    far = said(memory, "Oak leaves fell", WEAK)
    clock.pass_days(-30)
    said(memory, "Thieves broke into a museum", STRONG)
    assert stability(memory, far) == before


@pytest.mark.spec("D-11")
def test_a_forgotten_memory_stops_no_capture(memory: Memory) -> None:
    """What was tagged and is forgotten is left out."""
    gone = said(memory, "Oak leaves fell", WEAK)
    memory.forget(gone)
    tagged = said(memory, "The kitchen closes at noon", WEAK)
    before = stability(memory, tagged)
    said(memory, "A flood hit the archive", STRONG)
    assert stability(memory, tagged) == pytest.approx(before * 1.3)


@pytest.mark.spec("D-11")
def test_another_process_captures(tmp_path: Path) -> None:
    """Tags are rows of the store: a hook is a process of its own."""
    clock = Ticks()
    with opened(tmp_path / "store.db", clock, profile="cognitive") as memory:
        tagged = said(memory, "The kitchen closes at noon", WEAK)
        before = stability(memory, tagged)
    program = (
        "import sys; from engraphy import Memory\n"
        "with Memory(sys.argv[1], profile='cognitive', embedder='none',"
        " clock=lambda: int(sys.argv[2])) as m:\n"
        "    m.remember('A flood hit the archive', importance=0.9, session='s')"
    )
    assert forked(program, tmp_path / "store.db", START + 60_000_000).returncode == 0
    with opened(tmp_path / "store.db", clock, profile="cognitive") as memory:
        assert stability(memory, tagged) == pytest.approx(before * 1.3)


@pytest.mark.spec("D-11")
def test_two_writers_lose_no_tag(tmp_path: Path) -> None:
    """Whoever finds another one's tag in the way looks again: none is lost."""
    clock = Ticks()
    first, second = (opened(tmp_path / "store.db", clock, profile="cognitive") for _ in range(2))
    weak = [
        said(writer, f"{what} fell", WEAK)
        for what in ("Oak leaves", "Hail", "Prices")
        for writer in (first, second)
    ]
    before = stability(first, weak[0])
    said(second, "A flood hit the archive", STRONG)
    assert [stability(first, one) for one in weak] == [pytest.approx(before * 1.3)] * 6
    first.close()
    second.close()


def test_profile_default_tags_nothing(opening: Opening) -> None:
    """Where `tag.hours` is 0 no state is kept and nothing is captured."""
    memory = opening("default")
    tagged = said(memory, "The kitchen closes at noon", WEAK)
    before = stability(memory, tagged)
    said(memory, "A flood hit the archive", STRONG)
    assert stability(memory, tagged) == before


WORDS = st.sampled_from(
    ["URGENT!!!", "security breach", "I love it", "I hate this", "never", "3000", "Docker",
     "çok kızgınım", "acil", "sakin", "the deploy failed because", "Redis", "🎉", "A" * 50]
)  # fmt: skip


@pytest.mark.long
@pytest.mark.spec("R-11", "D-10", "D-11")
@settings(
    max_examples=few(25),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_every_strength_stays_in_its_range(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever is told, at whatever clock: all strengths are finite and in range."""
    clock = Ticks()
    knobs: dict[str, Any] = {"tag": {"factor": 100.0}, "weigh": {"kind_boost": {"fact": 100.0}}}
    path = tmp_path_factory.mktemp("range") / "store.db"
    with opened(path, clock, profile="cognitive", overrides=knobs) as memory:
        for _ in range(data.draw(st.integers(1, 8))):
            memory.remember(
                " ".join(data.draw(st.lists(WORDS, min_size=1, max_size=5))), session="s"
            )
            clock.pass_days(data.draw(st.sampled_from([0.0, 0.01, 400.0, -400.0])))
        for row in memory.list(include=["superseded", "quarantined"], limit=100):
            assert 0.0 < row.stability <= 36_500.0
            assert 1.0 <= row.storage_strength <= 10.0
            shares = (row.importance, row.utility, row.trust, *row.channels, row.emotional_arousal)
            assert all(0.0 <= one <= 1.0 for one in shares)
            assert -1.0 <= row.valence <= 1.0
