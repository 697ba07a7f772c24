"""A workflow as a text: its name, when it applies, and its steps by number."""

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"[ \t]{0,8}\d{1,3}[.)][ \t]{1,8}(?=\S)")
_WHEN = "When: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped:
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
