"""The analyser: what is stored of a document and how a query reaches it."""

import re
import time

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.analyser import ANALYSER_VERSION, analyse, query_terms
from engraphy.text.clean import clean
from engraphy.text.language import language
from engraphy.text.pieces import MAX_TOKEN

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
TRICKY_WORDS = """
getUserById src/api/auth.js gpt-4o C++ C# node:sqlite 3.11.4 a@b.co https://x.y/z?q=1#f don't Ada's
İSTANBUL ışığı kullanıcı kullanici 東京に行く 서울에서 ภาษาไทยที่ हिन्दी العَرَبِيَّة Ёлка café cafe\u0301
😀 👍🏽 __init__ NEAR( foo" * AND a\u200bb ｆｕｌｌ ⅷ ½ ß 𞤀𞤁 \ud800 x\u0338 が ｶﾞ ᄒ\u1161\u11ab
"""
TRICKY = st.lists(st.sampled_from(TRICKY_WORDS.split()), max_size=8).map(" ".join)
FTS = "unicode61 remove_diacritics 0 tokenchars '_'"


def reaches(document: str, query: str) -> bool:
    """Whether any term of the query stands in the index of the document."""
    return bool({term.term for term in query_terms(query)} & set(analyse(document)))


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    """A real full-text index with the tokenizer the store uses."""
    connection = apsw.Connection(":memory:")
    connection.execute(f'create virtual table t using fts5(x, tokenize="{FTS}")')
    connection.execute("create virtual table v using fts5vocab(t, 'instance')")
    return connection


def engine_tokens(index: apsw.Connection, text: str) -> list[str]:
    """The tokens the engine makes of a text, in order."""
    index.execute("delete from t")
    index.execute("insert into t(x) values(?)", (text,))
    return [row[0] for row in index.execute("select term from v order by offset")]


@given(st.one_of(ANY_TEXT, TRICKY))
def test_tokens_survive_the_engine(index: apsw.Connection, text: str) -> None:
    """FTS5 gives back exactly the tokens the analyser made."""
    tokens = analyse(text)
    assert engine_tokens(index, " ".join(tokens)) == tokens


@given(st.one_of(ANY_TEXT, TRICKY))
def test_every_word_of_a_document_reaches_it(text: str) -> None:
    """A word of a document, used as a query, shares a term with the document's index."""
    for word in text.split():
        if analyse(word):
            assert reaches(text, word), word


@given(st.one_of(ANY_TEXT, TRICKY), st.integers(1, 12))
def test_query_terms_are_plain_distinct_and_limited(text: str, limit: int) -> None:
    """No operator, no quote, no duplicate, no more than asked for, weights in (0, 1]."""
    terms = query_terms(text, limit=limit)
    assert len(terms) <= limit
    assert len({term.term for term in terms}) == len(terms)
    assert all(re.fullmatch(r"\w+", term.term) and 0 < term.weight <= 1 for term in terms)
    assert bool(terms) == bool(analyse(text))


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("we call getUserById there", "getuserbyid"),
        ("we call getUserById there", "user"),
        ("see src/api/auth.js", "auth.js"),
        ("see src/api/auth.js", "src/api/auth.js"),
        ("model gpt-4o", "GPT-4o"),
        ("written in C++", "c++"),
        ("written in C#", "C#"),
        ("import node:sqlite", "sqlite"),
        ("Python 3.11.4 it is", "3.11"),
        ("mail ada@example.com", "example.com"),
        ("she was running", "run"),
        ("a run", "running"),
        ("don't panic", "dont"),
        ("Ada's laptop", "ada"),
        ("Ankara'da yaşıyorum", "ankara"),
        ("kullanıcı ayarları", "kullanici"),
        ("KULLANICI", "kullanıcı"),
        ("İSTANBUL", "istanbul"),
        ("ISTANBUL", "istanbul"),
        ("kitaplarımızı çok seviyorum", "kitap"),
        ("kitaplarımızı çok seviyorum", "kitaplar"),
        ("東京に行く", "京"),
        ("東京に行く", "東京"),
        ("서울에서 만나요", "서울"),
        ("ภาษาไทย", "ไทย"),
        ("يكتب بالعَرَبِيَّة", "بالعربية"),
        ("un café", "cafe"),
        ("ПРИВЕТ мир", "привет"),
        ("ΟΔΟΣ", "οδος"),
        ("well done 😀", "😀"),
        ("version 2 of x", "x"),
        ("l'été", "été"),
    ],
)
def test_query_reaches_document(document: str, query: str) -> None:
    """Casing, marks, inflection, identifiers, scripts, emoji do not keep a query from its text."""
    assert reaches(document, query)


def test_prefix_tokens_are_for_turkish_only_and_never_collide() -> None:
    """An English document has no prefix token, and no word of a text looks like one."""
    assert not [token for token in analyse("the deployment is running") if token.endswith("__p")]
    assert "kulla__p" in analyse("kullanıcı")
    assert "kulla__p" not in analyse("kulla__p kulla_p")


def test_whole_names_keep_their_signs() -> None:
    """`C++` and `C#` are not `C`."""
    assert analyse("C++") == ["c_plus_plus"]
    assert analyse("C#") == ["c_sharp"]
    assert analyse("c") == ["c"]


def test_stop_words_go_unless_nothing_else_is_left() -> None:
    """Question words are dropped beside content and kept alone; languages keep their own lists."""
    assert [term.term for term in query_terms("What is the deadline?")] == ["deadline", "deadlin"]
    assert [term.term for term in query_terms("who am I")] == ["who", "am", "i"]
    assert "ben" in {term.term for term in query_terms("When did Ben leave?")}
    assert "nerede" not in {term.term for term in query_terms("ayarları nerede")}


def test_absurd_tokens_are_capped_and_still_found() -> None:
    """A word of a thousand letters becomes one short token, different from its neighbour's."""
    first, second = "x" * 1_000, "x" * 999 + "y"
    assert all(len(token) <= MAX_TOKEN for token in analyse(first))
    assert reaches(first, first)
    assert not reaches(first, second)


def test_many_words_keep_the_heaviest() -> None:
    """Ten thousand characters of query stay within the limit and keep words before parts."""
    terms = query_terms(" ".join(f"word{number}x" for number in range(2_000)))
    assert len(terms) == 64
    assert {term.weight for term in terms} == {1.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I prefer pytest over unittest", "en"),
        ("deploy", "en"),
        ("Bu projede pytest kullanıyoruz", "tr"),
        ("bu cok guzel bir proje", "tr"),
        ("ayarlari degistir lutfen", "tr"),
        ("東京に行く", "cjk"),
        ("Привет, мир", "other"),
        ("", "en"),
        ("12345", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    """English, Turkish with and without its letters, CJK, and the rest are told apart."""
    assert language(text) == expected


@given(ANY_TEXT)
def test_clean_changes_only_what_cannot_be_stored(text: str) -> None:
    """NUL and lone surrogates become U+FFFD, everything else stays, and the result encodes."""
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert all(
        new == old or (new == "\ufffd" and (old == "\0" or "\ud800" <= old <= "\udfff"))
        for old, new in zip(text, cleaned, strict=True)
    )
    assert clean(cleaned) == cleaned


@pytest.mark.slow
def test_cost_per_memory() -> None:
    """A memory of forty words costs a fraction of a millisecond once its words were seen."""
    text = " ".join(
        f"we decided word{number} to use the settings of auth.js" for number in range(4)
    )
    analyse(text)
    started = time.process_time()
    for _ in range(200):
        analyse(text)
    assert (time.process_time() - started) / 200 < 0.0006


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("PDFs", "pdf"),
        ("pdfs", "pdf"),
        ("APIs", "api"),
        ("VMs", "vm"),
        ("KPIs", "kpi"),
        ("userURLs", "url"),
    ],
)
def test_several_of_what_is_spelled_are_one(several: str, one: str) -> None:
    """The plural of letters is found by them, and they by it."""
    assert one in analyse(f"the {several} are here")
    assert one in {term.term for term in query_terms(f"where are the {several}?")}


def test_version_is_a_number() -> None:
    """The store can compare the analyser's version."""
    assert ANALYSER_VERSION >= 1
