"""The management tools of document 003 (C-08), and how it ranks (C-05)."""

import math
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, texts

from engraphy import Memory
from engraphy.errors import ConfirmationRequiredError, InvalidInputError
from engraphy.formulas import bm25_match
from engraphy.operations.toolset import toolset
from engraphy.text.moments import iso

__all__ = ["clock", "opening"]


@pytest.fixture
def titans(opening: Opening) -> Memory:
    """A memory in profile `titans`."""
    return opening(profile="titans")


def run(memory: Memory, tool: str, **values: Any) -> Any:
    """The answer of a tool by the document's names."""
    return toolset("titans").run(memory, tool, values)


@pytest.mark.spec("C-08")
def test_the_documents_four_tools_are_there() -> None:
    """memory_search, memory_add, memory_forget and memory_stats; none is missing."""
    tools = toolset("titans")
    names = [one.name for one in tools.tools]
    assert names == ["memory_search", "memory_add", "memory_forget", "memory_stats"]
    assert tools.missing == ()


@pytest.mark.spec("C-08")
def test_memory_search_finds_with_types(titans: Memory) -> None:
    """The document's example: three memories for a word, each with its type; five at most where
    nobody says how many."""
    for kind, text in (
        ("preference", "I prefer JWT authentication over sessions"),
        ("fact", "auth.js handles user authentication"),
        ("entity", "File: utils/jwt.js creates authentication tokens"),
    ):
        run(titans, "memory_add", content=text, memory_type=kind)
    run(titans, "memory_add", content="The office is in Bern")
    found = run(titans, "memory_search", query="authentication")
    assert {one["memory_type"] for one in found} == {"preference", "fact", "entity"}
    for number in range(9):
        run(titans, "memory_add", content=f"The office {number} has a door")
    assert len(run(titans, "memory_search", query="office")) == 5
    assert len(run(titans, "memory_search", query="office", limit=7)) == 7


@pytest.mark.spec("C-08")
def test_memory_add_counts_fully(titans: Memory) -> None:
    """A fact unless said otherwise, always of importance 1.0; global without a session."""
    told = run(titans, "memory_add", content="We are using PostgreSQL for this project")["memory"]
    assert (told["memory_type"], told["importance"]) == ("fact", 1.0)
    assert told["scope"]["session_id"] is None
    own = run(titans, "memory_add", content="I prefer tabs", memory_type="preference", session="s1")
    assert (own["memory"]["memory_type"], own["memory"]["importance"]) == ("preference", 1.0)
    assert own["memory"]["scope"]["session_id"] == "s1"
    with pytest.raises(InvalidInputError, match="memory_type is 'opinion'"):
        run(titans, "memory_add", content="x", memory_type="opinion")
    assert len(titans.list(session="s1")) == 2


@pytest.mark.spec("C-08")
def test_memory_forget_shows_what_it_would_delete(titans: Memory) -> None:
    """The first call deletes nothing and shows each; the second deletes exactly these."""
    for text in ("We use MongoDB for users", "MongoDB runs on port 27017", "The office is in Bern"):
        run(titans, "memory_add", content=text)
    shown = run(titans, "memory_forget", query="MongoDB")
    assert (shown["erased"], len(shown["ids"]), len(shown["previews"])) == (0, 2, 2)
    assert all("MongoDB" in one for one in shown["previews"])
    assert len(titans.list()) == 3
    done = run(titans, "memory_forget", query="MongoDB", confirm=shown["confirm"])
    assert done["erased"] == 2
    assert texts(titans.list()) == ["The office is in Bern"]


@pytest.mark.spec("C-08")
@pytest.mark.parametrize("query", ["", "   ", "*", "%", "a OR 1=1", "everything", "memories"])
def test_memory_forget_never_forgets_everything(titans: Memory, query: str) -> None:
    """Words that match nothing, or any text, name no memory; nothing goes without a token."""
    for text in ("We use MongoDB for users", "I prefer Python", "The office is in Bern"):
        run(titans, "memory_add", content=text)
    try:
        shown = run(titans, "memory_forget", query=query)
    except InvalidInputError:
        shown = {"ids": [], "erased": 0}
    assert (shown["ids"], shown["erased"]) == ([], 0)
    assert len(titans.list()) == 3


@pytest.mark.spec("C-08")
def test_memory_forget_takes_no_other_token(titans: Memory) -> None:
    """A token is for what was shown: not for other words, not for more, not for a guess."""
    run(titans, "memory_add", content="We use MongoDB for users")
    run(titans, "memory_add", content="The office is in Bern")
    shown = run(titans, "memory_forget", query="MongoDB")
    for query, token in (("office", shown["confirm"]), ("MongoDB", "yes"), ("MongoDB", "true")):
        with pytest.raises(ConfirmationRequiredError):
            run(titans, "memory_forget", query=query, confirm=token)
    run(titans, "memory_add", content="MongoDB runs on port 27017")
    with pytest.raises(ConfirmationRequiredError):
        run(titans, "memory_forget", query="MongoDB", confirm=shown["confirm"])
    assert len(titans.list()) == 3


@pytest.mark.spec("C-08")
def test_memory_stats_tells_the_documents_figures(titans: Memory, clock: Ticks) -> None:
    """Total, session, global, average importance, and the moment of the oldest."""
    run(titans, "memory_add", content="We use MongoDB for users")
    oldest = titans.list()[0].recorded_at
    clock.pass_days(23)
    titans.remember("I prefer Python", importance=0.4, session="s1")
    titans.remember("The office is in Bern", importance=0.1, session="s2")
    told = run(titans, "memory_stats", session="s1")
    assert (told["total"], told["session"], told["global"]) == (2, 1, 1)
    assert told["average_importance"] == pytest.approx(0.7)
    assert told["oldest"] == iso(oldest)
    everywhere = run(titans, "memory_stats")
    assert (everywhere["total"], everywhere["session"], everywhere["global"]) == (1, 0, 1)
    assert everywhere["average_importance"] == pytest.approx(1.0)


@pytest.mark.spec("C-05")
@pytest.mark.parametrize("days", [0, 10, 30, 75])
def test_the_score_is_recency_importance_and_match(titans: Memory, clock: Ticks, days: int) -> None:
    """0.30 exp(-days since access / 30) + 0.40 importance (which halves in 30 days, C-09) + 0.30
    match by BM25, over what could be reached."""
    titans.remember("This API uses PostgreSQL", importance=0.8)
    titans.recall("PostgreSQL")
    clock.pass_days(days)
    [hit] = titans.recall("Which database is PostgreSQL?", touch=False)
    assert hit.why["recency"] == pytest.approx(0.30 * math.exp(-days / 30), abs=2e-4)
    assert hit.why["importance"] == pytest.approx(0.40 * 0.8 * 0.5 ** (days / 30), abs=2e-4)
    assert 0.0 < hit.why["match"] < 0.30
    parts = [hit.why[name] for name in ("recency", "importance", "match")]
    assert hit.score == pytest.approx(sum(parts), abs=2e-4)


@pytest.mark.spec("C-05")
def test_a_better_match_counts_more(titans: Memory) -> None:
    """Of two memories alike in everything else the one that matches better comes first; more rare
    words, more match, as the formula of BM25 has it."""
    titans.remember("The parser reads tokens", importance=0.5)
    titans.remember("The parser has a name", importance=0.5)
    first, second = titans.recall("parser tokens", touch=False)
    assert first.memory.content == "The parser reads tokens"
    assert first.why["match"] > second.why["match"] > 0.0
    assert first.why["match"] <= 0.30 * bm25_match(bm25=-1_000_000.0)


@pytest.mark.spec("C-05")
def test_a_hit_matches_the_query(titans: Memory) -> None:
    """Fresh and important is not enough, for recall as for injection."""
    titans.remember("This app uses PostgreSQL database", importance=1.0)
    assert titans.recall("kernel module of the graphics driver") == []
    assert titans.context("Compile the kernel module of the graphics driver").hits == ()
