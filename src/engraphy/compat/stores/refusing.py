"""Refusals in the form of Anthropic's API."""

from starlette.responses import JSONResponse, Response

from engraphy.compat.stores.shapes import MEMORY
from engraphy.errors import (
    ContentTooLongError,
    EngraphyError,
    PathTakenError,
    ProtectedError,
    StaleDocumentError,
)
from engraphy.serving.problems import Problem

_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    503: "overloaded_error",
}


def refused(problem: Problem, error: EngraphyError) -> Response:
    """An error in the form of Anthropic's API."""
    status, told = problem.status, {"message": problem.message}
    if isinstance(error, ProtectedError | ContentTooLongError):
        status = 400
    told["type"] = _TYPES.get(status, "api_error")
    if isinstance(error, StaleDocumentError):
        told["type"] = "memory_precondition_failed_error"
    if isinstance(error, PathTakenError):
        status, told["type"] = 409, "memory_path_conflict_error"
        told["conflicting_memory_id"] = f"{MEMORY}{error.details['id']}"
        told["conflicting_path"] = str(error.details["taken"])
    return JSONResponse({"type": "error", "error": told}, status)
