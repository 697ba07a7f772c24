"""Two where one is enough: contradictions, near neighbours, variants, and more than there is room
for."""

from typing import Any

import pytest
from tests.dream.conftest import Beside, KilledError, Resting, changed, killed_after
from tests.dream.stories import BACKUPS, BICYCLES, BREAD, PLACES, TREES
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory
from engraphy.testing.doubles import ToyEmbedder


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("way", [1, -1])
def test_of_two_that_contradict_the_older_sleeps(resting: Resting, clock: Ticks, way: int) -> None:
    """Whichever end the relation starts at; it is dormant, not deleted, and found on request."""
    memory = resting("contradictions")
    old = kept(memory.remember("The heron nests near the northern lake"))
    clock.pass_days(1)
    new = kept(memory.remember("No heron has ever come to this region"))
    first, second = [old, new][::way]
    memory.link(first.id, second.id, "contradicts")
    assert changed(memory.dream(dry_run=True)) == {"contradictions": 1}
    assert changed(memory.dream()) == {"contradictions": 1}
    assert texts(memory.list()) == [new.content]
    assert memory.get(old.id, touch=False).state == "dormant"
    assert memory.dream().changed == 0


@pytest.mark.spec("D-44")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"pinned": True}, {}), ({"immutable": True}, {}), ({"flashbulb": True}, {}),
        ({}, {"origin": "web"}), ({}, {"evidence": "hypothetical"}), ({}, {"evidence": "quoted"}),
    ],
    ids=str,
)  # fmt: skip
def test_who_stays_awake_though_contradicted(
    resting: Resting, clock: Ticks, old: dict[str, Any], new: dict[str, Any]
) -> None:
    """Pinned, immutable and vivid memories; and nothing sleeps for the word of somebody less
    trusted, for a maybe, or for a quotation."""
    memory = resting("contradictions")
    text = "I am furious!!! This is a disaster, I hate it!!!"
    vivid = old.pop("flashbulb", False)
    first = kept(memory.remember(text if vivid else "The heron nests near the lake", **old))
    assert first.flashbulb == vivid
    clock.pass_days(1)
    second = kept(memory.remember("No heron has ever come to this region", **new))
    memory.link(second.id, first.id, "contradicts")
    memory.dream()
    assert memory.get(first.id, touch=False).state == "active"


NEAR = (
    "The gateway of the northern cluster listens at noon on the big antenna for the gulls",
    "The gateway of the northern cluster listens at noon on the big antenna for all the gulls",
)


@pytest.fixture
def close(opening: Opening) -> Memory:
    """A memory with vectors that looks for what is said twice."""
    steps = {"steps": ["redundancy"]}
    return opening(profile="cognitive", embedder=ToyEmbedder(dim=256), overrides={"dream": steps})


def told_apart(memory: Memory, beside: Beside, *said: str, **fields: Any) -> list[str]:
    """Texts side by side, with their vectors."""
    ids = beside(memory, *said, **fields)
    memory.reembed()
    return ids


@pytest.mark.spec("D-44")
@pytest.mark.spec("D-47")
def test_of_two_that_say_the_same_the_less_useful_sleeps(close: Memory, beside: Beside) -> None:
    """Above a cosine of .9; the other one stays, and a second cycle finds nothing."""
    first, second = told_apart(close, beside, *NEAR)
    close.get(first)
    assert changed(close.dream()) == {"redundancy": 1}
    assert (close.get(first, touch=False).state, close.get(second, touch=False).state) == (
        "active",
        "dormant",
    )
    assert close.dream().changed == 0


@pytest.mark.spec("D-47")
@pytest.mark.spec("R-09")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("20", "30"), ("never", "always"), ("Berlin", "Bergen"), ("version 1.2", "version 1.3"),
        ("is open", "is not open"), ("port 80", "port 443"), ("2026-03-01", "2026-03-02"),
        ("before the tide", "after the tide"),
    ],
)  # fmt: skip
def test_what_differs_in_what_counts_is_not_the_same(
    close: Memory, beside: Beside, one: str, other: str
) -> None:
    """A number, a negation, a name, a version, a port, a date, an order: both stay awake."""
    frame = "In the old harbour house the pump of the northern basin {} runs with the grey valve"
    told_apart(close, beside, frame.format(one), frame.format(other))
    assert close.dream().changed == 0


@pytest.mark.spec("D-47")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"sensitivity": "private"}), ({}, {"origin": "web"}), ({"speaker": "Ada"}, {}),
        ({}, {"kind": "episode"}), ({}, {"scope_globs": ["src/"]}),
        ({"pinned": True}, {"pinned": True}), ({"immutable": True}, {"immutable": True}),
    ],
    ids=str,
)  # fmt: skip
def test_who_cannot_stand_for_another(
    close: Memory, beside: Beside, one: dict[str, Any], other: dict[str, Any]
) -> None:
    """Of another level, origin, speaker, kind or place, or protected."""
    ids = beside(close, NEAR[0], **one) + beside(close, NEAR[1], **other)
    close.reembed()
    close.dream()
    leave: dict[str, Any] = {"allow_private": True}
    assert {close.get(one, touch=False, **leave).state for one in ids} == {"active"}


@pytest.mark.spec("D-47")
def test_a_cycle_compares_so_many_pairs(opening: Opening, clock: Ticks, beside: Beside) -> None:
    """No more than the cap, whether they come to anything or not; a second cycle at once compares
    none, a later one those that were left."""
    dream = {"steps": ["redundancy"], "forget": {"comparisons": 2}}
    memory = opening(profile="cognitive", embedder=ToyEmbedder(dim=256), overrides={"dream": dream})
    for text in (BACKUPS[0], BICYCLES[0], BREAD[0]):
        told_apart(memory, beside, f"{text} of the big old house", f"{text} of the big old house!")
    assert [memory.dream().changed, memory.dream().changed] == [2, 0]
    clock.pass_days(1)
    assert [memory.dream().changed, memory.dream().changed] == [1, 0]


def crowded(resting: Resting, **forget: Any) -> Memory:
    """A memory that trims, from 12 on down to 9."""
    knobs = {"limit": 12, "target": 9, "other_keep_days": 0.0, "keep_days": {}, **forget}
    return resting("trim", forget=knobs)


def filled(memory: Memory, number: int, **fields: Any) -> list[str]:
    """So many memories about different things."""
    pairs = [(one, other) for one in TREES[:5] for other in PLACES[:3]][:number]
    said = [f"The {one} by the {other} is {n + 3} m tall" for n, (one, other) in enumerate(pairs)]
    fields = {"kind": "workflow", **fields}
    return [kept(memory.remember(text, **fields)).id for text in said]


@pytest.mark.spec("D-44")
def test_more_than_there_is_room_for_sleep(resting: Resting, clock: Ticks) -> None:
    """Above the limit down to the target, the least useful ones; not at the limit."""
    memory = crowded(resting)
    ids = filled(memory, 12)
    assert memory.dream().changed == 0
    ids.append(kept(memory.remember("The plum by the gate is old", kind="workflow")).id)
    for good in ids[:6]:
        memory.report(good)
    assert memory.dream(dry_run=True).changed == memory.dream().changed == 4
    assert len(memory.list()) == 9
    assert set(ids[:6]) <= {row.id for row in memory.list()}
    assert memory.dream().changed == 0


@pytest.mark.spec("D-44")
def test_what_is_used_at_the_mean_is_not_trimmed(resting: Resting, clock: Ticks) -> None:
    """BCM: of memories that were delivered as often as the mean none sleeps, however full it is."""
    memory = crowded(resting)
    ids = filled(memory, 14)
    for one in ids[:10]:
        memory.get(one)
    memory.dream()
    assert {row.id for row in memory.list()} == set(ids[:10])


@pytest.mark.spec("D-44")
@pytest.mark.parametrize(
    ("fields", "forget"),
    [
        ({"pinned": True}, {}), ({"immutable": True}, {}), ({"kind": "preference"}, {}),
        ({"kind": "entity"}, {}), ({"kind": "correction"}, {}),
        ({"kind": "decision"}, {"keep_days": {"decision": 45.0}}),
        ({"kind": "fact"}, {"keep_days": {"fact": 14.0}}),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_exempt_from_trimming(
    resting: Resting, clock: Ticks, fields: dict[str, Any], forget: dict[str, Any]
) -> None:
    """What is pinned, immutable, of a permanent kind, or younger than its kind must be."""
    memory = crowded(resting, **forget)
    spared = kept(memory.remember("The plum by the gate is old", importance=0.0, **fields)).id
    filled(memory, 14, importance=0.9)
    clock.pass_days(1)
    memory.dream()
    assert len(memory.list()) == 9
    assert memory.get(spared, touch=False).state == "active"


@pytest.mark.long
@pytest.mark.spec("D-44")
def test_each_set_of_walls_has_its_own_room(resting: Resting) -> None:
    """The limit counts the memories of one user, project or nobody alone."""
    memory = crowded(resting)
    for user in ("ada", "bob"):
        filled(memory, 12, user=user)
    filled(memory, 13)
    assert memory.dream().changed == 4
    assert [len(memory.list(user=user)) - 9 for user in ("ada", "bob")] == [12, 12]


@pytest.mark.spec("B-10")
@pytest.mark.spec("R-06")
def test_variants_of_one_text_become_the_newest(
    resting: Resting, clock: Ticks, beside: Beside
) -> None:
    """The newest supersedes the others, and takes over how often they were used; nothing of it is
    rewritten."""
    memory = resting("dedup", profile="layered")
    first, second = beside(memory, *NEAR)
    for _ in range(3):
        memory.get(first)
    memory.get(second)
    assert changed(memory.dream()) == {"dedup": 1}
    (row,) = memory.list()
    assert (row.id, row.content, row.version, row.access_count) == (second, NEAR[1], 1, 4)
    old = memory.get(first, touch=False)
    assert (old.state, old.superseded_by, old.content) == ("superseded", second, NEAR[0])
    assert [link.target_id for link in memory.links(second)] == [first]
    assert memory.dream().changed == 0


@pytest.mark.spec("B-10")
@pytest.mark.spec("R-06")
@pytest.mark.spec("R-09")
@pytest.mark.parametrize(
    "fields",
    [{"sensitivity": "secret"}, {"origin": "web"}, {"user": "ada"}, {"pinned": True}],
    ids=str,
)
def test_no_variant_across_a_level_a_wall_or_an_origin(
    resting: Resting, beside: Beside, fields: dict[str, Any]
) -> None:
    """Nor of what is protected, nor where a number differs."""
    memory = resting("dedup", profile="layered")
    beside(memory, NEAR[0], f"{NEAR[0]} of 20 feet", f"{NEAR[0]} of 30 feet")
    beside(memory, NEAR[1], **fields)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-42")
def test_trimming_goes_batch_by_batch(resting: Resting) -> None:
    """However many must sleep, no more than a batch in one transaction; whoever kills it between
    two of them finds the rest done by the next one, and no more."""
    knobs = {"limit": 12, "target": 4, "other_keep_days": 0.0, "keep_days": {}}
    memory = resting("trim", forget=knobs, batch=3)
    filled(memory, 15)
    with killed_after(3), pytest.raises(KilledError):
        memory.dream()
    assert 4 < len(memory.list()) < 15
    report = memory.dream()
    assert report.resumed
    assert changed(report) == {"trim": 11}
    assert report.steps[0].looked == 15
    assert len(memory.list()) == 4
    assert memory.dream().changed == 0


@pytest.mark.spec("D-44")
def test_trimming_twice_at_once_trims_once(resting: Resting, clock: Ticks) -> None:
    """Also where the mean rose because what was never used sleeps: what was used below it has its
    turn in the next cycle."""
    memory = crowded(resting, limit=10)
    ids = filled(memory, 15)
    for one, times in zip(ids, [3] * 5 + [4] * 6, strict=False):
        for _ in range(times):
            memory.get(one)
    made = [memory.dream().changed, memory.dream().changed]
    clock.pass_days(1)
    assert [*made, memory.dream().changed] == [4, 0, 2]
    assert len(memory.list()) == 9
