"""The OpenAPI document (3.1) of the REST API, rendered from the operations."""

from functools import cache
from typing import Any

from engraphy import __version__
from engraphy.http.paths import Place, places
from engraphy.operations.shape import Argument, ENVELOPES

_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
}
_NAME = {"minLength": 1, "maxLength": 512}
_SHARE = {"minimum": 0, "maximum": 1}
_MOMENT = {"format": "date-time"}
_BOUNDS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("user", "agent", "project", "session", "conversation", "speaker"), _NAME),
    **dict.fromkeys(("importance", "trust", "confidence", "min_score"), _SHARE),
    **dict.fromkeys(("at", "as_of", "known_at", "since", "until", "before", "remind_at"), _MOMENT),
    "limit": {"minimum": 1, "maximum": 1_000},
    "budget": {"minimum": 1, "maximum": 1_000_000},
}
"""What is allowed of an argument of that name, beside its type."""
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "details": {"type": "object"},
            },
        }
    },
}
_PROBLEMS = {
    "400": "What was given is not allowed; the message says what is.",
    "401": "No token that is known.",
    "403": "The token may not do this.",
    "404": "Nothing of that id for this caller.",
    "405": "Another method is wanted.",
    "409": "It is protected, was changed meanwhile, or wants to be confirmed.",
    "413": "It is too large.",
    "421": "The server does not answer to that name.",
    "501": "An optional package is missing.",
    "503": "The store is busy; try again.",
}


@cache
def document() -> dict[str, Any]:
    """The document, as plain JSON values."""
    paths: dict[str, dict[str, Any]] = {}
    for one in places():
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    paths |= _transfer()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "engraphy",
            "version": __version__,
            "description": "Long-term memory for AI agents.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _transfer() -> dict[str, dict[str, Any]]:
    """Files out and in, which are JSON Lines and no objects."""
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    walls = [
        {"name": name, "in": "query", "schema": {"type": "string"}}
        for name in ("user", "agent", "project")
    ]
    trusted = {"name": "trusted", "in": "query", "schema": {"type": "boolean"}}
    problems = {code: _problem(said) for code, said in _PROBLEMS.items()}
    done = {"application/json": {"schema": {"type": "object"}}}
    out = {
        "operationId": "export",
        "summary": "Everything of the tenant, or of exactly one scope, as JSON Lines.",
        "tags": ["export"],
        "x-role": "admin",
        "parameters": walls,
        "responses": {"200": {"description": "Done.", "content": lines}, **problems},
    }
    back = {
        "operationId": "import",
        "summary": "Bring an export in, as a stranger's word or, trusted, as it was.",
        "tags": ["import"],
        "x-role": "admin",
        "parameters": [*walls, trusted],
        "requestBody": {"required": True, "content": lines},
        "responses": {"200": {"description": "Done.", "content": done}, **problems},
    }
    return {"/v1/export": {"get": out}, "/v1/import": {"post": back}}


def _operation(place: Place) -> dict[str, Any]:
    one = place.operation
    made: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.help,
        "tags": [place.path.split("/")[2]],
        "x-role": place.role.value,
        "responses": _responses(place),
    }
    parameters = [_parameter(part, "path") for part in one.arguments if part.name in place.in_path]
    if place.method in ("GET", "DELETE"):
        parameters += [_parameter(part, "query") for part in place.rest]
    elif place.rest:
        made["requestBody"] = _body(place)
    return {**made, **({"parameters": parameters} if parameters else {})}


def _parameter(one: Argument, where: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "in": where,
        "required": where == "path" or one.required,
        "description": one.help,
        "schema": _schema(one),
    }


def _body(place: Place) -> dict[str, Any]:
    required = [one.name for one in place.rest if one.required]
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {one.name: {**_schema(one), "description": one.help} for one in place.rest},
        **({"required": required} if required else {}),
    }
    return {"required": bool(required), "content": {"application/json": {"schema": schema}}}


def _schema(one: Argument) -> dict[str, Any]:
    choices = {"enum": list(one.choices)} if one.choices else {}
    if one.type == "texts":
        return {"type": "array", "items": {"type": "string", **choices}}
    if one.type == "objects":
        return {"type": "array", "items": {"type": "object"}}
    filled = {"minLength": 1} if one.filled or (one.required and one.type == "text") else {}
    kind = _TYPES.get(one.type, {"type": "string"})
    return {**kind, **filled, **_BOUNDS.get(one.name, {}), **choices}


def _responses(place: Place) -> dict[str, Any]:
    envelope = ENVELOPES.get(place.operation.name)
    found: dict[str, Any] = {"type": ["object", "null", "array", "string", "number", "boolean"]}
    if envelope:
        found = {
            "type": "object",
            "required": [envelope],
            "properties": {envelope: {"type": "array"}},
        }
    status = "202" if place.operation.name == "conversation_later" else "200"
    good = {"description": "Done.", "content": {"application/json": {"schema": found}}}
    return {
        status: good,
        **{code: _problem(said) for code, said in _PROBLEMS.items()},
    }


def _problem(said: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": said, "content": {"application/json": {"schema": schema}}}
