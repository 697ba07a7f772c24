"""How new a statement must be: the bands of similarity, dedup, provenance, each by its profile."""

import re
from pathlib import Path

import apsw
import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import DAY, Ticks, kept, texts

from engraphy import Memory
from engraphy.profile import load

BASE = (
    "the quarterly report covers revenue costs staff travel rent power water training cleaning "
    "insurance licences printing catering parking heating lighting repairs postage"
)
OTHER = [
    "walnut",
    "tulip",
    "gravel",
    "copper",
    "saddle",
    "velvet",
    "lantern",
    "barley",
    "cobalt",
    "ribbon",
    "pepper",
    "anchor",
]
SIMILARITY = re.compile(r"similarity (\d\.\d\d)")


def reworded(words: int) -> str:
    """The base with its last words replaced."""
    kept_words = BASE.split()
    return " ".join([*kept_words[: len(kept_words) - words], *OTHER[:words]])


@pytest.mark.long
@pytest.mark.spec("D-07")
def test_each_band_of_similarity_has_its_decision(opening: Opening) -> None:
    """Below .70 and from .70 to .75 (skipped there unless important), merged up to .92, above
    that reinforced: told with the similarity that decided."""
    seen: dict[str, list[float]] = {}
    for words in range(1, 13):
        memory = opening(f"b{words}", profile="cognitive")
        memory.observe(f"We decided that {BASE}.")
        (outcome,) = memory.observe(f"We decided that {reworded(words)}.")
        found = SIMILARITY.search(outcome.reason)
        if found:
            seen.setdefault(outcome.action, []).append(float(found[1]))
        else:
            assert outcome.action == "created"
    assert set(seen) <= {"created", "skipped", "updated", "reinforced"}
    assert {"updated", "reinforced", "skipped"} <= set(seen)
    assert all(0.745 <= x <= 0.925 for x in seen["updated"])
    assert all(x >= 0.915 for x in seen.get("reinforced", []))
    assert all(0.695 <= x <= 0.755 for x in seen.get("skipped", []))
    assert all(x <= 0.755 for x in seen.get("created", []))


@pytest.mark.spec("D-07")
def test_in_the_gap_importance_decides(opening: Opening) -> None:
    """Between .70 and .75 what is important enough is created."""
    memory = opening(profile="cognitive", overrides={"judge": {"gap_importance": 0.2}})
    memory.observe(f"We decided that {BASE}.")
    (outcome,) = memory.observe(f"We decided that {reworded(6)}.")
    assert outcome.action == "created"
    assert "similarity 0.7" in outcome.reason


@pytest.mark.spec("D-07")
def test_different_entities_are_never_merged(opening: Opening) -> None:
    """In the band of merging, two statements about different things stay two memories."""
    memory = opening(profile="cognitive")
    one = f"{BASE} of the office in Oslo near Postgres"
    memory.remember(one)
    outcome = memory.remember(f"{BASE} of the office in Rome near MySQL")
    assert outcome.action == "created"
    assert memory.stats().total == 2


@pytest.mark.spec("D-07")
def test_a_contradiction_wins_over_every_band(opening: Opening) -> None:
    """However alike two statements are, another value supersedes and never merges."""
    memory = opening(profile="cognitive")
    memory.remember("The staging server listens on port 3000 in the northern hall")
    outcome = memory.remember("The staging server listens on port 3001 in the northern hall")
    assert outcome.action == "superseded"


@pytest.mark.spec("D-09")
def test_a_merge_keeps_all_facts_and_the_version(opening: Opening) -> None:
    """Both texts stand in the merged memory, the old one is a version, the new one is found."""
    memory = opening(profile="cognitive")
    first = kept(memory.remember(BASE))
    outcome = memory.remember(reworded(4))
    row = kept(outcome)
    assert (outcome.action, row.id, row.version) == ("updated", first.id, 2)
    assert set(BASE.split()) | set(OTHER[:4]) <= set(row.content.split())
    assert [one.content for one in memory.history(row.id)] == [BASE]
    assert texts(memory.recall("walnut tulip")) == [row.content]


@pytest.mark.spec("D-09")
@pytest.mark.parametrize("how", ["pinned", "immutable", "strong"])
def test_a_strong_memory_is_elaborated_not_rewritten(opening: Opening, how: str) -> None:
    """A pinned, immutable or strongly held memory keeps its text; the new one links to it."""
    memory = opening(profile="cognitive", overrides={"reinforce": {"storage_gain": 1.0}})
    first = kept(memory.remember(BASE))
    if how == "pinned":
        memory.pin(first.id)
    elif how == "immutable":
        memory.protect(first.id)
    else:
        for _ in range(8):
            memory.remember(BASE)
        assert memory.get(first.id).storage_strength >= 8
    outcome = memory.remember(reworded(4))
    assert outcome.action == "created"
    assert memory.get(first.id).content == BASE
    (link,) = memory.links(first.id)
    assert (link.source_id, link.target_id, link.type) == (kept(outcome).id, first.id, "elaborates")


def test_default_never_merges_texts(memory: Memory) -> None:
    """In `default` near statements stand beside each other, linked."""
    first = kept(memory.remember(BASE))
    outcome = memory.remember(reworded(4))
    assert outcome.action == "created"
    assert [link.target_id for link in memory.links(kept(outcome).id)] == [first.id]


@pytest.mark.spec("A-05")
def test_dedup_is_by_the_hash_of_the_content(opening: Opening, clock: Ticks) -> None:
    """Same id back, its timestamp refreshed, no second row, and the journal says dedup_refresh."""
    memory = opening(profile="letsgo")
    first = kept(memory.remember(BASE))
    clock.pass_days(2)
    again = kept(memory.remember(BASE))
    assert again.id == first.id
    assert again.last_reinforced_at is not None
    assert again.last_reinforced_at >= first.recorded_at + 2 * DAY
    assert memory.stats().total == 1
    memory.close()
    with apsw.Connection(memory.path, apsw.SQLITE_OPEN_READONLY) as connection:
        ops = [row[0] for row in connection.execute("SELECT op FROM memory_journal ORDER BY seq")]
    assert ops == ["insert", "dedup_refresh"]


@pytest.mark.spec("A-05")
def test_what_is_said_again_lasts_as_long_as_it_would_anew(opening: Opening, clock: Ticks) -> None:
    """Said again a day before its ninety days are over, a memory lasts ninety days from then, and
    again after that, awake or long expired; the journal tells all of it."""
    memory = opening(profile="letsgo")
    first = kept(memory.remember(BASE))
    for _ in range(3):
        clock.pass_days(89)
        again = kept(memory.remember(BASE))
        assert again.id == first.id
        assert again.expires_at is not None
        assert again.expires_at == pytest.approx(clock.now + 90 * DAY, abs=DAY // 100)
    clock.pass_days(91)
    revived = kept(memory.remember(BASE))
    assert revived.id == first.id
    assert revived.expires_at == pytest.approx(clock.now + 90 * DAY, abs=DAY // 100)
    assert not memory.audit(rows=True).differing


@pytest.mark.spec("R-06")
def test_no_scope_learns_that_another_holds_a_text(memory: Memory) -> None:
    """A second user's first telling looks like a first telling."""
    memory.remember(BASE, user="ada")
    outcome = memory.remember(BASE, user="bob")
    assert (outcome.action, outcome.reason) == ("created", "new")
    assert "'ada'" not in repr(outcome)
    assert kept(outcome).channels.novelty == 1.0


@pytest.mark.spec("D-15")
def test_provenance_is_kept(opening: Opening) -> None:
    """How a memory was written and what it was made of stand on the row."""
    memory = opening(profile="cognitive")
    manual = kept(memory.remember("Kept by hand, with two words"))
    assert (manual.write_source, manual.data_source) == ("manual", "user_message")
    assert manual.source_confidence == 1.0
    (seen,) = memory.observe("I prefer Postgres over MySQL for the billing service in Oslo.")
    assert (kept(seen).write_source, kept(seen).data_source) == ("formation", "user_message")
    assert 0.0 < kept(seen).source_confidence < 1.0
    agent = "The billing service of Acme in Oslo runs Postgres 16 since 3 May 2026."
    (told,) = memory.observe([{"role": "assistant", "content": agent}])
    assert kept(told).data_source == "assistant_message"


@pytest.mark.spec("D-15")
def test_low_confidence_ranks_lower(opening: Opening) -> None:
    """Of two equal answers the one with a source confidence below .3 comes later."""
    memory = opening(profile="cognitive")
    for text, confidence in (("northern", 0.2), ("southern", 0.9)):
        memory.remember(
            f"The heron nests by the {text} lake", source_confidence=confidence, pinned=True
        )
    for name in ("meadow", "castle", "harbour"):
        memory.remember(f"Nothing but a {name}")
    hits = memory.recall("where does the heron nest by the lake?")
    assert texts(hits)[0] == "The heron nests by the southern lake"
    scores = {hit.memory.source_confidence: hit.score for hit in hits}
    assert scores.get(0.2, 0.0) < scores[0.9]


@pytest.mark.parametrize("profile", ["default", "letsgo", "layered", "titans", "cognitive"])
@pytest.mark.spec("R-12")
def test_no_model_is_needed(shared: Shared, user: str, profile: str) -> None:
    """Without a language model, a key or an embedder every profile writes, reads and rests."""
    memory = shared(profile)
    memory.observe("I always use dark roast coffee, never instant.", user=user)
    memory.remember("I live in Berlin", user=user)
    assert memory.recall("where do I live, in Berlin?", user=user)
    block = memory.context("Where do I live, in Berlin?", user=user)
    assert block.receipt.budget == load(profile).inject.budget
    assert block.tokens <= block.receipt.budget
    assert memory.dream(dry_run=True).steps
    assert memory.embedder_id == "none"


@pytest.mark.spec("B-07")
@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ("I prefer tabs over spaces", "preference", "tabs"),
        ("Always use black for formatting", "preference", "black"),
        ("Never commit to main directly", None, "ever commit to main"),
        ("You must run the tests before a merge", "policy", "run the tests"),
        ("Don't ever log passwords", "policy", "log passwords"),
    ],
)
def test_layered_captures_by_pattern(
    shared: Shared, user: str, said: str, kind: str | None, words: str
) -> None:
    """Preferences, prohibitions and constraints are captured with their polarity."""
    memory = shared("layered")
    outcomes = memory.observe([{"role": "user", "content": f"{said}."}], user=user)
    rows = [one.memory for one in outcomes if one.memory is not None]
    assert rows
    assert any(words in row.content for row in rows)
    if kind is not None:
        assert kind in {row.kind for row in rows}


@pytest.mark.spec("B-07")
@pytest.mark.parametrize(
    "said",
    [
        "It must have been raining all night.", "The sky is quite blue.",
        "The pump is not only fast but cheap.", "It's not just small, but also quick.",
    ],
)  # fmt: skip
def test_layered_captures_nothing_else(shared: Shared, user: str, said: str) -> None:
    """What states neither preference, correction nor constraint is skipped, and says so."""
    (outcome,) = shared("layered").observe([{"role": "user", "content": said}], user=user)
    assert outcome.action == "skipped"
    assert "pattern" in outcome.reason or outcome.reason


def test_the_file_holds_what_was_kept(memory: Memory) -> None:
    """The main table is `memories`, readable by any SQLite."""
    memory.remember("The heron nests by the lake")
    memory.close()
    with apsw.Connection(str(Path(memory.path)), apsw.SQLITE_OPEN_READONLY) as connection:
        rows = list(connection.execute("SELECT content, state FROM memories"))
    assert rows == [("The heron nests by the lake", "active")]


@pytest.mark.spec("C-02", "C-13")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Service aaa listens on port 3000", "Service bbb listens on port 3037"),
        ("This API uses JWT authentication", "This API uses port 3000"),
        ("The auth service has 4 workers", "The auth service has 12 replicas"),
    ],
)
def test_what_is_less_alike_is_not_less_new(opening: Opening, first: str, second: str) -> None:
    """A fact that differs in a name or a number is as new as the first of its kind, however little
    it is like what the same session holds."""
    memory = opening(profile="titans", embedder="none")
    for text in (first, second):
        (outcome,) = memory.observe(text, session="s")
        assert outcome.action == "created", outcome.reason


@pytest.mark.spec("C-02", "C-13")
@pytest.mark.parametrize("again", ["I prefer Python.", "i prefer python", "I really prefer Python"])
def test_what_was_said_is_not_new(opening: Opening, again: str) -> None:
    """A preference that is said again, in the same words or nearly, is discarded."""
    memory = opening(profile="titans", embedder="none")
    memory.observe("I prefer Python.", session="s")
    memory.observe("The frontend uses React", session="s")
    (outcome,) = memory.observe(again, session="s")
    assert outcome.action == "skipped"
