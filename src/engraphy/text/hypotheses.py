"""Statements that an answer to a question could be, by template and without a model (D-23).

What is stored are statements: a question is nearer to them once it is put as one. Gao et al. 2022
(HyDE) let a language model write such answers; here seven kinds of question have two or three
templates each, English and Turkish.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.language import language
from engraphy.text.wordlists import plain

KINDS = ("reasoning", "howto", "lookup", "definition", "preference", "technical", "general")
"""In the order in which they are tried: what a question opens with says more than a word in it."""
_LONGEST = 300


class Hypotheses(NamedTuple):
    """What kind of question it is, and hypothetical answers to it, the likeliest first."""

    kind: str
    answers: tuple[str, ...]


class _Frame(NamedTuple):
    """The questions of a kind, and what answers to them look like."""

    kind: str
    pattern: re.Pattern[str]
    templates: tuple[str, ...]


def hypotheses(question: str) -> Hypotheses:
    """Two or three statements about what a question asks; none of a question without a word, or
    of more than 300 characters, which says enough by itself."""
    asked = " ".join(question.split())
    if len(asked) > _LONGEST:
        return Hypotheses("general", ())
    own = "tr" if language(asked) == "tr" else "en"
    folded = plain(asked)
    for frame in _frames()[own]:
        found = frame.pattern.match(folded)
        if found is not None:
            spans = (found.span(name) for name in frame.pattern.groupindex)
            topic = " ".join(asked[slice(*span)] for span in spans if span[0] >= 0)
            return Hypotheses(frame.kind, tuple(_filled(one, topic) for one in frame.templates))
    return Hypotheses("general", ())


def _filled(template: str, topic: str) -> str:
    return template.replace("{topic}", topic)


@cache
def _frames() -> Mapping[str, tuple[_Frame, ...]]:
    return {
        own: tuple(
            _Frame(
                kind,
                re.compile(plain(kinds[kind]["pattern"]), re.IGNORECASE),
                tuple(kinds[kind]["templates"]),
            )
            for kind in KINDS
        )
        for own, kinds in table("hypotheses").items()
    }
