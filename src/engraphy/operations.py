"""Every verb once: its name, typed arguments and words. Doors (CLI, MCP, HTTP) render these.

A toolset is a tuple of operations; `run` takes an opened `Memory` and the named arguments, and
gives back model values; `engraphy.plain` makes them into what JSON can say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engraphy.memory import Memory
from engraphy.model import Check, Kind, Outcome, RelationType, Sensitivity
from engraphy.model import Memory as Row

ArgumentType = Literal["text", "integer", "number", "flag", "texts", "file", "new_file"]
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument: `choices` where only some values are allowed, `positional` where a command
    line takes it without a name."""

    name: str
    type: ArgumentType = "text"
    help: str
    required: bool = False
    positional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A verb: what it is called, what it takes, and how it is run."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    run: Callable[[Memory, Values], Any]


def _positional(name: str, help: str, **more: Any) -> Argument:
    return Argument(name=name, help=help, required=True, positional=True, **more)


_KINDS = tuple(kind.value for kind in Kind)
_LEVELS = tuple(level.value for level in Sensitivity)
_SCOPE = (
    Argument(name="user", help="the user it is about or for"),
    Argument(name="agent", help="the agent it belongs to"),
    Argument(name="project", help="the project it belongs to"),
    Argument(name="session", help="the session it comes from"),
)
_LEAVE = (
    Argument(name="allow_private", type="flag", help="see private memories too"),
    Argument(name="allow_secret", type="flag", help="see secret memories too"),
)
_READ = (*_SCOPE, *_LEAVE)
_LIMIT = Argument(name="limit", type="integer", help="at most so many")
_INCLUDE = Argument(
    name="include",
    type="texts",
    help="states beside active",
    choices=("dormant", "archived", "superseded", "expired", "quarantined"),
)
_AS_OF = Argument(name="as_of", help="what held at this moment (ISO 8601)")
_AT = Argument(name="at", help="when it was said or became true (ISO 8601)")
_ID = _positional("id", "the memory's id")
_QUERY = _positional("query", "the question")
_BUDGET = Argument(name="budget", type="integer", help="at most so many tokens")
_CONFIRM = Argument(name="confirm", help="the token of the preview")
_MISSING = Argument(name="missing", help="id of a memory that did not come back")
_FIELDS = (
    Argument(name="kind", help="what it is", choices=_KINDS),
    Argument(name="title", help="a short title"),
    Argument(name="tags", type="texts", help="a tag; may be repeated"),
    Argument(name="category", help="a category of your own"),
    Argument(name="importance", type="number", help="0 to 1"),
    Argument(
        name="sensitivity",
        help="who may see it",
        choices=_LEVELS,
    ),
)
_FILTERS = (
    Argument(name="kind", help="only this kind", choices=_KINDS),
    Argument(name="category", help="only this category"),
    Argument(name="tag", help="only with this tag"),
    Argument(name="file", help="only about this file"),
    Argument(name="speaker", help="only said by this speaker"),
    Argument(name="since", help="from this moment on (ISO 8601)"),
    Argument(name="until", help="before this moment (ISO 8601)"),
    _INCLUDE,
    _LIMIT,
)


def _call(verb: str, *names: str) -> Callable[[Memory, Values], Any]:
    """Call a verb of `Memory`: `names` by position, everything else that is given by name."""

    def run(memory: Memory, values: Values) -> Any:
        rest = _given(values, *names)
        return getattr(memory, verb)(*(values[name] for name in names), **rest)

    return run


def _given(values: Values, *but: str) -> dict[str, Any]:
    """What was given at all: a zero and an empty text are values, an unset flag is none."""
    return {
        key: value
        for key, value in values.items()
        if key not in but and value is not None and value is not False and value != ()
    }


def _observe(memory: Memory, values: Values) -> list[Outcome]:
    message = {"role": values.get("role") or "user", "content": values["content"]}
    if values.get("speaker"):
        message["name"] = values["speaker"]
    scope = {k: values.get(k) for k in ("user", "agent", "project", "session", "at")}
    return memory.observe([message], **scope)


def _pin(memory: Memory, values: Values) -> Row:
    rest = _given(values, "id", "off", "immutable")
    if values.get("immutable"):
        return memory.protect(values["id"], immutable=not values.get("off"), **rest)
    return memory.pin(values["id"], pinned=not values.get("off"), **rest)


def _doctor(memory: Memory, values: Values) -> list[Check]:
    made = []
    if values.get("reembed"):
        count = memory.reembed()
        noun = "memory" if count == 1 else "memories"
        made.append(Check(name="vectors", ok=True, detail=f"{count} {noun} embedded anew"))
    return [*made, *memory.doctor(deep=bool(values.get("deep")))]


def _facts(memory: Memory, values: Values) -> Any:
    return memory.facts(current=not values.get("past"), **_given(values, "past"))


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="remember",
        help="Keep a statement. Secrets are redacted, duplicates reinforce, changes supersede.",
        arguments=(_positional("content", "what to remember"), *_FIELDS, _AT, *_SCOPE),
        run=_call("remember", "content"),
    ),
    Operation(
        name="observe",
        help="Watch a message and keep what is worth it; every refusal says why.",
        arguments=(
            _positional("content", "the message"),
            Argument(name="role", help="who speaks", choices=("user", "assistant")),
            Argument(name="speaker", help="the speaker's name"),
            _AT,
            *_SCOPE,
        ),
        run=_observe,
    ),
    Operation(
        name="recall",
        help="Find the memories that answer a question, with scores and reasons.",
        arguments=(_QUERY, _LIMIT, _AS_OF, _INCLUDE, *_READ),
        run=_call("recall", "query"),
    ),
    Operation(
        name="context",
        help="Make a block of memories for a prompt, within a token budget.",
        arguments=(_positional("prompt", "the prompt"), _BUDGET, *_READ),
        run=_call("context", "prompt"),
    ),
    Operation(
        name="get",
        help="Show one memory whole.",
        arguments=(_ID, *_READ),
        run=_call("get", "id"),
    ),
    Operation(
        name="list",
        help="List memories, newest first.",
        arguments=(*_FILTERS, *_READ),
        run=_call("list"),
    ),
    Operation(
        name="timeline",
        help="What happened, newest first, with what was superseded since.",
        arguments=(*_FILTERS, *_READ),
        run=_call("timeline"),
    ),
    Operation(
        name="update",
        help="Change a memory; the earlier text stays as a version.",
        arguments=(_ID, Argument(name="content", help="the new text"), *_FIELDS, *_READ),
        run=_call("update", "id"),
    ),
    Operation(
        name="pin",
        help="Exempt a memory from forgetting, or make it immutable.",
        arguments=(
            _ID,
            Argument(name="immutable", type="flag", help="no edit, merge or supersession either"),
            Argument(name="off", type="flag", help="lift it"),
            *_READ,
        ),
        run=_pin,
    ),
    Operation(
        name="forget",
        help="Erase a memory by id; a query previews and gives a token to confirm with.",
        arguments=(_positional("target", "an id, or a query"), _CONFIRM, _LIMIT, *_READ),
        run=_call("forget", "target"),
    ),
    Operation(
        name="link",
        help="Relate two memories.",
        arguments=(
            _positional("source", "from this memory"),
            _positional("target", "to this memory"),
            Argument(name="type", help="how", choices=tuple(one.value for one in RelationType)),
            *_READ,
        ),
        run=_call("link", "source", "target"),
    ),
    Operation(
        name="facts",
        help="List subject / predicate / object triples.",
        arguments=(
            Argument(name="subject", help="only of this subject"),
            Argument(name="predicate", help="only this predicate"),
            Argument(name="object", help="only this object"),
            Argument(name="past", type="flag", help="also what no longer holds"),
            _LIMIT,
            *_READ,
        ),
        run=_facts,
    ),
    Operation(
        name="fact",
        help="Keep a triple; the same triple updates its confidence.",
        arguments=(
            _positional("subject", "of whom or what"),
            _positional("predicate", "which attribute"),
            _positional("object", "its value"),
            Argument(name="confidence", type="number", help="0 to 1"),
            _AT,
            *_SCOPE,
        ),
        run=_call("fact", "subject", "predicate", "object"),
    ),
    Operation(
        name="stats",
        help="Counts by kind and state, and the size of the store.",
        arguments=_READ,
        run=_call("stats"),
    ),
    Operation(
        name="explain",
        help="How a recall comes about, and which stage dropped a memory.",
        arguments=(_QUERY, _MISSING, _LIMIT, _AS_OF, _INCLUDE, *_READ),
        run=_call("explain", "query"),
    ),
    Operation(
        name="import",
        help="Bring an export in; what stands already is skipped.",
        arguments=(_positional("path", "a JSON Lines file", type="file"),),
        run=_call("import_", "path"),
    ),
    Operation(
        name="backup",
        help="Copy the whole store to a new file while it is in use.",
        arguments=(_positional("path", "the new file", type="new_file"),),
        run=_call("backup", "path"),
    ),
    Operation(
        name="doctor",
        help="Examine the store: integrity, indexes, settings, with advice.",
        arguments=(
            Argument(name="deep", type="flag", help="read every page and every entry"),
            Argument(name="reembed", type="flag", help="make missing or foreign vectors first"),
        ),
        run=_doctor,
    ),
    Operation(
        name="dream",
        help="Run the profile's maintenance.",
        arguments=(Argument(name="dry_run", type="flag", help="show what it would do"),),
        run=_call("dream"),
    ),
)


def operation(name: str) -> Operation:
    """The operation of that name. Raises KeyError."""
    return {one.name: one for one in OPERATIONS}[name]
