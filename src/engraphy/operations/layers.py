"""The operations of the layers: episodes, procedures, and what applies to a file."""

from typing import Any

from engraphy.memory import Memory
from engraphy.model import EpisodeOutcome
from engraphy.operations.shape import (
    AT,
    Argument,
    FIELDS,
    ID,
    LIMIT,
    Operation,
    READ,
    SCOPE,
    Values,
    call,
    given,
    positional,
)

_OWN_KIND = tuple(one for one in FIELDS if one.name != "kind")
_STEPS = Argument(name="steps", type="texts", required=True, help="a step; repeat it in order")


def _report(memory: Memory, values: Values) -> Any:
    return memory.report(
        values["id"], success=not values.get("failed"), **given(values, "id", "failed")
    )


LAYERS: tuple[Operation, ...] = (
    Operation(
        name="episode",
        help="Keep an event, how it ended and what was learnt.",
        arguments=(
            positional("content", "what happened"),
            Argument(
                name="outcome",
                help="how it ended",
                choices=tuple(one.value for one in EpisodeOutcome),
            ),
            Argument(name="lesson", help="what is learnt from it"),
            *_OWN_KIND,
            AT,
            *SCOPE,
        ),
        run=call("episode", "content"),
    ),
    Operation(
        name="procedure",
        help="Keep a workflow by its name; the same name again is its next version.",
        arguments=(
            positional("name", "what it is called"),
            _STEPS,
            Argument(name="trigger", help="what calls for it"),
            *(one for one in _OWN_KIND if one.name != "title"),
            AT,
            *SCOPE,
        ),
        run=call("procedure", "name", "steps"),
    ),
    Operation(
        name="steps",
        help="Show the steps of a procedure in order, and what calls for it.",
        arguments=(ID, *READ),
        run=call("steps", "id"),
        reads=True,
    ),
    Operation(
        name="outcome",
        help="Show how an episode ended, and what was learnt.",
        arguments=(ID, *READ),
        run=call("outcome", "id"),
        reads=True,
    ),
    Operation(
        name="report",
        help="Note that using a memory, or following a procedure, succeeded or failed.",
        arguments=(ID, Argument(name="failed", type="flag", help="it failed"), *READ),
        run=_report,
    ),
    Operation(
        name="scoped",
        help="List the memories that apply to a file, by their path globs.",
        arguments=(positional("path", "the file's path"), LIMIT, *READ),
        run=call("scoped", "path"),
        reads=True,
    ),
)
