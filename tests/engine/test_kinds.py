"""What is asked by the kind of a thing is answered by what tells of one of that kind."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import texts

from engraphy import Memory

MINE = (
    "I bought a ThinkPad X1 last week",
    "I switched to a Pixel 8 in January",
    "we host everything on Hetzner",
    "I got myself a used Yaris in May",
    "Orders go through RabbitMQ",
)
OTHERS = (
    "My sister bought a MacBook Air last week",
    "My neighbour has an iPhone 15",
    "Emre's old company was all on Azure",
    "My brother drives a red Peugeot",
    "Paul's startup sends events over Kafka",
    "Use tabs in the Makefile and spaces elsewhere",
    "We write commit messages in the imperative",
    "I prefer calls in the afternoon",
)
ASKED = (
    ("what laptop do I have?", MINE[0]),
    ("what phone do I have?", MINE[1]),
    ("which cloud provider do we use?", MINE[2]),
    ("which car do I drive?", MINE[3]),
    ("do we have a message queue?", MINE[4]),
)


def told(memory: Memory) -> None:
    """Things of the asker's and of others'."""
    for one in (*MINE, *OTHERS):
        memory.remember(one)


@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize(("question", "wanted"), ASKED)
def test_a_kind_is_answered_by_one_of_it(
    opening: Opening, embedder: str, question: str, wanted: str
) -> None:
    """Of what is of the kind asked for, the asker's own comes first and stands in the block."""
    memory = opening(embedder=embedder)
    told(memory)
    assert texts(memory.recall(question))[0] == wanted
    assert wanted in {hit.memory.content for hit in memory.context(question).hits}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("hangi telefonu kullanıyorum?", "Ocakta Galaxy S23 aldım"),
        ("dizüstü bilgisayarım ne?", "Geçen hafta bir ThinkPad aldım"),
        ("hangi veritabanını kullanıyoruz?", "Her şey Postgres'te duruyor"),
        ("köpeğim ne cins?", "Labrador Bruno dört yaşına girdi"),
    ],
)
def test_turkish_too(memory: Memory, question: str, wanted: str) -> None:
    """A Turkish question's kind takes its endings."""
    for one in ("Komşum iPhone 15 almış", "Kardeşim MacBook Air kullanıyor"):
        memory.remember(one)
    memory.remember("Toplantı notları ortak klasöre konur")
    memory.remember(wanted)
    assert texts(memory.recall(question))[0] == wanted


def test_a_kind_of_somebody_else_is_theirs(memory: Memory) -> None:
    """A question about another person's thing is not answered by the asker's."""
    told(memory)
    assert texts(memory.recall("which phone does my neighbour have?"))[0] == OTHERS[1]


@pytest.mark.parametrize("question", ["what is my phone number?", "what did the car cost?"])
def test_a_word_of_a_kind_alone_asks_for_no_kind(memory: Memory, question: str) -> None:
    """Where the kind only says whose number or price is asked for, nothing of it is lifted."""
    told(memory)
    assert all("x aim" not in hit.why for hit in memory.recall(question))


def test_what_the_question_names_is_not_what_it_asks_for(memory: Memory) -> None:
    """What is asked for beside one of the kind is another one."""
    memory.remember("I moved from Neovim back home")
    memory.remember("I used to write everything in Emacs")
    found = memory.recall("which editor did I use before Neovim?")
    assert texts(found)[0] == "I used to write everything in Emacs"


def test_it_is_a_knob(opening: Opening) -> None:
    """Without shares nothing is lifted."""
    memory = opening(overrides={"aim": {"of_kind": []}})
    told(memory)
    assert all("x aim" not in hit.why for hit in memory.recall("which car do I drive?"))
