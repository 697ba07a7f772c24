"""Routes that refuse in the words of somebody else's dialect, and what is not done here at all."""

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response

from engraphy.errors import EngraphyError
from engraphy.model.granting import TokenRole
from engraphy.serving.problems import Problem, noted, problem
from engraphy.serving.route import Guarded, Handler, admitted, route

Refusal = Callable[[Problem, EngraphyError], Response]


class UnsupportedError(EngraphyError):
    """This server does not do {what}."""


def spoken(
    path: str,
    endpoint: Handler,
    refused: Refusal,
    *,
    methods: Sequence[str] = ("GET",),
    role: TokenRole = TokenRole.READ,
) -> Guarded:
    """A route behind the usual guard, whose refusals are in its dialect, the guard's own too."""

    async def answered(request: Request) -> Response:
        try:
            await admitted(request, role, ("bearer",))
            return await endpoint(request)
        except UnsupportedError as error:
            return refused(Problem(status=501, code="unsupported", message=str(error)), error)
        except EngraphyError as error:
            return refused(noted(request, problem(error)), error)

    name = getattr(endpoint, "__name__", "endpoint").lstrip("_")
    made = route(path, answered, methods=methods, role=None, name=name)
    made.role = role
    return made
