"""What changes while a page is looked at: that something did, and never what, or of whom."""

import json
from collections.abc import Iterator

import pytest
from tests.dashboard.browser import signed_in
from tests.serving.server import Served


def _marks(lines: Iterator[str]) -> Iterator[int]:
    for line in lines:
        if line.startswith("data: "):
            yield int(line.removeprefix("data: "))


@pytest.mark.long
def test_a_change_is_told_while_one_looks(served: Served) -> None:
    """The stream of who looks after the tenant tells the number of the journal's last line, at
    once and with every change; the answer for who has no stream tells the same."""
    with signed_in(served) as browser, browser.client.stream("GET", "/live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        marks = _marks(stream.iter_lines())
        assert next(marks) == served.memory.latest()
        served.memory.remember("Tea is at four", user="ada")
        assert next(marks) == served.memory.latest()
        assert json.loads(browser.get("/live/now").text) == {"change": served.memory.latest()}


def test_who_is_behind_walls_learns_nothing_of_what_others_write(served: Served) -> None:
    """P-08: what a token is told that looks after no tenant changes with the time alone."""
    with signed_in(served, role="write", user="ada") as browser:
        first = json.loads(browser.get("/live/now").text)["change"]
        for number in range(5):
            served.memory.remember(f"Bob's note {number} of many", user="bob")
        second = json.loads(browser.get("/live/now").text)["change"]
        assert 0 <= second - first <= 1
        assert first != served.memory.latest()
