"""A workflow as a text: its name, when it applies, and its steps by number."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from engraphy.record import Record
from engraphy.text.datafiles import table
from engraphy.text.fold import fold_text
from engraphy.text.split import sentence_spans
from engraphy.text.wordlists import plain

MOST_STEPS = 200
"""So many steps of what was done are told apart."""
_NUMBER = re.compile(r"[ \t]{0,8}\d{1,3}[.)][ \t]{1,8}(?=\S)")
_WHEN = "When: "
_UNWORDED = str.maketrans({"/": "-", ":": "-", " ": "-"})


def address(name: str) -> str:
    """The address under which the newest version of a workflow is found."""
    return f"entity://procedure/{fold_text(name).translate(_UNWORDED)}"


class Stepped(Record, frozen=True, kw_only=True):
    """What a text says of a workflow; `rest`: lines that are none of it."""

    name: str = ""
    trigger: str = ""
    steps: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


def written(name: str, steps: tuple[str, ...], trigger: str) -> str:
    """The text of a workflow, as it is searched and shown."""
    head = [name, *([f"{_WHEN}{trigger}"] if trigger else [])]
    return "\n".join([*head, *(f"{i}. {step}" for i, step in enumerate(steps, 1))])


def stepped(text: str) -> Stepped:
    """What a text in the form of `written` says; a line without a number goes on with its step."""
    head: list[str] = []
    steps: list[list[str]] = []
    for line in text.strip().split("\n"):
        if found := _NUMBER.match(line):
            steps.append([line[found.end() :]])
        elif steps:
            steps[-1].append(line)
        elif line.strip():
            head.append(line.strip())
    when = [line for line in head if line.startswith(_WHEN)]
    name, *rest = [line for line in head if line not in when] or [""]
    return Stepped(
        name=name,
        trigger=when[0].removeprefix(_WHEN).strip() if when else "",
        steps=tuple("\n".join(step).strip() for step in steps),
        rest=(*rest, *when[1:]),
    )


def done(text: str) -> tuple[str, ...]:
    """What a text says was done, step by step, the first 200 of it: its numbered steps, else its
    clauses in the order they are told, cut at "then", commas and the like; each trimmed, none
    empty."""
    numbered = stepped(text).steps
    if len(numbered) > 1:
        return numbered[:MOST_STEPS]
    told = (part for start, end in sentence_spans(text) for part in _clauses(text[start:end]))
    return tuple(islice(told, MOST_STEPS))


def _clauses(sentence: str) -> Iterator[str]:
    start = 0
    folded = plain(sentence)
    for border in _between().finditer(folded):
        yield from _trimmed(sentence[start : border.start()])
        start = border.end()
    yield from _trimmed(sentence[start:])


def _trimmed(part: str) -> Iterator[str]:
    bare = part.strip(" \t.!,;:-")
    if bare:
        yield bare[:1].upper() + bare[1:]


@cache
def _between() -> re.Pattern[str]:
    listed = "".join(table("gist")["steps"]["between"].split("\n"))
    words = "|".join(re.escape(plain(word)) for word in listed.split("|"))
    # A comma may stand before "and", which then only joins the last step.
    border = rf"[,;]\s*(?:(?:and|ve)\s)?(?:(?:{words})\b,?)?|\b(?:{words})\b,?|->|→|\sand\s|\sve\s"
    return re.compile(border, re.IGNORECASE)
