"""The operations over what is held back."""

from engraphy.operations.shape import Argument, ID, LIMIT, Operation, READ, call

REVIEW: tuple[Operation, ...] = (
    Operation(
        name="review",
        help="List what is held back because it tries to instruct, and why; then accept or reject.",
        arguments=(LIMIT, *READ),
        run=call("review"),
        reads=True,
    ),
    Operation(
        name="accept",
        help="Let a memory that is held back in, as it is or edited. It stays what it came from.",
        arguments=(ID, Argument(name="content", help="the edited text"), *READ),
        run=call("accept", "id"),
    ),
    Operation(
        name="reject",
        help="Erase a memory that is held back.",
        arguments=(ID, *READ),
        run=call("reject", "id"),
    ),
)
