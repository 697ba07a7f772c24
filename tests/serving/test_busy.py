"""What a server answers while another program holds the store, or took it away."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
from tests.dashboard.browser import signed_in
from tests.serving.server import Served

from engraphy.stores.locks import LOCK_SUFFIX, SideLock

_ENOUGH = 6
_LOOKS = 2_000


@contextmanager
def held_up(served: Served, client: httpx2.Client) -> Iterator[list[int]]:
    """Inside, somebody else holds the store, and more requests wait for it than are worked on at
    the same time; the statuses of those that are over."""
    path, limit = str(served.path), served.house.usual
    over: list[int] = []

    def told(number: int) -> None:
        answer = client.post("/v1/memories", json={"content": f"Bus {number} leaves at 7"})
        over.append(answer.status_code)

    with ThreadPoolExecutor(_ENOUGH) as pool, SideLock(path + LOCK_SUFFIX, path).held(0.0):
        for number in range(_ENOUGH):
            pool.submit(told, number)
        for _ in range(_LOOKS):
            if limit.borrowed_tokens == limit.total_tokens:
                break
            time.sleep(0.005)
        yield over
    assert over == [200] * _ENOUGH


def test_health_does_not_wait_for_those_who_wait_for_the_store(served: Served) -> None:
    """Whether the server can answer is told while all it works on waits for the store: a probe
    that stalls has a server killed for what another program does."""
    with served.client() as client, held_up(served, client) as over:
        assert client.get("/readyz").json() == {"status": "ready"}
        assert "engraphy_requests_open" in client.get("/metrics").text
        assert over == []


def test_pages_do_not_wait_for_those_who_wait_for_the_store(served: Served) -> None:
    """Who looks at the dashboard sees it while others wait to write."""
    with served.client() as client, signed_in(served) as browser, held_up(served, client) as over:
        assert browser.get("/memories").status_code == 200
        assert over == []


def test_a_store_that_is_gone_is_told_of_without_its_place(served: Served) -> None:
    """Where the file was moved away a request and a page say so in whole sentences and without its
    path; a page offers to try again and asks nobody to sign in, and does once it is back."""
    away = served.path.with_name("away.db")
    with served.client() as client, signed_in(served) as browser:
        served.path.rename(away)
        told = client.get("/v1/memories").json()["error"]["message"]
        page = browser.get("/memories")
        away.rename(served.path)
        assert told.startswith("The file cannot be opened: it was moved")
        assert str(served.path) not in told
        assert (page.status_code, "Try again" in page.text) == (503, True)
        assert "Sign in" not in page.text
        assert browser.get("/memories").status_code == 200
