"""The composite of `cognitive` (D-24 to D-26, D-12, D-15): each part by its figure, through why."""

import math
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, kept, texts
from tests.profiles.test_injection import semantic

from engraphy import Hit, Memory

__all__ = ["clock", "opening"]

PORT = "The billing API listens on port 3000"
KEY = "The billing API key is kept in the vault"
HORSE = "The miller sold a grey horse in autumn"
PLAIN = {
    "entity": 0.0,
    "episode": 0.0,
    "together": 0.0,
    "utility": dict.fromkeys(("factual", "general", "entity_profile"), 0.0),
    "sub_tiers": dict.fromkeys(("personal", "vicarious", "schematic", "procedural"), 1.0),
    "mood": 1.0,
    "diversity": 1.0,
}


def plain(*kept_knobs: str) -> dict[str, Any]:
    """Overrides under which nothing is added to the blend but what is named: that as it is."""
    boost = {name: value for name, value in PLAIN.items() if name not in kept_knobs}
    asked_as_it_is = {"routes": [], "parts": 1, "hypotheses": 0}
    return {"boost": boost, "relate": {"most": 0}, "questions": asked_as_it_is}


def hits(memory: Memory, query: str, **scope: Any) -> dict[str, Hit]:
    """The hits of a question by their texts."""
    return {hit.memory.content: hit for hit in memory.recall(query, touch=False, **scope)}


def rebuilt(hit: Hit) -> float:
    """A score, made again from what its explanation tells: signals and additions, times factors,
    divided by what is attainable."""
    signals = (name for name in hit.why if name.isidentifier() and name != "alike")
    added = sum(hit.why[name] for name in (*signals, *(n for n in hit.why if n[:2] == "+ ")))
    factors = math.prod(x for name, x in hit.why.items() if name.startswith("x "))
    return added * factors / hit.why.get("/ attainable", 1.0)


@pytest.mark.spec("D-24")
@pytest.mark.spec("D-26")
def test_the_four_weights(opening: Opening, clock: Ticks) -> None:
    """.40 similarity, .30 activation, .15 importance, .15 reciprocal rank, each shown in full for
    what is worth 1 and nothing hidden beside them."""
    memory = opening(profile="cognitive", embedder="static", overrides=plain())
    memory.remember(PORT, importance=1.0)
    memory.get(hits(memory, PORT)[PORT].memory.id)
    clock.pass_days(1)
    (hit,) = memory.recall(PORT, touch=False)
    assert hit.why["similarity"] == pytest.approx(0.40, abs=0.01)
    assert hit.why["activation"] == pytest.approx(0.15, abs=1e-3)
    assert hit.why["importance"] == pytest.approx(0.15)
    assert hit.why["reciprocal_rank"] == pytest.approx(0.15)
    names = ("similarity", "activation", "importance", "reciprocal_rank")
    assert hit.score == pytest.approx(sum(hit.why[name] for name in names), abs=1e-3)


@pytest.mark.spec("D-24")
def test_ranks_are_fused_with_60_and_divided_by_their_maximum(opening: Opening) -> None:
    """First in both lists is .15, second in both 61/62 of it; in one list alone it is half."""
    memory = opening(profile="cognitive", embedder="static", overrides=plain())
    for text in (PORT, KEY):
        memory.remember(text)
    found = hits(memory, PORT)
    assert found[PORT].why["reciprocal_rank"] == pytest.approx(0.15)
    assert found[KEY].why["reciprocal_rank"] == pytest.approx(0.15 * 61 / 62, abs=1e-4)
    by_vector = opening("other", profile="cognitive", embedder="static", overrides=plain())
    for text in (PORT, HORSE):
        by_vector.remember(text)
    found = hits(by_vector, PORT)
    assert found[HORSE].why["reciprocal_rank"] == pytest.approx(0.5 * 0.15 * 61 / 62, abs=1e-4)


@pytest.mark.spec("D-24")
def test_each_entity_of_the_question_adds_a_tenth(opening: Opening) -> None:
    """.1 for each entity that both name, none for others; a score is divided by the most."""
    memory = opening(profile="cognitive", overrides=plain("entity"))
    both, one = "Redis and PostgreSQL hold the sessions", "Redis and Docker hold the sessions"
    none = "Nothing holds the sessions"
    for text in (both, one, none):
        memory.remember(text)
    found = hits(memory, "do Redis or PostgreSQL hold the sessions?")
    assert found[both].why["+ entity"] == pytest.approx(0.2)
    assert found[one].why["+ entity"] == pytest.approx(0.1)
    assert "+ entity" not in found[none].why
    assert {hit.why["/ attainable"] for hit in found.values()} == {1.2}
    for hit in found.values():
        assert hit.score == pytest.approx(rebuilt(hit), abs=1e-3)


@pytest.mark.spec("D-24")
def test_the_same_conversation_adds_fifteen_hundredths(opening: Opening) -> None:
    """What was said in the conversation that a prompt goes into gains .15."""
    memory = opening(profile="cognitive", overrides=plain("episode"))
    memory.remember(PORT, session="here")
    memory.remember(KEY, session="there")
    block = memory.context(PORT + ", " + KEY, conversation="here")
    why = {hit.memory.content: hit.why for hit in block.hits}
    assert why[PORT]["+ episode"] == pytest.approx(0.15)
    assert "+ episode" not in why[KEY]
    assert not any("+ episode" in hit.why for hit in memory.context(PORT).hits)


def delivered_together(memory: Memory, clock: Ticks, times: int) -> None:
    """Deliver the two texts together so often, a day apart."""
    for _ in range(times):
        assert set(texts(memory.recall(f"{PORT} {HORSE}", limit=2))) == {PORT, HORSE}
        clock.pass_days(1)


@pytest.mark.spec("D-24")
@pytest.mark.parametrize(("times", "adds"), [(2, False), (3, True)])
def test_three_joint_deliveries_add_a_twentieth(
    opening: Opening, clock: Ticks, times: int, adds: bool
) -> None:
    """From the third joint delivery on both gain .05 where either is found, and the other comes
    along though no word of it is asked for; before it nothing of the kind."""
    memory = opening(profile="cognitive", overrides=plain("together"))
    for text in (PORT, KEY, HORSE):
        memory.remember(text)
    delivered_together(memory, clock, times)
    found = hits(memory, "which port does the billing API listen on?")
    assert (HORSE in found) is adds
    gains = {text: hit.why.get("+ together", 0.0) for text, hit in found.items()}
    assert gains[PORT] == pytest.approx(0.05 if adds else 0.0)
    assert gains.get(HORSE, 0.0) == pytest.approx(0.05 if adds else 0.0)
    assert gains.get(KEY, 0.0) == 0.0


@pytest.mark.spec("D-24")
@pytest.mark.spec("D-46")
@pytest.mark.parametrize(
    ("sub_tier", "factor"),
    [("personal", 1.1), ("vicarious", 0.9), ("schematic", 1.1), ("procedural", 1.05)],
)
def test_a_sub_tier_multiplies(
    opening: Opening, clock: Ticks, sub_tier: str, factor: float
) -> None:
    """Personal and schematic 1.1, procedural 1.05, vicarious .9, the others 1."""
    memory = opening(profile="cognitive", overrides=plain("sub_tiers"))
    semantic(memory, clock, PORT, sub_tier=sub_tier)
    said = "The billing API of the warehouse listens on port 4000 since May 2024, in Docker."
    memory.observe([{"role": "assistant", "content": said}])
    found = {hit.memory.sub_tier.value: hit for hit in hits(memory, "billing API port").values()}
    assert found[sub_tier].why["x sub-tier"] == pytest.approx(factor)
    assert "x sub-tier" not in found["observed"].why
    assert found["observed"].why.get("/ attainable", 1.0) == pytest.approx(max(factor, 1.0))
    assert found[sub_tier].score == pytest.approx(rebuilt(found[sub_tier]), abs=1e-3)


@pytest.mark.spec("D-24")
@pytest.mark.spec("D-12")
@pytest.mark.parametrize(
    ("query", "lifted"),
    [
        ("I am so happy today, how did the dinner with Kim go?", "glad"),
        ("Bugün çok üzgünüm, dinner with Kim?", "sad"),
        ("how did the dinner with Kim go?", None),
    ],
)
def test_the_mood_of_the_question_lifts_its_like(
    opening: Opening, query: str, lifted: str | None
) -> None:
    """A memory of the question's mood is multiplied by 1.1, English and Turkish; another one, and
    any memory where the question has no mood, is not."""
    memory = opening(profile="cognitive", overrides=plain("mood"))
    said = {
        "glad": "I was so happy and delighted at the dinner with Kim, wonderful",
        "sad": "I was sad and miserable after the dinner with Kim, awful",
    }
    for text in said.values():
        memory.remember(text)
    found = hits(memory, query)
    factors = {name: found[text].why.get("x mood", 1.0) for name, text in said.items()}
    assert factors == {name: 1.1 if name == lifted else 1.0 for name in said}


@pytest.mark.spec("D-26")
@pytest.mark.spec("D-24")
@pytest.mark.parametrize(
    ("query", "share"),
    [
        ("which port does the billing API listen on?", 0.2),
        ("billing API listens", 0.2),
        ("tell me about the billing API port", 0.3),
        ("why is the billing API on that port?", 0.0),
    ],
)
def test_utility_counts_by_intent(opening: Opening, query: str, share: float) -> None:
    """.2 of the utility for questions of fact and general ones, .3 for those about something, and
    nothing for the others."""
    memory = opening(profile="cognitive", embedder="static", overrides={"relate": {"most": 0}})
    memory.remember(PORT)
    (hit,) = memory.recall(query, touch=False)
    assert hit.why.get("+ utility", 0.0) == pytest.approx(share * hit.memory.utility)


@pytest.mark.spec("D-26")
def test_utility_counts_once(opening: Opening) -> None:
    """Where there is no vector the weights count utility already: nothing is added."""
    memory = opening(profile="cognitive")
    memory.remember(PORT)
    (hit,) = memory.recall("which port does the billing API listen on?", touch=False)
    assert hit.why["utility"] == pytest.approx(0.2 * hit.memory.utility)
    assert "+ utility" not in hit.why


@pytest.mark.spec("D-15")
@pytest.mark.spec("D-24")
@pytest.mark.parametrize(("confidence", "factor"), [(0.29, 0.8), (0.3, 1.0)])
def test_an_unsure_source_counts_less(opening: Opening, confidence: float, factor: float) -> None:
    """Below a confidence of .3 a score is multiplied by .8; from .3 on by nothing."""
    memory = opening(profile="cognitive", overrides=plain())
    memory.remember(PORT, source_confidence=confidence)
    memory.remember("The billing API of the warehouse listens on port 4000")
    hit = hits(memory, PORT)[PORT]
    assert hit.why.get("x low confidence", 1.0) == factor
    assert hit.score == pytest.approx(rebuilt(hit), abs=1e-3)


@pytest.mark.spec("D-24")
@pytest.mark.parametrize(("importance", "place"), [(0.66, 1), (0.645, 2)])
def test_something_else_comes_before_more_of_the_same(
    opening: Opening, importance: float, place: int
) -> None:
    """Lambda is .7: what is .58 less like the best than another one is comes before that one while
    it scores less by no more than .3 / .7 of this; what is alike is told."""
    score = {"score": {"weights": {"importance": 1.0}, "without_vectors": {}}}
    judge = {"judge": {"supersede": False, "on_update": "create", "reinforce_above": 1.0}}
    overrides = plain("diversity") | score | judge
    memory = opening(profile="cognitive", overrides=overrides)
    best, same = "cedar maple birch alder", "cedar maple birch willow"
    other = "cedar rowan hazel aspen"
    for text, weight in ((best, 1.0), (same, 0.9), (other, importance)):
        memory.remember(text, importance=weight)
    found = memory.recall("cedar", touch=False)
    assert texts(found).index(other) == place
    alike = {hit.memory.content: hit.why.get("alike", 0.0) for hit in found}
    assert alike[best] == 0.0
    assert alike[same] - alike[other] == pytest.approx(0.576, abs=0.01)


@pytest.mark.spec("D-24")
def test_without_diversity_the_order_is_that_of_the_scores(opening: Opening) -> None:
    """Lambda 1 is neutral, and so is a floor that no two texts reach."""
    for name, boost in (("off", {"diversity": 1.0}), ("floor", {"alike_from": 1.0})):
        memory = opening(name, profile="cognitive", overrides={"boost": PLAIN | boost})
        for text in (PORT, KEY, HORSE):
            memory.remember(text)
        scores = [hit.score for hit in memory.recall(f"{PORT} {KEY}", touch=False)]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.long
@pytest.mark.spec("D-24")
def test_by_vector_three_times_as_many_are_fetched(opening: Opening) -> None:
    """For 20 hits 60 are looked for by vector, so that there are some to choose from."""
    memory = opening(profile="cognitive", embedder="static", overrides=plain("overfetch"))
    for number in range(70):
        memory.remember(f"Gauge {number} of boiler house {number * 3} showed {number * 7} bar")
    (step,) = (s for s in memory.explain("zzz steam", limit=20).steps if s.stage == "search")
    assert step.detail.endswith("60 by vector")


@pytest.mark.spec("D-25")
def test_activation_falls_with_the_days_and_rises_with_use(opening: Opening, clock: Ticks) -> None:
    """B = ln n - .5 ln(days), logistic: one use a day ago .5, sixteen days ago .2, four uses a day
    ago .8; and no age below an hour counts as less than an hour."""
    overrides = plain() | {"score": {"weights": {"activation": 1.0}, "without_vectors": {}}}
    memory = opening(profile="cognitive", overrides=overrides)
    row = kept(memory.remember(PORT))

    def active() -> float:
        return hits(memory, PORT)[PORT].score

    hour = 1 / (1 + math.exp(0.5 * math.log(1 / 24)))
    assert active() == pytest.approx(hour, abs=1e-3)
    memory.get(row.id)
    clock.pass_days(1)
    assert active() == pytest.approx(0.5, abs=1e-3)
    clock.pass_days(15)
    assert active() == pytest.approx(0.2, abs=1e-3)
    for _ in range(3):
        memory.get(row.id)
    clock.pass_days(1)
    assert active() == pytest.approx(0.8, abs=1e-3)


@pytest.mark.spec("D-25")
def test_the_unit_of_age_is_the_profiles(opening: Opening, clock: Ticks) -> None:
    """In the document's seconds a memory of yesterday scores .003, in hours .17."""
    for name, unit, expected in (("s", 1 / 86_400, 0.0034), ("h", 1 / 24, 0.1695)):
        score = {"weights": {"activation": 1.0}, "without_vectors": {}}
        own = {"activation_unit_days": unit, "activation_floor_days": unit}
        overrides = plain() | {"score": score | own}
        memory = opening(name, profile="cognitive", overrides=overrides)
        memory.get(kept(memory.remember(PORT)).id)
        clock.pass_days(1)
        assert hits(memory, PORT)[PORT].score == pytest.approx(expected, abs=1e-3)


@pytest.mark.long
@pytest.mark.spec("R-11")
def test_scores_stay_in_their_range_with_every_boost(opening: Opening, clock: Ticks) -> None:
    """Whatever is added and multiplied, a score stays in [0, 1], and the best of all reaches it."""
    memory = opening(profile="cognitive", embedder="static")
    memory.remember(
        "I am so happy that Redis and PostgreSQL hold the sessions", session="s", importance=1.0
    )
    memory.remember("Redis is a bore", session="t", origin="agent", importance=0.0)
    for _ in range(40):
        memory.recall("happy Redis PostgreSQL sessions")
        clock.pass_days(0.1)
    for query in (
        "I am so happy, do Redis and PostgreSQL hold the sessions?",
        "Redis",
        "why Redis?",
    ):
        for hit in memory.recall(query, session="s", touch=False):
            assert 0.0 <= hit.score <= 1.0
            assert 0.0 <= hit.confidence <= 1.0
