"""The timeline, how a subject changed, and the graph; what is over; the zone of times."""

import re

import pytest
from tests.dashboard.browser import Markup, signed_in
from tests.serving.server import Served

ADA = {"user": "ada"}


@pytest.mark.long
def test_the_timeline_goes_by_day_and_strikes_what_is_over(served: Served) -> None:
    """Newest day first; what was superseded stays in its place, struck through, with what took its
    place; filters narrow it, pages go on where the last ended."""
    memory = served.memory
    memory.remember("The gateway listens on port 8080", at="2026-01-05", **ADA)
    memory.remember("The gateway listens on port 9090 now", at="2026-02-05", **ADA)
    memory.remember("Bo likes rye bread", at="2026-02-05", tags=["food"], **ADA)
    with signed_in(served) as browser:
        browser.look_at(**ADA)
        shown = browser.get("/timeline").text
        assert shown.index("2026-02-05") < shown.index("2026-01-05")
        assert re.search(r"<s>[^<]*8080", shown)
        assert not re.search(r"<s>[^<]*9090", shown)
        assert "what replaced it" in shown
        narrowed = browser.get("/timeline", tag="food").text
        assert "rye bread" in narrowed
        assert "9090" not in narrowed
        assert "rye bread" not in browser.get("/timeline", until="2026-02-01").text
        for number in range(70):
            memory.remember(f"Line {number} of a long list", at="2026-03-01", **ADA)
        first = browser.get("/timeline").text
        following = re.search(r'rel="next" href="([^"]+)"', first)
        assert following is not None
        second = browser.get(following[1].replace("&amp;", "&")).text
        assert "rye bread" in second
        assert "rye bread" not in first


@pytest.mark.parametrize("path", ["/timeline", "/memories"])
def test_what_was_chosen_stays_chosen(served: Served, path: str) -> None:
    """A filter that narrows a list stands in its form again, and the next click sends it along."""
    with signed_in(served) as browser:
        shown = browser.get(path, kind="decision", tag="food").text
    assert '<option value="decision" selected>' in shown
    assert 'name="tag" type="text" value="food"' in shown


def test_a_subject_and_its_changes(served: Served) -> None:
    """Each text of a subject with a bar for when it was true, and the same as a table."""
    memory = served.memory
    memory.remember("The gateway listens on port 8080", at="2026-01-05", **ADA)
    memory.remember("The gateway listens on port 9090 now", at="2026-02-05", **ADA)
    with signed_in(served) as browser:
        browser.look_at(**ADA)
        page = Markup(browser.get("/timeline", about="gateway port").text)
        bars = [held for tag, held in page.tags if tag == "svg" and held.get("role") == "img"]
        assert [one["aria-label"] for one in bars] == [
            "true from 2026-01-05 until 2026-02-05",
            "true from 2026-02-05 on",
        ]
        assert page.has("caption")
        assert "Nothing is known" in browser.get("/timeline", about="unicorns").text


@pytest.mark.spec("D-73")
def test_the_graph_is_a_picture_with_links_and_tables(served: Served) -> None:
    """Every node is a link with a name, its place is the same each time, and what the picture tells
    stands in tables; an entity has a page of its own."""
    memory = served.memory
    named = ["entity://person/bo-ek", "entity://tech/rust"]
    first = memory.remember("Bo writes Rust", entities=named, **ADA).memory
    second = memory.remember("Bo taught Rust to Cy", entities=named, **ADA).memory
    assert first is not None
    assert second is not None
    memory.link(first.id, second.id, "causes", **ADA)
    with signed_in(served) as browser:
        browser.look_at(**ADA)
        page = browser.get("/graph").text
        marks = Markup(page)
        dots = [held for tag, held in marks.tags if tag == "a" and "dot" in str(held.get("class"))]
        assert {one["href"] for one in dots} >= {f"/memories/{first.id}", f"/memories/{second.id}"}
        assert all(one["aria-label"] for one in dots)
        assert "causes" in marks.words
        picture = re.compile(r"<svg class=\"net\".*?</svg>", re.DOTALL)
        assert picture.findall(page) == picture.findall(browser.get("/graph").text)
        told = browser.get("/graph", entity="entity://tech/rust").text
        assert "Bo taught Rust to Cy" in told
        assert "Nothing names it" in browser.get("/graph", entity="entity://tech/cobol").text


def test_times_are_told_in_the_zone_of_the_browser(served: Served) -> None:
    """In UTC where a browser tells no zone or none that there is; else days, times and what is
    filled in are of its zone, with its name; the exact moment stays in the element."""
    memory = served.memory
    memory.remember("Bo likes rye bread", at="2026-02-05T22:30:00Z", **ADA)
    with signed_in(served) as browser:
        browser.look_at(**ADA)
        for name in ("", "Nowhere/Else", "../../etc/passwd"):
            browser.client.cookies.set("engraphy_zone", name)
            shown = browser.get("/timeline").text
            assert ">2026-02-05 22:30</time>" in shown
            assert "<dt>Time zone</dt><dd>UTC</dd>" in shown
        browser.client.cookies.set("engraphy_zone", "Europe/Istanbul")
        shown = browser.get("/timeline", since="2026-02-06").text
        assert (
            '<time datetime="2026-02-05T22:30:00Z"'
            ' title="2026-02-06 01:30:00 +0300 Europe/Istanbul">2026-02-06 01:30</time>'
        ) in shown
        assert '<section class="day" aria-label="2026-02-06">' in shown
        assert "<dt>Time zone</dt><dd>Europe/Istanbul</dd>" in shown
        assert "rye bread" not in browser.get("/timeline", until="2026-02-06").text
        asked = {"q": "rye bread", "as_of": "2026-02-06T01:00"}
        assert "data-item" not in browser.get("/search", **asked).text
        browser.client.cookies.set("engraphy_zone", "")
        assert "data-item" in browser.get("/search", **asked).text


@pytest.mark.spec("A-07")
def test_what_has_expired_can_be_looked_at_and_is_marked(served: Served) -> None:
    """A filter of the list shows what outlived its time, before maintenance and after it; its page
    says that it is over and offers no change; looking is no access."""
    memory = served.memory
    row = memory.remember("The guest code is 4711", ttl_days=0.00000001, **ADA).memory
    memory.remember("Bo likes rye bread", **ADA)
    assert row is not None
    with signed_in(served) as browser:
        browser.look_at(**ADA)
        for _ in range(2):
            before = memory.latest()
            assert "4711" not in browser.get("/memories").text
            listed = browser.get("/memories", state="expired").text
            assert "4711" in listed
            assert "rye bread" not in listed
            assert '<span class="badge state expired">expired</span>' in listed
            page = Markup(browser.get(f"/memories/{row.id}").text)
            assert "It has expired" in page.words
            assert "The guest code is 4711" in page.words
            assert not page.has("form", action=f"/memories/{row.id}/edit")
            assert memory.latest() == before
            memory.dream()
    with signed_in(served, role="read", user="bo") as other:
        assert other.get(f"/memories/{row.id}").status_code == 404
