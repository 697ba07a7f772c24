"""The operations of sessions: start, the use of a tool, checkpoint, end, and what was done."""

import json
from typing import Any

from engraphy.errors import InvalidInputError
from engraphy.memory import Memory
from engraphy.model import Outcome
from engraphy.operations.shape import (
    AT,
    Argument,
    LEAVE,
    Operation,
    SCOPE,
    Values,
    call,
    given,
    positional,
)

_WALLS = tuple(one for one in SCOPE if one.name != "session")
_SESSION = positional("session", "the session's name")
_ROOT = Argument(name="root", help="the project's folder")
_JSON = "a JSON object"


def _tool(memory: Memory, values: Values) -> Outcome:
    rest = given(values, "tool", "output", "input", "result")
    result = values.get("result")
    output = _parsed("result", result) if result else values.get("output")
    return memory.observe_tool(
        values["tool"], output, input=_object("input", values.get("input")), **rest
    )


def _object(field: str, value: object) -> dict[str, Any] | None:
    """A mapping, or one as JSON text. Raises InvalidInputError."""
    told = _parsed(field, value) if isinstance(value, str) else value
    if told is None or isinstance(told, dict):
        return told
    raise InvalidInputError(field=field, got=repr(value)[:60], allowed=_JSON)


def _parsed(field: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed=_JSON) from error


SESSIONS: tuple[Operation, ...] = (
    Operation(
        name="session_start",
        help="Open a session; one that was silent for long and never ended is closed first.",
        arguments=(_SESSION, _ROOT, AT, *_WALLS),
        run=call("start_session", "session"),
    ),
    Operation(
        name="tool",
        help="Keep what a tool did to which files; where it keeps nothing, it says why.",
        arguments=(
            positional("tool", "the tool's name, in any agent's spelling"),
            Argument(name="output", help="what came back, as text"),
            Argument(name="result", help="what came back, as JSON"),
            Argument(name="input", help="the tool's arguments, as JSON"),
            Argument(name="files_read", type="texts", help="a file that was read"),
            Argument(name="files_modified", type="texts", help="a file that was changed"),
            AT,
            *SCOPE,
        ),
        run=_tool,
    ),
    Operation(
        name="checkpoint",
        help="Keep what was done in a session since its last checkpoint.",
        arguments=(_SESSION, AT, *_WALLS),
        run=call("checkpoint", "session"),
    ),
    Operation(
        name="session_end",
        help="Close a session and keep what was done in it, for whom, in which files.",
        arguments=(_SESSION, AT, *_WALLS),
        run=call("end_session", "session"),
    ),
    Operation(
        name="session",
        help="Show what was done in a session so far; nothing is written.",
        arguments=(_SESSION, *_WALLS),
        run=call("session", "session"),
        reads=True,
    ),
    Operation(
        name="working",
        help="Show what a session is about right now, the strongest first.",
        arguments=(_SESSION, *_WALLS, *LEAVE),
        run=call("working", "session"),
        reads=True,
    ),
    Operation(
        name="capabilities",
        help="Show which capabilities the profile has.",
        arguments=(),
        run=call("capabilities"),
        reads=True,
    ),
)
