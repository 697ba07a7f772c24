"""The operations of everyday: remember, recall, look, change, keep the store."""

from typing import Any

from engraphy.memory import Memory
from engraphy.model import Check, Outcome
from engraphy.model import Memory as Row
from engraphy.operations.shape import (
    AS_OF,
    AT,
    Argument,
    BUDGET,
    CONFIRM,
    FIELDS,
    FILTERS,
    ID,
    INCLUDE,
    KIND,
    KNOWN_AT,
    LIMIT,
    MIN_SCORE,
    MISSING,
    Operation,
    PATH,
    QUERY,
    READ,
    SCOPE,
    Values,
    call,
    given,
    positional,
)

_LAPSED = Argument(
    name="include", type="texts", help="show it even if it has expired", choices=("expired",)
)


def message(values: Values) -> dict[str, Any]:
    """The message that the arguments content, role and speaker make."""
    made = {"role": values.get("role") or "user", "content": values["content"]}
    return made | ({"name": values["speaker"]} if values.get("speaker") else {})


def _observe(memory: Memory, values: Values) -> list[Outcome]:
    scope = {k: values.get(k) for k in ("user", "agent", "project", "session", "at")}
    return memory.observe([message(values)], **scope)


def _pin(memory: Memory, values: Values) -> Row:
    rest = given(values, "id", "off", "immutable")
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
    return memory.facts(current=not values.get("past"), **given(values, "past"))


CORE: tuple[Operation, ...] = (
    Operation(
        name="remember",
        help="Keep a statement. Secrets are redacted, duplicates reinforce, changes supersede.",
        arguments=(positional("content", "what to remember"), *FIELDS, AT, *SCOPE),
        run=call("remember", "content"),
    ),
    Operation(
        name="observe",
        help="Keep what is worth keeping of a message; where it keeps nothing, it says why.",
        arguments=(
            positional("content", "the message"),
            Argument(name="role", help="who speaks", choices=("user", "assistant")),
            Argument(name="speaker", help="the speaker's name"),
            Argument(name="explain", type="flag", help="show what each stage said"),
            AT,
            *SCOPE,
        ),
        run=_observe,
    ),
    Operation(
        name="recall",
        help="Find the memories that answer a question, with scores and reasons.",
        arguments=(QUERY, LIMIT, KIND, PATH, BUDGET, AS_OF, KNOWN_AT, INCLUDE, MIN_SCORE, *READ),
        run=call("recall", "query"),
        reads=True,
    ),
    Operation(
        name="get",
        help="Show one memory in full.",
        arguments=(ID, _LAPSED, *READ),
        run=call("get", "id"),
        reads=True,
    ),
    Operation(
        name="list",
        help="List memories, newest first.",
        arguments=(*FILTERS, *READ),
        run=call("list"),
        reads=True,
    ),
    Operation(
        name="timeline",
        help="List what happened, newest first, with what was superseded since.",
        arguments=(*FILTERS, AS_OF, KNOWN_AT, *READ),
        run=call("timeline"),
        reads=True,
    ),
    Operation(
        name="update",
        help="Change a memory; the earlier text stays as a version.",
        arguments=(ID, Argument(name="content", help="the new text"), *FIELDS, *READ),
        run=call("update", "id"),
    ),
    Operation(
        name="pin",
        help="Keep maintenance from ever removing a memory, or make it immutable.",
        arguments=(
            ID,
            Argument(
                name="immutable",
                type="flag",
                help="no edit, merge, supersession or forgetting either",
            ),
            Argument(
                name="off", type="flag", help="lift the pin, or with --immutable the protection"
            ),
            *READ,
        ),
        run=_pin,
    ),
    Operation(
        name="forget",
        help="Erase a memory by its id, or what matches a query: listed first, erased on confirm.",
        arguments=(positional("target", "an id, or a query", filled=True), CONFIRM, LIMIT, *READ),
        run=call("forget", "target"),
    ),
    Operation(
        name="facts",
        help="List facts (subject, predicate, object), such as: user, city, vienna.",
        arguments=(
            Argument(name="subject", help="only of this subject"),
            Argument(name="predicate", help="only this predicate"),
            Argument(name="object", help="only this object"),
            Argument(name="past", type="flag", help="also facts that no longer hold"),
            LIMIT,
            *READ,
        ),
        run=_facts,
        reads=True,
    ),
    Operation(
        name="fact",
        help="Keep a fact (subject, predicate, object); the same again updates its confidence.",
        arguments=(
            positional("subject", "of whom or what"),
            positional("predicate", "which attribute"),
            positional("object", "its value"),
            Argument(name="confidence", type="number", help="0 to 1"),
            Argument(name="source_id", help="id of the memory that says so"),
            AT,
            *READ,
        ),
        run=call("fact", "subject", "predicate", "object"),
    ),
    Operation(
        name="stats",
        help="Count memories by kind and state, and show the size of the store.",
        arguments=READ,
        run=call("stats"),
        reads=True,
    ),
    Operation(
        name="explain",
        help="Show how a recall comes about, and which stage dropped a memory.",
        arguments=(QUERY, MISSING, LIMIT, AS_OF, KNOWN_AT, INCLUDE, *READ),
        run=call("explain", "query"),
        reads=True,
    ),
    Operation(
        name="import",
        help="Bring an export in, as a stranger's word or, trusted, as it was.",
        arguments=(
            positional("path", "a JSON Lines file", type="file"),
            Argument(name="trusted", type="flag", help="a backup of your own: keep who said what"),
            *SCOPE,
        ),
        run=call("import_", "path"),
    ),
    Operation(
        name="backup",
        help="Copy the whole store to a new file while it is in use.",
        arguments=(positional("path", "the new file", type="new_file"),),
        run=call("backup", "path"),
        reads=True,
    ),
    Operation(
        name="doctor",
        help="Examine the store: integrity, indexes, settings, with advice.",
        arguments=(
            Argument(name="deep", type="flag", help="read every page and every entry"),
            Argument(
                name="reembed",
                type="flag",
                help="first compute vectors that are missing or of another embedder",
            ),
        ),
        run=_doctor,
        reads=True,
    ),
    Operation(
        name="dream",
        help="Run the maintenance that the profile lists.",
        arguments=(
            Argument(name="dry_run", type="flag", help="show what it would do"),
            Argument(name="due", type="flag", help="only where a cycle is due"),
        ),
        run=call("dream"),
    ),
)
