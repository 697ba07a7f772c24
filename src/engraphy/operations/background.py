"""The operations over what waits to be extracted in the background."""

from typing import Any

from engraphy.memory import Memory
from engraphy.model import Outcome
from engraphy.operations.shape import (
    AT,
    Argument,
    Operation,
    SCOPE,
    Values,
    call,
    given,
    positional,
)

_JOB = positional("id", "the job's id")
_MESSAGES = Argument(
    name="messages",
    type="objects",
    help="the messages, oldest first: role and content, optionally name, at, metadata",
    required=True,
)


def _conversation(memory: Memory, values: Values) -> list[Outcome]:
    return memory.observe(list(values["messages"]), **given(values, "messages"))


def _handed_over(memory: Memory, values: Values) -> dict[str, Any]:
    messages = list(values["messages"])
    job = memory.enqueue(messages, **given(values, "messages"))
    return {"accepted": len(messages), "job": job.id}


BACKGROUND: tuple[Operation, ...] = (
    Operation(
        name="jobs",
        help="List background jobs: what is not extracted yet, and what failed too often.",
        arguments=SCOPE,
        run=call("jobs"),
        reads=True,
    ),
    Operation(
        name="retry_job",
        help="Try a job again that failed too often.",
        arguments=(_JOB, *SCOPE),
        run=call("retry_job", "id"),
    ),
    Operation(
        name="drop_job",
        help="Give up a job that failed too often, with its messages.",
        arguments=(_JOB, *SCOPE),
        run=call("drop_job", "id"),
    ),
)

CONVERSATIONS: tuple[Operation, ...] = (
    Operation(
        name="conversation",
        help="Keep what is worth keeping of a conversation; where it keeps nothing, it says why.",
        arguments=(_MESSAGES, AT, *SCOPE),
        run=_conversation,
    ),
    Operation(
        name="conversation_later",
        help="Keep a conversation to be extracted in the background, whatever happens meanwhile.",
        arguments=(_MESSAGES, AT, *SCOPE),
        run=_handed_over,
    ),
)
"""Those that take many messages at once: for doors that speak JSON."""
