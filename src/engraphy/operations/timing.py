"""The operations about time."""

from engraphy.operations.shape import LIMIT, Operation, READ, call, positional

TIMING: tuple[Operation, ...] = (
    Operation(
        name="timeline_of",
        help="List everything told about one subject, oldest first, and what replaced what.",
        arguments=(
            positional("subject", "words, a name, or a memory's id", filled=True),
            LIMIT,
            *READ,
        ),
        run=call("timeline_of", "subject"),
        reads=True,
    ),
)
