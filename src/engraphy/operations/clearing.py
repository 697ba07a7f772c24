"""The operations that keep a store small, and those that delete one thing by its id."""

from typing import Any

from engraphy.memory import Memory
from engraphy.model import ForgottenUser
from engraphy.operations.shape import (
    Argument,
    CONFIRM,
    ID,
    Operation,
    READ,
    Values,
    call,
    given,
    positional,
)


def _delete_fact(memory: Memory, values: Values) -> dict[str, Any]:
    memory.delete_fact(values["id"], **given(values, "id"))
    return {"deleted": values["id"]}


def _forget_user(memory: Memory, values: Values) -> ForgottenUser:
    return memory.forget_user(
        values["user"], confirm=bool(values.get("yes")) or values.get("confirm")
    )


CLEARING: tuple[Operation, ...] = (
    Operation(
        name="delete",
        help="Erase exactly one memory by its id; what is given is never taken for a query.",
        arguments=(ID, *READ),
        run=call("delete", "id"),
    ),
    Operation(
        name="delete_fact",
        help="Delete a fact by its id.",
        arguments=(positional("id", "the fact's id"), *READ),
        run=_delete_fact,
    ),
    Operation(
        name="forget_user",
        help="Erase everything of a user, for good; until it is confirmed it only counts.",
        arguments=(
            positional("user", "the user's name"),
            CONFIRM,
            Argument(name="yes", type="flag", help="erase without a preview"),
        ),
        run=_forget_user,
    ),
    Operation(
        name="purge_expired",
        help="Remove memories that have expired; it can be undone for a while.",
        arguments=(),
        run=call("purge_expired"),
    ),
    Operation(
        name="prune",
        help="Remove what is too old, too unimportant or too many; it can be undone for a while.",
        arguments=(Argument(name="dry_run", type="flag", help="show what would go"),),
        run=call("prune"),
    ),
    Operation(
        name="summarize_old",
        help="Condense old memories by category; the originals stay readable as superseded.",
        arguments=(
            Argument(name="category", help="only this category"),
            Argument(name="older_than_days", type="number", help="days since they last changed"),
            Argument(
                name="above", type="integer", help="only of categories with more old ones than this"
            ),
            *READ,
        ),
        run=call("summarize_old"),
    ),
)
