"""The operations of federation: what agents and tenants share with each other."""

from engraphy.model.granting import TokenRole
from engraphy.operations.shape import Argument, KINDS, Operation, call, positional
from engraphy.verbs.granting import ORIGINS

_WALLS = (
    Argument(name="user", help="the user who receives"),
    Argument(name="agent", help="the agent that receives"),
    Argument(name="project", help="the project that receives"),
)
_SOURCE = Argument(name="source", help="the tenant it comes from; this one if not said")
_PUBLICATION = positional("id", "the publication's id")
_SUBSCRIPTION = positional("id", "the subscription's id")

FEDERATING: tuple[Operation, ...] = (
    Operation(
        name="publish",
        help="Offer memories to another agent, project, user or tenant; private ones never leave.",
        arguments=(
            positional("name", "what you know it by"),
            Argument(name="to_tenant", help="the tenant that may subscribe; this one if not said"),
            Argument(name="to_user", help="only this user may"),
            Argument(name="to_agent", help="only this agent may"),
            Argument(name="to_project", help="only this project may"),
            Argument(
                name="role",
                help="the least role of a token that may",
                choices=tuple(one.value for one in TokenRole),
            ),
            Argument(name="kind", type="texts", help="only of this kind", choices=KINDS),
            Argument(name="tags", type="texts", help="only with this tag"),
            Argument(name="projects", type="texts", help="of this project; else of none"),
            Argument(name="origins", type="texts", help="only of this origin", choices=ORIGINS),
            Argument(name="user", help="the user whose memories they are; else what is shared"),
            Argument(name="agent", help="the agent whose memories they are; else what is shared"),
        ),
        run=call("publish", "name"),
    ),
    Operation(
        name="unpublish",
        help="End a publication: every copy of it is erased at every receiver.",
        arguments=(_PUBLICATION,),
        run=call("unpublish", "id"),
    ),
    Operation(
        name="publications",
        help="List what this tenant publishes, and for whom.",
        arguments=(),
        run=call("publications"),
        reads=True,
    ),
    Operation(
        name="offers",
        help="List what is published for you.",
        arguments=(_SOURCE, *_WALLS),
        run=call("offers"),
        reads=True,
    ),
    Operation(
        name="subscribe",
        help="Receive a publication; what arrives waits in review for a day.",
        arguments=(_PUBLICATION, _SOURCE, *_WALLS),
        run=call("subscribe", "id"),
    ),
    Operation(
        name="unsubscribe",
        help="End a subscription: everything it brought is erased.",
        arguments=(_SUBSCRIPTION, *_WALLS),
        run=call("unsubscribe", "id"),
    ),
    Operation(
        name="subscriptions",
        help="List what is received here, and from whom.",
        arguments=_WALLS,
        run=call("subscriptions"),
        reads=True,
    ),
    Operation(
        name="fetch",
        help="Bring what is new in the subscriptions, and let in what has waited long enough.",
        arguments=_WALLS,
        run=call("fetch"),
    ),
)
