"""A megabyte of hostile text costs no more than a moment (P-15)."""

from collections.abc import Callable
from time import process_time

import pytest

from engraphy.text import aims, naming
from engraphy.text.about import subject
from engraphy.text.atoms import atoms
from engraphy.text.capture import captures
from engraphy.text.causes import causal
from engraphy.text.chatter import chatter
from engraphy.text.classify import classify
from engraphy.text.compound import decompose
from engraphy.text.coref import refers, resolved
from engraphy.text.dates import annotated, dates
from engraphy.text.density import density
from engraphy.text.emotion import emotion
from engraphy.text.entities import entities
from engraphy.text.evidence import stance
from engraphy.text.filters import filter_reason
from engraphy.text.foresight import foresight
from engraphy.text.gate import needs_memory
from engraphy.text.globs import bound, problem
from engraphy.text.hypotheses import hypotheses
from engraphy.text.intents import intent
from engraphy.text.mentions import Subject
from engraphy.text.overtaking import overtakes
from engraphy.text.pairing import marks, side, subject_and_value, traits
from engraphy.text.paths import normal_path
from engraphy.text.reminding import apart, request
from engraphy.text.retraction import retraction
from engraphy.text.rewrite import standalone, title
from engraphy.text.slots import slots
from engraphy.text.split import chunks
from engraphy.text.stepped import stepped
from engraphy.text.succession import excluded, succession
from engraphy.text.timeframe import timing
from engraphy.text.told import of_another, told
from engraphy.text.toolclass import tool_class
from engraphy.text.toolinput import of_command, patched, tool_input
from engraphy.text.tooloutput import excerpt, failed, looking, tool_trivial
from engraphy.text.topics import answered
from engraphy.text.trivial import trivial
from engraphy.text.urgency import urgency
from engraphy.text.valued import is_value, mentions

SIZE = 1_000_000
SECONDS = 1.0
"""Of CPU; the bar is 0.25 s on a quick machine, and a slow one gets four times that."""
PIECES = (
    "a", " ", ".", "\n", "'", "<", "-", "`", "a/", "a.", "I ", "Ab ", "I,", "1 ", "my ", "and ",
    "May 7 ", "Dr. ", "```\n", "*a", "ABC ", "http://", "not a b ", "the port ", "I prefer ",
    "yapıyorum ", "I live in Rome and my port is 3000. ", "what? ", "😀",
    "{a,b}", "{", "{a,", "}",
)  # fmt: skip


def at_noon(understand: Callable[..., object]) -> Callable[[str], object]:
    """A function of text and time as one of text."""
    return lambda text: understand(text, now=1_700_000_000_000_000)


STEMS = {"deadline": "deadl", "new": "new", "a": "a"}
TOOLS: dict[str, Callable[[str], object]] = {
    "about": subject,
    "aims": lambda text: [
        read(text)
        for read in (
            aims.requests,
            aims.surveys,
            aims.recalls_the_agent,
            aims.wanted,
            aims.wants_present_value,
            aims.wants_value,
            aims.asking_words,
            aims.attribute,
            aims.tells_a_change,
        )
    ],
    "told": lambda text: list(told(text, STEMS, STEMS, least=1)),
    "of_another": lambda text: of_another([text], STEMS, STEMS),
    "holds": lambda text: [aims.holds(kind, text) for kind in aims.KINDS],
    "names": lambda text: naming.names(naming.named_words(text), ["mongo", "mongo"]),
    "excerpt": lambda text: excerpt(text, 2_000),
    "failed": lambda text: failed(text, text),
    "tool_trivial": lambda text: tool_trivial("run", text, text, edited=False),
    "bound": lambda text: bound([text[:2_000]], [text]),
    "globs": lambda text: problem([text]),
    "asked": lambda text: list(apart(f"remind me when {text} to {text} tomorrow", now=0)),
    "answered": lambda text: answered("the quarterly review", text),
    "is_value": lambda text: is_value(text, text),
    "mentions": lambda text: mentions(text, "Rome"),
    "subject": lambda text: Subject("Rome").mentioned(text),
    "overtakes": lambda text: overtakes(f"{text} now", text),
    "side": side,
    "traits": lambda text: traits(f"{text} now", text, just=True),
    "marks": lambda text: marks(f"{text} now", text),
    "subject_and_value": lambda text: subject_and_value(f"{text} now", text),
    "excluded": lambda text: excluded(f"{text} now", text),
    "succession": lambda text: succession(f"{text} now", text),
    "tool_input": lambda text: tool_input({"command": text, "patch": text}, "write"),
}
FUNCTIONS: dict[str, Callable[[str], object]] = {
    one.__name__: one
    for one in (
        atoms, captures, causal, chatter, chunks, classify, decompose, density, emotion, entities,
        filter_reason, hypotheses, intent, needs_memory, refers, resolved, retraction, slots,
        stance, standalone, stepped, title, tool_class, trivial, urgency, normal_path, of_command,
        patched, looking,
    )
} | TOOLS  # fmt: skip
FUNCTIONS |= {one.__name__: at_noon(one) for one in (annotated, dates, foresight, timing, request)}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_hostile_megabytes_take_linear_time(name: str) -> None:
    """No repeated piece makes any function slow."""
    understand = FUNCTIONS[name]
    understand("I prefer Go and Redis since May 7, it was 3 days ago")
    for piece in PIECES:
        text = piece * (SIZE // len(piece))
        started = process_time()
        understand(text)
        assert process_time() - started < SECONDS, piece
