"""What a server does beside its answers: maintenance, where a cycle is due."""

import time
from pathlib import Path

import pytest
from tests.serving.server import Served

from engraphy import Memory
from engraphy.http import scheduling
from engraphy.testing import ToyEmbedder

_LOOKS = 200


def nights(served: Served) -> int:
    """How many cycles there were."""
    return len(served.memory.dreams())


@pytest.mark.long
@pytest.mark.spec("D-52")
def test_a_server_dreams_when_a_cycle_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asks for it; and where none is due, however often it looks, there is no second."""
    monkeypatch.setattr(scheduling, "_FIRST_SECONDS", 0.01)
    monkeypatch.setattr(scheduling, "_BETWEEN_SECONDS", 0.01)
    opening = {"embedder": "none", "profile": "cognitive"}
    with Served(path=tmp_path / "memory.db", opening=opening) as served:
        served.memory.remember("The API runs on port 3000")
        for _ in range(_LOOKS):
            if nights(served):
                break
            time.sleep(0.05)
        time.sleep(0.3)
        assert nights(served) == 1
        assert not served.memory.dream(due=True).due


@pytest.mark.long
@pytest.mark.spec("D-52")
def test_a_server_leaves_maintenance_to_others_where_it_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--no-dreams`: a cycle stays due."""
    monkeypatch.setattr(scheduling, "_FIRST_SECONDS", 0.01)
    with Served(path=tmp_path / "memory.db", more={"dream": False}) as served:
        served.memory.remember("The API runs on port 3000")
        time.sleep(0.3)
        assert nights(served) == 0
        assert served.memory.dream(due=True).due


@pytest.mark.long
@pytest.mark.spec("P-06")
def test_a_tenant_of_another_model_stops_no_other(tmp_path: Path) -> None:
    """Its callers are told; everybody else's are answered, and maintained."""
    path = tmp_path / "memory.db"
    with Memory(path, tenant="acme", embedder=ToyEmbedder(model_id="toy-old")) as acme:
        acme.remember("Tea is at four.")
        token = acme.grant("theirs", role="write").token
    opening = {"embedder": "static", "tenant": "beta"}
    with Served(path=path, opening=opening) as served:
        served.memory.remember("Lunch is at one.")
        with served.client(token) as client:
            told = client.post("/v1/recall", json={"query": "tea"})
            assert (told.status_code, told.json()["error"]["code"]) == (503, "embedder_mismatch")
        with served.client() as client:
            assert client.post("/v1/recall", json={"query": "lunch"}).is_success
        assert [one.tenant for one in served.house.everyone()] == ["beta"]
