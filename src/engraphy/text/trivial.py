"""Messages with nothing to remember in them (C-13): English and Turkish; of eight more languages
set phrases, marked questions and requests."""

import re

from engraphy.text.chatter import chatter
from engraphy.text.classify import evidence
from engraphy.text.coverage import covered
from engraphy.text.entities import entities
from engraphy.text.evidence import asks, marked
from engraphy.text.frames import tells_change
from engraphy.text.language import language
from engraphy.text.pasted import beside_pasted
from engraphy.text.split import sentences
from engraphy.text.wordlists import OTHERS, pattern, pattern_in, plain

QUESTION = "question-only"
"""The reason of a message that asks and tells nothing."""

_COMMAND = re.compile(r"/[A-Za-z][\w:-]{0,40}(?:\s[^/]{0,200})?")
_SPECIFIC = re.compile(r"\d|[`@]|(?<=[^\W\d_A-Z.!?][ ,])[A-ZÇĞİÖŞÜ](?=\w)")
_LEAD = re.compile(r"(?:[^\W\d]{1,20} ){0,3}[^\W\d]{1,20}\s?:")
"""What only leads to something that does not follow ("tests fail:")."""
_LONGEST = 300
"""A message longer than this is never trivial as a whole."""
_STATING = frozenset({"preference", "decision", "policy", "pitfall", "relationship", "fact"})
_TO_AN_ASSISTANT = frozenset({"small-talk", "control"})


def trivial(text: str, *, between_people: bool = False) -> str | None:
    """Why a message carries nothing, or None where it may carry something.

    Reasons: empty, emoji-only, slash-command, pasted, greeting, farewell, thanks, confirmation,
    denial, acknowledgement, unsure, control, filler, generic, small-talk, request, question-only. A
    question that also states a fact is kept, and so is one that names what the user deals with.
    `between_people` (messages that carry names): a question about the other's life tells what the
    talk is about and is kept too.
    """
    stripped = text.strip()
    own = None if between_people else beside_pasted(stripped)
    if own is not None and (own == "" or _only_asks(own)):
        return QUESTION if own else "pasted"
    if len(stripped) > _LONGEST:
        return None
    return shape(stripped) or every_sentence(stripped, between_people=between_people)


def _only_asks(own: str) -> bool:
    """Whether what somebody says of a paste is only a question about it."""
    return len(own) <= _LONGEST and every_sentence(own, between_people=False) == QUESTION


def promises(text: str) -> bool:
    """Whether an assistant's message only says that it has understood, and will do so."""
    return pattern("questions", "promises").match(plain(text.strip()[:_LONGEST])) is not None


def shape(stripped: str) -> str | None:
    """The reasons that need no words: empty, emoji-only, slash-command."""
    if not stripped:
        return "empty"
    if not any(letter.isalnum() for letter in stripped):
        return "emoji-only"
    if _LEAD.fullmatch(stripped):
        return "filler"
    if _COMMAND.fullmatch(stripped):
        return "slash-command"
    return None


def every_sentence(stripped: str, *, between_people: bool) -> str | None:
    """The reason of the message where each of its sentences has one; questions weigh most."""
    reasons: list[str] = []
    for sentence in sentences(stripped):
        found = reason(sentence, between_people=between_people)
        if found is None:
            return None
        reasons.append(found)
    for heavier in (QUESTION, "small-talk"):
        if heavier in reasons:
            return heavier
    return next((found for found in reasons if found != "filler"), "filler")


def reason(sentence: str, *, between_people: bool = False) -> str | None:
    """Why one sentence carries nothing."""
    folded = plain(sentence)
    if not any(letter.isalnum() for letter in folded):
        return "filler"
    found = covered(folded) or likely(folded, between_people=between_people)
    if found is not None:
        return found
    if small_talk(folded):
        found = "small-talk"
    elif bare_question(sentence, folded, between_people=between_people):
        found = None if pattern("questions", "ahead").finds(folded) else QUESTION
    elif not between_people and foreign_request(folded):
        found = "request"
    # Looked for last: it is the dearest, and few sentences come so far.
    if found is None or not pattern("questions", "states").finds(folded):
        return found
    return found if pattern("questions", "of_kin").finds(folded) else None


def likely(folded: str, *, between_people: bool) -> str | None:
    """What the model of small talk takes a sentence for, unless a pattern finds a statement in it,
    or that something is over or changed ("I'm not vegetarian anymore"); what asks a person is never
    small talk with an assistant."""
    found = chatter(folded)
    if found is None or pattern("questions", "not_small").finds(folded):
        return None
    if asks(folded):
        return None if between_people else found
    if between_people and found in _TO_AN_ASSISTANT:
        return None
    over = found == "unsure" and tells_change(folded)
    return None if over or states(folded) else found


def states(folded: str) -> bool:
    """Whether a pattern finds a preference, a decision, a rule or a fact in a sentence."""
    return any(signal.partition(":")[0] in _STATING for signal in evidence(folded))


def bare_question(sentence: str, folded: str, *, between_people: bool) -> bool:
    """Whether a sentence only asks (how, what, can you) and names nothing of the user's."""
    spaced = folded.isascii() or language(folded) != "cjk"
    if not (spaced and (opened(folded) or pattern("questions", "requests").finds(folded))):
        return not between_people and foreign_question(folded)
    if between_people and pattern("questions", "of_the_other").finds(folded):
        return False
    return not own_and_specific(sentence, folded)


def opened(folded: str) -> bool:
    """Whether a sentence begins as a question does; without its mark only surer beginnings do."""
    return pattern("questions", "opens" if marked(folded) else "opens_unmarked").finds(folded)


def foreign_question(folded: str) -> bool:
    """Whether a sentence is a marked question of another language, and not about who asks."""
    if not marked(folded):
        return False
    asked = [one for one in OTHERS if pattern_in(one, "questions", "opens").search(folded)]
    return bool(asked) and not any(
        pattern_in(one, "questions", "own").search(folded) for one in asked
    )


def foreign_request(folded: str) -> bool:
    """Whether a sentence of another language asks for something to be done now, and says nothing
    that lasts."""
    return any(
        pattern_in(one, "questions", "tasks").match(folded) is not None
        and pattern_in(one, "questions", "standing").search(folded) is None
        for one in OTHERS
    )


def own_and_specific(sentence: str, folded: str) -> bool:
    """Whether a question is about the user and names something: "can I use Flask with Quart?",
    and does not merely ask for what was told before: "what did I say about Flask?"."""
    if not pattern("questions", "own").search(folded):
        return False
    if pattern("questions", "recalls").search(folded):
        return False
    return _SPECIFIC.search(sentence) is not None or bool(entities(sentence))


def small_talk(folded: str) -> bool:
    """Whether a sentence only chats with the assistant about itself."""
    small = pattern("questions", "small_talk").finds(folded)
    return small and not pattern("questions", "not_small").finds(folded)
