"""What a skill is: a question to a language model as pure data, and how its answer is read."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tomllib import loads
from typing import Generic, TypeVar

import msgspec

from engraphy.record import Record
from engraphy.text.fence import sanitise_visible

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Shape = TypeVar("Shape")
Schema = dict[str, object]

_ANGLES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
_WRAPPED = re.compile(r"\A\s*```(?:json)?[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)


class Unusable(Record, frozen=True, kw_only=True):
    """An answer that cannot be used; `problem` says why in our own words, without a word of it."""

    problem: str


class Prompt(Record, frozen=True, kw_only=True):
    """What is sent: `system` says what to do, `data` is the fenced JSON it is to be done with."""

    system: str
    data: str


class Skill(Record, Generic[Asked, Answer], frozen=True, kw_only=True):
    """One thing that a language model can be asked for.

    `data` turns the question into JSON values, `parse` reads the answer and holds it against the
    question. `fallback` names who decides where there is no usable answer.
    """

    name: str
    schema: Schema
    data: Callable[[Asked], Mapping[str, object]]
    parse: Callable[[str, Asked], Answer | Unusable]
    fallback: str

    def prompt(self, asked: Asked, nonce: str, problem: str = "") -> Prompt:
        """The question between two lines that carry `nonce`; `problem`: what was wrong with the
        answer before."""
        words = _words()
        schema = json.dumps(self.schema, separators=(",", ":"))
        told = {"task": words[self.name].strip(), "nonce": nonce, "schema": schema}
        system = _filled(words["frame"], told)
        again = _filled(words["again"], {"problem": problem}) if problem else ""
        fenced = f"<data {nonce}>\n{quoted(self.data(asked))}\n</data {nonce}>"
        return Prompt(system=system, data=f"{fenced}{again and chr(10) + again}")


def quoted(value: object) -> str:
    """JSON that can neither close the fence around it nor hide a character."""
    return json.dumps(_seen(value), ensure_ascii=False).translate(_ANGLES)


def read(text: str, shape: type[Shape]) -> Shape | Unusable:
    """An answer as its shape; a fence of Markdown around it is taken off."""
    found = _WRAPPED.match(text)
    try:
        return msgspec.json.decode((found[1] if found else text).encode("utf-8"), type=shape)
    except msgspec.ValidationError as error:
        return Unusable(problem=f"it does not fit the schema ({_place(error)})")
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return Unusable(problem="it is no JSON")


def closed(properties: Mapping[str, object]) -> Schema:
    """The schema of an object with exactly these properties, as strict interfaces want it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _filled(template: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template.strip()


def _place(error: msgspec.ValidationError) -> str:
    """Where the answer does not fit: the path alone, as the rest may quote the answer."""
    return str(error).rpartition("`")[0].rpartition("`")[2] or "$"


def _seen(value: object) -> object:
    if isinstance(value, str):
        return sanitise_visible(value)
    if isinstance(value, Mapping):
        return {str(key): _seen(one) for key, one in value.items()}
    return [_seen(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def _words() -> dict[str, str]:
    return {
        name: str(text)
        for name, text in loads(Path(__file__).with_name("prompts.toml").read_text("utf-8")).items()
    }
