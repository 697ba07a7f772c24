"""Anthropic's memory stores over plain HTTP: its form of errors, and what it refuses."""

import json

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.serving.server import CLEAR, Served

STORES = "/v1/memory_stores"


def made(client: httpx2.Client, **more: object) -> str:
    """A store's id."""
    told = client.post(STORES, json={"name": "Notes", **more})
    assert told.status_code == 200, told.text
    return told.json()["id"]


@pytest.mark.long
def test_errors_are_in_its_form(served: Served) -> None:
    """Each kind of refusal has its type, and the status that the SDK makes its exceptions of."""
    key = {"x-api-key": served.token()}
    with httpx2.Client(base_url=served.url, headers=key, timeout=30, verify=CLEAR) as client:
        store = f"{STORES}/{made(client)}"
        page = client.post(f"{store}/memories", json={"path": "/a", "content": "x"}).json()
        for answer, status, kind in (
            (client.get(f"{STORES}/memstore_x"), 404, "not_found_error"),
            (client.get(f"{STORES}/mem_x"), 404, "not_found_error"),
            (client.post(STORES, json={"name": ""}), 400, "invalid_request_error"),
            (client.post(STORES, json={"name": "x", "color": 1}), 400, "invalid_request_error"),
            (client.post(store, json={"metadata": [1]}), 400, "invalid_request_error"),
            (client.post(f"{store}/memories", json={"path": "/b"}), 400, "invalid_request_error"),
            (
                client.post(f"{store}/memories", json={"path": "/a", "content": ""}),
                409,
                "memory_path_conflict_error",
            ),
            (
                client.post(
                    f"{store}/memories/{page['id']}",
                    json={
                        "content": "y",
                        "precondition": {"type": "content_sha256", "content_sha256": "0" * 64},
                    },
                ),
                409,
                "memory_precondition_failed_error",
            ),
            (
                client.post(
                    f"{store}/memories/{page['id']}", json={"precondition": {"type": "etag"}}
                ),
                400,
                "invalid_request_error",
            ),
            (client.get(f"{store}/memory_versions?operation=x"), 400, "invalid_request_error"),
            (client.get(f"{store}/memories?limit=many"), 400, "invalid_request_error"),
            (httpx2.get(f"{served.url}{STORES}", verify=CLEAR), 401, "authentication_error"),
            (client.post(STORES, content=b"{"), 400, "invalid_request_error"),
        ):
            assert answer.status_code == status, answer.text
            assert answer.json()["type"] == "error"
            assert answer.json()["error"]["type"] == kind


def test_who_wrote_a_version_is_told_by_the_id_of_the_token(served: Served) -> None:
    """A version names the token it was written and redacted with, and is found by it."""
    token = served.token(role="write")
    known = token.removeprefix("egr_").partition("_")[0]
    told = {"type": "api_actor", "api_key_id": known}
    key = {"x-api-key": token}
    with httpx2.Client(base_url=served.url, headers=key, timeout=30, verify=CLEAR) as client:
        store = f"{STORES}/{made(client)}"
        page = client.post(f"{store}/memories", json={"path": "/a", "content": "x"}).json()
        client.post(f"{store}/memories/{page['id']}", json={"content": "y"})
        path = f"{store}/memory_versions"
        found = client.get(path, params={"api_key_id": known}).json()["data"]
        assert [one["created_by"] for one in found] == [told, told]
        gone = client.post(f"{path}/{found[-1]['id']}/redact", json={}).json()
        assert gone["redacted_by"] == told


def test_a_page_that_somebody_broke_is_left_out(served: Served) -> None:
    """A page's memory may be changed by its id elsewhere; what is no page then is none."""
    with served.client() as client:
        store = f"{STORES}/{made(client)}"
        for name in ("a", "b"):
            client.post(
                f"{store}/memories", json={"path": f"/{name}", "content": f"fruit {name * 9}"}
            )
        [hit] = client.post("/v1/recall", json={"query": "fruit aaaaaaaaa", "limit": 1}).json()[
            "hits"
        ]
        served.memory.update(hit["id"], metadata={"data": "x"})
        left = client.get(f"{store}/memories").json()["data"]
        assert [one["path"] for one in left] == ["/b"]
        assert client.get(f"{store}/memory_versions").status_code == 200
        assert client.delete(store).status_code == 200
        assert served.memory.stats().total == 0


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    *("name", "description", "metadata", "path", "content", "precondition", "messages", "query"),
    *("filters", "user_id", "agent_id", "run_id", "infer", "text", "memories", "memory_id"),
    *("feedback", "timestamp", "expiration_date", "top_k", "threshold", "page", "page_size"),
    *("fields", "categories", "start_date", "show_expired", "latest_only"),
)
PLACES = st.sampled_from(
    [
        ("POST", STORES),
        ("POST", f"{STORES}/{{store}}"),
        ("POST", f"{STORES}/{{store}}/memories"),
        ("POST", f"{STORES}/{{store}}/memories/{{page}}"),
        ("POST", f"{STORES}/{{odd}}/memories"),
        ("GET", f"{STORES}/{{store}}/memories?path_prefix={{odd}}&page={{odd}}&depth={{odd}}"),
        ("GET", f"{STORES}?created_at[gte]={{odd}}&limit={{odd}}&page={{odd}}"),
        ("GET", f"{STORES}/{{store}}/memory_versions?memory_id={{odd}}&created_at[lte]={{odd}}"),
        ("GET", f"{STORES}/{{store}}/memory_versions/memver_{{odd}}"),
        ("DELETE", f"{STORES}/{{store}}/memories/{{odd}}?expected_content_sha256={{odd}}"),
        ("POST", "/v3/memories/add/"),
        ("POST", "/v3/memories/search/"),
        ("POST", "/v3/memories/?page={odd}"),
        ("POST", "/v1/memories/"),
        ("POST", "/v2/memories/search/"),
        ("GET", "/v1/memories/?user_id={odd}&page={odd}"),
        ("DELETE", "/v1/memories/?filters={odd}"),
        ("PUT", "/v1/memories/{odd}/"),
        ("GET", "/v1/memories/{odd}/history/"),
        ("PUT", "/v1/batch/"),
        ("DELETE", "/v1/batch/"),
        ("GET", "/v1/event/{odd}/"),
        ("POST", "/v1/feedback/"),
        ("DELETE", "/v2/entities/{odd}/{odd}/"),
        ("POST", "/mem0/memories"),
        ("POST", "/mem0/search"),
        ("PUT", "/mem0/memories/{odd}"),
    ]
)


@pytest.mark.long
@pytest.mark.parametrize("count", [30, pytest.param(3_000, marks=pytest.mark.slow)])
def test_nothing_odd_is_an_internal_error(served: Served, count: int) -> None:
    """Whatever a body, a query or a path holds, the answer is the dialect's own (P-17)."""
    with served.client() as client:
        store = made(client)
        page = client.post(
            f"{STORES}/{store}/memories", json={"path": "/page", "content": "x"}
        ).json()["id"]

        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(
            place=PLACES,
            told=st.dictionaries(st.sampled_from(FIELDS), ODD, max_size=5) | ODD,
            odd=st.text(max_size=30).map(lambda text: text.encode("utf-8", "replace").decode()),
        )
        def asked(place: tuple[str, str], told: object, odd: str) -> None:
            method, path = place
            url = path.format(store=store, page=page, odd=quoted(odd))
            answer = client.request(method, url, content=json.dumps(told).encode())
            assert answer.status_code < 500 or answer.status_code == 501, (url, told, answer.text)
            if answer.status_code in (400, 401, 403, 404, 409, 413) and "error" in answer.text:
                assert "error" in answer.json()

        asked()


def quoted(text: str) -> str:
    """A text as it may stand in a URL."""
    return "".join(f"%{byte:02X}" for byte in text.encode())


NONE = [
    b'{"name": "\\ud800"}',
    b'{"name": "\xff"}',
    b'{"name": NaN}',
    b'{"name": "a", "name": "b"}',
    b"[" * 5_000,
    b'{"name": ' + b"[" * 200 + b"]" * 200 + b"}",
    b'{"name": "\\u0000"}',
    b'"name"',
]


@pytest.mark.long
def test_bodies_that_are_none(served: Served) -> None:
    """Halves of characters, other encodings, numbers that are none, names twice, depth: 400."""
    with served.client() as client:
        for path in (STORES, "/v3/memories/add/", "/mem0/memories"):
            for content in NONE:
                answer = client.post(path, content=content)
                assert answer.status_code == 400, answer.text
                assert "error" in answer.json()
