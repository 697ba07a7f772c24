"""The REST API, asked by a real client at a real server."""

import json
import tempfile
from pathlib import Path

import httpx2
import pytest
from tests.serving.server import CLEAR, Served


def test_what_is_told_is_found(served: Served) -> None:
    """A statement is kept, found, changed, and erased, each at its path."""
    with served.client() as client:
        kept = client.post("/v1/memories", json={"content": "Ada prefers pytest", "user": "ada"})
        assert kept.status_code == 200, kept.text
        kept_id = kept.json()["memory"]["id"]
        hits = client.post("/v1/recall", json={"query": "pytest", "user": "ada"}).json()["hits"]
        assert [hit["id"] for hit in hits] == [kept_id]
        assert client.post("/v1/recall", json={"query": "pytest"}).json() == {"hits": []}
        path = f"/v1/memories/{kept_id}"
        changed = client.patch(path, json={"content": "Ada prefers ward", "user": "ada"})
        assert changed.status_code == 200, changed.text
        assert client.get(path, params={"user": "ada"}).json()["content"] == "Ada prefers ward"
        assert client.get(path).status_code == 404
        assert client.delete(path, params={"user": "ada"}).status_code == 200
        assert client.get(path, params={"user": "ada"}).status_code == 404


def test_a_moment_may_be_a_number(served: Served) -> None:
    """In a body and in a query string, in seconds or milliseconds since 1970; what is no moment is
    refused."""
    with served.client() as client:
        moments = (1735689600, "1735689600", 1735689600000)
        for told, what in zip(moments, ("likes otters", "plays chess", "bakes bread"), strict=True):
            said = {"content": f"Ada {what}", "user": "ada", "at": told}
            kept = client.post("/v1/memories", json=said)
            assert kept.status_code == 200, kept.text
            assert kept.json()["memory"]["valid_from"] == "2025-01-01T00:00:00Z"
        asked = {"user": "ada", "until": "1735689601"}
        assert len(client.get("/v1/memories", params=asked).json()["memories"]) == 3
        for wrong in (True, [1735689600], "soon"):
            said = {"content": "Ada was in Graz", "user": "ada", "at": wrong}
            assert client.post("/v1/memories", json=said).status_code == 400


def test_a_memory_is_named_by_the_beginning_of_its_id(served: Served) -> None:
    """Where several begin so, they are named; what others call it is told by our name."""
    with served.client() as client:
        for what in ("likes otters", "plays chess"):
            kept = client.post("/v1/memories", json={"content": f"Ada {what}", "user": "ada"})
        known, asked = kept.json()["memory"]["id"], {"user": "ada"}
        assert client.get(f"/v1/memories/{known[:25]}", params=asked).json()["id"] == known
        several = client.get(f"/v1/memories/{known[:6]}", params=asked)
        assert several.status_code == 400
        assert known in several.json()["error"]["message"]
        assert client.get(f"/v1/memories/{known[:25]}", params={"user": "bob"}).status_code == 404
        wrong = client.post("/v1/memories", json={"content": "Ada rows", "user_id": "ada"})
        assert "(is user meant?)" in wrong.json()["error"]["message"]


def test_a_file_is_asked_about_by_its_name(served: Served) -> None:
    """What something is called may have slashes in it, spelled or escaped."""
    served.memory.remember("Tokens are refreshed in src/api/auth.js")
    with served.client() as client:
        for name in ("src/api/auth.js", "src%2Fapi%2Fauth.js"):
            told = client.get(f"/v1/entities/{name}")
            assert told.status_code == 200, told.text
            assert told.json()["memories"]
        document = client.get("/v1/openapi.json").json()
        assert "/v1/entities/{name}" in document["paths"]


def test_a_conversation_is_taken_in(served: Served) -> None:
    """Many messages at once are observed, at once or in the background."""
    said = [{"role": "user", "content": "I always deploy on Fridays before noon."}]
    with served.client() as client:
        told = client.post("/v1/conversations", json={"messages": said, "user": "ada"})
        assert told.status_code == 200, told.text
        assert [one["action"] for one in told.json()["outcomes"]] == ["created"]
        later = client.post("/v1/conversations/later", json={"messages": said, "user": "bob"})
        assert (later.status_code, later.json()["accepted"]) == (202, 1)
        assert served.memory.flush()
        found = client.get("/v1/memories", params={"user": "bob"}).json()["memories"]
        assert [one["content"] for one in found] == [said[0]["content"]]


def test_a_token_stays_behind_its_walls(served: Served) -> None:
    """A token that is bound to a user reaches nobody else, whatever it names."""
    served.memory.remember("Bob plays chess", user="bob")
    with served.client(role="write", user="ada") as client:
        assert client.post("/v1/memories", json={"content": "Ada plays go"}).status_code == 200
        assert [one.scope.user for one in served.memory.list(user="ada")] == ["ada"]
        for told in ({"user": "bob"}, {"query": "chess", "user": "bob"}):
            assert client.post("/v1/recall", json={"query": "chess", **told}).status_code == 403
        assert client.post("/v1/recall", json={"query": "chess"}).json() == {"hits": []}
    with served.client(role="write", user="ada") as client:
        assert client.get("/v1/audit").status_code == 403


@pytest.mark.parametrize(
    ("role", "statuses"), [("read", (200, 403, 403)), ("write", (200, 200, 403))]
)
def test_a_role_reaches_so_far(served: Served, role: str, statuses: tuple[int, ...]) -> None:
    """What asks needs `read`, what changes `write`, what concerns everybody `admin`."""
    with served.client(role=role) as client:
        asked = (
            client.get("/v1/stats"),
            client.post("/v1/memories", json={"content": "We use Postgres"}),
            client.get("/v1/audit"),
        )
        assert tuple(one.status_code for one in asked) == statuses


def test_a_clearance_reaches_so_far(served: Served) -> None:
    """What is private is for those who may see it, and asking for more is refused."""
    served.memory.remember("The door code is on the shelf", sensitivity="private")
    with served.client(role="read") as client:
        asked = {"query": "door code", "allow_private": True}
        assert client.post("/v1/recall", json=asked).status_code == 403
    with served.client(role="read", clearance="private") as client:
        assert len(client.post("/v1/recall", json=asked).json()["hits"]) == 1


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b'{"content": 1}', "content"),
        (b'{"content": null}', "content"),
        (b'{"content": "a", "kind": null}', "kind"),
        (b'{"content": "a", "contents": "b"}', "contents"),
        (b"{}", "content"),
        (b"[]", "object"),
        (b'{"content": "a", "content": "b"}', "twice"),
        (b'{"content": NaN}', "NaN"),
        (b'{"content": "\\ud800"}', "half"),
        (b"{" * 5, "JSON"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "JSON"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "levels"),
        (b"\xff\xfe", "JSON"),
        (b'{"content": "a", "importance": ' + b"9" * 5_000 + b"}", "JSON"),
    ],
)
def test_a_wrong_body_is_told_what_is_wrong(served: Served, sent: bytes, told: str) -> None:
    """A body that is not allowed is answered with 400 and what is allowed; nothing is kept."""
    with served.client() as client:
        answer = client.post("/v1/memories", content=sent)
        assert answer.status_code == 400, answer.text
        assert told in answer.json()["error"]["message"]
    assert served.memory.list() == []


def test_too_much_is_refused(served: Served) -> None:
    """A body larger than is allowed is refused, also where it does not say how large it is."""
    with served.client() as client:
        assert client.post("/v1/memories", content=b" " * 9_000_000).status_code == 413
        parts = (b" " * 1_000_000 for _ in range(10))
        assert client.post("/v1/memories", content=parts).status_code == 413


def test_who_shows_no_token_is_not_answered(served: Served) -> None:
    """Without a token that is known nobody is answered, but for whether the server lives."""
    with httpx2.Client(base_url=served.url, verify=CLEAR) as nobody:
        assert nobody.get("/v1/stats").status_code == 401
        assert nobody.get("/healthz").json()["status"] == "ok"
        assert nobody.get("/readyz").json() == {"status": "ready"}
        assert nobody.get("/v1/openapi.json").json()["openapi"] == "3.1.0"
    with served.client("egr_x_y") as wrong:
        assert wrong.get("/v1/stats").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_another_name_is_not_answered(served: Served, host: str) -> None:
    """A page that had its own name point here is refused, with a token too."""
    with served.client() as client:
        assert client.get("/v1/stats", headers={"Host": host}).status_code in (400, 421)
        foreign = client.get("/v1/stats", headers={"Origin": f"http://{host}"})
        assert foreign.status_code == 403


def test_operators_can_measure(served: Served) -> None:
    """Counters by route, method and status, and the size of the store; nothing of whose."""
    with served.client(user="ada", role="read") as client:
        client.get("/v1/stats")
        told = client.get("/metrics").text
    assert 'engraphy_requests_total{method="GET",route="/v1/stats",status="200"} 1.0' in told
    assert "engraphy_store_bytes" in told
    assert "ada" not in told


def test_agents_reach_it_over_mcp(served: Served) -> None:
    """The tools of /mcp are those that the token may use, behind its walls."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    begin = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    names = {}
    for role in ("read", "write"):
        with served.client(role=role, user="ada") as client:
            client.headers["Accept"] = "application/json, text/event-stream"
            begun = client.post("/mcp", json=begin)
            assert begun.status_code == 200, begun.text
            assert "mcp-session-id" not in begun.headers
            client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
            told = client.post("/mcp", json=call).text
            names[role] = told
    assert '"recall"' in names["read"]
    assert '"remember"' not in names["read"]
    assert '"remember"' in names["write"]


def test_null_is_no_name_and_is_told_to_be_left_out(served: Served) -> None:
    """A client that has no user and sends null for one hears it in its own words: nothing is kept
    for everybody by mistake."""
    with served.client() as client:
        asked = {"content": "The tea is in the left cupboard", "user": None}
        answer = client.post("/v1/memories", json=asked)
    assert answer.status_code == 400
    assert "user is null (what is not named is left out)" in answer.json()["error"]["message"]
    assert served.memory.stats().total == 0


def test_everything_goes_out_and_comes_in(served: Served) -> None:
    """An export goes into another tenant and is what it was there; one of a user is the user's."""
    served.memory.remember("Ada plays go", user="ada")
    served.memory.remember("The office is in Graz")
    with served.client() as client:
        whole = client.get("/v1/export")
        assert whole.status_code == 200
        assert whole.text.count('"record": "memory"') == 2
        assert "Graz" not in client.get("/v1/export", params={"user": "ada"}).text
        served.memory.remember("Ada fixed the parser", user="ada", project="apollo")
        asked = {"user": "ada", "everything": "true"}
        hers = client.get("/v1/export", params=asked).text
        assert (hers.count('"record": "memory"'), "Graz" in hers) == (2, False)
    with served.client(tenant="other") as other:
        told = other.post("/v1/import", params={"trusted": "true"}, content=whole.content)
        assert told.status_code == 200, told.text
        assert len(other.get("/v1/memories", params={"user": "ada"}).json()["memories"]) == 2
        # As an editor may have saved it: with its mark before the first line.
        again = other.post("/v1/import", content=b"\xef\xbb\xbf" + whole.content)
        assert (again.status_code, again.json()["memories"]) == (200, 0)
        wrong = other.post("/v1/import", content=b"{}")
        assert wrong.status_code == 400
        assert "the body" in wrong.json()["error"]["message"]
    with served.client(role="write") as writer:
        assert writer.get("/v1/export").status_code == 403


@pytest.mark.long
def test_an_export_goes_through_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an encrypted store gives and takes stands on no disk in the clear, also not for as long
    as it is read; a client that goes away in the middle of it leaves a server that answers."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    opening = {"embedder": "none", "key": "correct horse battery staple"}
    with Served(path=tmp_path / "memory.db", opening=opening) as served:
        rows: list[dict[str, object]] = [{"format": "engraphy-export", "version": 1}]
        for number in range(300):
            text = f"Crate {number} holds {'tulips and ' * 60} soil"
            rows.append({"record": "memory", "id": f"m{number}", "scope": {"tenant": "default"},
                         "content": text})  # fmt: skip
        with served.client() as client:
            told = client.post("/v1/import", content="\n".join(map(json.dumps, rows)))
            assert told.json()["memories"] == 300
            with client.stream("GET", "/v1/export") as answer:
                assert answer.status_code == 200
                first = next(answer.iter_text())
                assert first.startswith('{"format": "engraphy-export"')
                assert not [one for one in tmp_path.rglob("*") if b"tulips" in one.read_bytes()]
            whole = client.get("/v1/export")
            assert whole.text.count('"record": "memory"') == 300
            assert "attachment" in whole.headers["content-disposition"]
            with served.client(tenant="other") as other:
                came = other.post("/v1/import", content=whole.content)
                assert came.status_code == 200, came.text
                assert came.json()["memories"] == 300
                assert other.post("/v1/import", content=b"\xff{}").status_code == 400


def test_an_unknown_address_is_told_where_they_stand(served: Served) -> None:
    """Who guesses an address is told where all of them are listed."""
    with served.client() as client:
        told = client.post("/v1/list", json={"user": "ada"})
        assert told.status_code == 404
        assert "/v1/openapi.json" in told.json()["error"]["message"]


def test_another_method_is_told_which_ones_there_are(served: Served) -> None:
    """Where a path knows several methods, all of them are told."""
    with served.client() as client:
        told = client.put("/v1/memories/x")
        assert told.status_code == 405
        assert set(told.headers["allow"].split(", ")) == {"GET", "HEAD", "PATCH", "DELETE"}


@pytest.mark.parametrize("given", ["text", 5, ["what"]])
def test_arguments_of_a_prompt_are_an_object(served: Served, given: object) -> None:
    """Over MCP, what is no object in its place is the caller's mistake, and no error of ours."""
    params = {"name": "recall", "arguments": given}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": params}
    accepted = {"Accept": "application/json, text/event-stream"}
    with served.client() as client:
        told = client.post("/mcp", json=asked, headers=accepted)
    assert '"code":-32602' in told.text
