"""mem0's own client, sync and async, unmodified: every method that people use."""

import asyncio
import time

import pytest
from conftest import Server
from mem0 import AsyncMemoryClient, MemoryClient, exceptions
from mem0.client.types import DeleteAllMemoryOptions, SearchMemoryOptions, UpdateMemoryOptions
from mem0.exceptions import AuthenticationError, MemoryNotFoundError, ValidationError

SAID = [
    {"role": "user", "content": "Hi, I'm Alex. I'm a vegetarian and I'm allergic to nuts."},
    {"role": "assistant", "content": "Noted, Alex: vegetarian, and no nuts."},
]


@pytest.fixture
def client(server: Server) -> MemoryClient:
    """A client as its users make it."""
    return MemoryClient(api_key=server.admin, host=server.url)


def done(client: MemoryClient, event_id: str) -> dict:
    """The event once it has ended."""
    for _ in range(300):
        told = client.client.get(f"/v1/event/{event_id}/").json()
        if told["status"] in ("SUCCEEDED", "FAILED"):
            return told
        time.sleep(0.1)
    raise AssertionError(told)


def kept(client: MemoryClient, text: str, **more: object) -> dict:
    """A memory that is kept as it is said."""
    told = client.add(text, infer=False, **more)
    assert told["status"] == "SUCCEEDED", told
    return told["results"][0]


def test_a_wrong_key_is_refused(server: Server) -> None:
    """A key that is no token is refused when the client is made."""
    with pytest.raises(ValueError, match="token"):
        MemoryClient(api_key="nothing", host=server.url)


def test_what_is_inferred_is_pending_and_then_there(client: MemoryClient) -> None:
    """What is to be inferred is an event that says later what came of it."""
    told = client.add(SAID, user_id="alex", metadata={"chat": 7, "deep": {"a": [1, 2]}})
    assert told["status"] == "PENDING"
    event = done(client, told["event_id"])
    assert event["status"] == "SUCCEEDED"
    assert event["results"][0]["event"] == "ADD"
    found = client.search("what can I cook?", filters={"user_id": "alex"})["results"]
    assert any("allergic" in one["memory"] for one in found)
    assert found[0]["metadata"] == {"chat": 7, "deep": {"a": [1, 2]}}
    assert found[0]["user_id"] == "alex"
    assert told["event_id"] in [
        one["id"] for one in client.client.get("/v1/events/").json()["results"]
    ]


def test_the_life_of_a_memory(client: MemoryClient) -> None:
    """One memory is kept, read, changed, judged and erased."""
    made = kept(client, "Bea lives in Oslo", user_id="bea", metadata={"n": 1})
    assert client.get(made["id"])["memory"] == "Bea lives in Oslo"
    client.update(made["id"], UpdateMemoryOptions(text="Bea lives in Bergen", metadata={"n": 2}))
    now = client.get(made["id"])
    assert (now["memory"], now["metadata"]) == ("Bea lives in Bergen", {"n": 2})
    past = client.history(made["id"])
    assert [one["event"] for one in past] == ["ADD", "UPDATE"]
    assert past[1]["old_memory"] == "Bea lives in Oslo"
    client.feedback(made["id"], "POSITIVE", "that is right")
    assert "deleted" in client.delete(made["id"])["message"]
    for known in (made["id"], "00000000-0000-0000-0000-000000000000"):
        for call in (
            client.get,
            client.history,
            client.delete,
            lambda one: client.update(one, text="x"),
        ):
            with pytest.raises(MemoryNotFoundError):
                call(known)


def test_filters(client: MemoryClient) -> None:
    """Entities, AND, OR, NOT and every kind of operator narrow a search."""
    for number, (topic, run) in enumerate((("food", "r1"), ("food", "r2"), ("work", "r1"))):
        kept(
            client,
            f"Note {number} of Carl is about {topic}",
            user_id="carl",
            app_id="kitchen" if number < 2 else None,
            run_id=run,
            metadata={"topic": topic, "n": number},
        )

    def found(filters: dict, **more: object) -> list[int]:
        hits = client.search("note of Carl", filters=filters, **more)["results"]
        return sorted(one["metadata"]["n"] for one in hits)

    assert found({"user_id": "carl"}) == [0, 1, 2]
    assert found({"user_id": "carl"}, top_k=1) in ([0], [1], [2])
    assert found({"user_id": "carl", "app_id": "kitchen"}) == [0, 1]
    assert found({"AND": [{"user_id": "carl"}, {"run_id": "r1"}]}) == [0, 2]
    assert found({"AND": [{"user_id": "carl"}, {"NOT": [{"run_id": "r1"}]}]}) == [1]
    assert found({"OR": [{"app_id": "kitchen"}, {"user_id": "nobody"}]}) == [0, 1]
    assert found({"AND": [{"user_id": "carl"}, {"metadata": {"topic": "work"}}]}) == [2]
    assert found({"user_id": {"in": ["carl", "x"]}, "metadata": {"n": {"gte": 1, "lt": 2}}}) == [1]
    assert found({"user_id": "carl", "created_at": {"gte": "2030-01-01"}}) == []
    assert found({"user_id": "carl", "metadata": {"topic": {"icontains": "OO"}}}) == [0, 1]
    assert found({"user_id": "carl", "run_id": {"ne": "r1"}}) == [1]
    assert found({"user_id": "*", "app_id": "kitchen"}) == [0, 1]
    options = SearchMemoryOptions(filters={"user_id": "carl"}, top_k=2, threshold=0.0)
    assert len(client.search("note", options)["results"]) == 2
    only = client.search("note", filters={"user_id": "carl"}, fields=["memory"])["results"][0]
    assert set(only) == {"id", "memory"}
    with pytest.raises(ValidationError):
        client.search("note")
    with pytest.raises(ValidationError):
        client.search("note", filters={"user_id": {"near": "carl"}})


def test_all_of_them_page_by_page(client: MemoryClient) -> None:
    """A listing tells how many there are, and each once, newest first."""
    for number in range(5):
        kept(client, f"Dora counts {number}", user_id="dora", agent_id=f"bot{number % 2}")
    whole = client.get_all(filters={"user_id": "dora"})
    assert whole["count"] == 5
    assert whole["results"][0]["memory"] == "Dora counts 4"
    seen, page = [], 1
    while True:
        told = client.get_all(filters={"user_id": "dora"}, page=page, page_size=2)
        seen += [one["memory"] for one in told["results"]]
        if told["next"] is None:
            break
        page += 1
    assert page == 3
    assert seen == [f"Dora counts {number}" for number in (4, 3, 2, 1, 0)]
    assert client.get_all(filters={"user_id": "dora", "agent_id": "bot1"})["count"] == 2
    with pytest.raises(ValidationError):
        client.get_all()


def test_batches(client: MemoryClient) -> None:
    """A batch is looked up as a whole before the first of it is changed."""
    ids = [kept(client, f"Emil note {n}", user_id="emil")["id"] for n in range(3)]
    client.batch_update([{"memory_id": ids[0], "text": "Emil was here"}])
    assert client.get(ids[0])["memory"] == "Emil was here"
    with pytest.raises(MemoryNotFoundError):
        client.batch_delete(
            [{"memory_id": ids[1]}, {"memory_id": "00000000-0000-0000-0000-000000000000"}]
        )
    assert client.get(ids[1])
    client.batch_delete([{"memory_id": one} for one in ids[:2]])
    assert [one["id"] for one in client.get_all(filters={"user_id": "emil"})["results"]] == ids[2:]


def test_entities_and_all_of_one(client: MemoryClient) -> None:
    """Entities are listed, and go with all their memories."""
    kept(client, "Finn plays chess", user_id="finn", agent_id="coach", run_id="lesson-1")
    kept(client, "Gita plays go", user_id="gita", app_id="club")
    told = {(one["type"], one["name"]): one for one in client.users()["results"]}
    assert told["user", "finn"]["total_memories"] == 1
    assert {("agent", "coach"), ("app", "club"), ("run", "lesson-1")} <= told.keys()
    client.delete_all(user_id="finn")
    assert client.get_all(filters={"user_id": "finn"})["count"] == 0
    client.delete_all(DeleteAllMemoryOptions(filters={"app_id": "club"}))
    assert client.get_all(filters={"user_id": "gita"})["count"] == 0
    with pytest.raises(ValidationError):
        client.delete_all()
    kept(client, "Finn is back", user_id="finn")
    client.delete_users(user_id="finn")
    client.delete_users(user_id="finn")
    assert ("user", "finn") not in {(one["type"], one["name"]) for one in client.users()["results"]}


def test_what_is_not_done_says_so(client: MemoryClient) -> None:
    """What is not done here is told as an error of the client, in words."""
    for call in (
        lambda: client.create_memory_export("{}", filters={"user_id": "x"}),
        lambda: client.get_memory_export(user_id="x"),
        lambda: client.get_summary({"user_id": "x"}),
        lambda: client.get_profile("x"),
        client.get_profile_settings,
        lambda: client.get_webhooks("p"),
    ):
        with pytest.raises(exceptions.MemoryError, match="does not do"):
            call()


def test_a_token_of_one_user_sees_nobody_else(server: Server, client: MemoryClient) -> None:
    """A bound token sees no row, id, count or name of another user."""
    other = kept(client, "Hugo keeps a secret garden", user_id="hugo")
    bound = MemoryClient(api_key=server.token(role="write", user="ines"), host=server.url)
    mine = kept(bound, "Ines keeps bees")
    assert mine["user_id"] == "ines"
    assert [one["id"] for one in bound.search("garden bees")["results"]] == [mine["id"]]
    assert bound.search("garden", filters={"user_id": "hugo"})["results"] == []
    assert bound.get_all(filters={"OR": [{"user_id": "*"}, {"user_id": "hugo"}]})["count"] == 1
    assert [one["name"] for one in bound.users()["results"]] == ["ines"]
    for call in (bound.get, bound.history, bound.delete, lambda one: bound.update(one, text="x")):
        with pytest.raises(MemoryNotFoundError):
            call(other["id"])
    with pytest.raises(AuthenticationError):
        kept(bound, "I am Hugo", user_id="hugo")
    bound.delete_all(user_id="hugo")
    assert client.get(other["id"])["memory"] == "Hugo keeps a secret garden"
    with pytest.raises(AuthenticationError):
        bound.delete_users(user_id="hugo")
    reader = MemoryClient(api_key=server.token(role="read"), host=server.url)
    assert reader.get(other["id"])
    with pytest.raises(AuthenticationError):
        reader.delete(other["id"])
    writer = MemoryClient(api_key=server.token(role="write"), host=server.url)
    with pytest.raises(AuthenticationError):
        writer.delete_all(user_id="*")


def test_awaited(server: Server) -> None:
    """The same for the asynchronous client."""

    async def told() -> None:
        client = AsyncMemoryClient(api_key=server.admin, host=server.url)
        made = (await client.add("Jana likes tea", user_id="jana", infer=False))["results"][0]
        assert (await client.get(made["id"]))["memory"] == "Jana likes tea"
        await client.update(made["id"], text="Jana likes mate")
        assert len(await client.history(made["id"])) == 2
        found = await client.search("mate", filters={"user_id": "jana"})
        assert [one["id"] for one in found["results"]] == [made["id"]]
        assert (await client.get_all(filters={"user_id": "jana"}))["count"] == 1
        await client.batch_update([{"memory_id": made["id"], "metadata": {"a": None}}])
        assert (await client.get(made["id"]))["metadata"] == {"a": None}
        await client.feedback(made["id"], "NEGATIVE")
        await client.delete(made["id"])
        assert (await client.add(SAID, user_id="jana"))["status"] == "PENDING"
        await client.add("Jana runs", user_id="jana", infer=False)
        assert "jana" in [one["name"] for one in (await client.users())["results"]]
        await client.batch_delete(
            [{"memory_id": (await client.get_all(filters={"user_id": "jana"}))["results"][0]["id"]}]
        )
        await client.delete_all(user_id="jana")
        await client.delete_users(user_id="jana")

    asyncio.run(told())


def test_all_is_gone_after_a_reset(client: MemoryClient) -> None:
    """A reset takes out every entity."""
    kept(client, "Something that stays for a moment", user_id="kim")
    client.reset()
    assert client.users()["results"] == []
