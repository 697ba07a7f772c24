"""Notebooks: texts at paths, to the byte, with all their versions."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from engraphy import Memory
from engraphy.errors import (
    ContentTooLongError,
    EngraphyError,
    InvalidInputError,
    NotFoundError,
    PathTakenError,
    ProtectedError,
    StaleDocumentError,
)

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db", embedder="none") as one:
        yield one


def test_a_page_is_found_where_it_stands_and_by_recall(memory: Memory) -> None:
    """A page is kept to the byte, found by its id, and by recall as what it is now."""
    book = memory.create_notebook("Notes", user="ada")
    page = memory.create_page(book.id, "/trips/oslo.md", "The hotel is the Grand.", user="ada")
    memory.update_page(book.id, page.id, content="The hotel is the Plaza.", user="ada")
    assert memory.page(book.id, page.id, user="ada").text == "The hotel is the Plaza."
    [hit] = memory.recall("hotel", user="ada")
    assert "Plaza" in hit.memory.content
    assert memory.recall("hotel", user="bob") == []
    [earlier] = memory.recall("Grand", include=["superseded"], user="ada", limit=1)
    assert "Grand" in earlier.memory.content
    with pytest.raises(NotFoundError):
        memory.page(book.id, page.id, user="bob")


def test_an_export_brings_them_whole(memory: Memory, tmp_path: Path) -> None:
    """Notebooks, pages and versions that were exported stand in another store as they were: their
    ids, under which they are found, are no keys that open anything."""
    book = memory.create_notebook("Notes")
    page = memory.create_page(book.id, "/trips/oslo.md", "The hotel is the Grand.")
    memory.update_page(book.id, page.id, content="The hotel is the Plaza.")
    memory.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db", embedder="none") as other:
        other.import_(tmp_path / "all.jsonl", trusted=True)
        assert other.notebooks() == memory.notebooks()
        assert other.pages(book.id) == memory.pages(book.id)
        assert other.page_versions(book.id) == memory.page_versions(book.id)


def test_a_precondition_is_of_what_stands(memory: Memory) -> None:
    """Who expects another text is refused, unless what is wanted stands already."""
    book = memory.create_notebook("Notes")
    page = memory.create_page(book.id, "/a", "one")
    with pytest.raises(StaleDocumentError):
        memory.update_page(book.id, page.id, content="two", expected=digest("other"))
    same = memory.update_page(book.id, page.id, content="one", expected=digest("other"))
    assert same == page
    assert memory.update_page(book.id, page.id, content="two", expected=digest("one")).text == "two"
    with pytest.raises(StaleDocumentError):
        memory.delete_page(book.id, page.id, expected=digest("one"))
    with pytest.raises(InvalidInputError):
        memory.delete_page(book.id, page.id, expected="short")
    assert len(memory.page_versions(book.id)) == 2


def test_a_page_is_no_folder(memory: Memory) -> None:
    """Nothing stands at a path twice, or above or below a page."""
    book = memory.create_notebook("Notes")
    page = memory.create_page(book.id, "/a/b", "x")
    other = memory.create_page(book.id, "/c", "y")
    for path in ("/a/b", "/a", "/a/b/c"):
        with pytest.raises(PathTakenError) as told:
            memory.create_page(book.id, path, "z")
        assert told.value.details["id"] == page.id
        with pytest.raises(PathTakenError):
            memory.update_page(book.id, other.id, path=path)
    assert memory.update_page(book.id, page.id, path="/a/b/c").path == "/a/b/c"
    assert memory.create_page(book.id, "/a/d", "z")
    assert [one.path for one in memory.pages(book.id, prefix="/a/")] == ["/a/b/c", "/a/d"]


def test_a_redacted_version_is_forgotten(memory: Memory, tmp_path: Path) -> None:
    """A redacted version leaves no byte of its text or path; that it was stays (P-16)."""
    book = memory.create_notebook("Notes")
    page = memory.create_page(book.id, "/zanzibar", "a quokka in the quagmire")
    first = page.version
    with pytest.raises(ProtectedError):
        memory.redact_page_version(book.id, first)
    memory.update_page(book.id, page.id, content="nothing", path="/plain")
    told = memory.redact_page_version(book.id, first)
    assert (told.text, told.path, told.deed, told.page) == (None, None, "created", page.id)
    assert memory.redact_page_version(book.id, first) == told
    assert [one.id for one in memory.page_versions(book.id)][-1] == first
    assert memory.page(book.id, page.id).text == "nothing"
    memory.close()
    for file in tmp_path.iterdir():
        assert b"quokka" not in file.read_bytes(), file
        assert b"zanzibar" not in file.read_bytes(), file


def test_a_deleted_page_keeps_its_versions_and_a_deleted_notebook_nothing(memory: Memory) -> None:
    """What was on a page stays readable until it is redacted, or the notebook goes."""
    book = memory.create_notebook("Notes")
    page = memory.create_page(book.id, "/a", "one")
    memory.delete_page(book.id, page.id)
    with pytest.raises(NotFoundError):
        memory.page(book.id, page.id)
    assert memory.recall("one") == []
    end, first = memory.page_versions(book.id, page=page.id)
    assert (end.deed, end.text, end.path) == ("deleted", None, "/a")
    assert (first.deed, first.text) == ("created", "one")
    assert memory.create_page(book.id, "/a", "one").id != page.id
    memory.delete_notebook(book.id)
    assert memory.notebooks() == []
    assert memory.stats().total == 0
    with pytest.raises(NotFoundError):
        memory.page_versions(book.id)


def test_an_archived_notebook_takes_nothing_more(memory: Memory) -> None:
    """Nothing is written into it; it is read, deleted from and redacted."""
    book = memory.create_notebook("Notes", metadata={"who": "ada"})
    page = memory.create_page(book.id, "/a", "one")
    assert memory.archive_notebook(book.id) == memory.archive_notebook(book.id)
    for write in (
        lambda: memory.create_page(book.id, "/b", "two"),
        lambda: memory.update_page(book.id, page.id, content="two"),
        lambda: memory.update_notebook(book.id, name="Other"),
    ):
        with pytest.raises(ProtectedError):
            write()
    memory.delete_page(book.id, page.id)
    memory.redact_page_version(book.id, page.version)


def test_personal_data_is_refused_where_it_would_be_taken_out(tmp_path: Path) -> None:
    """Where the profile redacts personal data, a page with it is refused, not changed (D-71)."""
    overrides = {"pii": {"policy": "redact"}}
    with Memory(tmp_path / "memory.db", embedder="none", overrides=overrides) as memory:
        book = memory.create_notebook("Notes")
        for path, text in (
            ("/a", "mail ada.lovelace@example.com"),
            ("/mail ada.lovelace@example.com", "x"),
        ):
            with pytest.raises(InvalidInputError, match="personal"):
                memory.create_page(book.id, path, text)
        page = memory.create_page(book.id, "/a", "mail her")
        with pytest.raises(InvalidInputError, match="personal"):
            memory.update_page(book.id, page.id, content="mail ada.lovelace@example.com")


def test_what_cannot_stay_as_it_is_is_refused(memory: Memory) -> None:
    """No text is changed on its way in: a credential, an injected block, NUL are refused."""
    book = memory.create_notebook("Notes")
    block = memory.remember("The door code is in the safe", user="ada")
    injected = memory.context("door code", user="ada").text
    assert block.memory
    assert injected
    for text in (f"my key is {TOKEN}", injected, "a\x00b", "\ud800"):
        with pytest.raises(InvalidInputError):
            memory.create_page(book.id, "/a", text)
    with pytest.raises(ContentTooLongError):
        memory.create_page(book.id, "/a", "é" * 51_201)
    assert memory.create_page(book.id, "/a", "x" * 102_400).text == "x" * 102_400
    for path in ("", "/", "a", "/a/", "/a//b", "/./a", "/..", "/a\n", "/a\u200b", "/e\u0301"):
        with pytest.raises(InvalidInputError):
            memory.create_page(book.id, path, "x")
    for path in ("/" + "/".join("a" * 21), "/" + "a" * 1_024, f"/{TOKEN}", "/\ud800"):
        with pytest.raises(InvalidInputError):
            memory.create_page(book.id, path, "x")
    with pytest.raises(InvalidInputError):
        memory.create_notebook("")
    with pytest.raises(InvalidInputError):
        memory.create_notebook("N", metadata={"a": "x" * 513})


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(
    text=st.text(max_size=60)
    | st.sampled_from([" ", "\n", "/p", "/p\n", "\r\n", "e\u0301", "\ufeff"])
)
def test_texts_come_back_as_they_were_put(memory_of_all: Memory, text: str) -> None:
    """Whatever is taken comes back to the byte, as a page, as a version, and beside its double."""
    book = memory_of_all.create_notebook("Notes")
    try:
        page = memory_of_all.create_page(book.id, "/p", text)
    except InvalidInputError:
        assert "\x00" in text
        return
    other = memory_of_all.create_page(book.id, "/q", text)
    memory_of_all.update_page(book.id, page.id, content="else")
    memory_of_all.update_page(book.id, page.id, content=text)
    assert memory_of_all.page(book.id, page.id).text == text
    assert memory_of_all.page(book.id, other.id).text == text
    assert memory_of_all.page_version(book.id, page.version).text == text
    memory_of_all.delete_notebook(book.id)


@pytest.fixture(scope="module")
def memory_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(tmp_path_factory.mktemp("all") / "memory.db", embedder="none") as one:
        yield one


PATHS = st.sampled_from(["/a", "/a/b", "/a/b/c", "/b", "/b/a", "/c d", "/é"])
TEXTS = st.sampled_from(["", "one", "two", "one\n", "three words here"])


class Pages(RuleBasedStateMachine):
    """A notebook against a dictionary of paths and a list of versions."""

    pages = Bundle("pages")

    @initialize()
    def open(self) -> None:
        self.folder = TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name) / "memory.db", embedder="none")
        self.book = self.memory.create_notebook("Notes").id
        self.held: dict[str, tuple[str, str]] = {}
        self.count = 0

    def free(self, path: str, own: str = "") -> bool:
        taken = [held for known, (held, _) in self.held.items() if known != own]
        return not any(
            one == path or one.startswith(f"{path}/") or path.startswith(f"{one}/") for one in taken
        )

    @rule(target=pages, path=PATHS, text=TEXTS)
    def create(self, path: str, text: str) -> str:
        if not self.free(path):
            with pytest.raises(PathTakenError):
                self.memory.create_page(self.book, path, text)
            return ""
        page = self.memory.create_page(self.book, path, text)
        self.held[page.id] = (path, text)
        self.count += 1
        return page.id

    @rule(page=pages, path=st.none() | PATHS, text=st.none() | TEXTS, guess=st.none() | TEXTS)
    def update(self, page: str, path: str | None, text: str | None, guess: str | None) -> None:
        held = self.held.get(page)
        wanted = held and (path or held[0], held[1] if text is None else text)
        changed = {
            "path": path,
            "content": text,
            "expected": None if guess is None else digest(guess),
        }
        wrong: type[EngraphyError] | None = None
        if held is None:
            wrong = NotFoundError
        elif wanted != held and guess not in (None, held[1]):
            wrong = StaleDocumentError
        elif wanted != held and not self.free(wanted[0], page):
            wrong = PathTakenError
        if wrong is not None:
            with pytest.raises(wrong):
                self.memory.update_page(self.book, page, **changed)
            return
        self.memory.update_page(self.book, page, **changed)
        self.count += int(wanted != held)
        self.held[page] = wanted

    @rule(page=consumes(pages))
    def delete(self, page: str) -> None:
        if page not in self.held:
            with pytest.raises(NotFoundError):
                self.memory.delete_page(self.book, page)
            return
        self.memory.delete_page(self.book, page)
        del self.held[page]
        self.count += 1

    @rule(number=st.integers(0, 30))
    def redact(self, number: int) -> None:
        versions = self.memory.page_versions(self.book)
        if not versions:
            return
        one = versions[number % len(versions)]
        standing = {page.version for page in self.memory.pages(self.book)}
        if one.id in standing and one.redacted_at is None:
            with pytest.raises(ProtectedError):
                self.memory.redact_page_version(self.book, one.id)
        else:
            assert self.memory.redact_page_version(self.book, one.id).text is None

    @invariant()
    def the_same(self) -> None:
        if not hasattr(self, "memory"):
            return
        pages = self.memory.pages(self.book)
        assert {page.id: (page.path, page.text) for page in pages} == self.held
        assert [page.path for page in pages] == sorted(path for path, _ in self.held.values())
        assert len(self.memory.page_versions(self.book)) == self.count
        below = [page.path for page in self.memory.pages(self.book, prefix="/a/")]
        assert below == sorted(p for p, _ in self.held.values() if p.startswith("/a/"))

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()
            self.folder.cleanup()


TestPages = Pages.TestCase
TestPages.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
