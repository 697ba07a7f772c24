"""The operation about what waits to be told."""

from engraphy.operations.shape import Argument, LIMIT, Operation, READ, call

REMINDING: tuple[Operation, ...] = (
    Operation(
        name="reminders",
        help="What the user asked to be reminded of, the next to be due first. To put one off: "
        "update ID --remind-at; it is done with: report ID.",
        arguments=(
            Argument(name="told", type="flag", help="also those that were told already"),
            LIMIT,
            *READ,
        ),
        run=call("reminders"),
        reads=True,
    ),
)
