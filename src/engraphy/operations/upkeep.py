"""The operation that keeps the file small and quick."""

from engraphy.operations.shape import Argument, Operation, SCOPE, call

UPKEEP: tuple[Operation, ...] = (
    Operation(
        name="compact",
        help="Make one of what says the same, put the indexes in order and give space back.",
        arguments=(
            Argument(name="dry_run", type="flag", help="show what it would do"),
            *SCOPE,
        ),
        run=call("compact"),
    ),
)
