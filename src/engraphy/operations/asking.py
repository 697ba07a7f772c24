"""The operations that tell why something was decided."""

from typing import Any

from engraphy.memory import Memory
from engraphy.operations.core import message
from engraphy.operations.shape import AT, Argument, Operation, SCOPE, Values, positional


def _why_not(memory: Memory, values: Values) -> Any:
    scope = {key: values.get(key) for key in ("user", "agent", "project", "session", "at")}
    return memory.why_not([message(values)], **scope)


ASKING: tuple[Operation, ...] = (
    Operation(
        name="why_not",
        help="Show why a message would be kept or not, stage by stage. Nothing is written.",
        arguments=(
            positional("content", "the message"),
            Argument(name="role", help="who speaks", choices=("user", "assistant", "tool")),
            Argument(name="speaker", help="the speaker's name"),
            AT,
            *SCOPE,
        ),
        run=_why_not,
        reads=True,
    ),
)
