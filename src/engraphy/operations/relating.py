"""The operations about how memories hang together."""

from engraphy.model import RelationType
from engraphy.operations.shape import (
    Argument,
    ID,
    INCLUDE,
    LIMIT,
    Operation,
    READ,
    call,
    positional,
)

_TYPES = tuple(one.value for one in RelationType)

RELATING: tuple[Operation, ...] = (
    Operation(
        name="link",
        help="Relate two memories.",
        arguments=(
            positional("source", "from this memory"),
            positional("target", "to this memory"),
            Argument(name="type", help="how", choices=_TYPES),
            *READ,
        ),
        run=call("link", "source", "target"),
    ),
    Operation(
        name="links",
        help="Show what a memory is related to.",
        arguments=(
            ID,
            Argument(name="hops", type="integer", help="how many links far, 1 to 10"),
            Argument(
                name="types",
                type="texts",
                help="only along these; may be repeated",
                choices=_TYPES,
            ),
            *READ,
        ),
        run=call("links", "id"),
        reads=True,
    ),
    Operation(
        name="entity",
        help="Show everything about a person, a tool, an organisation, a file ...",
        arguments=(positional("name", "its name", filled=True), LIMIT, INCLUDE, *READ),
        run=call("entity", "name"),
        reads=True,
    ),
)
