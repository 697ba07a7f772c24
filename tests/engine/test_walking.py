"""Questions for a cause, or about somebody, walk the graph (D-75): what is linked is found."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, Ticks, kept, texts

from engraphy import Hit, Memory
from engraphy.model import Explanation

FAILED = "The nightly export to the warehouse failed"
DISK = "A forgotten log filled the whole disk of the old machine"
ROTATION = "Nobody had switched on rotation after the move to Ankara"
NOISE = tuple(f"The {word} parade begins at noon" for word in ("red", "blue", "green", "grey"))
WHY = "why did the nightly export fail?"


@pytest.fixture
def chained(opening: Opening) -> Memory:
    """A failure, its cause, and the cause of that, with no word in common, among noise."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    chain(memory)
    return memory


def chain(memory: Memory, **scope: Any) -> None:
    """Keep the three texts, each caused by the next, and some that have nothing to do with it."""
    made = [kept(memory.remember(text, **scope)).id for text in (FAILED, DISK, ROTATION)]
    for text in NOISE:
        memory.remember(text, **scope)
    memory.link(made[1], made[0], "causes", confidence=0.9, **scope)
    memory.link(made[2], made[1], "causes", confidence=0.9, **scope)


def found(memory: Memory, query: str, **scope: Any) -> list[str]:
    """The texts that a question finds, best first."""
    return texts(memory.recall(query, touch=False, **scope))


def hit(memory: Memory, query: str, text: str) -> Hit:
    """The hit of a text."""
    return next(h for h in memory.recall(query, touch=False) if h.memory.content == text)


def walk(told: Explanation) -> Iterator[str]:
    """What an explanation says of the walk."""
    return (step.detail for step in told.steps if step.stage == "walk")


@pytest.mark.spec("D-75")
@pytest.mark.parametrize(
    "query",
    [
        WHY,
        "what led to the failed nightly export?",
        "because of what did the nightly export fail?",
        "nightly export neden failed?",
        "nightly export niçin failed?",
    ],
)
def test_a_question_for_a_cause_finds_what_no_word_finds(chained: Memory, query: str) -> None:
    """The cause, and the cause of the cause, come in the order of the links; noise does not."""
    assert found(chained, query) == [FAILED, DISK, ROTATION]


@pytest.mark.spec("D-75")
def test_what_something_led_to_is_walked_too(chained: Memory) -> None:
    """Links are walked both ways: a cause leads to its effects, asked in Turkish."""
    assert found(chained, "rotation switched off neye yol açtı?")[:2] == [ROTATION, DISK]


@pytest.mark.spec("D-75")
def test_other_questions_are_not_walked(chained: Memory) -> None:
    """A question for no cause and about nobody finds what its words find."""
    assert found(chained, "when did the nightly export run?") == [FAILED]
    assert not list(walk(chained.explain("when did the nightly export run?")))


@pytest.mark.spec("D-75")
def test_the_walk_is_explained(chained: Memory) -> None:
    """Each hit tells its share of the walk, the nearer one more, and a stage how far it went."""
    near, far = hit(chained, WHY, DISK), hit(chained, WHY, ROTATION)
    assert 0.0 < far.why["graph"] < near.why["graph"] < 0.4
    assert near.why["coverage"] == 0.0
    assert list(walk(chained.explain(WHY))) == ["causal: 3 memories by links and names"]


@pytest.mark.spec("D-75")
@pytest.mark.parametrize(
    ("graph", "expected"), [({"hops": 1}, [FAILED, DISK]), ({}, [FAILED, DISK, ROTATION])]
)
def test_the_walk_is_bounded_by_hops(
    opening: Opening, graph: dict[str, int], expected: list[str]
) -> None:
    """It goes as many hops as the profile says, two by default, and no further."""
    memory = opening(profile="cognitive", overrides={"graph": graph, "relate": {"most": 0}})
    chain(memory)
    third = next(row.id for row in memory.list() if row.content == ROTATION)
    beyond = kept(memory.remember("Winter came early and the porter had left"))
    memory.link(beyond.id, third, "causes", confidence=0.9)
    assert found(memory, WHY) == expected


@pytest.mark.long
@pytest.mark.spec("D-75")
def test_the_walk_is_bounded_by_nodes(opening: Opening) -> None:
    """It sees no more memories than the profile says, whatever is linked."""
    memory = opening(profile="cognitive", overrides={"graph": {"nodes": 5}, "relate": {"most": 0}})
    chain(memory)
    hub = next(m.id for m in memory.list() if m.content == FAILED)
    for number in range(20):
        other = kept(memory.remember(f"Gauge {number} of the boiler showed {number * 7} bar"))
        memory.link(other.id, hub, "causes", confidence=0.5)
    assert list(walk(memory.explain(WHY))) == ["causal: 5 memories by links and names"]


@pytest.mark.spec("D-75")
def test_the_surer_link_leads_further(opening: Opening) -> None:
    """Of two causes the one that is linked with more confidence comes first."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    ends = [kept(memory.remember(text)).id for text in (FAILED, DISK, ROTATION)]
    memory.link(ends[1], ends[0], "causes", confidence=0.2)
    memory.link(ends[2], ends[0], "causes", confidence=0.9)
    assert found(memory, WHY) == [FAILED, ROTATION, DISK]


@pytest.mark.spec("D-75")
def test_a_type_that_does_not_count_is_not_walked(opening: Opening) -> None:
    """For a cause, `related_to` and `same_entity` are no way; for a profile they are."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    ends = [kept(memory.remember(text)).id for text in (FAILED, DISK)]
    memory.link(ends[0], ends[1], "related_to")
    assert found(memory, WHY) == [FAILED]
    assert found(memory, "tell me about the nightly export") == [FAILED, DISK]


@pytest.mark.spec("D-75")
@pytest.mark.parametrize(
    "query",
    [
        "what do you know about Redis?",
        "tell me about Redis",
        "Redis hakkında ne biliyorsun?",
    ],
)
def test_a_question_about_something_finds_what_names_it(opening: Opening, query: str) -> None:
    """Whatever names it is found, in another spelling too."""
    memory = opening(profile="cognitive")
    memory.remember("Redis holds the sessions of the shop")
    memory.observe("I moved our cache in redis to the Frankfurt machine on Friday, it has 32 GB.")
    memory.remember(
        "The Frankfurt machine is switched off at night to save money", entities=["Frankfurt"]
    )
    for text in NOISE:
        memory.remember(text)
    said = found(memory, query)
    assert not set(said) & set(NOISE)
    assert sum("edis" in text for text in said) == 2


@pytest.mark.spec("D-75")
@pytest.mark.parametrize(
    "query", ["what do you know about Kubernetes?", "why was Kubernetes chosen?"]
)
def test_a_name_leads_where_no_word_does(opening: Opening, query: str) -> None:
    """What names the same thing by another word is found, by a question about it or for a cause."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    other = "The ledger runs on k8s since May"
    assert kept(memory.remember(other)).entities == ("entity://tech/kubernetes",)
    for text in NOISE:
        memory.remember(text)
    assert found(memory, query) == [other]
    off = opening("off", profile="cognitive", overrides={"graph": {"entity": 0.0}})
    off.remember(other)
    assert found(off, query) == []


@pytest.mark.spec("D-75")
def test_a_question_about_somebody_finds_what_they_said(opening: Opening) -> None:
    """What a speaker said counts as theirs, though it does not name them."""
    memory = opening(profile="cognitive")
    said = "We moved the whole archive into the cellar in March, forty boxes of it."
    memory.observe([{"role": "user", "name": "Ann", "content": said}])
    memory.observe(
        [{"role": "user", "name": "Ben", "content": "The Oslo office got 12 new desks in June."}]
    )
    assert any("cellar" in text for text in found(memory, "what do you know about Ann?"))
    assert not any("Oslo" in text for text in found(memory, "what do you know about Ann?"))


@pytest.mark.spec("R-05")
def test_nothing_of_another_user_comes_over_a_link(opening: Opening) -> None:
    """A link from what everybody sees to another user's memory leads nobody else there."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    shared = kept(memory.remember(FAILED))
    own = kept(memory.remember(DISK, user="ann"))
    beyond = kept(memory.remember(ROTATION))
    memory.link(own.id, shared.id, "causes", user="ann")
    memory.link(beyond.id, own.id, "causes", user="ann")
    assert found(memory, WHY, user="ann") == [FAILED, DISK, ROTATION]
    assert found(memory, WHY) == found(memory, WHY, user="ben") == [FAILED]


@pytest.mark.spec("R-05")
def test_nothing_of_another_user_comes_over_an_entity(opening: Opening) -> None:
    """What another user's memory names is not walked to, nor over."""
    memory = opening(profile="cognitive")
    memory.remember("Redis holds the sessions of the shop", user="ann")
    memory.remember("The cache password of redis is in the red book", user="ben")
    assert found(memory, "what do you know about Redis?", user="ann") == [
        "Redis holds the sessions of the shop"
    ]


@pytest.mark.spec("R-05")
@pytest.mark.parametrize("fields", [{"sensitivity": "private"}, {"sensitivity": "secret"}])
def test_the_walk_sees_no_more_than_is_allowed(opening: Opening, fields: dict[str, str]) -> None:
    """What is private or secret is walked to only with leave, and nothing behind it without."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    ends = [kept(memory.remember(FAILED)).id, kept(memory.remember(DISK, **fields)).id]
    ends.append(kept(memory.remember(ROTATION)).id)
    leave = {"allow_private": True, "allow_secret": True}
    memory.link(ends[1], ends[0], "causes", **leave)
    memory.link(ends[2], ends[1], "causes", **leave)
    assert found(memory, WHY) == [FAILED]
    assert found(memory, WHY, **leave) == [FAILED, DISK, ROTATION]


@pytest.mark.spec("R-05")
def test_the_walk_minds_states_and_times(opening: Opening, clock: Ticks) -> None:
    """What is over, asleep or not yet begun is no way, and comes by itself no more."""
    memory = opening(profile="cognitive", overrides={"relate": {"most": 0}})
    ends = [kept(memory.remember(FAILED)).id]
    ends.append(kept(memory.remember(DISK, ttl_days=2)).id)
    ends.append(kept(memory.remember(ROTATION)).id)
    memory.link(ends[1], ends[0], "causes")
    memory.link(ends[2], ends[1], "causes")
    then = clock.now
    assert found(memory, WHY) == [FAILED, DISK, ROTATION]
    clock.pass_days(3)
    assert found(memory, WHY) == [FAILED]
    assert found(memory, WHY, as_of=then - DAY) == []


@pytest.mark.spec("D-75")
def test_the_document_profiles_beside_it_do_not_walk(opening: Opening) -> None:
    """Elsewhere the walk is off: questions find what their words find."""
    for profile in ("default", "letsgo", "layered", "titans"):
        memory = opening(profile, profile=profile)
        chain(memory)
        assert DISK not in found(memory, WHY)
        assert not list(walk(memory.explain(WHY)))


@pytest.mark.spec("D-75")
def test_what_often_came_together_is_walked(opening: Opening, clock: Ticks) -> None:
    """Three joint deliveries, an hour apart, make a way; two do not."""
    overrides = {"relate": {"most": 0}, "boost": {"together": 0.0}}
    memory = opening(profile="cognitive", overrides=overrides)
    for text in (FAILED, DISK, *NOISE):
        memory.remember(text)
    for times in range(3):
        assert DISK not in found(memory, WHY), times
        assert set(texts(memory.recall("nightly export disk machine"))) == {FAILED, DISK}
        clock.pass_days(1)
    assert hit(memory, WHY, DISK).why["graph"] > 0.0
