"""What an operator sees and does: dreams, the journal, tokens, settings, costs."""

import re

import pytest
from tests.dashboard.browser import Markup, signed_in
from tests.engine.making import bring
from tests.serving.server import Served

OPERATORS = ("/dreams", "/journal", "/tokens", "/costs", "/settings/doctor")


@pytest.mark.parametrize("path", OPERATORS)
def test_operators_only(served: Served, path: str) -> None:
    """Who does not look after the tenant is told so on a page with the menu, as they are signed in,
    and finds no way there in it."""
    with signed_in(served, role="write") as browser:
        answer = browser.get(path)
        assert answer.status_code == 403
        assert "Not allowed" in answer.text
        assert 'href="/timeline"' in answer.text
        assert 'href="/signin"' not in answer.text
        assert f'href="{path}"' not in browser.get("/timeline").text


@pytest.mark.parametrize(
    ("path", "heads"),
    [("/journal", {"Line", "When", "Who", "Why"}), ("/tokens", {"Role", "Sees", "Last used"})],
)
def test_a_cell_says_what_it_is_where_its_column_has_no_room(
    served: Served, path: str, heads: set[str]
) -> None:
    """Each cell of a wide table has the head of its column, which a phone shows beside it; a row is
    a card there, and nothing scrolls sideways."""
    served.memory.remember("Tea is at <td>four")
    with signed_in(served) as browser:
        told = Markup(browser.get(path, wait="1").text)
    cells = [held for tag, held in told.tags if tag == "td"]
    assert heads <= {one["data-head"] for one in cells if "data-head" in one}
    assert told.has("div", **{"class": "table cards"})


@pytest.mark.long
@pytest.mark.spec("D-73")
def test_a_dream_is_tried_dreamt_and_undone(served: Served) -> None:
    """On a copy it changes nothing; the real one shows before and after, and stands in the list;
    to look at either again, as on the way back, does nothing; undoing it asks first."""
    memory = served.memory
    memory.remember("Only until tomorrow", ttl_days=0.000001)
    with signed_in(served) as browser:
        tried = browser.post("/dreams/try").headers["location"]
        assert all("nothing was changed" in browser.get(tried).text for _ in range(2))
        assert memory.dreams() == []
        dreamt = browser.post("/dreams/run").headers["location"]
        assert all("→" in Markup(browser.get(dreamt).text).words for _ in range(2))
        [cycle] = memory.dreams()
        assert dreamt.endswith(cycle.run)
        assert cycle.changed > 0
        listed = browser.get("/dreams").text
        assert f"/dreams/one?run={cycle.run}" in listed
        told = browser.get("/dreams/one", run=cycle.run).text
        assert "expire" in told
        # What has expired is told by the end of its id: its page shows it no more.
        [gone] = {one.id for step in cycle.steps for one in step.examples}
        assert f'href="/memories/{gone}"' in told
        assert "It has expired" in browser.get(f"/memories/{gone}").text
        before = memory.latest()
        assert "Undo this cycle?" in browser.post("/dreams/undo", run=cycle.run).text
        assert memory.latest() == before
        assert browser.post("/dreams/undo", run=cycle.run, sure="1").status_code == 303
        assert memory.latest() > before
        assert browser.get("/dreams/one", run="nobody").status_code == 400
        assert browser.get("/dreams/one", tried="nobody").headers["location"] == "/dreams"


@pytest.mark.long
def test_the_journal_is_filtered_paged_and_undone(served: Served) -> None:
    """Who, what and of which memory; the next page begins where the last ended; a line is undone
    after a question; a moment is named."""
    memory = served.memory
    row = memory.remember("Tea is at four").memory
    assert row is not None
    memory.pin(row.id)
    bring(memory, (f"Cup number {number} is blue" for number in range(70)))
    with signed_in(served) as browser:
        first = browser.get("/journal", wait="1").text
        assert "stands as it was written" in first
        following = re.search(r'rel="next" href="([^"]+)"', first)
        assert following is not None
        second = browser.get(f"{following[1]}&wait=1").text
        lines = [re.findall(r'change=(\d+)"', text) for text in (first, second)]
        assert lines[0]
        assert lines[1]
        assert not set(lines[0]) & set(lines[1])
        own = browser.get("/journal", target=row.id, wait="1").text
        assert "pin" in own
        [line] = [one.line for one in memory.audit(target=row.id).entries if one.reason == "pin"]
        assert "change back 1" in browser.get("/journal/undo", change=line).text
        assert memory.get(row.id, touch=False).pinned
        browser.post("/journal/undo", change=line)
        assert not memory.get(row.id, touch=False).pinned
        browser.post("/journal/snapshot", name="<i>before</i>")
        assert "&lt;i&gt;before&lt;/i&gt;" in browser.get("/journal", wait="1").text
        assert browser.get("/journal/undo", change="x").status_code == 400


def test_a_token_is_shown_once(served: Served) -> None:
    """Only the answer that makes it shows it; it is listed by its name, bound as was said, and over
    once it is revoked."""
    with signed_in(served) as browser:
        asked = {"name": "<b>lap</b>", "role": "read", "origin": "agent", "clearance": "private"}
        made = browser.post("/tokens/create", user="ada", days="2", **asked).text
        found = re.search(r"egr_\w+", made)
        assert found is not None
        assert made.count("<b>lap</b>") == 0
        assert found[0] not in browser.get("/tokens").text
        grant = served.memory.identify(found[0])
        assert (grant.role, grant.origin, grant.user) == ("read", "agent", "ada")
        assert grant.expires_at is not None
        assert browser.post("/tokens/create", days="soon", **asked).status_code == 400
        browser.post("/tokens/revoke", id=grant.id)
        assert "revoked" in browser.get("/tokens").text
        [line] = [one for one in served.memory.audit(op="revoke").entries if one.target == grant.id]
        assert line.actor.startswith("token:")


def test_the_journal_tells_who_by_name(served: Served) -> None:
    """A line that was written with a token, or by a browser that it was shown in, is told with the
    token's name, and what else it did is a link away."""
    made = served.memory.grant("support bot", role="write")
    served.memory.acting(served.memory.identify(made.token)).remember("Tea is at four")
    with signed_in(served) as browser:
        told = browser.get("/journal", wait="1").text
    assert "support bot" in Markup(told).words
    assert f'href="/journal?actor=token%3A{made.grant.id}"' in told


def test_browsers_do_not_hide_the_tokens_that_were_made(served: Served) -> None:
    """What somebody made stands first; the sessions of browsers come after it, each with the name
    of the token that was shown in it, as every sign-in makes one more."""
    served.memory.grant("laptop", role="read")
    with signed_in(served) as browser:
        told = Markup(browser.get("/tokens").text).words
    assert "browser session" not in told
    names = [told.index(name) for name in ("laptop", "browser a test's", "this browser")]
    assert names == sorted(names)


def test_settings_are_read(served: Served) -> None:
    """What the memory was opened with, the knobs in which two profiles differ, and every knob; who
    may only read learns no path of the server's."""
    with signed_in(served) as browser:
        shown = browser.get("/settings").text
        assert "No knob differs" in shown
        assert str(served.path) in shown
        compared = browser.get("/settings", one="letsgo", other="titans").text
        assert "letsgo" in compared
        assert "No knob differs" not in compared
        assert "budget" in browser.get("/settings/knobs").text
        assert "integrity" in browser.get("/settings/doctor").text
    with signed_in(served, role="read") as reader:
        assert str(served.path) not in reader.get("/settings").text


@pytest.mark.spec("D-73")
def test_costs(served: Served) -> None:
    """Tokens that were injected by day and by layer, which make up the sum; from when on they are
    counted, where receipts are not kept as long; without a model nothing was asked."""
    served.memory.remember("The kettle needs 4 minutes")
    receipt = served.memory.context("how long does the kettle need").receipt
    with signed_in(served) as browser:
        words = Markup(browser.get("/costs").text).words
        assert f"{receipt.tokens:,}" in words
        assert "No language model was asked" in words
        around = receipt.tokens - sum(line.tokens for line in receipt.lines)
        assert re.search(rf"around them\s+{around}\b", words)
        assert "is not counted" not in browser.get("/costs", days="7").text
        assert "for 30 days: what was injected before" in browser.get("/costs", days="90").text


@pytest.mark.long
def test_every_line_of_the_journal_leads_somewhere(served: Served) -> None:
    """A line of a fact, or of what was forgotten, leads to what the journal tells of it: there is
    no memory to be shown. What an undo would do is told with the words of the memories."""
    memory = served.memory
    memory.fact("kettle", "stands on", "the stove")
    kept = memory.remember("Tea is at four").memory
    gone = memory.remember("Milk comes first").memory
    assert kept is not None
    assert gone is not None
    memory.delete(gone.id)
    with signed_in(served) as browser:
        told = Markup(browser.get("/journal", wait="1").text)
        links = {held["href"] or "" for tag, held in told.tags if tag == "a" and "href" in held}
        ours = {one for one in links if one.startswith(("/memories/", "/journal?target="))}
        assert f"/journal?target={gone.id}" in ours
        assert len([one for one in ours if one.startswith("/journal?target=")]) >= 2
        assert {browser.get(one).status_code for one in ours} == {200}
        [line] = [one.line for one in memory.audit(target=kept.id).entries if one.op == "insert"]
        asked = Markup(browser.get("/journal/undo", change=line).text).words
        assert "take out 1 memory" in asked
        assert "Tea is at four" in asked
        assert " 0" not in asked[asked.index("It would") : asked.index("An undoing")]
