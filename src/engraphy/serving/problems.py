"""What went wrong, as an answer over HTTP: a status, and a body that says what is allowed."""

from collections.abc import Mapping

from msgspec import field
from starlette.requests import Request
from starlette.responses import JSONResponse

from engraphy import errors
from engraphy.record import Record

_STATUS: Mapping[type[Exception], int] = {
    errors.ContentTooLongError: 413,
    errors.RequestTooLargeError: 413,
    errors.NotThereError: 404,
    errors.NameTakenError: 409,
    errors.InvalidInputError: 400,
    errors.NotFoundError: 404,
    errors.NotAllowedError: 401,
    errors.ForbiddenError: 403,
    errors.PathTakenError: 409,
    errors.ProtectedError: 409,
    errors.ConfirmationRequiredError: 409,
    errors.ConflictError: 409,
    errors.MissingExtraError: 501,
    errors.StoreBusyError: 503,
    errors.StoreFullError: 507,
    errors.StoreReadOnlyError: 503,
    errors.StoreClosedError: 503,
    errors.UnreadableFileError: 503,
    errors.StoreUnreachableError: 503,
    errors.EmbedderMismatchError: 503,
    errors.ModelError: 502,
}
_PRIVATE = frozenset({"path"})
"""Details that say where the server keeps things."""
WRONG = "engraphy.problem"
"""Where a request keeps the code of what went wrong, for the log."""
_UNREACHABLE = "The store does not answer. Nothing is known to be written; try again."


class Problem(Record, frozen=True, kw_only=True):
    """An error as a door tells it. `code`: its name in lower case with underscores."""

    status: int
    code: str
    message: str
    details: Mapping[str, object] = field(default_factory=dict)


def problem(error: errors.EngraphyError) -> Problem:
    """What an error of ours is over HTTP. Errors of the store tell no path of the server's."""
    status = next(
        (
            _STATUS[one]
            for one in type(error).__mro__
            if one in _STATUS and issubclass(one, Exception)
        ),
        500,
    )
    if isinstance(error, errors.StoreUnreachableError):
        # Its words name the database's host, port and user.
        return Problem(status=status, code=_code(type(error)), message=_UNREACHABLE)
    details = {name: _told(one) for name, one in error.details.items() if name not in _PRIVATE}
    message = str(error)
    if isinstance(error, errors.StoreError) and not isinstance(error, errors.ConflictError):
        message = _nowhere(message, str(error.details.get("path", "")))
    return Problem(status=status, code=_code(type(error)), message=message, details=details)


def _nowhere(message: str, path: str) -> str:
    """The words of an error without the path that they name."""
    if not path:
        return message
    for thing in ("store at", "store", "file"):
        message = message.replace(f"{thing} {path}", thing.removesuffix(" at"))
    return message.replace(path, "the store")


def noted(request: Request, told: Problem) -> Problem:
    """The same, and the log tells its code."""
    request.scope[WRONG] = told.code
    return told


def answer(told: Problem) -> JSONResponse:
    """A problem as the answer of our own routes."""
    body = {"code": told.code, "message": told.message}
    held = {**body, **({"details": dict(told.details)} if told.details else {})}
    headers = {"WWW-Authenticate": "Bearer"} if told.status == 401 else None
    return JSONResponse({"error": held}, told.status, headers=headers)


def _code(kind: type[Exception]) -> str:
    name = kind.__name__.removesuffix("Error")
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name).lstrip("_")


def _told(value: object) -> object:
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    return str(value)
