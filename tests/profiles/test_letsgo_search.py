"""How letsgo searches and scores, clause by clause (A-04, A-06, A-10, A-11)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import DAY, Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import NotFoundError
from engraphy.model import Hit

__all__ = ["clock", "opening"]

PARTS = ("match", "recency", "importance", "trust")
SAID = "The gateway listens on port 8443"


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """An empty memory of letsgo as it ships."""
    return opening(profile="letsgo")


def parts(hit: Hit) -> dict[str, float]:
    """The four parts of a score."""
    return {name: hit.why[name] for name in PARTS}


@pytest.mark.spec("A-04")
def test_a_score_is_the_sum_of_its_four_parts(memory: Memory, clock: Ticks) -> None:
    """.55 of the match, .20 of the recency, .15 of the importance, .10 of the trust, each shown;
    21 days after it was changed half of the recency is left."""
    row = kept(memory.remember(SAID, importance=0.6, trust=0.5))
    memory.remember("Bread is baked at dawn by Marcus")
    fresh = memory.recall("gateway port", touch=False)[0]
    clock.now = row.updated_at + 21 * DAY - 1_000_000
    aged = memory.recall("gateway port", touch=False)[0]
    assert parts(aged) == pytest.approx(
        {"match": parts(fresh)["match"], "recency": 0.10, "importance": 0.09, "trust": 0.05},
        abs=1e-4,
    )
    assert 0.0 < parts(fresh)["match"] < 0.55
    for hit in (fresh, aged):
        assert hit.score == pytest.approx(sum(parts(hit).values()), abs=1e-3)


@pytest.mark.spec("A-04")
def test_below_the_least_score_nothing_is_delivered(memory: Memory, clock: Ticks) -> None:
    """The same memory, found by the same words, falls below .35 as it grows old: then it is
    dropped, and `explain` says why."""
    row = kept(memory.remember(SAID, importance=0.5, trust=0.5, ttl_days=400))
    found = []
    for _ in range(8):
        hits = memory.recall("gateway", touch=False)
        found.append(bool(hits))
        assert all(hit.score >= 0.35 for hit in hits)
        clock.pass_days(20)
    assert found[0]
    assert not found[-1]
    missing = memory.explain("gateway", missing=row.id).missing
    assert missing is not None
    assert "below min_score 0.350" in missing.detail
    assert memory.recall("gateway", min_score=0.0, touch=False)[0].memory.id == row.id


@pytest.mark.spec("A-04")
def test_old_memories_need_a_good_match(memory: Memory, clock: Ticks) -> None:
    """Months old, with no recency left, an ordinary memory that answers is delivered; one that
    shares a common word with the question is not."""
    answer = kept(memory.remember(SAID, ttl_days=400))
    for number in range(20):
        memory.remember(f"The port of town {number} is old", ttl_days=400)
    clock.pass_days(200)
    hits = memory.recall("which port does the gateway listen on?", touch=False)
    assert [hit.memory.id for hit in hits] == [answer.id]
    assert parts(hits[0])["recency"] < 0.001


@pytest.mark.spec("A-04")
@pytest.mark.parametrize("name", PARTS)
def test_custom_weights_are_honoured(opening: Opening, name: str) -> None:
    """Any of the four may weigh alone: then the score is that part, and decides the order."""
    knobs = {"score": {"weights": {name: 1.0}, "min_score": 0.0}}
    memory = opening(profile="letsgo", overrides=knobs)
    memory.remember("The gateway port is open", importance=0.9, trust=0.2, at="2026-04-01")
    memory.remember("The gateway is grey, and its port and gate", importance=0.2, trust=0.9)
    hits = memory.recall("gateway port", touch=False)
    assert len(hits) == 2
    for hit in hits:
        assert set(hit.why) & set(PARTS) == {name}
        assert hit.score == pytest.approx(hit.why[name], abs=1e-3)
    assert hits[0].score > hits[1].score
    first = {"match": 0, "importance": 0, "recency": 1, "trust": 1}[name]
    words = ("The gateway port is open", "The gateway is grey, and its port and gate")
    assert hits[0].memory.content == words[first]


@pytest.mark.spec("A-04")
def test_where_full_text_finds_nothing_the_share_of_words_is_the_match(memory: Memory) -> None:
    """Words inside other words, in content, title or subtitle: two of three asked for are two
    thirds of a match; nothing of the question is no hit, and full text, where it finds anything,
    is what counts."""
    inside = kept(memory.remember("The superdreadnought sank near the lighthouse"))
    titled = kept(memory.remember("It sank", title="Superdreadnought"))
    under = kept(memory.remember("It came back", subtitle="On a motorhouseboat"))
    memory.remember("Bread is baked at dawn")
    (hit, other) = memory.recall("adnoug thous quick", touch=False)
    assert (hit.memory.id, other.memory.id) == (inside.id, titled.id)
    assert hit.why["match"] == pytest.approx(0.55 * 2 / 3, abs=1e-3)
    assert other.why["match"] == pytest.approx(0.55 / 3, abs=1e-3)
    assert "2 by parts of words" in {
        step.detail for step in memory.explain("adnoug thous quick").steps
    }
    assert texts(memory.recall("otorhous", touch=False)) == [under.content]
    assert memory.recall("zeppelin quick", touch=False) == []
    assert texts(memory.recall("bread adnoug", touch=False)) == ["Bread is baked at dawn"]


@pytest.mark.spec("A-04")
def test_only_words_that_tell_something_are_looked_for(memory: Memory) -> None:
    """Neither stop words nor letters: "the" in "brother", "bir" in "birthday"."""
    memory.remember("Brother Anthony keeps bees")
    for query in ("the", "an", "bir", "b", "ant he"):
        hits = memory.recall(query, touch=False)
        assert all("Brother" in text for text in texts(hits))
    assert memory.recall("the", touch=False) == memory.recall("bir", touch=False) == []


@pytest.mark.spec("A-06")
def test_words_inside_words_show_nothing_without_leave(memory: Memory) -> None:
    """The fallback sees what the caller sees: no private memory, none of another project."""
    memory.remember("The superdreadnought sank", sensitivity="private")
    memory.remember("The superdreadnought sails", project="apollo")
    assert memory.recall("adnoug", touch=False) == []
    assert texts(memory.recall("adnoug", allow_private=True, touch=False)) == [
        "The superdreadnought sank"
    ]
    assert texts(memory.recall("adnoug", project="apollo", touch=False)) == [
        "The superdreadnought sails"
    ]


Looking = Callable[[Memory, str], Any]
LOOKING: dict[str, tuple[Looking, int]] = {
    "get": (lambda memory, key: memory.get(key), 1),
    "recall": (lambda memory, _: memory.recall("gateway"), 1),
    "context": (lambda memory, _: memory.context("which port does the gateway use?"), 1),
    "list": (lambda memory, _: memory.list(), 0),
    "by file": (lambda memory, _: memory.list(file="src/a.py"), 0),
    "by concept": (lambda memory, _: memory.list(concept="gotcha"), 0),
    "timeline": (lambda memory, _: memory.timeline(), 0),
    "explain": (lambda memory, _: memory.explain("gateway"), 0),
    "missed": (lambda memory, _: memory.recall("bread"), 0),
    "cut off": (lambda memory, _: memory.recall("gateway", min_score=0.99), 0),
    "history": (lambda memory, key: memory.history(key), 0),
    "stats": (lambda memory, _: memory.stats(), 0),
    "dream": (lambda memory, _: memory.dream(), 0),
}


@pytest.mark.spec("A-10")
@pytest.mark.parametrize("name", LOOKING)
def test_only_what_is_delivered_is_counted(memory: Memory, name: str) -> None:
    """get, search and injection count one access; listing, scoring and what is cut off none."""
    told = {"concepts": ["gotcha"], "files_read": ["src/a.py"]}
    row = kept(memory.remember(SAID, **told))
    look, counted = LOOKING[name]
    look(memory, row.id)
    assert memory.get(row.id, touch=False).access_count == counted


@pytest.mark.spec("A-10")
def test_what_is_fetched_beyond_the_limit_is_not_counted(memory: Memory) -> None:
    """Of many that match the one that is delivered alone is accessed."""
    rows = [kept(memory.remember(f"The gateway of town {n} listens on port {n}")) for n in range(9)]
    (hit,) = memory.recall("gateway port 4", limit=1)
    counts = {row.id: memory.get(row.id, touch=False).access_count for row in rows}
    assert counts == {row.id: int(row.id == hit.memory.id) for row in rows}


@pytest.mark.spec("A-06")
@pytest.mark.parametrize(
    ("level", "leave", "seen"),
    [
        ("public", {}, True),
        ("private", {}, False),
        ("private", {"allow_secret": True}, False),
        ("private", {"allow_private": True}, True),
        ("secret", {}, False),
        ("secret", {"allow_private": True}, False),
        ("secret", {"allow_secret": True}, True),
    ],
)
def test_each_level_needs_its_own_leave(
    memory: Memory, level: str, leave: dict[str, bool], seen: bool
) -> None:
    """Public always; private with allow_private; secret with allow_secret; by id and by words."""
    row = kept(memory.remember(SAID, sensitivity=level))
    assert bool(memory.recall("gateway", **leave)) is seen
    assert bool(memory.list(**leave)) is seen
    assert bool(memory.context("which port does the gateway use?", **leave).hits) is seen
    if seen:
        assert memory.get(row.id, **leave).content == SAID
    else:
        with pytest.raises(NotFoundError):
            memory.get(row.id, **leave)


@pytest.mark.spec("A-11")
def test_the_timeline_filters_by_type_project_and_session(memory: Memory, clock: Ticks) -> None:
    """Newest first; each filter alone and all together."""
    for number, kind in enumerate(("bugfix", "decision", "bugfix", "feature")):
        project, session = ("apollo" if number % 2 else None), f"s{number // 2}"
        memory.remember(f"Event {number}", kind=kind, project=project, session=session)
        clock.pass_days(1)
    shared = {"project": None}
    assert texts(memory.timeline(**shared)) == ["Event 2", "Event 0"]
    assert texts(memory.timeline(project="apollo")) == ["Event 3", "Event 2", "Event 1", "Event 0"]
    assert texts(memory.timeline(kind="bugfix")) == ["Event 2", "Event 0"]
    assert texts(memory.timeline(session="s1", project="apollo")) == ["Event 3", "Event 2"]
    told = {"kind": "bugfix", "project": "apollo", "session": "s0"}
    assert texts(memory.timeline(**told)) == ["Event 0"]
