"""`engraphy publish`, `subscribe` and what goes with them: two tenants of one file (D-70)."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from httpx2 import Client
from tests.serving.server import Served

from engraphy.cli import main

Run = Callable[..., Any]
SAID = "The billing service listens on port 4100"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command as a tenant, its answer as JSON; `code`: the expected exit code."""
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "200", "ENGRAPHY_HOME": str(tmp_path)})
    store = ("--db", str(tmp_path / "store.db"), "--no-embed")

    def call(tenant: str, *words: str, code: int = 0, plain: bool = False) -> Any:
        told = [*words, "--tenant", tenant, *store, *([] if plain else ["--json"])]
        result = runner.invoke(main, told, catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.stdout if plain or code else json.loads(result.stdout)

    return call


def test_two_tenants_on_the_command_line(run: Run) -> None:
    """Publish, see the offer, subscribe, accept, recall, end it: nothing is left."""
    run("acme", "remember", SAID, "--project", "ops", "--tags", "shared")
    words = ("--to-tenant", "beta", "--projects", "ops", "--tags", "shared", "--kind", "fact")
    offer = run("acme", "publish", "ops notes", *words)
    assert offer["created_at"].startswith("20")
    assert run("beta", "offers", "--source", "acme") == {"publications": [offer]}
    made = run("beta", "subscribe", offer["id"], "--source", "acme", "--project", "web")
    (held,) = run("beta", "review", "--project", "web")["memories"]
    assert "tenant acme" in held["why"]
    assert run("beta", "fetch") == {"arrived": 0, "waiting": 1, "released": 0}
    run("beta", "accept", held["id"], "--project", "web")
    (hit,) = run("beta", "recall", "which port has billing", "--project", "web")["hits"]
    assert hit["why"]["x vicarious"] == 0.9
    assert run("beta", "subscriptions") == {"subscriptions": [made]}
    assert run("acme", "unpublish", offer["id"])["revoked_at"].startswith("20")
    assert run("beta", "recall", "which port has billing", "--project", "web")["hits"] == []
    run("acme", "unpublish", "nothing", code=3)
    run("beta", "subscribe", offer["id"], "--source", "acme", code=3)


def test_what_people_read(run: Run) -> None:
    """What is shared, with whom, and how it stands, in a line each."""
    run("acme", "remember", SAID)
    assert "nothing is published" in run("acme", "publications", plain=True)
    assert "nothing is received" in run("beta", "subscriptions", plain=True)
    told = run("acme", "publish", "notes", "--to-tenant", "beta", "--to-agent", "a", plain=True)
    assert {"notes", "tenant", "beta,", "agent", "a", "open"} <= set(told.split())
    (offer,) = run("acme", "publications")["publications"]
    told = run("beta", "subscribe", offer["id"], "--source", "acme", "--agent", "a", plain=True)
    assert {offer["id"], "acme", "open"} <= set(told.split())
    (made,) = run("beta", "subscriptions")["subscriptions"]
    assert "0 arrived, 1 wait, 0 let in" in run("beta", "fetch", plain=True)
    assert "ended" in run("beta", "unsubscribe", made["id"], plain=True)
    assert "ended" in run("acme", "unpublish", offer["id"], plain=True)


@pytest.mark.long
@pytest.mark.spec("D-70")
def test_over_http(served: Served) -> None:
    """An admin publishes, a writer of another tenant subscribes, by the routes and their roles."""
    house = served.memory
    house.remember(SAID)
    beta = house.of_tenant("beta")
    with ExitStack() as stack:
        admin = stack.enter_context(served.client(served.token()))
        writer, reader = (
            stack.enter_context(served.client(beta.grant("t", role=role).token))
            for role in ("write", "read")
        )
        shared_over_http(str(house.tenant), admin, writer, reader)


def shared_over_http(tenant: str, admin: Client, writer: Client, reader: Client) -> None:
    """One publication from its beginning to its end."""
    told = {"name": "n", "to_tenant": "beta"}
    assert writer.post("/v1/publications", json=told).status_code == 403
    offer = admin.post("/v1/publications", json=told).json()
    source = {"source": tenant}
    found = writer.get("/v1/offers", params=source).json()["publications"]
    assert [one["id"] for one in found] == [offer["id"]]
    wish = {"id": offer["id"], **source}
    assert reader.post("/v1/subscriptions", json=wish).status_code == 403
    made = writer.post("/v1/subscriptions", json=wish).json()
    assert [one["content"] for one in reader.get("/v1/review").json()["memories"]] == [SAID]
    assert writer.delete(f"/v1/subscriptions/{made['id']}").json()["ended_at"]
    assert reader.get("/v1/review").json()["memories"] == []
    assert admin.delete(f"/v1/publications/{offer['id']}").json()["revoked_at"]
