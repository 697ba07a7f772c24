"""The document of the API says what is allowed; the API takes that and nothing else."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import httpx2
import pytest
from tests.serving.server import Served

from engraphy.http.openapi import document

_EVERYWHERE = ("user", "agent", "project", "session", "conversation", "at")
"""Arguments that nearly every operation has, and that are checked in one place: one asks."""
_LEFT_OUT = ("/v1/import", "/v1/export", "/v1/dream", "/v1/compact")
"""Files, and what takes seconds; acceptance/api.sh asks the first two."""


class Asked(NamedTuple):
    """An argument of an operation, and a value at the edge of what is allowed."""

    path: str
    method: str
    name: str
    value: Any
    fits: bool


_EDGES: dict[str, Callable[[Any], list[tuple[Any, bool]]]] = {
    "minimum": lambda least: [(least, True), (least - 1, False)],
    "maximum": lambda most: [(most, True), (most + 1, False)],
    "exclusiveMinimum": lambda least: [(least, False), (least + 0.5, True)],
    "minLength": lambda _: [("", False)],
    "maxLength": lambda most: [("a" * most, True), ("a" * (most + 1), False)],
    "pattern": lambda told: [(one, False) for one in ("\0" if "u0000" in told else " \x1c\x85")],
    "enum": lambda told: [(told[0], True), ("nothing of it", False)],
    "format": lambda _: [("2026-01-01T09:30:00Z", True), (" ", False)],
    "minItems": lambda _: [([], False)],
    "maxItems": lambda most: [(["a"] * most, True), (["a"] * (most + 1), False)],
}
"""By keyword of the document: values at its edge, and whether each is allowed."""


def _edges(schema: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    for word, edges in _EDGES.items():
        if word in schema:
            yield from edges(schema[word])
    if schema["type"] == "array":
        yield from (([value], fits) for value, fits in _edges(schema["items"]))


def _asked(everywhere: str = "/v1/explain-context") -> Iterator[Asked]:
    """Each edge of each argument; of those that stand everywhere only at one path."""
    for path, methods in document()["paths"].items():
        for method, told in methods.items():
            if path in _LEFT_OUT:
                continue
            for name, schema in _schemas(told):
                if name in _EVERYWHERE and path not in ("/v1/observe", everywhere):
                    continue
                for value, fits in _edges(schema):
                    yield Asked(path, method, name, value, fits)


def _schemas(told: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in told.get("parameters", ()):
        if one["in"] == "query":
            yield one["name"], one["schema"]
    yield from _body(told).get("properties", {}).items()


def _body(told: dict[str, Any]) -> dict[str, Any]:
    content = told.get("requestBody", {}).get("content", {})
    found: dict[str, Any] = content.get("application/json", {}).get("schema", {})
    return found


def _usual(schema: dict[str, Any]) -> Any:
    """A value that is allowed where an argument has to be there."""
    if schema["type"] == "array":
        message = {"role": "user", "content": "We sail on Mondays."}
        return [message] if schema["items"]["type"] == "object" else ["a step"]
    return schema.get("enum", ["a word"])[0]


def _sent(client: httpx2.Client, one: Asked, memory: str) -> httpx2.Response:
    told = document()["paths"][one.path][one.method]
    schemas, body = dict(_schemas(told)), _body(told)
    queried = [each["name"] for each in told.get("parameters", ()) if each["required"]]
    needed = {*body.get("required", ()), *queried} & schemas.keys()
    values = {name: _usual(schemas[name]) for name in needed} | {one.name: one.value}
    path = one.path.replace("{id}", memory).replace("{name}", "Ada")
    if one.method in ("get", "delete"):
        return client.request(one.method, path, params=values)
    return client.request(one.method, path, json=values)


def _wrong(served: Served, asked: Iterable[Asked]) -> list[tuple[object, ...]]:
    """What is answered otherwise than the document says: what is allowed is not refused for that
    argument, what is not is refused with 400 (404 where there is nothing of that id)."""
    held = served.memory.remember("We sail on Mondays.").memory
    assert held is not None
    found: list[tuple[object, ...]] = []
    with served.client() as client:
        for one in asked:
            answer = _sent(client, one, held.id)
            refused = answer.status_code == 400
            if one.fits and refused:
                refused = answer.json()["error"].get("details", {}).get("field") == one.name
            taken = not refused and answer.status_code < 500
            right = taken if one.fits else answer.status_code in (400, 404)
            if not right:
                found.append((*one[:3], str(one.value)[:30], answer.status_code, answer.text[:200]))
    return found


@pytest.mark.long
def test_what_the_document_allows_is_taken_and_nothing_else(served: Served) -> None:
    """At the edges of what is asked most, the API takes what its document allows, no more."""
    paths = ("/v1/recall", "/v1/facts", "/v1/session/tool", "/v1/snapshot", "/v1/undo")
    assert _wrong(served, (one for one in _asked() if one.path in paths)) == []


def test_a_space_is_one_to_the_document_too() -> None:
    """What Python takes for a space, and JSON Schema's expressions do not, is named in them."""
    schemas = (one for _, path in sorted(document()["paths"].items()) for one in path.values())
    told = [schema.get("pattern", "") for one in schemas for _, schema in _schemas(one)]
    words = {one for one in told if re.search(one, "a") and not re.search(one, " ")}
    assert len(words) == 1
    assert not any(re.search(one, space, re.ASCII) for one in words for space in "\x1c\x1f\x85")


@pytest.mark.slow
def test_the_document_is_the_api_everywhere(served: Served) -> None:
    """The same at every edge of every argument of every operation."""
    assert _wrong(served, _asked()) == []


def test_a_document_that_is_too_wide_is_noticed() -> None:
    """There are edges of every sort, so that the test above cannot pass by asking nothing."""
    asked = list(_asked())
    assert len(asked) > 400
    assert {one.fits for one in asked} == {True, False}
    assert {type(one.value) for one in asked} == {str, int, float, list}


@pytest.mark.parametrize("value", ["text", 1, None, True])
def test_json_is_spoken_as_json(served: Served, value: object) -> None:
    """What is text with JSON in it on a command line is an object here, and no text."""
    with served.client() as client:
        told = {"tool": "Edit", "input": {"file_path": "a.py"}, "result": {"ok": True}}
        assert client.post("/v1/session/tool", json=told).status_code == 200
        answer = client.post("/v1/session/tool", json={**told, "input": value})
        assert answer.status_code == 400
        assert answer.json()["error"]["details"]["field"] == "input"


@pytest.mark.parametrize(
    ("at", "status"), [(-901, 200), (-901.0, 200), (-901.5, 400), (1e300, 400)]
)
def test_a_moment_is_a_whole_number(served: Served, at: float, status: int) -> None:
    """A number without a fraction is whole, however it is written."""
    with served.client() as client:
        told = {"messages": [{"role": "user", "content": "We sail on Mondays.", "at": at}]}
        assert client.post("/v1/conversations", json=told).status_code == status


@pytest.mark.parametrize(("body", "status"), [(b"", 200), (b"{}", 200), (b" ", 400), (b"\n", 400)])
def test_spaces_are_no_body(served: Served, body: bytes, status: int) -> None:
    """What asks for nothing may come without a body, and not with one that is no JSON."""
    with served.client() as client:
        assert client.post("/v1/fetch", content=body).status_code == status
