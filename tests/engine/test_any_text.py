"""Any text is a legal query and a legal content (R-02): nothing raises but what is documented."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import kept, opened, texts

from engraphy import Memory
from engraphy.errors import ContentTooLongError, EmptyContentError

PIECES = [
    '"', "'", "*", "(", ")", "NEAR(", "NEAR/5", "AND", "OR", "NOT", "^", ":", "-", "+", "{", "}",
    "content:", "rowid", "memories", ";", "--", "DROP TABLE memories", "/*", "%", "_", "\\", "\0",
    "\ud800", "\udfff", "\ufffe", "\U0010ffff", "\u202e", "\u200b", "e\u0301" * 5, "😀",
    "👩‍👩‍👧",
    "日本語", "中", "العربية", "İstanbul", "ıIiİ", "straße", "ﬁ", "Ⅷ", "\r\n", "\t", "\x1b[31m",
    "gpt-4o", "src/api/auth.js", "C++", "node:sqlite", "foo AND", "a" * 300, "1e309", "-0",
    "NaN", "null",
    "${jndi:ldap://x}", "{{7*7}}", "<script>", "</memory-context>", "\u2028", "a.b@c.d", "#!", "`",
    "where", "is", "the", "heron", "lake", "?", "!", ".", " ",
]  # fmt: skip
NAMED = [
    "gpt-4o", "src/api/auth.js", "C++", "node:sqlite", "foo AND", '"', "*", "NEAR(", "😀 lake",
    "heron " * 1_500, "auth.js AND (", "-heron", "^heron", "content:heron", "heron*", "'heron'",
    "{heron lake}", "heron NEAR lake", "NOT heron", "he\u0301ron", "HERON", "heron\0lake",
]  # fmt: skip


def random_texts(seed: int, count: int) -> Iterator[str]:
    """Texts of random pieces and of random code points, short and long."""
    source = random.Random(seed)
    for _ in range(count):
        if source.random() < 0.6:
            length = source.choice((1, 2, 3, 5, 8, 20, 60))
            yield source.choice(("", " ")).join(source.choices(PIECES, k=length))
        else:
            length = source.choice((1, 2, 4, 16, 64, 256))
            top = source.choice((0x80, 0x250, 0x3000, 0x11_0000))
            yield "".join(chr(source.randrange(top)) for _ in range(length))


def feed(memory: Memory, found: Iterator[str], user: str) -> int:
    """Each text as a query, a prompt and a content, and read back; returns how many were kept."""
    held = 0
    for text in found:
        memory.recall(text, user=user, touch=False)
        memory.context(text, user=user, budget=200)
        for outcome in memory.observe(text, user=user):
            assert outcome.reason
        try:
            row = kept(memory.remember(text, user=user))
        except EmptyContentError:
            assert not text.strip().replace("\0", "")
            continue
        held += 1
        assert memory.get(row.id, user=user, touch=False).id == row.id
    return held


@pytest.mark.long
@pytest.mark.spec("R-02")
@pytest.mark.parametrize("embedder", ["none", "static"])
def test_random_texts(opening: Opening, embedder: str) -> None:
    """25 random texts as query, prompt, message and content: no error but the documented one."""
    memory = opening(embedder=embedder)
    assert feed(memory, random_texts(7, 25), "u") > 16
    assert all(check.ok for check in memory.doctor(deep=True))


@pytest.mark.slow
@pytest.mark.spec("R-02")
@pytest.mark.parametrize(("embedder", "stores"), [("none", 20), ("static", 4)])
def test_ten_thousand_random_texts(tmp_path: Path, embedder: str, stores: int) -> None:
    """The same with 10,000, in stores of 500 each."""
    for seed in range(stores):
        with opened(tmp_path / f"{seed}.db", embedder=embedder) as memory:
            feed(memory, random_texts(seed, 500), "u")
            assert all(check.ok for check in memory.doctor(deep=True))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory with texts full of signs."""
    with opened(tmp_path_factory.mktemp("lake") / "store.db") as memory:
        for text in (
            "The heron nests by the lake",
            "We call gpt-4o for summaries",
            "The login lives in src/api/auth.js",
            "The engine is written in C++",
            "Tests import node:sqlite",
            "Discounts are 50 % in May_2026",
            "日本語のメモ: 中 is a word",
            "Müdür İstanbul'da, ILICA otelinde",
            "Le café ferme à midi",
            "كتاب على الطاولة",
        ):
            memory.remember(text)
        yield memory


@pytest.mark.spec("R-02")
@pytest.mark.parametrize("query", NAMED)
def test_no_query_fails_for_its_punctuation(lake: Memory, query: str) -> None:
    """The search syntax is text like any other, and a known word in it is still found."""
    found = texts(lake.recall(query, touch=False))
    if "heron" in query.lower() or "\u0301" in query:
        assert "The heron nests by the lake" in found
    lake.context(query)
    lake.explain(query)
    lake.forget(query)


SIGNED = [
    ("gpt-4o", "We call gpt-4o for summaries"),
    ("what is in src/api/auth.js?", "The login lives in src/api/auth.js"),
    ("C++", "The engine is written in C++"),
    ("node:sqlite", "Tests import node:sqlite"),
    ("中", "日本語のメモ: 中 is a word"),
    ("日本", "日本語のメモ: 中 is a word"),
    ("cafe", "Le café ferme à midi"),
    ("CAFÉ", "Le café ferme à midi"),
    ("müdür", "Müdür İstanbul'da, ILICA otelinde"),
    ("mudur", "Müdür İstanbul'da, ILICA otelinde"),
    ("istanbul", "Müdür İstanbul'da, ILICA otelinde"),
    ("İSTANBUL", "Müdür İstanbul'da, ILICA otelinde"),
    ("ılıca", "Müdür İstanbul'da, ILICA otelinde"),
    ("كتاب", "كتاب على الطاولة"),
]


@pytest.mark.spec("R-02", "R-13")
@pytest.mark.parametrize(("query", "text"), SIGNED)
def test_words_of_many_scripts_are_found(lake: Memory, query: str, text: str) -> None:
    """Signs, casing, accents and scripts do not hide a word (R-13)."""
    assert text in texts(lake.recall(query, touch=False))


@pytest.mark.parametrize("query", ["%", "_", "50 %", "M_y", "*", "' OR 1=1--", "heron' OR '1'='1"])
def test_wildcards_match_nothing_by_themselves(lake: Memory, query: str) -> None:
    """A sign of a pattern language is no pattern."""
    assert len(lake.recall(query, touch=False)) < 10
    assert lake.list(tag=query) == lake.list(file=query) == lake.facts(subject=query) == []


def test_a_megabyte_is_answered(lake: Memory) -> None:
    """A query of 1 MB is read as far as it can ask; a content of 1 MB is a typed error."""
    for text in ("heron " * 170_000, "x" * 1_000_000, "(" * 1_000_000, "\u0301" * 1_000_000):
        lake.recall(text, touch=False)
        lake.context(text)
        with pytest.raises(ContentTooLongError):
            lake.remember(text)
        assert [one.action for one in lake.observe(text)] == ["skipped"]


def test_no_sql_from_data(opening: Opening) -> None:
    """Hostile names and values of filters meet typed errors or match nothing; the store stands."""
    memory = opening()
    kept(memory.remember("The heron nests by the lake", tags=["bird"]))
    source = random.Random(11)
    keys = ["kind", "category", "tag", "concept", "file", "entity", "speaker", "order", "after"]
    for text in random_texts(5, 400):
        key = source.choice([*keys, text])
        try:
            rows = memory.list(**{key: text})
        except (ValueError, LookupError):
            continue
        assert rows == []
    assert texts(memory.list(tag="bird")) == ["The heron nests by the lake"]
    assert all(check.ok for check in memory.doctor(deep=True))
