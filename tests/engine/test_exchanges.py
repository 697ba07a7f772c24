"""A summary is answered by exchanges: what was said and its answer, from one session after
another."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START

from engraphy import Memory

THEN = START - 30 * DAY
ASKED = "Can you give me a comprehensive summary of how my garden has developed?"
ALL = {"min_share_of_best": 0.0, "min_confidence": 0.0}
TALKS = {
    "spring": {
        "The garden lacks water since the drought began": "A barrel below the roof keeps rain",
        "We built a gate for the garden out of larch": "Larch stays sound without any paint",
    },
    "summer": {
        "Herons visit our garden at noon for the fish": "A net above the pond keeps them away",
        "Grandfather sold half of the garden to a miller": "Half of it is still work enough",
    },
}


def told(memory: Memory) -> None:
    """Two sessions of messages, each with an answer of other words."""
    at = THEN
    for session, talk in TALKS.items():
        for own, answer in talk.items():
            for role, content in (("user", own), ("assistant", answer)):
                at += DAY
                memory.observe([{"role": role, "content": content}], session=session, at=at)


def found(memory: Memory, question: str = ASKED, limit: int = 20) -> list[str]:
    """What a question brings, best first."""
    return [hit.memory.content for hit in memory.recall(question, limit=limit)]


def with_aim(make: Opening, name: str, **aim: object) -> Memory:
    """A memory without cut-offs that keeps what an agent said, and these knobs."""
    gate = {"agent_min_density": 0}
    return make(name, overrides={"aim": aim, "score": ALL, "gate": gate})


def test_an_answer_comes_with_what_it_answers(opening: Opening) -> None:
    """Where a summary is asked for, each answer stands right behind what it answers, as good as
    that; with the knob off, or asked otherwise, it does not."""
    memory, off = with_aim(opening, "on"), with_aim(opening, "off", exchange=0.0)
    told(memory)
    told(off)
    pairs = [pair for talk in TALKS.values() for pair in talk.items()]

    def together(texts: list[str]) -> bool:
        return all(texts.index(own) + 1 == texts.index(answer) for own, answer in pairs)

    assert together(found(memory))
    assert not together(found(off))
    assert found(memory, "What lacks water in the garden?") == found(
        off, "What lacks water in the garden?"
    )
    scores = [hit.score for hit in memory.recall(ASKED, limit=20)]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores[::2] == pytest.approx(scores[1::2])


def test_what_only_goes_on_stands_behind(opening: Opening) -> None:
    """What begins with thanks says less of what was brought up than what does not."""
    thanks = "Thanks, the garden with its larch gate and garden pond is the garden we wanted"
    for name, knob, place in (("on", 0.9, -1), ("off", 0.0, 0)):
        memory = with_aim(opening, name, resumed=knob, spread=0.0, opening=0.0)
        told(memory)
        memory.observe([{"role": "user", "content": thanks}], session="autumn", at=THEN + 20 * DAY)
        own = [one for one in found(memory) if "garden" in one]
        assert own[place] == thanks


@pytest.mark.parametrize(
    "question",
    [
        ASKED,
        "Bahçemle ilgili konuşmalarımızı kapsamlı olarak özetler misin?",
        "Kannst du zusammenfassen, was bisher mit dem garden war?",
    ],
)
def test_words_that_only_ask_for_a_summary_do_not_count(opening: Opening, question: str) -> None:
    """What holds none but such words is not found; with the knob on it is."""
    framing = "A comprehensive summary, kapsamlı, bisher developed"
    for name, counts in (("off", False), ("on", True)):
        memory = with_aim(opening, name, framing=counts)
        told(memory)
        memory.remember("Bahçemle garden: two apple trees", at=THEN)
        memory.remember(framing, at=THEN)
        assert (framing in found(memory, question)) is counts


def test_a_question_of_such_words_alone_keeps_them(opening: Opening) -> None:
    """Where nothing else is asked for, they are what it asks for."""
    memory = with_aim(opening, "one")
    memory.remember("The comprehensive overview of the harbour hangs in the hall", at=THEN)
    assert found(memory, "Give me a comprehensive overview") != []
