"""A browser without a screen: it signs in, keeps its cookies, and sends the forms it is shown."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any

import httpx2
from tests.serving.server import CLEAR, Served

from engraphy import Memory

FORM = re.compile(r'name="form_token" value="(\w+)"')
PRIVATE = {"allow_private": True, "allow_secret": True}


class Browser:
    """Signed in with a token of these rights."""

    def __init__(self, served: Served, client: httpx2.Client, token: str) -> None:
        self.served, self.client, self.token = served, client, token
        self.origin = {"Origin": served.url}
        self._form_token = ""

    def sign_in(self, token: str | None = None) -> httpx2.Response:
        """Show a token; the browser gets a session of its own."""
        shown = self.token if token is None else token
        return self.client.post("/signin", data={"token": shown}, headers=self.origin)

    def get(self, path: str, **params: Any) -> httpx2.Response:
        """A page."""
        return self.client.get(path, params=params or None)

    def form_token(self) -> str:
        """What the forms of this session carry."""
        if not self._form_token:
            found = FORM.search(self.get("/procedures").text)
            assert found is not None
            self._form_token = found[1]
        return self._form_token

    def post(self, path: str, **fields: Any) -> httpx2.Response:
        """Send a form of this session, from a page of this server."""
        data = {"form_token": self.form_token(), **fields}
        return self.client.post(path, data=data, headers=self.origin)

    def look_at(self, **walls: str) -> None:
        """Pick the walls to look behind."""
        assert self.post("/walls", **walls).status_code == 303


@contextmanager
def signed_in(served: Served, **wanted: Any) -> Iterator[Browser]:
    """A browser that is signed in: as admin where nothing is said."""
    with httpx2.Client(
        base_url=served.url, timeout=30, follow_redirects=False, verify=CLEAR
    ) as client:
        made = Browser(served, client, served.token(**wanted))
        assert made.sign_in().status_code == 303
        yield made


def state_of(memory: Memory) -> list[Any]:
    """Everything that looking must leave as it is: the journal, and what deliveries leave."""
    rows = [
        row
        for walls in memory.walls()
        for row in memory.list(
            include=("dormant", "archived", "superseded", "expired", "quarantined"),
            user=walls.user,
            agent=walls.agent,
            project=walls.project,
            limit=1_000,
            **PRIVATE,
        )
    ]
    return [memory.latest(), sorted(rows, key=lambda row: row.id), memory.receipts()]


class Markup(HTMLParser):
    """What a page is made of: tags with their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def has(self, tag: str, **wanted: str) -> bool:
        """Whether there is such a tag."""
        return any(
            one == tag and all(held.get(name) == value for name, value in wanted.items())
            for one, held in self.tags
        )
