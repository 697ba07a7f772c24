"""The search page: the same answer an agent gets, its scores taken apart, and why not."""

import re

import pytest
from tests.dashboard.browser import Markup, signed_in
from tests.serving.server import Served

from engraphy.dashboard.dissecting import dissected

TEXTS = ("The gateway listens on port 8443", "Tea is at four", "The gateway is in Lisbon")


@pytest.fixture
def told(served: Served) -> Served:
    """A server that was told a few things."""
    for text in TEXTS:
        served.memory.remember(text)
    return served


def test_the_answer_is_the_one_an_agent_gets(told: Served) -> None:
    """The hits, their order and their scores are those of `recall`."""
    hits = told.memory.recall("which port has the gateway", touch=False)
    with signed_in(told) as browser:
        found = browser.get("/search", q="which port has the gateway").text
        ids = re.findall(r'<p class="words"><a href="/memories/(\w+)"', found)
        assert ids == [hit.memory.id for hit in hits]
        scores = re.findall(r'<p class="big-score"[^>]*>([\d.]+)<', found)
        assert scores == [f"{hit.score:.3f}" for hit in hits]
        assert "weights" in found.casefold()


def test_a_score_is_the_sum_of_its_parts(told: Served) -> None:
    """Signals times weights, with what is added, divided by what is attainable and times every
    factor, make the score that is shown; no piece of the bar leaves it."""
    for hit in told.memory.recall("which port has the gateway", touch=False):
        parts = dissected(hit, told.memory.profile)
        total = sum(part.value * part.weight for part in parts.parts)
        total += sum(value for _, value in parts.added)
        total /= parts.attainable
        for name, factor in parts.factors:
            total = total / factor if name.startswith("÷") else total * factor
        assert total == pytest.approx(hit.score, abs=0.002)
        assert parts.relevance
        assert sum(piece.width for piece in parts.pieces) <= 100.1


def test_why_not_names_the_stage(told: Served) -> None:
    """A memory that was expected is named with the stage that dropped it: its state, its walls, or
    that nothing of the question is in it."""
    tea, gone, away = (
        told.memory.remember(text, **scope).memory
        for text, scope in (
            ("The kettle is red", {}),
            ("The gateway is old", {"at": "2019-01-01"}),
            ("The gateway of Ada is blue", {"user": "ada"}),
        )
    )
    assert tea is not None
    assert gone is not None
    assert away is not None
    told.memory.update(gone.id, valid_until="2020-01-01")
    with signed_in(told) as browser:
        for known, stage in ((tea.id, "search"), (away.id, "scope"), (gone.id, "validity")):
            found = browser.get("/search", q="where is the gateway", missing=known).text
            assert f"It fell out at: {stage}" in found, stage


def test_why_not_shows_what_was_sought_and_what_took_its_place(told: Served) -> None:
    """The memory that is missed stands there with its words, what is said of another one leads to
    it, and the stages before the one where it fell out are shown as passed."""
    for text in ("The kettle stands on port 8080.", "The kettle now stands on port 9090."):
        told.memory.observe([text])
    rows = told.memory.list(include=["superseded"])
    old, new = (
        next(row for row in rows if row.content.endswith(end)) for end in ("8080.", "9090.")
    )
    with signed_in(told) as browser:
        found = browser.get("/search", q="which port has the kettle", missing=old.id).text
    verdict = found[found.index('aria-label="Why not"') :].partition("</section>")[0]
    assert "The kettle stands on port 8080." in verdict
    assert f'href="/memories/{new.id}"' in verdict
    assert re.findall(r'class="through">(\w+)<', verdict) == ["gate", "scope"]


def test_a_prompt_shows_its_block(told: Served) -> None:
    """For a prompt the block stands there letter by letter, with its tokens and what was left out,
    and no receipt is kept."""
    with signed_in(told) as browser:
        found = Markup(browser.get("/search", q="Which port has the gateway?", way="context").text)
        block = told.memory.context("Which port has the gateway?", touch=False)
        assert block.text
        assert block.text in found.words
        assert f"{block.tokens} of {block.receipt.budget:,} tokens" in found.words
        assert told.memory.receipts() == []


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"q": "tea", "as_of": "yesterday-ish"}, 400),
        ({"q": "tea", "as_of": "2030-01-01T10:00"}, 200),
        ({"q": "tea", "limit": "-3", "budget": "lots", "way": "other"}, 200),
        ({"q": "x" * 9_000, "missing": "\x00"}, 200),
    ],
)
def test_odd_questions_are_answered(told: Served, params: dict[str, str], status: int) -> None:
    """What is wrong is said on the page; what is odd is answered."""
    with signed_in(told) as browser:
        assert browser.get("/search", **params).status_code == status


def test_a_moment_shows_what_held_then(told: Served) -> None:
    """`As it held at` finds what has been superseded since."""
    told.memory.remember("My editor is Vim", at="2024-01-01")
    told.memory.remember("My editor is Helix now, no longer Vim", at="2025-01-01")
    with signed_in(told) as browser:
        found = browser.get("/search", q="my editor", as_of="2024-06-01T00:00").text
        assert "My editor is Vim" in found
