"""Messages with nothing to remember in them (C-13), English and Turkish."""

import re

from engraphy.text.coverage import covered
from engraphy.text.split import sentences
from engraphy.text.wordlists import pattern, plain

_COMMAND = re.compile(r"/[A-Za-z][\w:-]{0,40}(?:\s[^/]{0,200})?")
_LONGEST = 300
"""A message longer than this is never trivial as a whole."""


def trivial(text: str) -> str | None:
    """Why a message carries nothing, or None where it may carry something.

    Reasons: empty, emoji-only, slash-command, greeting, farewell, thanks, confirmation, denial,
    acknowledgement, unsure, control, filler, generic, small-talk, question-only. A question that
    also states a fact is kept, and so is one about the other's own life: between two people such
    a question tells what the talk is about.
    """
    stripped = text.strip()
    if len(stripped) > _LONGEST:
        return None
    return shape(stripped) or every_sentence(stripped)


def shape(stripped: str) -> str | None:
    """The reasons that need no words: empty, emoji-only, slash-command."""
    if not stripped:
        return "empty"
    if not any(letter.isalnum() for letter in stripped):
        return "emoji-only"
    if _COMMAND.fullmatch(stripped):
        return "slash-command"
    return None


def every_sentence(stripped: str) -> str | None:
    """The reason of the message where each of its sentences has one; questions weigh most."""
    reasons = [reason(sentence) for sentence in sentences(stripped)]
    if None in reasons:
        return None
    for heavier in ("question-only", "small-talk"):
        if heavier in reasons:
            return heavier
    return next((found for found in reasons if found != "filler"), "filler")


def reason(sentence: str) -> str | None:
    """Why one sentence carries nothing."""
    folded = plain(sentence)
    if not any(letter.isalnum() for letter in folded):
        return "filler"
    found = covered(folded)
    if found is not None:
        return found
    if pattern("questions", "states").search(folded):
        return None
    if small_talk(folded):
        return "small-talk"
    return "question-only" if bare_question(folded) else None


def bare_question(folded: str) -> bool:
    """Whether a sentence only asks: how, what, can you."""
    marked = folded.rstrip("\"') ").endswith("?")
    start = pattern("questions", "opens" if marked else "opens_unmarked")
    if not start.search(folded):
        return False
    return not pattern("questions", "of_the_other").search(folded)


def small_talk(folded: str) -> bool:
    """Whether a sentence only chats with the assistant about itself."""
    if pattern("questions", "not_small").search(folded):
        return False
    return pattern("questions", "small_talk").search(folded) is not None
