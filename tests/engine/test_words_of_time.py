"""Questions in words of time are about when things happened, against the caller's now."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, texts

from engraphy import Memory

# The clock of these tests stands on Friday, 1 May 2026.
SAID = {
    "I live in Berlin": "2026-01-10",
    "Greta and I walked along the harbour": "2026-02-11",
    "I moved to Porto": "2026-03-01",
    "My gateway runs on port 3000": "2026-01-05",
    "My gateway runs on port 3001": "2026-04-01",
    "Ada and I walked along the harbour": "2026-04-22",
    "The harbour festival starts at noon": "2025-07-07",
}
SAID_TR = {
    "Ankara'da yaşıyorum": "2026-01-10",
    "Limanda Bora ile buluştum": "2026-02-11",
    "İzmir'e taşındım": "2026-03-01",
    "Sunucumuz 3000 portunda çalışıyor": "2026-01-05",
    "Artık sunucumuz 3001 portunda çalışıyor": "2026-04-01",
    "Limanda Ada ile buluştum": "2026-04-22",
    "Liman şenliği öğlen başlıyor": "2025-07-07",
}
GRETA, ADA = "Greta and I walked along the harbour", "Ada and I walked along the harbour"
BORA, ADA_TR = "Limanda Bora ile buluştum", "Limanda Ada ile buluştum"


def told(opening: Opening, said: dict[str, str], embedder: str, **more: object) -> Memory:
    """A memory of what was said when."""
    memory = opening(embedder=embedder, **more)
    for text, at in said.items():
        memory.remember(text, at=at)
    return memory


@pytest.fixture(params=["none", "static"])
def english(request: pytest.FixtureRequest, opening: Opening) -> Memory:
    """What was said in English, with and without vectors."""
    return told(opening, SAID, request.param)


@pytest.fixture(params=["none", "static"])
def turkish(request: pytest.FixtureRequest, opening: Opening) -> Memory:
    """What was said in Turkish, with and without vectors."""
    return told(opening, SAID_TR, request.param)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("with whom did I walk along the harbour last week?", ADA),
        ("with whom did I walk along the harbour in February?", GRETA),
        ("with whom did I walk along the harbour before March?", GRETA),
        ("with whom did I walk along the harbour since April?", ADA),
        ("with whom did I walk along the harbour between January and March?", GRETA),
        ("who walked along the harbour in the last two weeks?", ADA),
        ("who walked along the harbour in the week before 15 February 2026?", GRETA),
        ("with whom did I walk along the harbour before I moved to Porto?", GRETA),
        ("with whom did I walk along the harbour after I moved to Porto?", ADA),
    ],
)
def test_the_time_of_a_question_lifts(english: Memory, question: str, answer: str) -> None:
    """Of two memories that hold the same words the one of the time that is asked for is first."""
    assert texts(english.recall(question, touch=False))[0] == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("geçen hafta limanda kiminle buluştum", ADA_TR),
        ("şubatta limanda kiminle buluştum", BORA),
        ("Şubat'ta limanda kiminle buluştum", BORA),
        ("marttan önce limanda kiminle buluştum", BORA),
        ("nisandan beri limanda kiminle buluştum", ADA_TR),
        ("ocak ile mart arasında limanda kiminle buluştum", BORA),
        ("son iki haftada limanda kiminle buluştum", ADA_TR),
        ("taşınmadan önce limanda kiminle buluştum", BORA),
        ("İzmir'e taşındıktan sonra limanda kiminle buluştum", ADA_TR),
    ],
)
def test_words_of_time_are_read_in_turkish(turkish: Memory, question: str, answer: str) -> None:
    """Suffixes of time and clauses in -madan önce, -dıktan sonra set the time of a question."""
    found = texts(turkish.recall(question, touch=False))
    assert next(text for text in found if text in {BORA, ADA_TR}) == answer


@pytest.mark.spec("D-14")
@pytest.mark.parametrize(
    ("question", "then", "now"),
    [
        ("which port did my gateway run on in February?", "3000", "3001"),
        ("where did I live before I moved?", "Berlin", "Porto"),
    ],
)
def test_what_held_at_the_time_answers(english: Memory, question: str, then: str, now: str) -> None:
    """A question about a time that is over is answered by what held then, although it was
    superseded since; what took its place stands behind it."""
    found = texts(english.recall(question, touch=False))
    assert found[0].endswith(then)
    assert not any(text.endswith(now) for text in found[:1])


@pytest.mark.spec("D-14")
@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("sunucumuz şubatta hangi porttaydı", "Sunucumuz 3000 portunda çalışıyor"),
        ("taşınmadan önce nerede yaşıyordum", "Ankara'da yaşıyorum"),
    ],
)
def test_what_held_at_the_time_answers_in_turkish(
    turkish: Memory, question: str, then: str
) -> None:
    """The same in Turkish."""
    assert texts(turkish.recall(question, touch=False))[0] == then


@pytest.mark.spec("D-14")
def test_a_question_about_now_sees_no_superseded_memory(english: Memory) -> None:
    """Without a time that is over nothing superseded comes back, nor with one that goes on."""
    for asked in ("which port does my gateway run on?", "which port does my gateway run on today?"):
        assert texts(english.recall(asked, touch=False))[0].endswith("3001")
        states = {hit.memory.state for hit in english.recall(asked, touch=False)}
        assert states == {"active"}


@pytest.mark.spec("D-14")
def test_what_did_not_hold_at_the_time_is_not_taken_back_in(opening: Opening) -> None:
    """Of the superseded only those come back that held at some moment of the time asked for."""
    memory = opening()
    for port, at in (("3000", "2026-01-05"), ("3001", "2026-02-10"), ("3002", "2026-04-01")):
        memory.remember(f"My gateway runs on port {port}", at=at)
    found = texts(memory.recall("which port did my gateway run on in March?", touch=False))
    assert found[0].endswith("3001")
    assert not any(text.endswith("3000") for text in found)


@pytest.mark.spec("R-03")
def test_what_held_once_grows_no_stronger(opening: Opening) -> None:
    """A superseded memory that answers is delivered and not reinforced."""
    memory = told(opening, SAID, "none")
    (first, *_) = memory.recall("which port did my gateway run on in February?")
    assert first.memory.state == "superseded"
    assert memory.get(first.memory.id, touch=False).access_count == 0


@pytest.mark.spec("D-14")
def test_a_prompt_is_told_that_a_memory_holds_no_longer(opening: Opening) -> None:
    """In a block what held once says until when."""
    memory = told(opening, SAID, "none")
    block = memory.context("which port did my gateway run on in February?")
    line = next(one for one in block.text.splitlines() if "3000" in one)
    assert "until 2026-04-01" in line


@pytest.mark.parametrize(
    "question",
    ["what happened last week?", "geçen hafta ne yaptık?", "what did we do in the last 14 days?"],
)
def test_a_time_alone_is_a_question(english: Memory, question: str) -> None:
    """Where nothing but a time is named, what happened then is the answer, and nothing else."""
    assert texts(english.recall(question, touch=False)) == [ADA]


def test_a_time_alone_without_memories_finds_nothing(english: Memory) -> None:
    """A time of which nothing is told gives no hits, and never those of another time."""
    assert english.recall("what happened in June 2019?", touch=False) == []


def test_now_is_the_callers(opening: Opening, clock: Ticks) -> None:
    """The same question a month later is about another week."""
    memory = told(opening, SAID, "none")
    assert texts(memory.recall("what happened last week?", touch=False)) == [ADA]
    clock.pass_days(30)
    memory.remember("The bakery burnt down", at=START + 22 * DAY)
    found = texts(memory.recall("what happened last week?", touch=False))
    assert found == ["The bakery burnt down"]


def test_an_event_nobody_told_of_sets_no_time(english: Memory) -> None:
    """Where no memory tells of the event, the question is asked as if it named none."""
    asked = "who walked along the harbour before the earthquake?"
    plain = english.recall("who walked along the harbour", touch=False)
    found = english.recall(asked, touch=False)
    assert {hit.memory.id for hit in found} == {hit.memory.id for hit in plain}
    assert all("x outside" not in part for hit in found for part in hit.why)


def test_an_event_is_dated_by_what_its_memory_says(opening: Opening, clock: Ticks) -> None:
    """An event that was told later, with its date, is as old as that date."""
    memory = opening()
    memory.remember("We opened the Lisbon office on 3 February 2026")
    before = kept(memory.remember("Greta ran the weekly standup", at="2026-01-20"))
    after = kept(memory.remember("Ada ran the weekly standup", at="2026-02-20"))
    memory.remember("The canteen serves fish", at="2026-01-20")
    for side, row in (("before", before), ("after", after)):
        asked = f"who ran the weekly standup {side} we opened the Lisbon office?"
        found = [hit.memory.id for hit in memory.recall(asked, touch=False)]
        assert next(one for one in found if one in {before.id, after.id}) == row.id


NEUTRAL = {
    "search": {"past": False, "anchors": False, "dated": 0},
    "fuse": {"date": 0.0, "outside": 0.0},
}


def test_each_part_can_be_switched_off(opening: Opening) -> None:
    """At its neutral value no part of the reading of time does anything."""
    memory = told(opening, SAID, "none", overrides=NEUTRAL)
    found = memory.recall("which port did my gateway run on in February?", touch=False)
    assert {hit.memory.state for hit in found} == {"active"}
    assert memory.recall("what happened last week?", touch=False) == []
    hits = memory.recall("who walked along the harbour before I moved?", touch=False)
    assert all("date" not in part and "outside" not in part for hit in hits for part in hit.why)


@pytest.mark.parametrize("profile", ["letsgo", "layered", "titans"])
def test_profiles_after_a_document_read_no_time(opening: Opening, profile: str) -> None:
    """The documents' profiles keep their own retrieval: what is superseded stays out."""
    memory = told(opening, SAID, "none", profile=profile)
    found = memory.recall("which port did my gateway run on in February?", touch=False)
    assert {hit.memory.state for hit in found} == {"active"}


@pytest.mark.spec("R-02")
@pytest.mark.parametrize(
    "question",
    [
        "before", "since", "after ", "before before before", "between and", "önce", "dan önce",
        "in the last 999 years", "in the last 999 yıl", "before 99999", "between 0 and 0",
        "since " + "x " * 500, "before the " * 200, "31 February", "until 31.02.2026",
    ],
)  # fmt: skip
def test_any_words_of_time_are_legal(english: Memory, question: str) -> None:
    """Half a phrase of time, an impossible date or a long one raises nothing and hides nothing."""
    asked = f"with whom did I walk along the harbour {question}"
    assert {ADA, GRETA} & set(texts(english.recall(asked, touch=False)))


@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize(
    ("plan", "when", "what"),
    [
        (
            "I'm going to sail to Texel on 3 April",
            "When am I sailing to Texel?",
            "Where am I sailing?",
        ),
        (
            "3 Nisan'da Bozcaada'ya gideceğim",
            "Bozcaada'ya ne zaman gideceğim?",
            "Bozcaada'ya kiminle gideceğim?",
        ),
    ],
)
def test_a_question_for_the_time_sees_a_plan_that_is_over(
    opening: Opening, embedder: str, plan: str, when: str, what: str
) -> None:
    """What was planned and is over answers when it was, and nothing else; it is a knob."""
    memory = opening(embedder=embedder)
    planned = kept(memory.observe(plan, at="2026-03-20")[0])
    assert planned.valid_until is not None
    assert planned.valid_until < START
    memory.observe("We sailed home and eve gittik", at="2026-03-21")
    assert texts(memory.recall(when, touch=False))[:1] == [plan]
    assert plan not in texts(memory.recall(what, touch=False))
    blind = opening(embedder=embedder, overrides={"search": {"planned": False}})
    assert plan not in texts(blind.recall(when, touch=False))


def test_a_plan_that_is_over_stands_behind_one_that_is_not(opening: Opening) -> None:
    """Both are plans of the same; the one that still holds comes first, though told earlier."""
    memory = opening()
    ended, coming = "I'm going to sail to Texel on 3 April", "I'm going to row to Texel on 9 June"
    for text, at in ((coming, "2026-02-01"), (ended, "2026-03-20")):
        memory.observe(text, at=at)
    assert texts(memory.recall("When am I off to Texel?")) == [coming, ended]


def test_what_was_superseded_answers_no_question_for_the_time(opening: Opening) -> None:
    """Plans that ran their course are seen, and nothing else that holds no longer."""
    memory = opening()
    memory.observe("I'm going to sail to Texel on 3 April", at="2026-03-20")
    memory.observe("My boat is called Fulmar", at="2026-03-20")
    memory.observe("My boat is called Petrel now", at="2026-03-21")
    found = texts(memory.recall("When did I sail my boat that is called Fulmar to Texel?"))
    assert found[0] == "I'm going to sail to Texel on 3 April"
    assert "My boat is called Fulmar" not in found
