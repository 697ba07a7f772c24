"""mem0's dialect over plain HTTP: its older paths, its own server's, and what it refuses."""

from uuid import UUID

import httpx2
import pytest
from tests.serving.server import CLEAR, Served

MALFORMED = [
    ("/v3/memories/add/", {"messages": [], "user_id": "a"}),
    ("/v3/memories/add/", {"messages": [3], "user_id": "a"}),
    ("/v3/memories/add/", {"messages": "x"}),
    ("/v3/memories/add/", {"messages": "x", "user_id": ["a"]}),
    ("/v3/memories/add/", {"messages": "x", "user_id": "a", "infer": "no"}),
    ("/v3/memories/add/", {"messages": "x", "user_id": "a", "metadata": 3}),
    ("/v3/memories/add/", {"messages": [{"role": "x", "content": "y"}], "user_id": "a"}),
    ("/v3/memories/add/", {"messages": "x", "user_id": "a", "timestamp": 1e300}),
    ("/v3/memories/add/", {"messages": "x", "user_id": "a", "timestamp": "soon"}),
    ("/v3/memories/search/", {"query": "", "filters": {"user_id": "a"}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "a"}, "top_k": 0}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "a"}, "threshold": 2}),
    ("/v3/memories/search/", {"query": "x", "filters": []}),
    ("/v3/memories/search/", {"query": "x", "filters": {"OR": {"user_id": "a"}}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": {"in": "a"}}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": True}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": {"ne": 1.5}}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "a", "created_at": "x"}}),
    ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "a"}, "fields": "id"}),
    ("/v3/memories/", {"filters": {"AND": [{"user_id": "a"}] * 300}}),
]
SAID = [{"role": "user", "content": "I prefer tea over coffee in the morning."}]


def kept(client: httpx2.Client, text: str, **more: object) -> dict:
    """A memory that is kept as it is said."""
    told = client.post("/v3/memories/add/", json={"messages": text, "infer": False, **more})
    assert told.status_code == 200, told.text
    return told.json()["results"][0]


def test_keys_in_every_header(served: Served) -> None:
    """A token is taken from each header that clients of mem0 send it in; errors are in its form."""
    token = served.token(role="read")
    for name, value in (
        ("Authorization", f"Token {token}"),
        ("Authorization", f"Bearer {token}"),
        ("X-API-Key", token),
    ):
        told = httpx2.get(f"{served.url}/v1/ping/", headers={name: value}, verify=CLEAR)
        assert told.status_code == 200, told.text
        assert told.json()["org_id"]
    told = httpx2.get(
        f"{served.url}/v1/ping/", headers={"Authorization": "Token nothing"}, verify=CLEAR
    )
    assert told.status_code == 401
    assert isinstance(told.json()["error"], str)
    assert told.json()["detail"] == told.json()["error"]


@pytest.mark.long
def test_the_first_generations(served: Served) -> None:
    """What v1 and v2 take and give: results at once, lists that are no objects, ids as UUIDs."""
    with served.client() as client:
        told = client.post("/v1/memories/", json={"messages": SAID, "user_id": "ada"}).json()
        [made] = told["results"]
        assert made["event"] == "ADD"
        assert len(made["id"]) == 36
        asked = {"query": "tea", "user_id": "ada"}
        assert [one["id"] for one in client.post("/v1/memories/search/", json=asked).json()] == [
            made["id"]
        ]
        asked = {"query": "tea", "filters": {"AND": [{"user_id": "ada"}]}, "output_format": "v1.1"}
        assert client.post("/v2/memories/search/", json=asked).json()["results"]
        assert [one["id"] for one in client.get("/v1/memories/", params={"user_id": "ada"}).json()]
        paged = client.get("/v1/memories/", params={"user_id": "ada", "page": 1}).json()
        assert paged["count"] == 1
        assert client.post("/v2/memories/", json={"filters": {"user_id": "ada"}}).json()
        later = client.post(
            "/v1/memories/", json={"messages": SAID, "user_id": "bob", "async_mode": True}
        ).json()
        assert later["status"] == "PENDING"
        assert client.delete("/v1/entities/user/ada/").status_code == 200
        assert client.get("/v1/memories/", params={"user_id": "ada"}).json() == []


@pytest.mark.long
def test_its_own_server(served: Served) -> None:
    """The paths of mem0's own server, under /mem0, with a key as it has one."""
    base, headers = f"{served.url}/mem0", {"X-API-Key": served.token()}
    with httpx2.Client(base_url=base, headers=headers, timeout=30, verify=CLEAR) as client:
        told = client.post("/memories", json={"messages": SAID, "user_id": "ada", "infer": False})
        [made] = told.json()["results"]
        path = f"/memories/{made['id']}"
        assert client.get(path).json()["memory"] == SAID[0]["content"]
        assert client.put(path, json={"text": "I prefer mate"}).status_code == 200
        assert [one["event"] for one in client.get(f"{path}/history").json()] == ["ADD", "UPDATE"]
        found = client.post("/search", json={"query": "mate", "user_id": "ada"}).json()
        assert [one["id"] for one in found["results"]] == [made["id"]]
        assert client.get("/memories", params={"user_id": "ada"}).json()["results"]
        assert client.get("/memories").status_code == 400
        assert client.post("/configure", json={}).status_code == 501
        assert client.delete(path).json()["message"]
        assert client.get(path).status_code == 404
        client.post("/memories", json={"messages": SAID, "agent_id": "bot", "infer": False})
        assert client.delete("/memories", params={"agent_id": "bot"}).status_code == 200
        client.post("/memories", json={"messages": SAID, "run_id": "r", "infer": False})
        assert client.post("/reset").status_code == 200
    assert served.memory.stats(session="r").total == 0
    writer = {"X-API-Key": served.token(role="write")}
    assert httpx2.post(f"{base}/reset", headers=writer, verify=CLEAR).status_code == 403


@pytest.mark.long
@pytest.mark.parametrize("base", ["/v1/memories/{}/", "/mem0/memories/{}"])
def test_what_is_not_there_or_anothers_is_not_found(served: Served, base: str) -> None:
    """Reading, changing, deleting and the past of a memory that is unknown, erased or another
    user's: 404, in mem0's form, and nothing happens to it."""
    bound = served.client(served.token(role="write", user="ines"))
    with served.client() as client, bound:
        gone, other = (kept(client, f"Hugo keeps {one}", user_id="hugo") for one in ("a", "bees"))
        client.delete(base.format(gone["id"]))
        for asking, known in (
            (client, gone["id"]), (client, "nothing"), (client, str(UUID(int=0))),
            (bound, other["id"]), (bound, gone["id"]),
        ):  # fmt: skip
            path = base.format(known)
            history = f"{path}history/" if path.endswith("/") else f"{path}/history"
            for told in (
                asking.get(path), asking.get(history), asking.delete(path),
                asking.put(path, json={"text": "Ines was here"}),
            ):  # fmt: skip
                assert told.status_code == 404, told.text
                assert told.json()["detail"] == told.json()["error"]
        assert client.get(base.format(other["id"])).json()["memory"] == "Hugo keeps bees"


@pytest.mark.long
def test_metadata_comes_back_as_it_was(served: Served) -> None:
    """Metadata keeps its types, however it is given; credentials are taken out of it."""
    given = {"n": 1, "f": 0.5, "t": True, "z": None, "l": [1, {"a": "b"}], "s": "3", "ü": "é"}
    with served.client() as client:
        made = kept(client, "Ada counts", user_id="ada", metadata=given)
        path = f"/v1/memories/{made['id']}/"
        assert client.get(path).json()["metadata"] == given
        client.put(path, json={"metadata": {"n": 2}})
        assert client.get(path).json()["metadata"] == {"n": 2}
        client.post("/v1/memories/", json={"messages": SAID, "user_id": "bob", "metadata": given})
        [one] = client.get("/v1/memories/", params={"user_id": "bob"}).json()
        assert one["metadata"] == given
        token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        made = kept(client, "Ada has a key", user_id="ada", metadata={"key": token})
        assert token not in client.get(f"/v1/memories/{made['id']}/").text
        wrong = client.put(path, json={"metadata": {"x": "y" * 20_001}})
        assert wrong.status_code == 400


def test_metadata_stays_where_the_same_is_told_again_without(served: Served) -> None:
    """What is told once more without metadata keeps the metadata it has, read out or as said."""
    with served.client() as client:
        made = kept(client, "Ada counts", user_id="ada", metadata={"topic": "numbers"})
        for more in ({}, {"metadata": None}, {"metadata": {}}):
            again = kept(client, "Ada counts", user_id="ada", **more)
            assert (again["id"], again["event"]) == (made["id"], "NONE")
            assert again["metadata"] == {"topic": "numbers"}
        told = {"messages": SAID, "user_id": "bob"}
        client.post("/v1/memories/", json={**told, "metadata": {"topic": "drinks"}})
        client.post("/v1/memories/", json=told)
        [one] = client.get("/v1/memories/", params={"user_id": "bob"}).json()
        assert one["metadata"] == {"topic": "drinks"}


def test_an_end_and_a_moment(served: Served) -> None:
    """A memory that ended is shown only where all is; a moment is kept."""
    with served.client() as client:
        made = kept(client, "Ada rides", user_id="ada", timestamp=1_700_000_000)
        path = f"/v1/memories/{made['id']}/"
        assert client.get(path).json()["created_at"] == "2023-11-14T22:13:20Z"
        client.put(path, json={"expiration_date": "2024-01-01"})
        wanted = {"filters": {"user_id": "ada"}}
        assert client.post("/v3/memories/", json=wanted).json()["count"] == 0
        shown = client.post("/v3/memories/", json={**wanted, "show_expired": True}).json()
        assert shown["results"][0]["expiration_date"] == "2024-01-01"
        client.put(path, json={"expiration_date": None})
        assert client.post("/v3/memories/", json=wanted).json()["count"] == 1
        told = {"messages": "x", "user_id": "ada", "expiration_date": "2099-01-01"}
        assert client.post("/v3/memories/add/", json=told).status_code == 501


@pytest.mark.long
def test_no_wall_is_crossed_by_a_filter(served: Served) -> None:
    """Whatever a bound token filters, names or counts, it meets its own walls (P-08)."""
    with served.client() as anyone:
        other = kept(anyone, "Bob hides a key", user_id="bob", agent_id="x", run_id="secret-run")
        shared = kept(anyone, "The office is closed", app_id="office")
    with served.client(role="write", user="ada") as client:
        mine = kept(client, "Ada hides a cat")
        for filters in (
            {},
            {"user_id": "*"},
            {"OR": [{"user_id": "bob"}, {"user_id": "ada"}]},
            {"NOT": [{"user_id": "nobody"}]},
            {"user_id": {"ne": "ada"}},
            {"run_id": {"in": ["secret-run"]}},
            {"agent_id": "x"},
        ):
            asked = {"query": "who hides what", "filters": filters}
            found = client.post("/v3/memories/search/", json=asked).json()["results"]
            listed = client.post("/v3/memories/", json={"filters": filters}).json()
            told = {one["id"] for one in (*found, *listed["results"])}
            assert told <= {mine["id"]}
            assert listed["count"] == len(listed["results"])
        for known in (other["id"], shared["id"]):
            for method, path in (
                ("GET", f"/v1/memories/{known}/"),
                ("GET", f"/v1/memories/{known}/history/"),
                ("DELETE", f"/v1/memories/{known}/"),
            ):
                assert client.request(method, path).status_code == 404
        assert client.delete("/v2/entities/user/bob/").status_code == 403
        names = {one["name"] for one in client.get("/v1/entities/").json()["results"]}
        assert names == {"ada"}
        assert (
            client.post("/v3/memories/add/", json={"messages": "x", "user_id": "bob"}).status_code
            == 403
        )
    with served.client(role="admin", tenant="other") as client:
        assert client.get(f"/v1/memories/{other['id']}/").status_code == 404
        assert client.post("/v3/memories/", json={"filters": {"user_id": "*"}}).json()["count"] == 0


def test_an_entity_may_have_any_name(served: Served) -> None:
    """A name with a slash in it is deleted like any other, spelled in the path or escaped there."""
    with served.client(role="admin") as client:
        for name, spelled in (("acme/ada", "acme/ada"), ("acme/bo b", "acme%2Fbo%20b")):
            kept(client, "Skiing in the Tyrol", user_id=name)
            assert client.delete(f"/v2/entities/user/{spelled}/").status_code == 200
            assert (
                client.post("/v3/memories/", json={"filters": {"user_id": name}}).json()["count"]
                == 0
            )


def test_a_number_names_an_entity_wherever_it_is_named(served: Served) -> None:
    """What was added for user 7 is found for user 7, listed, left out and deleted, as for "7"."""
    with served.client() as client:
        mine = kept(client, "Skiing in the Tyrol", user_id=7, run_id=3)
        for wanted in (7, "7", {"in": [7, 8]}, {"eq": 7}):
            filters = {"AND": [{"user_id": wanted}, {"run_id": 3}]}
            listed = client.post("/v3/memories/", json={"filters": filters}).json()["results"]
            assert [one["id"] for one in listed] == [mine["id"]]
        others = {"AND": [{"user_id": "*"}, {"user_id": {"ne": 7}}, {"user_id": {"nin": [7]}}]}
        assert client.post("/v3/memories/", json={"filters": others}).json()["count"] == 0
        assert client.delete("/v1/memories/", params={"user_id": 7}).status_code == 200
        assert client.post("/v3/memories/", json={"filters": {"user_id": 7}}).json()["count"] == 0


@pytest.mark.long
def test_malformed_requests_are_refused(served: Served) -> None:
    """What is no request of this kind is a 400 with a word about what is allowed."""
    with served.client() as client:
        for path, told in MALFORMED:
            answer = client.post(path, json=told)
            assert answer.status_code == 400, (told, answer.text)
            assert answer.json()["error"]


@pytest.mark.long
def test_what_is_to_be_deleted_is_named(served: Served) -> None:
    """Nothing is deleted for an argument that nobody knows, or a filter that cannot be read."""
    with served.client() as client:
        made = kept(client, "Ada stays", user_id="ada")
        for query in (
            "",
            "?filters={'user_id': 'a\"d'}",
            "?filters=[1]",
            "?filters={'metadata': {'a': 1}}",
            "?user=ada",
            "?user_id=ada&user_id=bob",
        ):
            assert client.delete(f"/v1/memories/{query}").status_code == 400, query
        assert client.get(f"/v1/memories/{made['id']}/").status_code == 200
        assert client.delete("/v1/memories/?filters={'user_id': 'ada'}").status_code == 200
        assert client.get(f"/v1/memories/{made['id']}/").status_code == 404
