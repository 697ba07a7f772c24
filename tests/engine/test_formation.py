"""What is stored of an observed message: rewriting, references, splits, dates, foresight."""

import re
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, kept, texts
from tests.examples import few

from engraphy import Memory
from engraphy.text.moments import microseconds
from engraphy.text.negation import polarity

AT = "2026-05-01T12:00:00"
NOON = microseconds(AT)
LONG = "for the billing service of Acme in Oslo, version 16.2"
BARE = {"gate": {"filters": False, "min_density": 0, "trivial": False, "questions": False}}
SERIAL = count()
WAYS = settings(
    max_examples=few(60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """Profile `cognitive` with its gates open: what is formed, not what is worth it."""
    return opening(profile="cognitive", overrides=BARE)


def told(memory: Memory, *said: str, **more: object) -> list[str]:
    """The texts that are stored of messages of one conversation."""
    messages = [{"role": "user", "content": one, "at": AT} for one in said]
    return [kept(one).content for one in memory.observe(messages, **more)]


@pytest.mark.spec("D-05")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I prefer Python over Go", "User prefers Python over Go"),
        ("I never want dark mode", "User never wants dark mode"),
        ("Well, um, I don't eat meat, basically", "User doesn't eat meat"),
        ("My port is 3000, I'm sure", "User's port is 3000, User is sure"),
        ("Ben Python tercih ediyorum", "Kullanıcı Python tercih ediyor"),
        ("Python'u Java'ya tercih ederim", "Kullanıcı Python'u Java'ya tercih eder"),
        ("Şey, ben asla et yemem", "Kullanıcı asla et yemez"),
        ("Benim adım Ahmet", "Kullanıcının adı Ahmet"),
        ("Ali bana Docker'ı anlattı", "Ali Kullanıcıya Docker'ı anlattı"),
    ],
)
def test_the_first_person_becomes_the_third(memory: Memory, said: str, stored: str) -> None:
    """A statement is stored so that it stands alone, without fillers, its negation kept."""
    assert told(memory, said) == [stored]


@pytest.mark.spec("D-05")
def test_who_speaks_is_who_is_meant(memory: Memory) -> None:
    """The assistant's "I" is the assistant, a named speaker is named; quotations keep "I"."""
    said = [
        {"role": "assistant", "content": f"I deployed Redis {LONG}"},
        {"role": "user", "content": f"I deployed Kafka {LONG}", "name": "Anna"},
        {"role": "user", "content": f'My boss said "I deployed Consul {LONG}"'},
    ]
    stored = [kept(one).content for one in memory.observe(said)]
    assert stored[0].startswith("Assistant deployed Redis")
    assert stored[1].startswith("Anna deployed Kafka")
    assert '"I deployed Consul' in stored[2]


@pytest.mark.spec("D-05")
def test_no_statement_is_longer_than_500_characters(memory: Memory) -> None:
    """A long message becomes several statements of at most 500 characters, and loses nothing."""
    said = " ".join(f"I moved crate {n} to dock {n + 500}." for n in range(60))
    stored = told(memory, said)
    assert all(len(one) <= 500 for one in stored)
    assert re.findall(r"\d+", " ".join(stored)) == re.findall(r"\d+", said)


_SUBJECTS = st.sampled_from(
    ["I", "We", "My team", "I really", "Well, I", "Um, I just", "You know, I"]
)
_VERBS = st.sampled_from(["use", "never use", "don't use", "prefer", "no longer use", "won't move",
                          "cannot stand", "hate", "didn't buy", "like"])  # fmt: skip
_TURKISH = st.sampled_from(["kullanıyorum", "kullanmıyorum", "asla kullanmam", "sevmiyorum",
                            "tercih ederim", "istemiyorum", "hiç denemedim"])  # fmt: skip
_THINGS = st.sampled_from(["Docker", "Go", "port", "version", "node", "meat", "crate"])
_NUMBERS = st.one_of(
    st.integers(0, 99_999).map(str),
    st.floats(0, 99, allow_nan=False).map(lambda x: f"{x:.2f}"),
    st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda v: f"v{v[0]}.{v[1]}"),
)
_NEGATIONS = ("never", "n't", "not", "no longer", "asla", "hiç", "değil")


@pytest.mark.long
@pytest.mark.spec("D-05", "R-09")
@WAYS
@given(data=st.data())
def test_numbers_and_negations_survive(opening: Opening, data: st.DataObject) -> None:
    """Whatever is said, English or Turkish: each number and each negation of it is stored."""
    sentences = []
    for _ in range(data.draw(st.integers(1, 6))):
        thing, number = data.draw(_THINGS), data.draw(_NUMBERS)
        if data.draw(st.booleans()):
            sentences.append(f"{data.draw(_SUBJECTS)} {data.draw(_VERBS)} {thing} {number}.")
        else:
            sentences.append(f"Şey, {thing} {number} {data.draw(_TURKISH)}.")
    said = " ".join(sentences)
    once = opening(f"said-{next(SERIAL)}", profile="cognitive", overrides=BARE)
    told(once, said)
    stored = " ".join(texts(once.list(order="oldest")))
    once.close()
    assert re.findall(r"\d[\d.]*\d|\d", stored) == re.findall(r"\d[\d.]*\d|\d", said)
    for word in _NEGATIONS:
        assert stored.lower().count(word) >= said.lower().count(word), word
    # One sentence at a time: a text of two languages is read in the one it has more of.
    denied = sum(polarity(one) < 0 for one in sentences)
    assert sum(polarity(one) < 0 for one in stored.split(". ")) >= denied


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("We tried Redis. It was fast.", "We tried Redis. Redis was fast."),
        ("I met Anna Smith. She works on maps.", "User met Anna Smith. Anna Smith works on maps."),
        ("Ayşe İzmir'e taşındı. O orada çalışıyor.", "Ayşe İzmir'e taşındı. Ayşe orada çalışıyor."),
    ],
)
def test_a_pronoun_becomes_the_last_entity(memory: Memory, said: str, stored: str) -> None:
    """A leading pronoun stands for the last entity of a fitting kind."""
    assert told(memory, said) == [stored]


@pytest.mark.spec("D-06")
def test_a_pronoun_reaches_into_the_message_before(memory: Memory) -> None:
    """The entity may stand in the message before, of the same call or of the same session; never
    in another session, and never in another user's."""
    assert told(memory, "We tried Redis", "It was fast")[1] == "Redis was fast"
    told(memory, "We moved to Kafka", session="one", user="ada")
    assert told(memory, "It runs well", session="one", user="ada") == ["Kafka runs well"]
    assert told(memory, "It runs well", session="two", user="ada") == ["It runs well"]
    assert told(memory, "It runs badly", session="one", user="bob") == ["It runs badly"]


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (
            "I use Docker and my team prefers Kubernetes",
            ["User uses Docker", "User's team prefers Kubernetes"],
        ),
        (
            "Ali Python kullanıyor ve Ayşe Go kullanıyor",
            ["Ali Python kullanıyor", "Ayşe Go kullanıyor"],
        ),
        (
            "Docker kullanıyorum ve ekip Kubernetes tercih ediyor",
            ["Kullanıcı Docker kullanıyor", "Ekip Kubernetes tercih ediyor"],
        ),
        ("I like apples and oranges", ["User likes apples and oranges"]),
        ("We use Redis and Postgres", ["We use Redis and Postgres"]),
        ("I love Redis and use Redis daily", ["User loves Redis and use Redis daily"]),
    ],
)
def test_two_statements_become_two_memories(memory: Memory, said: str, stored: list[str]) -> None:
    """A sentence is cut at "and" or "ve" only where both sides have a verb of their own and name
    different entities."""
    assert told(memory, said) == stored


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("Ada opens the Oslo office on June 12", "2026-06-12"),
        ("Ada's birthday is on April 20 in Oslo", "2026-04-20"),
        ("Ada and I are coming to Oslo in July", "2026-07"),
        ("Ada opened the Oslo office on June 12", "2025-06-12"),
        ("Ada 12 Haziran'da Oslo'ya geliyor", "2026-06-12"),
        ("Ada 12 Haziran'da Oslo'ya geldi", "2025-06-12"),
    ],
)
def test_a_day_without_its_year_lies_on_the_nearer_side(
    memory: Memory, said: str, date: str
) -> None:
    """A told day or month without a year is the nearest one, unless the words tell of the past."""
    (stored,) = told(memory, said)
    assert f"({date})" in stored


@pytest.mark.spec("D-05")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (
            "posta_gonderim kuyruğu Redis üzerinde Oslo sunucusunda çalışıyor",
            "posta_gonderim kuyruğu Redis üzerinde Oslo sunucusunda çalışıyor",
        ),
        (
            "rapor_pdf.py hatasını Ada ile Redis üzerinde çözdüm",
            "Kullanıcı rapor_pdf.py hatasını Ada ile Redis üzerinde çözdü",
        ),
        ("parseNumber uses Redis in Oslo", "parseNumber uses Redis in Oslo"),
        ("Ada and I are moving Redis to Oslo", "Ada and User are moving Redis to Oslo"),
    ],
)
def test_identifiers_keep_their_letters(memory: Memory, said: str, stored: str) -> None:
    """What is put in the third person changes no identifier, path or plural verb."""
    assert told(memory, said) == [stored]


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("today", "2026-05-01"),
        ("yesterday", "2026-04-30"),
        ("tomorrow", "2026-05-02"),
        ("last Friday", "2026-04-24"),
        ("in 3 weeks", "2026-05-22"),
        ("bugün", "2026-05-01"),
        ("dün", "2026-04-30"),
        ("yarın", "2026-05-02"),
        ("geçen cuma", "2026-04-24"),
        ("3 hafta sonra", "2026-05-22"),
    ],
)
def test_relative_dates_become_iso_dates(memory: Memory, said: str, date: str) -> None:
    """Against the message's own time, not the moment at which it is told to the memory."""
    (stored,) = told(memory, f"Redis {said} Oslo")
    assert f"{said} ({date})" in stored
    later = [{"content": f"Kafka {said} Oslo", "at": NOON + 365 * DAY}]
    assert "(2027-" in kept(memory.observe(later)[0]).content


@pytest.mark.spec("D-06")
@pytest.mark.parametrize("said", ["Ada moved Redis to Oslo in 2019", "Ada Redis'i 2019'da kurdu"])
def test_a_date_that_is_told_whole_is_not_told_twice(memory: Memory, said: str) -> None:
    """A year stands as it was told."""
    assert told(memory, said) == [said]


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    "said",
    [
        "I plan to visit Paris",
        "I plan to migrate the ledger to PostgreSQL",
        "We intend to switch to Rust",
        "We are going to learn Rust",
        "I will write to Anna Smith",
        "Ada will visit Berlin with Bob",
        "Rust öğrenmeyi planlıyorum",
        "Paris'e gideceğim",
    ],
)
def test_an_announcement_holds_seven_days(memory: Memory, said: str) -> None:
    """Without a stated date a plan is time-bounded and ends after seven days."""
    (outcome,) = memory.observe([{"content": said, "at": AT}])
    row = kept(outcome)
    assert (row.kind, row.temporal_type) == ("plan", "time_bounded")
    assert (row.valid_from, row.valid_until) == (NOON, NOON + 7 * DAY)


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    "said",
    [
        "If the Docker build fails, Jenkins will retry it in Oslo",
        "Kafka will replay events when Redis fails",
        "We will use Docker with Kubernetes",
        "We decided that Docker will move to Oslo next week",
    ],
)
def test_what_holds_beyond_one_event_has_no_end(memory: Memory, said: str) -> None:
    """What happens whenever something does, and a decision, are no plans of seven days."""
    row = kept(memory.observe([{"content": said, "at": AT}])[0])
    assert (row.temporal_type, row.valid_until) == ("persistent", None)


@pytest.mark.spec("D-06")
def test_a_decision_with_a_date_is_a_plan(memory: Memory) -> None:
    """What is to be used from when on is announced until then."""
    said = "I will use Docker with Kubernetes next week"
    row = kept(memory.observe([{"content": said, "at": AT}])[0])
    assert (row.kind, row.temporal_type) == ("plan", "time_bounded")


@pytest.mark.spec("D-06")
def test_a_stated_date_bounds_an_announcement(memory: Memory, opening: Opening) -> None:
    """The end of the stated day is the end; `default` bounds by a stated date only."""
    (outcome,) = memory.observe([{"content": "I will travel to Oslo in 3 weeks", "at": AT}])
    assert kept(outcome).valid_until == microseconds("2026-05-23T00:00:00")
    default = opening("default")
    dated, undated = default.observe(
        [
            {"content": "I will move to Oslo tomorrow", "at": AT},
            {"content": "I plan to visit Paris", "at": AT},
        ]
    )
    assert kept(dated).valid_until == microseconds("2026-05-03T00:00:00")
    assert kept(undated).valid_until is None


@pytest.mark.spec("D-06")
@pytest.mark.parametrize(
    ("at", "today", "end"),
    [
        ("2026-03-11T23:30:00-05:00", "2026-03-11", "2026-03-13T00:00:00-05:00"),
        ("2026-03-11T00:30:00+03:00", "2026-03-11", "2026-03-13T00:00:00+03:00"),
        ("2026-03-11T00:30:00", "2026-03-11", "2026-03-13T00:00:00"),
        ("2026-03-11T23:30:00Z", "2026-03-11", "2026-03-13T00:00:00Z"),
    ],
)
@pytest.mark.parametrize("way", ["message", "call", "profile"])
def test_a_day_is_that_of_who_says_it(
    opening: Opening, at: str, today: str, end: str, way: str
) -> None:
    """Today and tomorrow are counted in the zone in which a message was told, whether its own
    moment says so, that of the call, or the profile; what is announced ends with that day."""
    zone = at[19:].replace("Z", "")
    knobs = {"form": {"remind": {"timezone": zone or "UTC"}}} if way == "profile" else {}
    memory = opening(f"{way}{len(zone)}{at[11:13]}", profile="cognitive", overrides=knobs)
    for number, word in enumerate(("today", "tomorrow", "bugün")):
        said = f"The Kafka broker number {number} of Oslo will be replaced {word}"
        if way == "message":
            (outcome,) = memory.observe([{"content": said, "at": at}])
        else:
            moment = at if way == "call" else microseconds(at)
            (outcome,) = memory.observe([{"content": said}], at=moment)
        row = kept(outcome)
        if word == "tomorrow":
            assert "(2026-03-12)" in row.content
            assert row.valid_until == microseconds(end)
        else:
            assert f"({today})" in row.content
        assert dict(row.metadata).get("timezone", "") == ("" if way == "profile" else zone)


@pytest.mark.spec("D-06")
def test_what_has_ended_is_no_longer_current(memory: Memory, clock: object) -> None:
    """A plan leaves what is current at its end and stays in the timeline."""
    memory.observe("I plan to visit Paris")
    assert texts(memory.list()) == ["User plans to visit Paris"]
    clock.pass_days(7.1)  # type: ignore[attr-defined]
    assert memory.list() == []
    assert texts(memory.timeline()) == ["User plans to visit Paris"]


def test_code_keeps_its_words(memory: Memory) -> None:
    """A message with a code block is stored as it stands."""
    said = "I run this:\n```\nI = 1 and J = 2\n```"
    assert told(memory, said) == [said]


def test_default_keeps_every_word(opening: Opening) -> None:
    """Profile `default` stores the message's own words."""
    memory = opening("default")
    said = "I use Docker today and my team prefers Kubernetes. It was fast."
    assert told(memory, said) == [said]
    assert kept(memory.observe(said, user="ada")[0]).recorded_at > START


def test_why_not_tells_what_becomes_of_a_message(memory: Memory) -> None:
    """The trace shows the statement that would be kept, and until when a plan holds."""
    (outcome,) = memory.why_not("I plan to visit Paris", at=AT)
    told_by = {step.stage: step.detail for step in outcome.trace}
    assert told_by["form"] == "kept as: User plans to visit Paris"
    assert told_by["foresight"] == "holds until 2026-05-08T12:00:00Z"
    assert memory.list() == []
