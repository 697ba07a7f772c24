"""The operations over what waits to be extracted in the background."""

from engraphy.operations.shape import Operation, SCOPE, call, positional

_JOB = positional("id", "the job's id")

BACKGROUND: tuple[Operation, ...] = (
    Operation(
        name="jobs",
        help="List what was handed over and is not extracted yet, and what failed too often.",
        arguments=SCOPE,
        run=call("jobs"),
        reads=True,
    ),
    Operation(
        name="retry_job",
        help="Hand over anew what failed too often.",
        arguments=(_JOB, *SCOPE),
        run=call("retry_job", "id"),
    ),
    Operation(
        name="drop_job",
        help="Give up what failed too often, with its messages.",
        arguments=(_JOB, *SCOPE),
        run=call("drop_job", "id"),
    ),
)
