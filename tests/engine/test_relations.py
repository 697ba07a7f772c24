"""How memories hang together: six types, their heuristics, pruning, walks and hubs (D-13)."""

from itertools import count
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import kept, texts

from engraphy import Memory
from engraphy.errors import NotFoundError

SERIAL = count()
WORDS = (
    "violet lamp", "copper kettle", "wooden spoon", "paper crane", "iron anchor", "silver thimble",
    "marble stair", "cotton sail", "leather strap", "glass marble", "woollen glove",
)  # fmt: skip

HEADS = ("violet", "copper", "wooden", "paper", "iron", "silver", "marble")
TAILS = ("lamp", "kettle", "spoon", "crane", "anchor", "thimble", "stair")


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """Profile `cognitive`."""
    return opening(profile="cognitive")


def between(memory: Memory, source: str, target: str, **scope: Any) -> list[tuple[str, float]]:
    """The types and confidences of the relations from one memory to another."""
    return [
        (one.type.value, round(one.confidence, 3))
        for one in memory.links(source, **scope)
        if (one.source_id, one.target_id) == (source, target)
    ]


def put(memory: Memory, *said: str, **more: Any) -> list[str]:
    """The ids of what is remembered."""
    return [kept(memory.remember(one, **more)).id for one in said]


@pytest.mark.spec("D-13")
@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (
            "Docker and Kubernetes run the billing cluster",
            "The weekly costs of Kubernetes with Docker went up",
            [("same_entity", 0.7)],
        ),
        (
            "The Redis cache holds all user sessions for one hour",
            "The Redis cache drops user sessions at night",
            [("elaborates", 0.5)],
        ),
        (
            "The kitchen table stands near the window",
            "The kitchen table needs new paint",
            [("related_to", 0.4)],
        ),
        ("The kitchen table stands near the window", "The kitchen closes at noon sharp today", []),
        ("The Redis cache is large", "Redis backs up every night for the team in charge", []),
    ],
)
def test_heuristics_relate_what_stands_near(
    memory: Memory, first: str, second: str, found: list[tuple[str, float]]
) -> None:
    """Two shared entities; words above 30 % with one entity; words above 15 % in one category."""
    old, new = put(memory, first, second)
    assert between(memory, new, old) == found


@pytest.mark.spec("D-13")
@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (
            "The node-7 disk ran full overnight",
            "The deploy failed because node-7 had a full disk",
        ),
        ("The node-7 disk ran full overnight", "The outage was caused by the full disk of node-7"),
        ("The node-7 disk ran full overnight", "The full disk of node-7 led to the long outage"),
        ("The node-7 disk ran full overnight", "The deploy failed due to the full disk of node-7"),
        ("The node-7 disk ran full overnight", "Due to the full disk of node-7, the deploy failed"),
        ("The node-7 disk ran full overnight", "Because node-7 had a full disk, the deploy failed"),
        ("Eski yedekleme diski doldu", "Sunucu durdu çünkü eski yedekleme diski doldu"),
        ("Eski yedekleme diski doldu", "Eski yedekleme diski yüzünden sunucu durdu"),
        ("Eski yedekleme diski doldu", "Eski yedekleme diski uzun kesintiye neden oldu"),
    ],
)
def test_cue_phrases_tell_causes(memory: Memory, fact: str, told: str) -> None:
    """What tells the cause of a causal statement causes it, whichever was told first."""
    cause, effect = put(memory, fact, told, user="ada")
    assert [kind for kind, _ in between(memory, cause, effect, user="ada")] == ["causes"]
    effect, cause = put(memory, told, fact, user="bob")
    assert [kind for kind, _ in between(memory, cause, effect, user="bob")] == ["causes"]


@pytest.mark.spec("D-13", "D-08")
def test_contradictions_make_their_relations(memory: Memory) -> None:
    """Another value supersedes; against an immutable memory it contradicts."""
    old, new = put(memory, "The API runs on port 3000", "The API runs on port 3001")
    assert between(memory, new, old) == [("supersedes", 1.0)]
    (anchor,) = put(memory, "The gateway runs on port 80", immutable=True)
    (other,) = put(memory, "The gateway runs on port 81")
    assert [kind for kind, _ in between(memory, other, anchor)] == ["contradicts"]
    assert memory.get(anchor).state == "active"


@pytest.mark.spec("D-13")
def test_no_relation_twice(memory: Memory) -> None:
    """The same pair and type is one relation, and telling the same again makes none."""
    first, second = put(
        memory,
        "The Redis cache holds all user sessions for one hour",
        "The Redis cache drops user sessions at night",
    )
    before = memory.links(first)
    put(memory, "The Redis cache drops user sessions at night")
    memory.link(second, first, "elaborates", confidence=0.2)
    assert memory.links(first) == before


@pytest.mark.spec("D-13")
def test_a_write_relates_at_most_so_many(opening: Opening) -> None:
    """`relate.most` bounds what one memory is related to."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 2}})
    for what in ("stands near a window", "holds seven plates", "cost ninety euros", "wobbles"):
        memory.remember(f"The kitchen table {what}")
    (new,) = put(memory, "The kitchen table needs paint")
    assert len([one for one in memory.links(new) if one.source_id == new]) == 2


@pytest.mark.spec("D-13", "R-05")
def test_no_relation_crosses_a_wall(memory: Memory) -> None:
    """What another user, project or level of sensitivity holds is not related."""
    said = "Docker and Kubernetes run the billing cluster"
    memory.remember(said, user="bob")
    memory.remember(said, project="p")
    memory.remember(said, sensitivity="secret")
    (new,) = put(memory, "The weekly costs of Kubernetes with Docker went up")
    assert memory.links(new, allow_secret=True) == []


def small(opening: Opening, at: int, to: int) -> Memory:
    """A memory whose scopes are pruned early, and that relates nothing by itself."""
    knobs = {"relate": {"prune_at": at, "prune_to": to, "most": 0}}
    return opening(f"small-{next(SERIAL)}", profile="cognitive", overrides=knobs)


@pytest.mark.spec("D-13")
def test_the_loosest_relations_go_first(opening: Opening) -> None:
    """At the cap: related_to, then same_entity, then elaborates, each from the lowest confidence;
    never supersedes, contradicts or causes."""
    memory = small(opening, at=10, to=5)
    ids = put(memory, *WORDS)
    kinds = [
        ("causes", 0.1), ("supersedes", 0.1), ("contradicts", 0.1),
        ("elaborates", 0.2), ("elaborates", 0.3), ("same_entity", 0.9), ("same_entity", 0.1),
        ("related_to", 1.0), ("related_to", 0.5),
    ]  # fmt: skip
    for target, (kind, share) in zip(ids[1:], kinds, strict=False):
        memory.link(ids[0], target, kind, confidence=share)
    assert len(memory.links(ids[0])) == 9
    memory.link(ids[0], ids[10], "elaborates", confidence=0.1)
    left = [(one.type.value, one.confidence) for one in memory.links(ids[0])]
    assert sorted(left) == [
        ("causes", 0.1),
        ("contradicts", 0.1),
        ("elaborates", 0.1),
        ("elaborates", 0.3),
        ("supersedes", 0.1),
    ]


@pytest.mark.spec("D-13")
def test_what_is_never_pruned_may_exceed_the_cap(opening: Opening) -> None:
    """If supersedes, contradicts and causes alone exceed the cap, they stay, and nothing looser
    comes beside them."""
    memory = small(opening, at=3, to=2)
    ids = put(memory, *WORDS[:7])
    for target in ids[1:6]:
        memory.link(ids[0], target, "causes")
    memory.link(ids[0], ids[6], "related_to")
    assert [one.type.value for one in memory.links(ids[0])] == ["causes"] * 5


@pytest.mark.spec("D-13")
def test_pruning_is_of_one_scope_and_in_the_write_itself(opening: Opening) -> None:
    """A write that reaches the cap prunes its own scope, and the journal tells of each."""
    memory = small(opening, at=4, to=2)
    mine = put(memory, *WORDS[:5])
    hers = put(memory, *WORDS[:5], user="ada")
    for target in hers[1:4]:
        memory.link(hers[0], target, "related_to", user="ada")
    for target in mine[1:5]:
        memory.link(mine[0], target, "related_to")
    assert len(memory.links(hers[0], user="ada")) == 3
    assert len(memory.links(mine[0])) == 2
    assert [check for check in memory.doctor(deep=True) if not check.ok] == []


@pytest.mark.spec("D-13")
@pytest.mark.slow
def test_the_cap_of_the_document(opening: Opening) -> None:
    """The 1000th relation of a scope leaves 900."""
    knobs = {"relate": {"most": 0}}
    memory = opening(profile="cognitive", overrides=knobs)
    ids = put(memory, *(f"{one} {other}" for one in HEADS for other in TAILS))
    pairs = [(one, other) for at, one in enumerate(ids) for other in ids[at + 1 :]]
    for one, other in pairs[:999]:
        memory.link(one, other)
    assert memory.stats().relations == 999
    memory.link(*pairs[999])
    assert memory.stats().relations == 900


@pytest.mark.spec("D-13")
def test_walks_are_bounded_by_hops_and_types(memory: Memory) -> None:
    """A breadth-first walk goes so many hops, and only along the types asked for."""
    a, b, c, d = put(memory, "alpha oak", "beta stone", "gamma river", "delta cloud")
    memory.link(a, b, "causes")
    memory.link(b, c, "causes")
    memory.link(a, d, "related_to")
    memory.link(d, c, "elaborates")
    assert len(memory.links(a)) == 2
    assert len(memory.links(a, hops=2)) == 4
    walked = memory.links(a, hops=2, types=["causes"])
    assert [(one.source_id, one.target_id) for one in walked] == [(a, b), (b, c)]
    assert memory.links(a, hops=1, types=["causes"]) == [walked[0]]
    assert memory.links(a, types="elaborates") == []


@pytest.mark.spec("D-13")
def test_a_hub_knows_everything_about_an_entity(memory: Memory) -> None:
    """By name, by alias and by address: the memories that name it, newest first, and how they are
    related; no other user's, and nothing that is not about it."""
    first, second = put(
        memory,
        "The PostgreSQL cluster holds all user sessions for one hour",
        "The Postgres cluster drops user sessions at night",
    )
    put(memory, "The kitchen closes at noon")
    put(memory, "Bob runs PostgreSQL in Bergen", user="bob")
    for name in ("PostgreSQL", "postgres", "entity://tech/postgresql"):
        hub = memory.entity(name)
        assert texts(hub.memories) == [memory.get(one).content for one in (second, first)]
        assert hub.entities == ("entity://tech/postgresql",)
        assert [(one.source_id, one.target_id) for one in hub.relations] == [(second, first)]
    assert len(memory.entity("PostgreSQL", limit=1).memories) == 1
    assert memory.entity("nobody knows it").memories == ()
    (met,) = put(memory, "I met Anna Smith in Oslo")
    assert [row.id for row in memory.entity("anna smith").memories] == [met]


def test_links_of_nothing_are_not_found(memory: Memory) -> None:
    """An id that nobody holds in this scope is an error, not a memory without relations."""
    row = kept(memory.remember("The server is blue", user="ada"))
    assert memory.links(row.id, user="ada") == []
    with pytest.raises(NotFoundError):
        memory.links(row.id, user="bob")
    with pytest.raises(NotFoundError):
        memory.links("nothing", user="ada")
