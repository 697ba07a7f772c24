"""Who works for somebody asks of them by what they are, and what was promised to them is owed."""

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import texts

from engraphy import Memory

LIFE = [
    ("2026-03-01", "My parcels go to 3 Rose Court, Leeds"),
    ("2026-03-02", "I can't use anything with lavender, I get a rash from it"),
    ("2026-03-03", "My kettle arrived broken"),
    ("2026-03-06", "For my sister: please send the tea to 9 Mill Lane, York this time"),
    ("2026-03-09", "I moved last week, I'm at 18 Harbour Road, Hull now"),
    ("2026-03-10", "This one goes to my mother directly: 4 Park Row, Bath"),
]
PROMISED = [
    "We will refund 28 euros within five days.",
    "Sure, I'll refund you 20 euros.",
    "I'll take the 4 euros for the wrapping off your next order.",
    "You get a new blanket and 15 pounds back.",
    "I will let you know when the white shirt is back.",
    "Ich erstatte Ihnen 12,90 Euro.",
    "Evet, 44 numarayı yarın gönderiyoruz.",
    "Le enviamos el mantel el lunes.",
]
SAID = [
    "It contains citrus oil.",
    "You will get an error back.",
    "I'll keep that in mind.",
    "Will you send me your order number?",
]
ASKED_WHERE = [
    "Where do I ship Anna's next parcel?",
    "Where should we send it to?",
    "What is the customer's current address?",
    "Wohin geht das nächste Paket von Anna?",
    "¿A qué dirección envío el próximo paquete?",
    "Anna'nın sonraki paketi nereye gidecek?",
]


def life(memory: Memory, user: str) -> None:
    """Some days of a customer."""
    for day, text in LIFE:
        memory.remember(text, user=user, at=day)


@pytest.mark.parametrize("question", ASKED_WHERE)
def test_the_address_that_was_given_last_is_where_it_is_sent(
    shared: Shared, user: str, question: str
) -> None:
    """The newest address of their own comes first, and none that was for somebody else."""
    memory = shared()
    life(memory, user)
    first = memory.recall(question, user=user)[0].memory.content
    assert first == "I moved last week, I'm at 18 Harbour Road, Hull now"
    assert "18 Harbour Road" in memory.context(question, user=user).text


@pytest.mark.parametrize(
    "question",
    [
        "What should I know about this customer?",
        "Anything else I should know about the client before I answer?",
        "Was sollte ich über diese Kundin wissen?",
        "¿Qué debo saber de este cliente?",
        "Bu müşteri hakkında ne bilmeliyim?",
    ],
)
def test_all_of_a_customer_answers(shared: Shared, user: str, question: str) -> None:
    """What is to be known of a customer is all that there is of them."""
    memory = shared()
    life(memory, user)
    assert set(texts([hit.memory for hit in memory.recall(question, user=user)])) >= {
        text for _, text in LIFE
    }


@pytest.mark.parametrize("question", ["Where should the config go?", "Where does the request go?"])
def test_where_a_thing_goes_that_is_no_parcel_is_searched(
    shared: Shared, user: str, question: str
) -> None:
    """Nothing but goods is sent to an address."""
    memory = shared()
    life(memory, user)
    told = "The config goes to the etc folder, the request to the gateway"
    memory.remember(told, user=user)
    found = [hit.memory.content for hit in memory.recall(question, user=user)]
    assert told in found[:2]
    assert "Harbour" not in found[0]


@pytest.mark.parametrize("promise", PROMISED)
def test_what_an_agent_promises_is_kept(shared: Shared, user: str, promise: str) -> None:
    """A promise to the user is kept, and still owed when its day is over."""
    memory = shared()
    said = [{"role": "assistant", "content": promise, "at": "2026-01-10"}]
    [outcome] = memory.observe(said, user=user)
    assert outcome.action == "created"
    found = memory.recall("What did we promise him?", user=user)
    assert [hit.memory.content for hit in found] == [promise]


@pytest.mark.parametrize("said", SAID)
def test_what_an_agent_says_of_its_work_is_no_promise(shared: Shared, user: str, said: str) -> None:
    """What an agent says that it does now, or asks, is not kept."""
    [outcome] = shared().observe([{"role": "assistant", "content": said}], user=user)
    assert outcome.action == "skipped"


@pytest.mark.parametrize(
    "told",
    [
        "Mi madre es alérgica al látex, ¿vuestros delantales llevan?",
        "Çocuğumun fıstığa alerjisi var, bu kurabiyede var mı?",
        "Terlik küçük geldi, 44 ile değiştirebilir miyiz?",
        "Ship it to my office please, Hafenstraße 3, 20457 Hamburg",
        "He didn't get it",
    ],
)
def test_what_is_told_beside_a_request_or_a_question_is_kept(
    shared: Shared, user: str, told: str
) -> None:
    """A statement before a question, an address in a request and what somebody did not get stay."""
    [outcome] = shared().observe(told, user=user)
    assert outcome.action == "created"


def test_what_is_open_is_what_was_told_last(shared: Shared, user: str) -> None:
    """Whoever asks for open complaints gets the last that was told, without a word of it."""
    memory = shared()
    life(memory, user)
    found = texts([h.memory for h in memory.recall("Any open complaint?", user=user)])
    assert "My kettle arrived broken" in found


@pytest.mark.parametrize(
    ("first", "then", "question"),
    [
        (
            "My email is oli@example.com",
            "Please use oliver.p@example.com instead, I'm closing the other one",
            "What is his email address?",
        ),
        (
            "My phone number is 07700 900123",
            "Please call 07700 900999 from now on",
            "What is her phone number?",
        ),
        (
            "Adresim Bağdat Caddesi 112, Kadıköy, İstanbul",
            "Taşındık, yeni adresimiz Atatürk Bulvarı 45, Çankaya, Ankara",
            "Müşterinin adresi ne?",
        ),
    ],
)
def test_another_way_to_be_reached_takes_the_place_of_the_old(
    shared: Shared, user: str, first: str, then: str, question: str
) -> None:
    """What is to be used from now on ends the old address or number, and is found as such."""
    memory = shared()
    memory.observe(first, user=user)
    [outcome] = memory.observe(then, user=user)
    assert outcome.action == "superseded"
    assert texts([hit.memory for hit in memory.recall(question, user=user)]) == [then]
    assert then[:24] in memory.context(question, user=user).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Has the refund been paid?", "The 49 pounds came through"),
        ("Any open complaint about the lamp?", "It arrived damaged"),
        ("Wurde die Erstattung überwiesen?", "Das Geld ist da"),
        ("Can we ship to Hugo now?", "You can send things again"),
    ],
)
def test_what_is_said_of_an_order_is_found(
    shared: Shared, user: str, question: str, told: str
) -> None:
    """Money answers for a refund, damage for a complaint, sending for shipping."""
    memory = shared()
    for text in ("I like the blue one", told, "My cat is called Momo"):
        memory.remember(text, user=user)
    assert memory.recall(question, user=user)[0].memory.content == told


@pytest.mark.parametrize("user", ["erik", "Erik.Svensson", "erik-42"])
def test_the_name_of_whose_memories_they_are_narrows_nothing(memory: Memory, user: str) -> None:
    """Who asks of one user by name is answered as surely as who leaves the name out, and another
    name that no memory says still counts."""
    memory.remember("I take 43 in boots, and 42 in sneakers", user=user)
    plain, named, other = (
        sum(hit.confidence for hit in memory.recall(f"What size in sneakers{who}?", user=user))
        for who in ("", " for Erik", " for Paula")
    )
    assert named == pytest.approx(plain, rel=0.05)
    assert other < named
    assert "43" in memory.context("Which boot size does Erik take?", user=user).text
