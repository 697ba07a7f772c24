"""Near-duplicates: trivial variants are the same, near-misses never are (R-09)."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.markers import unframed
from engraphy.text.negation import negated_terms, polarity
from engraphy.text.similarity import MAX_COMPARED, differs, lexical_similarity, near_duplicate

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
STATEMENTS = [
    "I prefer pytest over unittest for the billing service",
    "We decided to deploy on Friday at 10:30",
    "The API listens on port 8080 behind nginx",
    "Don't use eval in this project",
    "Alice owns the auth module",
    "I'm allergic to peanuts",
    "Kullanıcı ayarları settings.toml dosyasında",
    "Ben çay seviyorum",
    "İstanbul'da yaşıyorum",
    "The cache keeps 3,000 rows and 10 MB",
    "auth.js depends on jwt.js",
    "She can't attend the review",
]
NUMERIC = [
    "the port is {}",
    "we use Python {}",
    "the limit is {} MB",
    "I have {} cats at home with me",
    "the meeting is at {} o'clock on Monday in the large room with Alice",
    "bütçe {} lira",
    "timeout={}",
    "release v{} is out",
]
NUMBERS = ["1", "2", "8", "80", "8080", "8081", "3.11", "3.12", "3.11.4", "-2", "1,000", "10000"]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize(
    "vary",
    [
        str.upper,
        str.lower,
        lambda text: f"  {text}  ",
        lambda text: text.replace(" ", "\n  "),
        lambda text: f"{text}.",
        lambda text: f"{text}!!!",
        lambda text: f"Please remember: {text}",
        lambda text: f"Well, {text}",
        lambda text: f"Just so you know, {text}",
        lambda text: f"{text}, you know",
        lambda text: f"Bu arada {text}",
        lambda text: (
            text.replace("I'm", "I am").replace("Don't", "Do not").replace("can't", "cannot")
        ),
        lambda text: text.replace("'", "’"),
        lambda text: text.replace("3,000", "3000").replace("10 MB", "10MB"),
    ],
)
def test_trivial_variants_are_duplicates(statement: str, vary: object) -> None:
    """Case, white space, punctuation, fillers and short forms change nothing."""
    assert callable(vary)
    variant = vary(statement)
    assert differs(statement, variant) == frozenset()
    assert near_duplicate(statement, variant)
    assert near_duplicate(variant, statement)


@pytest.mark.parametrize("template", NUMERIC)
def test_numeric_near_misses_never_merge(template: str) -> None:
    """Two statements that differ in a number only are never the same."""
    for one, other in itertools.permutations(NUMBERS, 2):
        a, b = template.format(one), template.format(other)
        assert differs(a, b), (a, b)
        assert not near_duplicate(a, b), (a, b)


@pytest.mark.parametrize(
    ("a", "b", "guard"),
    [
        ("port 8080", "port 8081", "ports"),
        ("Python 3.11.4", "Python 3.11.5", "versions"),
        ("at 10:30", "at 11:30", "dates"),
        ("due 2026-01-02", "due 2026-01-03", "dates"),
        ("the review is on Monday", "the review is on Tuesday", "dates"),
        ("toplantı pazartesi", "toplantı salı", "dates"),
        ("two cats", "three cats", "numbers"),
        ("Gate 12 is open", "Gate A-12 is open", "numbers"),
        ("Line 1-A stands", "Line 1-B stands", "numbers"),
        ("the limit is 10 MB", "the limit is 10 GB", "units"),
        ("5 km from here", "5 miles from here", "units"),
        ("it costs $5", "it costs €5", "units"),
        ("Alice likes tea", "Bob likes tea", "names"),
        ("edit auth.js", "edit auth.ts", "names"),
        ("use gpt-4", "use gpt-4o", "names"),
        ("I write C++", "I write C", "names"),
        ('call it "alpha"', 'call it "beta"', "names"),
        ("I never want meetings", "I want meetings", "negation"),
        ("I don't eat meat", "I eat meat", "negation"),
        ("use tabs, not spaces", "use spaces, not tabs", "negation"),
        ("Toplantı istemiyorum", "Toplantı istiyorum", "negation"),
        ("Bunu sil", "Bunu silme", "negation"),
        ("we use Jira for the tickets", "we used to use Jira for the tickets", "past"),
        ("she lives in Oslo", "she previously lived in Oslo", "past"),
        ("Alice works at Google in Berlin", "Alice worked at Google in Berlin", "past"),
        ("we use Jira for the tickets", "we used Jira for the tickets", "past"),
        ("Google'da çalışıyorum", "Eskiden Google'da çalışıyordum", "past"),
        ("enable the cache", "disable the cache", "opposites"),
        ("turn the lamp on", "turn the lamp off", "opposites"),
        ("run it before the tests", "run it after the tests", "opposites"),
        ("increase the timeout", "decrease the timeout", "opposites"),
        ("önbelleği aç", "önbelleği kapat", "opposites"),
        ("I like tea", "she likes tea", "persons"),
        ("my mother is a nurse", "my father is a nurse", "persons"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs", "direction"),
        ("auth.js depends on jwt.js", "jwt.js depends on auth.js", "direction"),
        ("alice manages bob", "bob manages alice", "direction"),
        ("boşluk yerine tab kullan", "tab yerine boşluk kullan", "direction"),
        ("the doctor helps the patient", "the patient helps the doctor", "order"),
        ("a big potato and a green ball", "a big green ball and a potato", "order"),
        ("kedi köpeği kovaladı", "köpek kediyi kovaladı", "order"),
        ("Not many people came", "Many people came", "negation"),
    ],
)
def test_each_guard_blocks(a: str, b: str, guard: str) -> None:
    """What R-09 names keeps two statements apart, in both orders."""
    assert guard in differs(a, b)
    assert guard in differs(b, a)
    assert not near_duplicate(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("In May we meet at the old harbour", "We meet at the old harbour in May"),
        ("Redis runs on the small server in staging", "In staging Redis runs on the small server"),
        ("kedi köpeği kovaladı", "köpeği kedi kovaladı"),
    ],
)
def test_a_part_moved_to_the_other_end_is_the_same(a: str, b: str) -> None:
    """Where an adverbial stands changes nothing."""
    assert "order" not in differs(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Redis stores the sessions", "Redis is used to store the sessions"),
        ("I'm used to the dark theme", "I got used to the dark theme"),
        ("We used to use Jira", "Formerly we used Jira"),
        ("We have decided to use Jira", "We decided to use Jira"),
        ("We deploy the updated docs", "We update the docs and deploy"),
        ("The API is used by the site", "The site uses the API"),
    ],
)
def test_a_habit_is_no_past(a: str, b: str) -> None:
    """What serves a purpose, or somebody is accustomed to, is so today; two pasts are alike."""
    assert "past" not in differs(a, b)


@pytest.mark.parametrize("text", ["Well water is safe to drink", "Note 5 is the newest phone"])
def test_a_word_that_belongs_to_the_statement_is_no_frame(text: str) -> None:
    """A single word is taken off only where a comma or a colon sets it off."""
    assert unframed(text) == text
    assert unframed(f"Well, {text}") == text


def test_a_replaced_word_is_no_duplicate_however_long_the_rest() -> None:
    """One content word in place of another is another statement, though the cosine is high."""
    a = (
        "the nightly job of the billing service writes its summary report "
        "into the blue folder of every customer account"
    )
    b = a.replace("blue", "green")
    assert lexical_similarity(a, b) > 0.9
    assert not near_duplicate(a, b)


def test_long_texts_compare_by_equality() -> None:
    """Above the limit only case and white space may differ."""
    text = "word " * MAX_COMPARED
    assert near_duplicate(text, text.upper() + " ")
    assert not near_duplicate(text, text + "more")


@given(ANY_TEXT, ANY_TEXT)
def test_similarity_is_symmetric_and_bounded(a: str, b: str) -> None:
    """In [0, 1], the same both ways, 1 for the same text; guards are symmetric too."""
    score = lexical_similarity(a, b)
    assert 0.0 <= score <= 1.0
    assert score == pytest.approx(lexical_similarity(b, a))
    assert lexical_similarity(a, a) == 1.0
    assert differs(a, b) == differs(b, a)
    assert differs(a, a) == frozenset()
    assert near_duplicate(a, b) == near_duplicate(b, a)


@pytest.mark.parametrize(
    ("text", "sign", "terms"),
    [
        ("I never want X", -1, {"want", "x"}),
        ("I want X", 1, set()),
        ("I don’t use tabs, I use spaces", -1, {"use", "tab"}),
        ("not only tabs but spaces", 1, set()),
        ("No, I use tabs", 1, set()),
        ("Room no. 5 is free", 1, set()),
        ("I can't wait to see it", 1, set()),
        ("deploy without tests", -1, {"test"}),
        ("Tab istemiyorum", -1, {"iste", "tab"}),
        ("Kahve sevmem", -1, {"sev", "kahve"}),
        ("süt değil çay isterim", -1, {"sut"}),
        ("Testler geçmedi", -1, {"gec", "testler"}),
        ("Bunu asla kullanma", -1, {"kullan"}),
        ("yeni uygulama", 1, set()),
        ("adam namaz kıldı", 1, set()),
        ("the immediate intermediate multimedia comedian", 1, set()),
        ("我不喜欢茶", -1, {"不"}),
        ("", 1, set()),
    ],
)
def test_polarity(text: str, sign: int, terms: set[str]) -> None:
    """Negation is seen in English and Turkish with what it reaches; lookalikes are not."""
    assert polarity(text) == sign
    assert negated_terms(text) == terms
