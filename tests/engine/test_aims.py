"""What a question wants done: help, an overview, a place, the present value, a name."""

from collections.abc import Callable

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, kept, texts

from engraphy import Memory

ASKING = "Can you suggest what bread I should take to the market?"
RULE = "Always answer in grams and litres when I ask about cooking."
THEN = START - 30 * DAY
OFF = {
    "instructions": 0,
    "preferences": 0,
    "preferred": 0.0,
    "spread": 0.0,
    "read": 0,
}


BAKERS = ("Ada", "The miller", "Our neighbour", "A cook from Bergen", "Grandfather", "Somebody")
PLACES = ("harbour", "school in the valley", "market", "old ferry", "choir", "lighthouse")


def about_bread(memory: Memory) -> None:
    """Memories that share words with the question."""
    for number in range(len(BAKERS)):
        memory.remember(f"{BAKERS[number]} took bread to the {PLACES[number]}", at=THEN)
        memory.remember(f"{BAKERS[number]} painted a door in the {PLACES[-number]}", at=THEN)


@pytest.mark.parametrize("embedder", ["none", "static"])
def test_a_standing_instruction_applies_to_a_request(opening: Opening, embedder: str) -> None:
    """What the user said to do whenever asked comes first, whatever words it shares."""
    memory = opening(embedder=embedder)
    about_bread(memory)
    rule = kept(memory.remember(RULE, at=THEN))
    assert rule.kind == "policy"
    hits = memory.recall(ASKING, limit=3)
    assert hits[0].memory.id == rule.id
    assert 0.0 < hits[0].score <= 1.0
    assert hits[0].confidence > 0.0


def test_an_instruction_does_not_answer_what_was_said(memory: Memory) -> None:
    """A question about the past is answered by memories, not by a rule for answers."""
    about_bread(memory)
    memory.remember(RULE, at=THEN)
    assert RULE not in texts(memory.recall("Who took bread to the choir?", limit=3))


@pytest.mark.parametrize(
    ("question", "applies"),
    [
        ("Which bread do we take to the market?", False),
        ("On which day do we take bread to the market?", False),
        ("Which bread do I take to the market?", False),
        ("How much do I take to the market?", False),
        ("How often do we take bread to the market?", False),
        ("What should we take to the market?", True),
        ("How do we take bread to the market?", True),
    ],
)
def test_asking_for_a_fact_is_no_request(memory: Memory, question: str, applies: bool) -> None:
    """What "we do" is a fact that memories answer; how to do it, and what "we should", is help."""
    about_bread(memory)
    memory.remember(RULE, at=THEN)
    assert (RULE in texts(memory.recall(question, limit=3))) is applies


@pytest.mark.parametrize("question", ["How do we take bread to the market?", "how do we take it"])
def test_a_practice_stands_before_an_instruction(memory: Memory, question: str) -> None:
    """What "we do" is the answer where somebody asks how we do it; a rule says how to answer."""
    about_bread(memory)
    memory.remember(RULE, at=THEN)
    done = "we take the bread to the market by boat"
    memory.remember(done, at=THEN)
    assert texts(memory.recall(question, limit=2)) == [done, RULE]


@pytest.mark.spec("P-10")
def test_only_the_user_instructs(memory: Memory) -> None:
    """The same sentence from the agent is no instruction: it does not come first."""
    about_bread(memory)
    memory.observe([{"role": "assistant", "content": RULE}], session="s", at=THEN)
    assert RULE not in texts(memory.recall(ASKING, limit=3))


def test_instructions_are_a_knob(opening: Opening) -> None:
    """With `aim.instructions` 0 a rule is a memory like others."""
    memory = opening(overrides={"aim": {"instructions": 0}})
    about_bread(memory)
    memory.remember(RULE, at=THEN)
    assert RULE not in texts(memory.recall(ASKING, limit=3))


def test_preferences_gain_where_help_is_asked_for(memory: Memory) -> None:
    """A preference gains in a request and nowhere else, and nothing else gains with it."""
    liked = "I prefer rye bread for sandwiches"
    memory.remember(liked, at=THEN)
    memory.remember("Sandwiches of rye bread were eaten up by the crew at noon", at=THEN)
    about_bread(memory)
    gains = {
        question: {hit.memory.content: hit.why.get("x aim") for hit in memory.recall(question)}
        for question in ("Can you suggest rye bread for sandwiches?", "rye bread for sandwiches")
    }
    asked, named = gains.values()
    assert asked.pop(liked) == pytest.approx(1.2 * 1.6)
    assert named.pop(liked) is None
    assert {*asked.values(), *named.values()} == {None}


WISHES = {
    "As long as it keeps, the crew would rather have rye bread": "Can you suggest some bread?",
    "Rye bread is a favourite of the crew's": "Can you suggest some bread?",
    "Mürettebat için çavdar ekmeğini tercih ederiz": "Bana bir ekmek önerir misin?",
    "Mürettebatın en sevdiği yemek çavdar ekmeğidir": "Bana bir ekmek önerir misin?",
}


@pytest.mark.parametrize("said", WISHES)
def test_words_of_preference_gain_where_help_is_asked_for(opening: Opening, said: str) -> None:
    """What the user said in such words gains in a request, whatever kind of memory it became;
    said by the agent, asked for otherwise, or with its knob off it does not."""
    gains = []
    for name, gain, role in (("on", 0.6, "user"), ("off", 0.0, "user"), ("it", 0.6, "assistant")):
        aim = {"preferring": gain, "preferred": 0.0, "topical": []}
        memory = opening(name, overrides={"aim": aim, "gate": {"agent_min_density": 0}})
        memory.observe([{"role": role, "content": said}], session="s", at=THEN)
        for question in (WISHES[said], "rye bread, çavdar ekmeği"):
            hits = [hit for hit in memory.recall(question) if hit.memory.content == said]
            gains += [hit.why.get("x aim", 1.0) for hit in hits]
    assert gains == [1.6, 1.0, 1.0, 1.0, 1.0, 1.0]


def test_a_standing_instruction_comes_before_a_preference(memory: Memory) -> None:
    """How to answer stands before what to answer with, however well a preference fits."""
    liked = "I prefer rye bread for the market, bread that I should take"
    memory.remember(liked, at=THEN)
    memory.remember(RULE, at=THEN)
    about_bread(memory)
    assert texts(memory.recall(ASKING, limit=2)) == [RULE, liked]


LACKS = ("water", "fresh soil", "a gate", "more light")


@pytest.mark.long
def test_an_overview_looks_into_every_session(opening: Opening) -> None:
    """A question over everything said brings both sessions; its knob off, the louder one alone."""
    asked = "Can you summarize our conversations about the garden?"

    def sessions(memory: Memory) -> set[str | None]:
        for number in range(4):
            said = f"The garden, our garden, needs {LACKS[number]}"
            memory.remember(said, session="loud", at=THEN + number)
        memory.remember("The garden has a new wall of red bricks", session="quiet", at=THEN)
        about_bread(memory)
        return {hit.memory.scope.session for hit in memory.recall(asked, limit=3)}

    assert sessions(opening("on", overrides={"aim": {"spread": 2.0}})) == {"loud", "quiet"}
    assert sessions(opening("off", overrides={"aim": {"spread": 0.0}})) == {"loud"}


GARDEN = {
    "The garden lacks water since the drought": "A garden can be watered from a barrel",
    "We built a gate for the garden": "A gate for a garden is best made of oak",
    "Herons visit our garden at noon": "Herons come to a garden for its fish",
    "Grandfather sold half of the garden": "Half of a garden is work enough",
}
EVERYTHING = {"min_share_of_best": 0.0, "min_confidence": 0.0}
BROUGHT_UP = "In which order did I mention things about the garden in our conversations?"


def test_what_was_brought_up_is_what_came_first(opening: Opening) -> None:
    """Where it is asked what was brought up, what the user said early in a session gains, the first
    of it most; nothing gains in a summary, of what the agent said, or with the knob off."""
    gains = {}
    for name, opened in (("on", 0.2), ("off", 0.0)):
        changed = {"aim": {"opening": opened, "spread": 0.0}, "score": EVERYTHING}
        memory = opening(name, overrides=changed | {"gate": {"agent_min_density": 0}})
        for place, (own, answer) in enumerate(GARDEN.items()):
            said = [{"role": "user", "content": own}, {"role": "assistant", "content": answer}]
            memory.observe(said, session="s", at=THEN + place * DAY)
        for question in (BROUGHT_UP, "Can you summarize our conversations about the garden?"):
            hits = memory.recall(question, limit=20)
            by_text = {hit.memory.content: hit.why.get("x aim", 1.0) for hit in hits}
            gains[name, question == BROUGHT_UP] = [by_text.pop(own) for own in GARDEN]
            assert set(by_text.values()) == {1.0}
    assert gains.pop(("on", True)) == pytest.approx([1.2, 1.15, 1.1, 1.05])
    assert all(own == [1.0] * len(GARDEN) for own in gains.values())


def test_an_agents_texts_leave_room_for_the_users(opening: Opening) -> None:
    """What an agent said loses before the best are chosen, so that its words of everything do not
    push out what it would stand behind in the end; asked for what it said, it does not lose."""
    overrides = {"search": {"ranked": 3}, "gate": {"agent_min_density": 0}, "fuse": {"answer": 0.0}}
    memory = opening(overrides=overrides)
    own = "In the old harbour the ferry is painted green"
    memory.observe([{"role": "user", "content": own}], session="own", at=THEN)
    for town in ("Oslo", "Bergen", "Molde"):
        said = f"In {town} the old ferry of the harbour"
        memory.observe([{"role": "assistant", "content": said}], session=town, at=THEN)
    assert texts(memory.recall("old harbour ferry town", limit=1)) == [own]


def test_a_long_text_that_ends_by_asking_loses_less(memory: Memory) -> None:
    """A text that only asks counts less; one that says much and then asks loses little by it."""
    short = "Did the harbour ferry leave?"
    told = " ".join(f"{BAKERS[n]} took bread to the {PLACES[n]}." for n in range(len(BAKERS)))
    long = f"{told} The harbour ferry brought {', '.join(LACKS)} and seven sacks. Did it leave?"
    memory.remember(short, at=THEN)
    memory.remember(long, at=THEN)
    hits = memory.recall("harbour ferry")
    lost = {hit.memory.content: hit.why["relevance.x asking"] for hit in hits}
    assert lost[short] == pytest.approx(0.85)
    assert 0.85 < lost[long] < 1.0


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "Where do I practise the cello?",
            "I practise the cello at Harbour Hall",
            "I practise the cello and love it",
        ),
        (
            "Where does Marcus practise the cello?",
            "Marcus will practise the cello in rural Vermont",
            "Marcus will practise the cello and loves it",
        ),
        (
            "How long do I practise the cello?",
            "I practise the cello for 40 minutes",
            "I practise the cello and love it",
        ),
        (
            "Kemanı nerede çalışıyorum?",
            "Kemanı İzmir'de çalışıyorum",
            "Kemanı severek çalışıyorum",
        ),
        (
            "What do I do for work?",
            "I work as a carpenter",
            "I do what I can for the work at the allotment",
        ),
        ("Who does Dana work for?", "Dana works for the zoo", "Dana had work to do for the fair"),
        ("Ablam nerede çalışıyor?", "Ablam okulda çalışıyor", "Ablam çalışıyor ve yoruluyor"),
    ],
)
def test_the_kind_of_answer_counts(
    opening: Opening, question: str, answer: str, other: str
) -> None:
    """A text with a place, a duration or an occupation comes before one without, where that is
    asked for."""
    for name, overrides in (("on", {}), ("off", {"aim": OFF})):
        memory = opening(name, overrides=overrides)
        memory.remember(answer, at=THEN)
        memory.remember(other, at=THEN + DAY)
        found = texts(memory.recall(question, limit=2))
        assert found[0] == (answer if name == "on" else found[0])
        gains = [hit.why.get("x aim") for hit in memory.recall(question) if name == "on"]
        assert name == "off" or gains[0] == pytest.approx(1.2)


OLD = (
    "I want to plan the harvest with my neighbours this autumn, and since the orchard by the river "
    "has 40 apple trees I need three ladders and a cart for it"
)
NEW = (
    "I am ordering baskets from the village shop for everybody who helps us, because the orchard "
    "by the river now has 55 apple trees and the bags are too small"
)


@pytest.fixture
def orchard(memory: Memory) -> Memory:
    """An older and a newer statement that stand side by side."""
    old = kept(memory.remember(OLD, at=THEN, category="seen"))
    memory.remember("The orchard is green", at=THEN + DAY)
    new = kept(memory.remember(NEW, at=THEN + 2 * DAY, session="later"))
    assert {row.id for row in memory.list()} >= {new.id, old.id}
    return memory


def test_an_older_value_names_the_newer_one(orchard: Memory) -> None:
    """The older of two values carries the id of the newer one, and stands behind it."""
    hits = orchard.recall("How many apple trees are in the orchard by the river?")
    by_text = {hit.memory.content: hit for hit in hits}
    assert by_text[OLD].newer == (by_text[NEW].memory.id,)
    assert by_text[NEW].newer == ()
    found = texts(hits)
    assert found.index(NEW) < found.index(OLD)


@pytest.mark.parametrize(
    "question",
    [
        "How many apple trees were in the orchard by the river?",
        "How many days passed from planting the apple trees in the orchard until the river rose?",
        "Tell me about the apple trees in the orchard by the river",
    ],
)
def test_only_a_present_value_is_overtaken(orchard: Memory, question: str) -> None:
    """A question about the past, or about no value, marks nothing."""
    hits = orchard.recall(question)
    assert hits
    assert all(hit.newer == () for hit in hits)


RETRIES = {
    "What is the retry limit for webhooks?": "The retry limit for webhooks is 5",
    "Web kancaları için deneme sınırı nedir?": "Web kancaları için deneme sınırı 5",
}
ENGLISH, TURKISH = RETRIES


@pytest.mark.parametrize(
    ("question", "new", "marked"),
    [
        (ENGLISH, "We raised the rate limit for webhooks to 250", False),
        (ENGLISH, "We raised the limit for webhooks to 8", True),
        (TURKISH, "Web kancaları için hız sınırı artık 250 oldu", False),
        (TURKISH, "Web kancaları için yeni sınırı 8 yaptık", True),
    ],
)
def test_another_thing_of_the_kind_overtakes_nothing(
    opening: Opening, question: str, new: str, marked: bool
) -> None:
    """A new value of what has another name ("rate limit") marks no value of what is asked for
    ("retry limit"); one of the same name does."""
    memory = opening(overrides={"judge": {"supersede": False}})
    memory.remember(RETRIES[question], at=THEN)
    memory.remember(new, at=THEN + DAY)
    held = next(hit for hit in memory.recall(question) if hit.memory.content == RETRIES[question])
    assert bool(held.newer) is marked


def test_the_same_value_again_overtakes_nothing(memory: Memory) -> None:
    """What a newer statement repeats is not out of date."""
    memory.remember("The orchard has 40 apple trees by the river", at=THEN)
    memory.remember(
        "By the river the new wall protects 40 apple trees of the orchard", at=THEN + DAY
    )
    hits = memory.recall("How many apple trees are by the river?")
    assert len(hits) == 2
    assert all(not hit.newer for hit in hits)


CLUSTER = "Deploys run on a cluster at the coast"


@pytest.fixture
def labelled(opening: Opening) -> Memory:
    """A store whose memories are asked for by name."""
    memory = opening(overrides={"score": {"names": "asked"}})
    memory.remember(CLUSTER, title="kubernetes", concepts=["k8s"], at=THEN)
    memory.remember("The cache is one node", title="redis_cache", concepts=["Redis"], at=THEN)
    memory.remember("Deploys are announced in the morning", title="announcements", at=THEN)
    return memory


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what's my k8s deploy story?", {CLUSTER}),
        ("how does Reedis evict its cache?", {"The cache is one node"}),
        ("how are deploys done at the coast?", set()),
        ("is redis on kubernetes?", {CLUSTER, "The cache is one node"}),
        ("what is radish?", set()),
    ],
)  # fmt: skip
def test_asked_by_name(labelled: Memory, question: str, found: set[str]) -> None:
    """With `score.names` "asked" a hit must be named; one slip of the pen is forgiven."""
    assert set(texts(labelled.recall(question))) == found


def test_names_are_free_by_default(memory: Memory) -> None:
    """Without that knob the words of a memory are enough."""
    memory.remember(CLUSTER, title="kubernetes", at=THEN)
    assert texts(memory.recall("how are deploys done at the coast?"))


def talk(memory: Memory) -> None:
    """A user's message, the agent's answer to it, and two other exchanges."""
    said = [
        ("user", "My violin bow is worn, what now?"),
        ("assistant", "Rehairing costs 60 euros; ask the luthier about horsehair and rosin."),
        ("user", "My bicycle chain squeaks on hills."),
        ("assistant", "Oil the chain after rain."),
    ]
    for number, (role, content) in enumerate(said):
        memory.observe(
            [{"role": role, "content": content}], session="s", at=THEN + number * 60_000_000
        )


Recalled = Callable[[Memory, str], list[str]]


def test_an_answer_lends_its_words_to_the_question(opening: Opening) -> None:
    """The user's message is found by what the agent answered, and what the agent answered counts
    less than what the user said."""
    asked = "What about my violin and horsehair?"
    every = {"min_share_of_best": 0.0, "min_confidence": 0.0}
    memory = opening("on", overrides={"score": every})
    talk(memory)
    hits = {hit.memory.content[:9]: hit for hit in memory.recall(asked)}
    assert "My violin" in hits
    assert hits["Rehairing"].why["relevance.x agent"] == pytest.approx(0.75)
    alone = opening("off", overrides={"fuse": {"answer": 0.0, "crossing": 0.0}, "score": every})
    talk(alone)
    bare = {hit.memory.content[:9]: hit for hit in alone.recall(asked)}
    own, lent = (found["My violin"].why["relevance.text"] for found in (bare, hits))
    assert lent > own


def test_what_the_agent_said_counts_in_full_where_it_is_asked_for(memory: Memory) -> None:
    """ "What did you tell me" is after the agent's words."""
    talk(memory)
    hits = memory.recall("What did you tell me about horsehair and rosin?")
    assert "agent" in {hit.memory.origin for hit in hits}
    assert all("relevance.x agent" not in hit.why for hit in hits)


@pytest.mark.parametrize("profile", ["layered", "letsgo", "titans", "cognitive"])
def test_the_documents_profiles_know_no_aims(opening: Opening, profile: str) -> None:
    """Elsewhere than in `default` a request is a question like others."""
    memory = opening(profile=profile)
    for text in (OLD, RULE):
        memory.remember(text, at=THEN)
    hits = memory.recall("Can you suggest how many apple trees are in my orchard?", limit=10)
    assert hits
    assert all("x aim" not in hit.why and not hit.newer for hit in hits)


def test_company_in_a_session_counts(opening: Opening) -> None:
    """A text in whose session little else answers loses a share of its score, and is not dropped
    for it; the knob off, it loses nothing."""
    asked = "What about the violin?"

    def found(memory: Memory) -> dict[str, float | None]:
        memory.remember("The violin needs a bow", session="music", at=THEN)
        memory.remember("Our violin teacher wrote about strings", session="music", at=THEN)
        memory.remember("The violin has a case", session="travel", at=THEN)
        memory.remember("A violin hangs in the hall", at=THEN)
        about_bread(memory)
        return {hit.memory.content: hit.why.get("x session") for hit in memory.recall(asked)}

    on = found(opening("on", overrides={"fuse": {"session": 9.0}}))
    off = found(opening("off", overrides={"fuse": {"session": 0.0}}))
    assert on.keys() == off.keys()
    assert set(off.values()) == {None}
    assert on["The violin needs a bow"] is None
    assert on["A violin hangs in the hall"] is None
    assert 0.1 < (on["The violin has a case"] or 0.0) < 0.9


RULES = ["Never touch the legacy billing module without asking Marco", "Money must never be floats"]
PRACTICES = [
    ("how do we deploy?", "Deploy goes to fly.io, region fra"),
    ("how do we render PDFs?", "PDF rendering uses WeasyPrint, wkhtmltopdf broke on arm"),
    ("which validators should I use?", "Use pydantic v2 style validators, not the deprecated ones"),
]


@pytest.mark.parametrize(("question", "answer"), PRACTICES)
def test_a_practice_comes_before_rules_of_something_else(
    memory: Memory, question: str, answer: str
) -> None:
    """What answers how something is done here stands before rules that have next to nothing to do
    with it, which are told behind it."""
    for one in (*RULES, *(told for _, told in PRACTICES)):
        memory.remember(one)
    [first, *_] = memory.recall(question)
    assert first.memory.content == answer
    assert RULES[0] in memory.context(question).text
