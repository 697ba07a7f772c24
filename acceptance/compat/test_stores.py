"""The anthropic SDK's memory stores, sync and async, unmodified."""

import asyncio
import hashlib
from collections.abc import Iterator

import anthropic
import httpx2
import pytest
from anthropic import Anthropic, AsyncAnthropic
from conftest import Server


def sha(text: str) -> str:
    """What the API calls content_sha256."""
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def stores(server: Server) -> Iterator:
    """The resource, of a client as its users make it."""
    with Anthropic(base_url=server.url, api_key=server.admin, max_retries=0) as client:
        yield client.beta.memory_stores


def test_a_wrong_key_is_refused(server: Server) -> None:
    """A key that is no token is refused."""
    with Anthropic(base_url=server.url, api_key="x", max_retries=0) as client:
        with pytest.raises(anthropic.AuthenticationError) as told:
            client.beta.memory_stores.list()
        assert told.value.body["error"]["type"] == "authentication_error"


def test_the_life_of_a_store(stores) -> None:
    """A store is made, changed, listed, archived and deleted."""
    one = stores.create(name="Notes", description="what I know", metadata={"who": "ada", "n": "1"})
    assert one.id.startswith("memstore_")
    assert one.archived_at is None
    two = stores.update(one.id, name="Other", metadata={"n": None, "m": "2"})
    assert (two.name, two.description, two.metadata) == (
        "Other",
        "what I know",
        {"who": "ada", "m": "2"},
    )
    assert stores.retrieve(one.id) == two
    more = [stores.create(name=f"S{n}") for n in range(3)]
    assert [s.id for s in stores.list(limit=2)][:4] == [*(s.id for s in more[::-1]), one.id]
    assert [s.id for s in stores.list(created_at_lte=one.created_at)] == [one.id]
    gone = stores.archive(more[0].id)
    assert gone.archived_at is not None
    assert gone.id not in [s.id for s in stores.list()]
    assert gone.id in [s.id for s in stores.list(include_archived=True)]
    with pytest.raises(anthropic.BadRequestError):
        stores.memories.create(gone.id, path="/a", content="x")
    for store in (*more, one):
        assert stores.delete(store.id).type == "memory_store_deleted"
    with pytest.raises(anthropic.NotFoundError):
        stores.retrieve(one.id)
    with pytest.raises(anthropic.NotFoundError):
        stores.retrieve("memstore_nothing")
    with pytest.raises(anthropic.BadRequestError):
        stores.create(name="")


def test_the_life_of_a_memory(stores, server: Server) -> None:
    """A memory is written, read, moved, guarded by its hash, found by recall, and deleted."""
    store = stores.create(name="Notes").id
    text = "The zeppelin leaves at noon.\r\n\n  é \t"
    made = stores.memories.create(store, path="/trips/z.md", content=text)
    assert made.content is None
    assert (made.content_sha256, made.content_size_bytes) == (sha(text), len(text.encode()))
    full = stores.memories.retrieve(made.id, memory_store_id=store)
    assert full.content == text
    moved = stores.memories.update(
        made.id,
        memory_store_id=store,
        path="/trips/y.md",
        content="The zeppelin leaves at two.",
        precondition={"type": "content_sha256", "content_sha256": sha(text)},
        view="full",
    )
    assert (moved.id, moved.path) == (made.id, "/trips/y.md")
    assert moved.content == "The zeppelin leaves at two."
    with pytest.raises(anthropic.ConflictError) as told:
        stores.memories.update(
            made.id,
            memory_store_id=store,
            content="else",
            precondition={"type": "content_sha256", "content_sha256": sha("no")},
        )
    assert told.value.body["error"]["type"] == "memory_precondition_failed_error"
    for path in ("/trips/y.md", "/trips", "/trips/y.md/z"):
        with pytest.raises(anthropic.ConflictError) as told:
            stores.memories.create(store, path=path, content="x")
        error = told.value.body["error"]
        assert error["type"] == "memory_path_conflict_error"
        assert (error["conflicting_memory_id"], error["conflicting_path"]) == (
            made.id,
            "/trips/y.md",
        )
    headers = {"Authorization": f"Bearer {server.admin}"}
    asked = {"query": "when does the zeppelin leave?"}
    hits = httpx2.post(f"{server.url}/v1/recall", json=asked, headers=headers).json()["hits"]
    assert "leaves at two" in hits[0]["content"]
    with pytest.raises(anthropic.ConflictError):
        stores.memories.delete(made.id, memory_store_id=store, expected_content_sha256=sha("no"))
    gone = stores.memories.delete(
        made.id, memory_store_id=store, expected_content_sha256=moved.content_sha256
    )
    assert (gone.id, gone.type) == (made.id, "memory_deleted")
    with pytest.raises(anthropic.NotFoundError):
        stores.memories.retrieve(made.id, memory_store_id=store)
    stores.delete(store)


def test_what_is_listed(stores) -> None:
    """Prefixes, depths, views and pages of a listing."""
    store = stores.create(name="Notes").id
    paths = ["/a.md", "/b/1.md", "/b/2.md", "/b/c/3.md", "/b-side.md", "/z.md"]
    for path in paths:
        stores.memories.create(store, path=path, content=path)
    assert [m.path for m in stores.memories.list(store)] == sorted(paths)
    assert [m.path for m in stores.memories.list(store, limit=2)] == sorted(paths)
    top = list(stores.memories.list(store, depth=1))
    assert [(m.type, m.path) for m in top] == [
        ("memory", "/a.md"),
        ("memory", "/b-side.md"),
        ("memory_prefix", "/b/"),
        ("memory", "/z.md"),
    ]
    assert list(stores.memories.list(store, depth=1, limit=1)) == top
    below = list(stores.memories.list(store, path_prefix="/b/", view="full"))
    assert [m.content for m in below] == ["/b/1.md", "/b/2.md", "/b/c/3.md"]
    assert [m.path for m in stores.memories.list(store, path_prefix="/b/", depth=1)] == [
        "/b/1.md",
        "/b/2.md",
        "/b/c/",
    ]
    for wrong in ({"limit": 0}, {"limit": 101}, {"depth": 2}, {"page": "x"}, {"path_prefix": "/b"}):
        with pytest.raises(anthropic.BadRequestError):
            stores.memories.list(store, **wrong)
    stores.delete(store)


def test_versions_and_redaction(stores) -> None:
    """Every change is a version that can be read, found by its kind, and redacted."""
    store = stores.create(name="Notes").id
    made = stores.memories.create(store, path="/a", content="one")
    stores.memories.update(made.id, memory_store_id=store, content="two")
    stores.memories.update(made.id, memory_store_id=store, content="two")
    stores.memories.delete(made.id, memory_store_id=store)
    told = list(stores.memory_versions.list(store, memory_id=made.id, limit=1))
    assert [v.operation for v in told] == ["deleted", "modified", "created"]
    first = told[-1]
    assert (first.id, first.content) == (made.memory_version_id, None)
    assert first.created_by.type == "api_actor"
    full = stores.memory_versions.retrieve(first.id, memory_store_id=store)
    assert (full.content, full.content_sha256) == ("one", sha("one"))
    assert [v.id for v in stores.memory_versions.list(store, operation="created")] == [first.id]
    key = first.created_by.api_key_id
    assert len(list(stores.memory_versions.list(store, api_key_id=key))) == 3
    assert list(stores.memory_versions.list(store, api_key_id="other")) == []
    gone = stores.memory_versions.redact(first.id, memory_store_id=store)
    assert (gone.content, gone.path, gone.content_sha256) == (None, None, None)
    assert gone.redacted_at is not None
    assert stores.memory_versions.retrieve(first.id, memory_store_id=store) == gone
    live = stores.memories.create(store, path="/b", content="x")
    with pytest.raises(anthropic.BadRequestError):
        stores.memory_versions.redact(live.memory_version_id, memory_store_id=store)
    stores.delete(store)
    with pytest.raises(anthropic.NotFoundError):
        stores.memory_versions.list(store)


def test_what_cannot_be_kept_is_refused(stores) -> None:
    """Texts too long, with a credential, and paths that are none are refused in words."""
    store = stores.create(name="Notes").id
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for path, text in (
        ("/a", "x" * 102_401),
        ("/a", f"the key is {secret}"),
        ("a", "x"),
        ("/a/", "x"),
        ("/e\u0301", "x"),
        ("/..", "x"),
    ):
        with pytest.raises(anthropic.BadRequestError) as told:
            stores.memories.create(store, path=path, content=text)
        assert told.value.body["error"]["type"] == "invalid_request_error"
    assert (
        stores.memories.create(store, path="/a", content="x" * 102_400).content_size_bytes
        == 102_400
    )
    assert stores.memories.create(store, path="/empty", content="", view="full").content == ""
    stores.delete(store)


def test_walls_hold(stores, server: Server) -> None:
    """A store of one user, or of one workspace, does not exist for another."""
    with Anthropic(
        base_url=server.url, api_key=server.token(role="write", user="ines"), max_retries=0
    ) as client:
        own = client.beta.memory_stores.create(name="Ines's")
        assert [s.id for s in client.beta.memory_stores.list()] == [own.id]
        with pytest.raises(anthropic.NotFoundError):
            stores.retrieve(own.id)
        there = stores.create(name="In a project", workspace_id="club")
        with pytest.raises(anthropic.NotFoundError):
            stores.retrieve(there.id)
        assert stores.retrieve(there.id, workspace_id="club") == there
        with pytest.raises(anthropic.NotFoundError):
            client.beta.memory_stores.retrieve(there.id)
    token = server.token(role="read")
    with Anthropic(base_url=server.url, api_key=token, max_retries=0) as client:
        client.beta.memory_stores.list()
        with pytest.raises(anthropic.PermissionDeniedError):
            client.beta.memory_stores.create(name="x")


def test_awaited(server: Server) -> None:
    """The same for the asynchronous client, with a token in place of a key."""

    async def told() -> None:
        async with AsyncAnthropic(base_url=server.url, auth_token=server.admin) as client:
            stores = client.beta.memory_stores
            store = (await stores.create(name="Notes")).id
            made = await stores.memories.create(store, path="/a", content="x")
            await stores.memories.update(made.id, memory_store_id=store, content="y")
            assert [m.path async for m in stores.memories.list(store)] == ["/a"]
            versions = [v async for v in stores.memory_versions.list(store)]
            assert len(versions) == 2
            await stores.memory_versions.redact(versions[1].id, memory_store_id=store)
            await stores.memories.delete(made.id, memory_store_id=store)
            await stores.archive(store)
            await stores.delete(store)

    asyncio.run(told())
