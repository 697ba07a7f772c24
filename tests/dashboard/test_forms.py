"""Changes come from forms of the caller's own session, and only where the caller may make them."""

import pytest
from tests.dashboard.browser import Markup, signed_in
from tests.serving.server import Served

DEEDS = ("edit", "pin", "protect", "restore", "sensitivity", "link", "forget")


def test_only_own_forms_are_taken(served: Served) -> None:
    """Without the session's form token, with another session's, and without an Origin of this
    server nothing is done."""
    row = served.memory.remember("Tea is at four").memory
    assert row is not None
    path = f"/memories/{row.id}/pin"
    with signed_in(served) as browser, signed_in(served) as other:
        own, foreign = browser.form_token(), other.form_token()
        assert own != foreign
        for data, headers in (
            ({"on": "1"}, browser.origin),
            ({"on": "1", "form_token": foreign}, browser.origin),
            ({"on": "1", "form_token": own}, {}),
            ({"on": "1", "form_token": own}, {"Origin": "http://localhost"}),
        ):
            answer = browser.client.post(path, data=data, headers=headers)
            assert answer.status_code == 403, (data, headers)
        assert not served.memory.get(row.id, touch=False).pinned
        assert browser.post(path, on="1").status_code == 303
        assert served.memory.get(row.id, touch=False).pinned


@pytest.mark.long
@pytest.mark.parametrize("role", ["read", "write"])
def test_what_a_caller_may_not_do_is_not_shown_and_not_done(served: Served, role: str) -> None:
    """A reader sees no button that changes a memory, and the server refuses what is sent anyway."""
    row = served.memory.remember("Tea is at four").memory
    assert row is not None
    page = f"/memories/{row.id}"
    with signed_in(served, role=role) as browser:
        told = Markup(browser.get(page).text)
        shown = {held.get("action") for tag, held in told.tags if tag == "form"}
        assert (f"{page}/edit" in shown) == (f"{page}/pin" in shown) == (role == "write")
        before = served.memory.latest()
        for deed in DEEDS if role == "read" else ():
            assert browser.post(f"{page}/{deed}", on="1").status_code == 403, deed
        assert browser.get(f"{page}/forget").status_code == (403 if role == "read" else 200)
        assert browser.get("/walls").status_code == 403
        assert served.memory.latest() == before
        assert served.memory.get(row.id, touch=False) == row


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xfe=1&form_token=x", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"a=" + b"x" * 100, "multipart/form-data; boundary=x"),
        (b"&" * 5_000, "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_no_form_is_refused(served: Served, body: bytes, kind: str) -> None:
    """Whatever is sent in a form's place is an error of the caller's (P-17)."""
    with signed_in(served) as browser:
        headers = {**browser.origin, "Content-Type": kind}
        answer = browser.client.post("/walls", content=body, headers=headers)
        assert 400 <= answer.status_code < 500


COOKIES = (
    "%7B%22user%22%3A%22%5Cud800%22%7D",
    "%7B%22user%22%3A%22%5Cu0000%22%7D",
    "%7B%22user%22%3A%7B%7D%2C%22agent%22%3A3%7D",
    "%5B%5B%22good%22%2C%22%5Cud800%3Cb%3E%22%5D%2C%5B%22x%22%5D%2C7%5D",
    "%ff%fe",
    "[" * 3_000,
    "egr_" + "A" * 300,
)


@pytest.mark.long
def test_a_cookie_that_is_none_of_ours_breaks_nothing(served: Served) -> None:
    """Whatever a cookie holds, a page is answered or asks who it is (P-17)."""
    with signed_in(served) as browser:
        own = browser.client.cookies["engraphy"]
        browser.client.cookies.clear()
        for name in ("engraphy_walls", "engraphy_flash", "engraphy_theme", "engraphy"):
            for value in COOKIES:
                jar = {"engraphy": own, name: value}
                told = "; ".join(f"{key}={held}" for key, held in jar.items())
                for path in ("/reminders", "/signin"):
                    answer = browser.client.get(path, headers={"Cookie": told})
                    assert answer.status_code in (200, 303), (name, value)


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/dreams/try", "/dreams"),
        ("/tokens/create", "/tokens"),
        ("/memories/x/edit", "/memories/x"),
        ("/theme", "/"),
    ],
)
def test_the_address_of_a_form_leads_to_the_page_above_it(
    served: Served, path: str, there: str
) -> None:
    """A browser that is to look at what a form was sent to, as after other walls were picked on the
    page that answered it, is sent on; a program is told that it may not be read."""
    html = {"Accept": "text/html,*/*;q=0.8"}
    with signed_in(served) as browser:
        moved = browser.client.get(path, headers=html)
        assert (moved.status_code, moved.headers["location"]) == (303, there)
        plain = browser.client.get(path, headers={"Accept": "application/json"})
        assert plain.status_code == 405
        assert plain.headers["allow"] == "POST"


def test_an_address_without_a_page_is_told_as_a_page(served: Served) -> None:
    """To a browser, with the way to the first page, and every sign of the address as text; to a
    program as an error of the API."""
    with signed_in(served) as browser:
        path = "/<b>nowhere"
        shown = browser.client.get(path, headers={"Accept": "text/html"})
        assert shown.status_code == 404
        assert Markup(shown.text).has("a", href="/")
        assert "<b>" not in shown.text
        told = browser.client.get("/nowhere", headers={"Accept": "application/json"})
        assert told.json()["error"]["code"] == "not_found"
        assert browser.client.get("/v1/recall", headers={"Accept": "text/html"}).status_code == 405


def test_what_was_written_is_not_lost_where_a_field_is_wrong(served: Served) -> None:
    """An edit that cannot be made shows the text again that was written, and leads back to the
    memory; so does any other form of its page."""
    row = served.memory.remember("Tea is at four").memory
    assert row is not None
    page = f"/memories/{row.id}"
    with signed_in(served) as browser:
        told = browser.post(f"{page}/edit", content="Tea is at five", importance="7")
        assert told.status_code == 400
        assert "Tea is at five" in told.text
        assert Markup(told.text).has("a", href=page)
        linked = browser.post(f"{page}/link", target="nobody")
        assert linked.status_code == 404
        assert Markup(linked.text).has("a", href=page)
        assert "allow_private" not in linked.text
