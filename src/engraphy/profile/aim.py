"""The knobs of what a question wants done."""

from typing import Annotated, Literal

from msgspec import Meta

from engraphy.profile.knobs import Factor, Section, Unit

AnswerKind = Literal["email", "phone", "work", "place", "duration"]


class Aim(Section, frozen=True):
    """What follows from what a question wants done (`engraphy.text.aims`, `engraphy.read.aims`)."""

    instructions: Annotated[int, Meta(ge=0, le=200)]
    """How many standing instructions of the user's, the most important ones, are weighed where a
    question asks for help; 0 = none."""
    applied: list[Factor]
    """Least score of the best-fitting of them, of the next one ..., as shares of the best hit's."""
    preferences: Annotated[int, Meta(ge=0, le=200)]
    """How many more preferences are looked for by vector where a question asks for help."""
    preferred: Factor
    """Gain of preferences where a question asks for help."""
    preferring: Factor
    """Gain there of what the user said in words of preference ("prefer", "favourite", tercih)."""
    topical: list[Factor]
    """Least score of the user's own preferences on what advice is asked about ("films" where a
    thriller is asked for), of the nearest one, of the next ..., as shares of the best hit's."""
    topical_from: Unit
    """How much of the question such a preference counts to answer at least."""
    of_kind: list[Factor]
    """Least score of what is of the kind that a question asks for ("laptop": "ThinkPad") and is not
    another person's, of the best one, of the next ..., as shares of the best hit's; it counts to
    answer as much as `topical_from`."""
    spread: Factor
    """Loss per better hit of the same session where a question looks over everything said."""
    opening: Factor
    """Gain of what the user said first in a session, falling to 0 with what was said last there,
    where a question looks over what the user brought up."""
    exchange: Factor
    """Where a summary is asked for: how much the score of an answer counts beside that of what it
    answers, with which it comes then; 0 = each comes alone."""
    resumed: Unit
    """Loss there of an exchange that only goes on with what was said before ("thanks, ...")."""
    framing: bool
    """Whether words count that only ask for a summary ("comprehensive", "so far")."""
    read: Annotated[int, Meta(ge=0, le=200)]
    """How many of the best are read for the kind of answer a question wants."""
    newer_marked: Unit
    """Share of a question for a present value that a newer statement with a word of change must
    speak of, so that an older one with another value is marked."""
    newer_first: Unit
    """The same for any newer statement, so that it also stands before the older one."""
    newer_told: Unit
    """Share of the question's words, of those that anything found speaks of, that must be exceeded
    around a value of what is asked that is said to be new, so that an older statement with a value
    of its kind is marked, and stands behind it where the present value is asked for; 1 = never."""
    newer_alike: Unit
    """The same around another value of the same thing with no word of change, and in the older
    statement, so that this is marked; 1 = never."""
    newer_linked: Unit
    """How good, as a share of the older's score, a memory must be that took another's place at
    least in part, to stand before it; less good, and with a word of the question, it comes right
    behind it. 0 = not asked."""
    newer_likely: Unit
    """How likely a newer statement that speaks of what is asked, and tells a change, takes the
    place of an older one, so that this is marked where a question asks how things are;
    1 = never."""
    newer_sure: Unit
    """The same, so that the newer one also stands before the older."""
    newer_named: Unit
    """The same for a newer statement that tells a change of what the older one names, so that it
    comes right behind it though it says no word of the question; 1 = never."""
    kinds: dict[AnswerKind, Factor]
    """Gain of a text that holds the kind of answer the question wants."""
