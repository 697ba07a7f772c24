"""The operations over what is held back."""

from engraphy.operations.shape import Argument, ID, LIMIT, Operation, READ, call

REVIEW: tuple[Operation, ...] = (
    Operation(
        name="review",
        help="List what is held back because it gives orders, and why; then accept or reject.",
        arguments=(LIMIT, *READ),
        run=call("review"),
        reads=True,
    ),
    Operation(
        name="accept",
        help="Let in a memory that is held back, as it is or edited. Its origin stays.",
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
