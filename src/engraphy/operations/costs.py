"""The operation that tells what a language model cost."""

from engraphy.operations.shape import Argument, Operation, call

COSTS: tuple[Operation, ...] = (
    Operation(
        name="cost",
        help="Show what the language model was asked, how often the rules decided, what it cost.",
        arguments=(
            Argument(name="since", help="from this moment on (ISO 8601); else the last 30 days"),
            Argument(name="until", help="before this moment (ISO 8601)"),
        ),
        run=call("costs"),
        reads=True,
    ),
)
