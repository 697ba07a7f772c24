"""Forgotten means gone: by id at once, by query only after a preview, and from every byte."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import everything_said, kept, texts
from tests.stores.letsgo_file import OLD, RICH, SAID, written

from engraphy import Memory
from engraphy.errors import (
    ConfirmationRequiredError,
    InvalidInputError,
    NotFoundError,
    ProtectedError,
)

WORD = "quetzalcoatlus"


def test_an_id_is_forgotten_at_once(memory: Memory) -> None:
    """By its id a memory goes; the receipt names it, and nobody finds it again."""
    row = kept(memory.remember(f"The {WORD} flies"))
    done = memory.forget(row.id)
    assert (done.ids, done.erased, done.confirm) == ((row.id,), 1, None)
    with pytest.raises(NotFoundError):
        memory.get(row.id)
    with pytest.raises(NotFoundError):
        memory.forget(row.id)
    assert memory.recall(WORD) == memory.list() == []
    assert memory.stats().total == 0


def test_a_query_only_previews(memory: Memory) -> None:
    """What matches is shown with a token; only the token erases, and exactly what was shown."""
    rows = [kept(memory.remember(f"The {WORD} number {n} flies over hill {n}")) for n in range(3)]
    memory.remember("Something else entirely about bread")
    preview = memory.forget(WORD)
    assert (preview.erased, set(preview.ids)) == (0, {row.id for row in rows})
    assert sorted(preview.previews) == sorted(row.content for row in rows)
    assert preview.confirm
    assert memory.stats().total == 4
    done = memory.forget(WORD, confirm=preview.confirm)
    assert (done.erased, set(done.ids)) == (3, set(preview.ids))
    assert texts(memory.list()) == ["Something else entirely about bread"]


def test_a_token_fits_only_what_it_was_given_for(memory: Memory) -> None:
    """When other memories match by now, nothing is erased and the new token is told."""
    memory.remember(f"The {WORD} flies")
    old = memory.forget(WORD).confirm
    memory.remember(f"Another {WORD} swims")
    with pytest.raises(ConfirmationRequiredError) as caught:
        memory.forget(WORD, confirm=old)
    assert memory.stats().total == 2
    assert caught.value.details["count"] == 2
    token, previews = (caught.value.details[name] for name in ("token", "previews"))
    assert sorted(previews) == [f"Another {WORD} swims", f"The {WORD} flies"]
    assert WORD not in str(caught.value)
    assert memory.forget(WORD, confirm=str(token)).erased == 2


@pytest.mark.parametrize("confirm", ["", "yes", "0" * 8, "true"])
def test_a_guess_is_no_token(memory: Memory, confirm: str) -> None:
    """Any other text erases nothing."""
    memory.remember(f"The {WORD} flies")
    with pytest.raises(ConfirmationRequiredError):
        memory.forget(WORD, confirm=confirm)
    assert memory.stats().total == 1


@pytest.mark.parametrize("confirm", [5, ["x"], b"x", 1.5])
def test_a_token_is_a_text(memory: Memory, confirm: Any) -> None:
    """Other types are a typed error."""
    memory.remember(f"The {WORD} flies")
    with pytest.raises((InvalidInputError, ConfirmationRequiredError)):
        memory.forget(WORD, confirm=confirm)
    assert memory.stats().total == 1


def test_nothing_matches_nothing_happens(memory: Memory) -> None:
    """A query without a match is a preview of nothing."""
    memory.remember("Bread is baked at dawn")
    for query in ("unicorns", "", "%", "*"):
        found = memory.forget(query, confirm=True)
        assert (found.ids, found.erased) == ((), 0)
    assert memory.stats().total == 1


@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize(
    ("query", "matching"),
    [
        ("staging", ("staging server listens", "staging server every", "deploy of staging")),
        ("the staging server", ("staging server listens", "staging server every")),
        ("port", ("staging server listens", "production server listens")),
        ("deploys", ("deploy of staging",)),
        ("what did I say about the production server?", ("production server listens",)),
        ("server room", ("server room",)),
        ("zebra", ()),
    ],
)
def test_only_what_a_query_names_is_previewed(
    opening: Opening, embedder: str, query: str, matching: Sequence[str]
) -> None:
    """What holds the most of its words; what is merely near to it or has one of them is neither
    shown nor bound to the token."""
    memory = opening(embedder=embedder)
    for one in (
        "The staging server listens on port 3000",
        "The production server listens on port 443",
        "We restart the staging server every Sunday",
        "The deploy of staging takes 4 minutes",
        "Ada's server room is cold",
        "We moved to Porto last year",
    ):
        memory.remember(one)
    found = memory.forget(query)
    assert len(found.previews) == len(matching)
    assert all(any(one in text for text in found.previews) for one in matching)
    assert (found.erased, bool(found.confirm)) == (0, bool(matching))
    assert memory.stats().total == 6


@pytest.mark.spec("D-16")
def test_protected_and_pinned(memory: Memory) -> None:
    """An immutable memory is not forgotten until that is lifted; one in a list saves them all;
    pinned is a flag of its own and only upkeep heeds it."""
    held = kept(memory.remember(f"The {WORD} is protected"))
    other = kept(memory.remember(f"The {WORD} is pinned", pinned=True))
    memory.protect(held.id)
    with pytest.raises(ProtectedError):
        memory.forget(held.id)
    with pytest.raises(ProtectedError):
        memory.forget(WORD, confirm=True)
    assert memory.stats().total == 2
    assert memory.forget(other.id).erased == 1
    assert memory.get(held.id).pinned is False
    memory.protect(held.id, immutable=False)
    assert memory.forget(held.id).erased == 1


def test_only_what_the_caller_sees_is_forgotten(memory: Memory) -> None:
    """A query never reaches over a wall, nor to a sensitivity that was not asked for."""
    memory.remember(f"The {WORD} of Ada", user="ada")
    memory.remember(f"The {WORD} of Bob", user="bob")
    memory.remember(f"The private {WORD} of Ada", user="ada", sensitivity="private")
    assert memory.forget(WORD, confirm=True, user="ada").erased == 1
    assert everything_said(memory, user="bob") == {f"The {WORD} of Bob"}
    assert everything_said(memory, user="ada") == {f"The private {WORD} of Ada"}


@pytest.mark.parametrize("embedder", ["none", "static"])
def test_forgotten_text_is_nowhere_in_the_files(
    opening: Opening, tmp_path: Path, embedder: str
) -> None:
    """After a forget no byte of the text is left: rows, words, versions, facts, journal, log."""
    memory = opening(embedder=embedder)
    row = kept(
        memory.remember(
            f"I live in {WORD.title()}ville", title=f"{WORD} title", tags=[f"{WORD}tag"],
            metadata={f"{WORD}key": f"{WORD}value"}, category=f"{WORD}cat", subtitle=f"{WORD}sub",
            entities=[f"{WORD}entity"], speaker="user", files_read=[f"{WORD}.py"], user="user",
        )
    )  # fmt: skip
    memory.update(row.id, f"I live in {WORD.title()}burg", user="user")
    memory.remember("I moved to Porto", user="user")
    other = kept(memory.remember("Bread is baked at dawn", user="user"))
    memory.link(row.id, other.id, user="user")
    memory.recall(f"who lives in {WORD}ville?", user="user", include=["superseded"])
    memory.context(f"who lives in {WORD}ville?", user="user")
    assert any(fact.object.startswith(WORD) for fact in memory.facts(current=False, user="user"))
    memory.forget(row.id, user="user")
    for file in tmp_path.iterdir():
        assert WORD.encode() not in file.read_bytes().lower(), file.name
    assert [f for f in memory.facts(current=False, user="user") if WORD in f.object] == []
    assert memory.links(other.id, user="user") == []
    assert all(check.ok for check in memory.doctor(deep=True))
    memory.close()
    for file in tmp_path.iterdir():
        assert WORD.encode() not in file.read_bytes().lower(), file.name


@pytest.mark.spec("A-12")
def test_a_given_fact_outlives_its_source(opening: Opening) -> None:
    """In `letsgo` deleting the source keeps the fact a caller stated, and clears the link."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Notes of the meeting on Monday"))
    memory.fact("release", "owner", "Ada", source_id=row.id)
    memory.forget(row.id)
    (fact,) = memory.facts()
    assert (fact.subject, fact.object, fact.source_id) == ("release", "Ada", None)


@pytest.mark.spec("A-12")
def test_a_fact_told_again_keeps_its_source(opening: Opening) -> None:
    """In `letsgo` the same triple updates its confidence, and only that, where no source is named;
    nobody is told a source that they may not see."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("Notes of the meeting on Monday"))
    memory.fact("release", "owner", "Ada", source_id=row.id, confidence=0.5)
    again = memory.fact("release", "owner", "Ada", confidence=0.9)
    assert (again.confidence, again.source_id) == (0.9, row.id)
    other = kept(memory.remember("Notes of another meeting"))
    assert memory.fact("release", "owner", "Ada", source_id=other.id).source_id == other.id
    hidden = kept(memory.remember("Notes that nobody reads", sensitivity="private"))
    memory.fact("vault", "place", "rack 12", source_id=hidden.id, allow_private=True)
    assert memory.facts("vault") == []
    assert memory.fact("vault", "place", "rack 12").source_id is None


@pytest.mark.parametrize("owner", [{}, {"user": "ada"}])
def test_a_given_fact_goes_with_its_only_source(
    opening: Opening, tmp_path: Path, owner: dict[str, str]
) -> None:
    """Nothing of it is left, in no file, whoever gave it and whether it still held; what the same
    source says to others goes too."""
    memory = opening()
    row = kept(memory.remember("Notes of the meeting on Monday"))
    memory.fact("release", "owner", "Quagmire", source_id=row.id, **owner)
    memory.fact("release", "state", "Quagmire", source_id=row.id, confidence=0.4, **owner)
    memory.forget(row.id)
    assert memory.facts(current=False, **owner) == []
    assert all(check.ok for check in memory.doctor(deep=True))
    memory.close()
    for file in tmp_path.iterdir():
        assert b"quagmire" not in file.read_bytes().lower(), file.name


def test_a_given_fact_that_rests_on_more_stays(memory: Memory) -> None:
    """Given again without a source, or for another memory: it stays, without the one that went."""
    first, second = (
        kept(memory.remember(f"Notes of the meeting on {day}")) for day in ("Monday", "Friday")
    )
    for source in (first.id, second.id):
        memory.fact("release", "owner", "Ada", source_id=source)
    memory.fact("release", "state", "ready")
    memory.fact("release", "state", "ready", source_id=second.id)
    memory.fact("release", "month", "May", source_id=second.id)
    memory.forget(second.id)
    held = {fact.predicate: fact.source_id for fact in memory.facts()}
    assert held == {"owner": first.id, "state": None}
    memory.forget(first.id)
    assert [fact.predicate for fact in memory.facts()] == ["state"]


def test_facts_of_an_upgraded_file_go_with_their_memories(tmp_path: Path) -> None:
    """Those of a LetsGo database too, unless its own profile is asked to keep them."""
    row = {"id": "a1", "content": "Notes of the meeting on Monday", **SAID}
    fact = {"id": "f1", "subject": "release", "predicate": "owner", "object": "Quagmire",
            "source_entry_id": "a1", **SAID}  # fmt: skip
    path = written(tmp_path / "memory.db", OLD, RICH, memories=[row], facts=[fact])
    with Memory(path, embedder="none") as memory:
        assert len(memory.facts()) == 1
        memory.forget("a1")
        assert memory.facts(current=False) == []
    (tmp_path / "memory.db.letsgo").unlink()
    for file in tmp_path.iterdir():
        assert b"quagmire" not in file.read_bytes().lower(), file.name


def test_what_was_read_out_of_a_text_goes_with_it(memory: Memory) -> None:
    """Facts of the memory's own making are erased; one that another memory states stays."""
    first = kept(memory.remember("I live in Berlin"))
    memory.remember("I work at Acme")
    second = kept(memory.remember("I am based in Berlin, close to the canal"))
    memory.forget(second.id)
    (city,) = memory.facts(predicate="city")
    assert city.source_id == first.id
    memory.forget(first.id)
    assert [fact.predicate for fact in memory.facts(current=False)] == ["employer"]


def test_a_superseded_memory_can_be_forgotten_alone(memory: Memory) -> None:
    """History goes when it is told to; what superseded it stays."""
    old = kept(memory.remember("I live in Berlin"))
    new = kept(memory.remember("I moved to Porto"))
    memory.forget(old.id)
    assert texts(memory.timeline()) == ["I moved to Porto"]
    assert [f.object for f in memory.facts(current=False)] == ["porto"]
    memory.forget(new.id)
    assert memory.facts(current=False) == []
    again = memory.remember("I live in Berlin")
    assert again.action == "created"


@pytest.mark.slow
@pytest.mark.spec("P-16")
def test_a_thousand_forgets_leave_nothing(opening: Opening, tmp_path: Path) -> None:
    """Of 1,000 random memories each second one is forgotten: 0 hits, 0 bytes of them are left."""
    memory = opening(embedder="static")
    marks = [f"zq{number:04d}x{(number * 7919) % 9973:04d}k" for number in range(1_000)]
    rows = [kept(memory.remember(f"Crate {mark} holds {mark} bolts")) for mark in marks]
    for number, row in enumerate(rows):
        if number % 7 == 0:
            memory.update(row.id, f"Crate {marks[number]} holds nothing now")
        if number % 2:
            memory.forget(row.id)
    memory.close()
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [mark for mark in marks[1::2] if mark.encode() in data] == []
    with opening() as again:
        for mark in marks[1::50]:
            assert mark not in repr(again.recall(mark, limit=20))
        assert again.stats().total == 500


class Counting:
    """An embedder that notes what it is asked."""

    dim = 2
    model_id = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text)), 1.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(len(text)), 1.0]

    def calibrate(self, cosine: float) -> float:
        return cosine


@pytest.mark.spec("P-16")
@pytest.mark.parametrize("way", ["forget", "forget_user"])
def test_no_vector_of_it_is_kept_for_later(opening: Opening, way: str) -> None:
    """What is forgotten is not in the cache of the embedder either: told anew it is asked anew."""
    embedder, text = Counting(), "The otter sleeps in the harbour"
    memory = opening(embedder=embedder)
    row = kept(memory.remember(text, user="ada"))
    kept(memory.remember(text, user="bob"))
    assert embedder.asked.count(text) == 1
    if way == "forget":
        memory.forget(row.id, user="ada")
    else:
        memory.forget_user("ada", confirm=True)
    kept(memory.remember(text, user="eve"))
    assert embedder.asked.count(text) == 2


@pytest.mark.spec("P-16")
def test_nothing_that_knew_it_tells_of_it(opening: Opening, tmp_path: Path) -> None:
    """Row, full text, vectors, links, facts, versions, what a conversation was given, copies that
    are written afterwards: none holds a word of it; the receipt names what was erased."""
    memory = opening(embedder="static")
    told = kept(memory.remember("Ada lives in Quetzalburg", user="ada"))
    other = kept(memory.remember("Ada keeps herons in the garden", user="ada"))
    memory.link(told.id, other.id, "related_to", user="ada")
    memory.update(told.id, "Ada lives in Quetzalstadt", user="ada")
    memory.context("Where does Ada live?", user="ada", conversation="c")
    assert memory.forget(told.id, user="ada").ids == (told.id,)
    memory.export(tmp_path / "after.jsonl", everything=True)
    memory.backup(tmp_path / "after.db")
    assert memory.links(other.id, user="ada") == []
    states = ("dormant", "archived", "superseded", "expired", "quarantined")
    shown = repr((
        memory.list(user="ada", include=states),
        memory.timeline(user="ada", include=states),
        memory.recall("Quetzalstadt", user="ada", include=states, touch=False),
        memory.recall("Where does Ada live?", user="ada", touch=False),
        memory.facts(user="ada", current=False),
        memory.receipts(user="ada"),
        memory.context("Where does Ada live?", user="ada", conversation="c"),
        memory.audit(limit=1_000),
    ))  # fmt: skip
    shown = shown.replace("query='Where does Ada live?'", "")
    assert "uetzal" not in shown
    memory.close()
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        assert b"uetzal" not in file.read_bytes(), file.name
