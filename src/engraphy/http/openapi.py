"""The OpenAPI document (3.1) of the REST API, rendered from the operations."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engraphy import __version__
from engraphy.http.paths import Place, places
from engraphy.operations.shape import Argument, ENVELOPES

_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "object": {"type": "object"},
    "json": {"type": ["object", "array"]},
}
_MOMENT = {
    "type": ["string", "integer"],
    "minimum": -62_135_596_800_000_000,
    "maximum": 253_402_300_799_999_999,
}
"""In a body a number since 1970 is a moment too, from the year 1 to the year 9999."""
_WORD = r"[^\s\u001c-\u001f\u0085]"
"""Something that is no space, to Python, which counts these as spaces too."""
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
        {"name": name, "in": "query", "schema": {"type": "string", **_bounds("export", name)}}
        for name in ("user", "agent", "project")
    ]
    trusted, everything = (
        {"name": name, "in": "query", "schema": {"type": "boolean"}}
        for name in ("trusted", "everything")
    )
    problems = {code: _problem(said) for code, said in _PROBLEMS.items()}
    done = {"application/json": {"schema": {"type": "object"}}}
    out = {
        "operationId": "export",
        "summary": "The tenant, exactly one scope, or everything of a user, as JSON Lines.",
        "tags": ["export"],
        "x-role": "admin",
        "parameters": [*walls, everything],
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
    named = [part for part in one.arguments if part.name in place.in_path]
    parameters = [_parameter(place, part, "path") for part in named]
    if place.method in ("GET", "DELETE"):
        parameters += [_parameter(place, part, "query") for part in place.rest]
    elif place.rest:
        made["requestBody"] = _body(place)
    return {**made, **({"parameters": parameters} if parameters else {})}


def _parameter(place: Place, one: Argument, where: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "in": where,
        "required": where == "path" or one.required,
        "description": one.help,
        "schema": _schema(place, one),
    }


def _body(place: Place) -> dict[str, Any]:
    required = [one.name for one in place.rest if one.required]
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            one.name: {
                **_schema(place, one),
                **(_MOMENT if one.moment else {}),
                "description": one.help,
            }
            for one in place.rest
        },
        **({"required": required} if required else {}),
    }
    schema |= _told()["whole"].get(place.operation.name, {})
    needed = bool(required) or "anyOf" in schema
    return {"required": needed, "content": {"application/json": {"schema": schema}}}


def _schema(place: Place, one: Argument) -> dict[str, Any]:
    bounds = _bounds(place.operation.name, one.name)
    choices = {"enum": list(one.choices)} if one.choices else {}
    if one.type == "texts":
        items = {"type": "string", **bounds.get("items", {}), **choices}
        return {"type": "array", **bounds, "items": items}
    if one.type == "objects":
        return {"type": "array", "items": {"type": "object"}, **bounds}
    word = {"minLength": 1, "pattern": _WORD} if one.filled else {}
    return {**_TYPES.get(one.type, {"type": "string"}), **word, **bounds, **choices}


def _bounds(operation: str, argument: str) -> dict[str, Any]:
    """What is allowed of an argument beside its type and choices."""
    told = _told()
    return told["of"].get(f"{operation}.{argument}", told["named"].get(argument, {}))


@cache
def _told() -> Mapping[str, Mapping[str, dict[str, Any]]]:
    return tomllib.loads(files("engraphy.http").joinpath("bounds.toml").read_text("utf-8"))


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
