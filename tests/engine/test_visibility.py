"""What a caller may see: sensitivity, time to live, validity and state, on every reading verb."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, NotFoundError

WORD = "heron"
LEVELS = ("public", "private", "secret")
LEAVE: list[tuple[dict[str, bool], set[str]]] = [
    ({}, {"public"}),
    ({"allow_private": True}, {"public", "private"}),
    ({"allow_secret": True}, {"public", "secret"}),
    ({"allow_private": True, "allow_secret": True}, {"public", "private", "secret"}),
    ({"allow_private": False, "allow_secret": False}, {"public"}),
]


def reading(memory: Memory, folder: Path, more: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every reading verb and all that it says."""
    yield "recall", repr(memory.recall(f"the {WORD}", limit=50, **more))
    yield "explain", repr(memory.explain(f"the {WORD}", limit=50, **more))
    yield "context", memory.context(f"where is the {WORD}?", budget=9_000, **more).text
    yield "list", repr(memory.list(**more))
    yield "list tag", repr(memory.list(tag=WORD, **more))
    yield "list file", repr(memory.list(file="src/heron.py", **more))
    yield "list concept", repr(memory.list(concept=WORD, **more))
    yield "list entity", repr(memory.list(entity=WORD, **more))
    yield "list speaker", repr(memory.list(speaker="Heron", **more))
    yield "timeline", repr(memory.timeline(**more))
    yield "facts", repr(memory.facts(**more))
    memory.export(folder / "out.jsonl", **more)
    yield "export", (folder / "out.jsonl").read_text(encoding="utf-8")
    yield "forget", repr(memory.forget(f"the {WORD}", limit=50, **more))


def fields() -> dict[str, Any]:
    """What the listings of `reading` look for."""
    return {
        "tags": [WORD],
        "files_read": ["src/heron.py"],
        "concepts": [WORD],
        "entities": [WORD],
        "speaker": "Heron",
        "kind": "policy",
    }


@pytest.mark.spec("A-06")
@pytest.mark.parametrize("profile", ["default", "letsgo"])
@pytest.mark.parametrize(("leave", "allowed"), LEAVE, ids=lambda one: "+".join(sorted(one)))
def test_sensitivity_is_kept_on_every_reading_verb(
    opening: Opening, tmp_path: Path, profile: str, leave: dict[str, bool], allowed: set[str]
) -> None:
    """Public always; private and secret only with their own leave, wherever it is read."""
    memory = opening(profile=profile)
    ids = {}
    for level in LEVELS:
        row = kept(memory.remember(f"The {WORD} is {level}ly seen", sensitivity=level, **fields()))
        ids[level] = row.id
        memory.fact(WORD, "seen", f"{level}ly", source_id=row.id, allow_private=True,
                    allow_secret=True)  # fmt: skip
    for verb, said in reading(memory, tmp_path, leave):
        found = {level for level in LEVELS if f"{level}ly" in said}
        assert found == allowed, verb
    stats = memory.stats(**leave)
    assert (stats.total, stats.facts, set(stats.by_sensitivity)) == (
        len(allowed),
        len(allowed),
        allowed,
    )
    for level in set(LEVELS) - allowed:
        refused(memory, ids[level], leave)


def refused(memory: Memory, id: str, leave: dict[str, bool]) -> None:
    """Every verb that takes an id says that there is none."""
    verbs: list[Callable[[], object]] = [
        lambda: memory.get(id, **leave),
        lambda: memory.history(id, **leave),
        lambda: memory.links(id, **leave),
        lambda: memory.update(id, "other", **leave),
        lambda: memory.pin(id, **leave),
        lambda: memory.forget(id, **leave),
    ]
    for verb in verbs:
        try:
            assert verb() == []
        except NotFoundError:
            continue
    missing = memory.explain(f"the {WORD}", missing=id, **leave).missing
    assert missing is not None
    assert missing.stage == "scope"


@pytest.mark.spec("A-07")
def test_what_has_expired_appears_in_no_read(
    opening: Opening, tmp_path: Path, clock: Ticks
) -> None:
    """From the moment its time is over a memory is gone from every verb, before any upkeep."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember(f"The {WORD} is briefly seen", ttl_days=2, **fields()))
    assert row.expires_at is not None
    clock.pass_days(1.9)
    assert {verb for verb, said in reading(memory, tmp_path, {}) if "briefly" not in said} == {
        "facts"
    }
    clock.pass_days(0.2)
    assert [verb for verb, said in reading(memory, tmp_path, {}) if "briefly" in said] == []
    with pytest.raises(NotFoundError):
        memory.get(row.id)
    [over] = memory.list(include=["expired"])
    assert over.content == row.content
    line = memory.latest()
    for _ in range(2):
        assert memory.get(row.id[:8], include=["expired"]) == over
    assert memory.latest() == line


@pytest.mark.spec("A-07")
def test_the_default_time_to_live_is_the_profiles(opening: Opening, clock: Ticks) -> None:
    """letsgo ships 90 days; a memory's own ttl and pinning win; default keeps for ever."""
    memory = opening(profile="letsgo")
    plain = kept(memory.remember("kept for the usual time"))
    own = kept(memory.remember("kept for a longer time", ttl_days=200))
    pinned = kept(memory.remember("kept for ever and ever", pinned=True))
    assert plain.expires_at == plain.recorded_at + 90 * DAY
    assert own.expires_at == own.recorded_at + 200 * DAY
    assert pinned.expires_at is None
    assert kept(opening("other").remember("kept for good")).expires_at is None
    short = opening("short", profile="letsgo", overrides={"write": {"default_ttl_days": 1}})
    row = kept(short.remember("kept for a day"))
    assert row.expires_at == row.recorded_at + DAY


def test_restating_revives_what_expired(memory: Memory, clock: Ticks) -> None:
    """An expired text that is stored again is the same memory, and is seen again (R-06)."""
    first = kept(memory.remember("The heron is back", ttl_days=1))
    clock.pass_days(5)
    assert memory.list() == []
    again = memory.remember("The heron is back")
    assert (again.action, kept(again).id) == ("reinforced", first.id)
    assert texts(memory.list()) == ["The heron is back"]
    memory.dream()
    clock.pass_days(5)
    memory.dream()
    assert memory.list() == []
    assert kept(memory.remember("The heron is back")).state == "active"
    assert texts(memory.list()) == ["The heron is back"]


def test_maintenance_files_what_expired(memory: Memory, clock: Ticks) -> None:
    """`dream` marks what is over as expired, journals it, and shows it before doing it."""
    row = kept(memory.remember("over soon", ttl_days=1))
    kept(memory.remember("stays"))
    clock.pass_days(2)
    before = memory.stats().journal_entries
    planned = memory.dream(dry_run=True)
    assert (planned.dry_run, planned.changed) == (True, 1)
    assert memory.stats().journal_entries == before
    done = memory.dream()
    assert (done.dry_run, done.changed) == (False, 1)
    assert memory.stats().by_state == {"active": 1, "expired": 1}
    assert memory.stats().journal_entries == before + 1
    (gone,) = memory.list(include=["expired"])[1:]
    assert (gone.id, gone.state) == (row.id, "expired")
    assert memory.dream().changed == 0


@pytest.mark.spec("R-03")
def test_maintenance_never_makes_a_memory_look_fresh(memory: Memory, clock: Ticks) -> None:
    """After `dream` the clocks of change and of access stand where they stood."""
    memory.remember("over soon", ttl_days=1)
    memory.recall("over soon")
    (before,) = memory.list()
    clock.pass_days(2)
    memory.dream()
    (after,) = memory.list(include=["expired"])
    assert after.last_decayed_at is not None
    assert (after.updated_at, after.last_accessed_at, after.access_count) == (
        before.updated_at,
        before.last_accessed_at,
        before.access_count,
    )


@pytest.mark.spec("D-14")
def test_validity_bounds_what_is_current(memory: Memory, clock: Ticks) -> None:
    """A memory holds from valid_from until valid_until; as_of asks for any moment between."""
    kept(memory.remember("The heron sale is on", at=START, valid_until=START + 2 * DAY))
    assert len(memory.recall("heron sale")) == 1
    clock.pass_days(3)
    assert memory.recall("heron sale") == memory.list() == []
    assert len(memory.recall("heron sale", as_of=START + DAY)) == 1
    assert memory.recall("heron sale", as_of=START - DAY) == []
    assert memory.recall("heron sale", as_of=START + 2 * DAY) == []


def test_a_plan_ends_on_its_day(opening: Opening, clock: Ticks) -> None:
    """An announced date bounds an observed plan; pinned ones and other kinds stay."""
    memory = opening()
    memory.observe("I am going to visit the heron reserve tomorrow.", at=START)
    (row,) = memory.list()
    assert row.temporal_type == "time_bounded"
    assert row.valid_until is not None
    clock.pass_days(9)
    assert memory.list() == []
    memory.dream()
    assert memory.stats().by_state == {"expired": 1}
    assert len(memory.list(include=["expired"])) == 1


@pytest.mark.parametrize("verb", ["recall", "list", "timeline", "explain"])
@pytest.mark.parametrize("include", ["all", ["gone"], [5], [None], ["active"], "supersede"])
def test_only_known_states_can_be_included(memory: Memory, verb: str, include: Any) -> None:
    """What may be included is named in the error."""
    query = ("x",) if verb in {"recall", "explain"} else ()
    with pytest.raises(InvalidInputError) as caught:
        getattr(memory, verb)(*query, include=include)
    assert "superseded" in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": -1},
        {"limit": True},
        {"limit": 1.5},
        {"limit": "5"},
        {"limit": 10**9},
        {"as_of": "long ago"},
        {"as_of": 1.5},
        {"include": 5},
    ],
    ids=str,
)
def test_bad_arguments_of_a_recall(memory: Memory, wrong: dict[str, Any]) -> None:
    """Each is a typed error that names the argument."""
    for verb in (memory.recall, memory.explain):
        with pytest.raises(InvalidInputError) as caught:
            verb("x", **wrong)
        assert next(iter(wrong)) in str(caught.value)
    with pytest.raises(InvalidInputError):
        memory.recall(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"order": "random"},
        {"order": 5},
        {"kind": "nothing"},
        {"kind": 5},
        {"kind": ["fact", 5]},
        {"tag": 5},
        {"tag": ["a"]},
        {"pinned": "yes"},
        {"since": "x"},
        {"until": 1.5},
        {"after": 5},
        {"limit": 0},
        {"colour": "red"},
    ],
    ids=str,
)
def test_bad_arguments_of_a_listing(memory: Memory, wrong: dict[str, Any]) -> None:
    """Each is a typed error that names the argument and what is allowed."""
    for verb in (memory.list, memory.timeline):
        with pytest.raises(InvalidInputError) as caught:
            verb(**wrong)
        assert next(iter(wrong)) in str(caught.value)


@pytest.mark.parametrize("order", ["newest", "oldest", "importance", "updated", "accessed", "id"])
def test_pages_cover_everything_once(memory: Memory, order: str) -> None:
    """Page after page, each order shows every memory exactly once."""
    for number in range(7):
        memory.remember(f"page {number}", importance=(number * 3 % 7) / 10)
    memory.recall("page 3", limit=1)
    seen: list[str] = []
    after = None
    while rows := memory.list(order=order, limit=3, after=after):
        seen += [row.id for row in rows]
        after = rows[-1].id
    assert len(seen) == len(set(seen)) == 7
    whole = memory.list(order=order)
    assert [row.id for row in whole] == seen


def test_listings_filter(memory: Memory) -> None:
    """Filters combine; files and tags match exactly."""
    a = kept(memory.remember("one", kind="decision", tags=["x"], category="c", at="2026-01-01"))
    b = kept(memory.remember("two", kind="fact", tags=["x", "y"], pinned=True, at="2026-02-01"))
    c = kept(memory.remember("three", kind="fact", files_modified=["src/a.py"], at="2026-03-01"))

    def ids(**filters: Any) -> set[str]:
        return {row.id for row in memory.list(**filters)}

    assert ids(kind="fact") == {b.id, c.id}
    assert ids(kind=["fact", "decision"]) == {a.id, b.id, c.id}
    assert ids(tag="x") == {a.id, b.id}
    assert ids(tag="x", kind="fact") == {b.id}
    assert ids(tag="X") == ids(tag="x%") == ids(file="a.py") == ids(file="src/%") == set()
    assert ids(file="src/a.py") == {c.id}
    assert ids(category="c") == {a.id}
    assert ids(pinned=True) == {b.id}
    assert ids(pinned=False) == {a.id, c.id}
    assert ids(since="2026-02-01") == {b.id, c.id}
    assert ids(until="2026-02-01") == {a.id}
    assert ids(since="2026-01-15", until="2026-02-15") == {b.id}
    assert [row.id for row in memory.timeline()] == [c.id, b.id, a.id]


def test_the_timeline_follows_what_happened(memory: Memory) -> None:
    """Newest first by when it became true, whatever was told first; superseded ones included."""
    for text, at in [("second", "2026-02-01"), ("third", "2026-03-01"), ("first", "2026-01-01")]:
        memory.remember(f"The {text} thing", at=at)
    assert texts(memory.timeline()) == ["The third thing", "The second thing", "The first thing"]
    assert texts(memory.timeline(limit=2)) == ["The third thing", "The second thing"]
