"""Signing in and out: what a browser gets for a token, and when that ends."""

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.dashboard.browser import signed_in
from tests.serving.server import CLEAR, Served

from engraphy.dashboard.signing import back_to


def test_a_browser_gets_a_session_of_its_own(served: Served) -> None:
    """The cookie is HttpOnly and SameSite=Strict, holds no token that was shown, and its grant may
    do as much as the shown one, for a day at most."""
    with signed_in(served, role="write", user="ada", clearance="private") as browser:
        answer = browser.sign_in()
        cookie = next(
            one for one in answer.headers.get_list("set-cookie") if one.startswith("engraphy=")
        )
        assert {"HttpOnly", "SameSite=strict"} <= {one.strip() for one in cookie.split(";")}
        assert browser.token not in cookie
        shown, session = served.memory.grants()[0], served.memory.grants()[-1]
        for name in ("role", "user", "agent", "project", "clearance", "origin", "tenant"):
            assert getattr(session, name) == getattr(shown, name)
        assert session.expires_at is not None
        assert session.expires_at - session.created_at <= 86_400_000_000


@pytest.mark.parametrize("name", ["first token", "my api key", "key", "password:", "x" * 200])
def test_whatever_a_token_is_called_it_signs_in(served: Served, name: str) -> None:
    """A token signs in whatever its name is, that of the token of a server's first start too: the
    session's own name, which tells whose it is, is none with a credential in it."""
    made = served.memory.grant(name, role="admin", clearance="secret")
    with httpx2.Client(base_url=served.url, verify=CLEAR) as client:
        answer = client.post(
            "/signin", data={"token": made.token}, headers={"Origin": served.url}, timeout=30
        )
        assert answer.status_code == 303, answer.text
        assert client.get("/").status_code == 200
    served.memory.revoke(made.grant.id)
    with httpx2.Client(base_url=served.url, verify=CLEAR, cookies=dict(client.cookies)) as again:
        assert again.get("/").status_code == 303


def test_who_shows_nothing_is_asked(served: Served) -> None:
    """A page sends who is not known to the sign-in page, and brings them back afterwards."""
    with httpx2.Client(base_url=served.url, verify=CLEAR) as client:
        answer = client.get("/search?q=tea")
        assert answer.status_code == 303
        way = answer.headers["location"]
        assert way == "/signin?back=%2Fsearch%3Fq%3Dtea"
        assert 'value="/search?q=tea"' in client.get(way).text
        wrong = client.post("/signin", data={"token": "egr_x"}, headers={"Origin": served.url})
        assert wrong.status_code == 401
        assert "unknown, wrong, over or revoked" in wrong.text


def test_no_page_of_others_signs_anybody_in(served: Served) -> None:
    """Signing in comes from a page of this very address: no Origin, or another one, is refused."""
    token = served.token()
    with httpx2.Client(base_url=served.url, verify=CLEAR) as client:
        other = served.url.replace("127.0.0.1", "localhost")
        for headers in ({}, {"Origin": other}, {"Origin": "null"}):
            answer = client.post("/signin", data={"token": token}, headers=headers)
            assert answer.status_code == 403, headers
            assert not client.cookies


@pytest.mark.parametrize("how", ["out", "revoked"])
def test_a_session_ends(served: Served, how: str) -> None:
    """With signing out, and with the token that was shown for it: the cookie opens nothing then."""
    with signed_in(served) as browser:
        assert browser.get("/").status_code == 200
        cookies = dict(browser.client.cookies)
        if how == "out":
            assert browser.post("/signout").status_code == 303
        else:
            served.memory.revoke(served.memory.grants()[0].id)
        browser.client.cookies.update(cookies)
        assert browser.get("/").status_code == 303


def _answered(served: Served, token: str) -> int:
    """The status of a question over REST."""
    with served.client(token) as client:
        return client.post("/v1/recall", json={"query": "tea"}).status_code


def test_a_session_is_no_way_around_a_token_that_was_revoked(served: Served) -> None:
    """What a browser holds opens no door any more once the token that was shown for it is revoked,
    REST's neither, nor a session that was begun with it; each is listed as revoked."""
    with signed_in(served, role="write") as browser:
        [held] = browser.client.cookies.values()
        shown = browser.client.post(
            "/signin", data={"token": held}, headers={"Origin": served.url}, timeout=30
        )
        assert shown.status_code == 303
        [other] = browser.client.cookies.values()
        assert other != held
        assert [_answered(served, token) for token in (held, other)] == [200, 200]
        mine = min(served.memory.grants(), key=lambda one: one.created_at)
        served.memory.revoke(mine.id)
        assert [_answered(served, token) for token in (held, other)] == [401, 401]
    assert all(one.revoked_at is not None for one in served.memory.grants())


@given(st.text() | st.from_regex(r"[/\\]{0,3}[a-z./\\@:]{0,12}"))
def test_the_way_back_is_ours(told: str) -> None:
    """After signing in nobody is sent to an address of others."""
    found = back_to(told)
    assert found.startswith("/")
    assert not found.startswith(("//", "/\\"))
    assert found.isprintable()
