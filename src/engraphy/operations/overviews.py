"""The operations that show what is there: sessions, cycles of maintenance, a graph."""

from engraphy.operations.shape import Argument, INCLUDE, LIMIT, Operation, READ, call

OVERVIEWS: tuple[Operation, ...] = (
    Operation(
        name="sessions",
        help="List the sessions that memories come from, the last active first.",
        arguments=(
            LIMIT,
            Argument(name="before", help="only those silent since this moment (ISO 8601)"),
            INCLUDE,
            *(one for one in READ if one.name != "session"),
        ),
        run=call("sessions"),
        reads=True,
    ),
    Operation(
        name="owners",
        help="List whose memories there are: users, agents, projects, with counts.",
        arguments=(),
        run=call("owners"),
        reads=True,
    ),
    Operation(
        name="dreams",
        help="List what the last cycles of maintenance did, the newest first.",
        arguments=(LIMIT,),
        run=call("dreams"),
        reads=True,
    ),
    Operation(
        name="graph",
        help="List the entities named most, the memories that name them, and their relations.",
        arguments=(LIMIT, *(one for one in READ if one.name != "session")),
        run=call("graph"),
        reads=True,
    ),
)
