"""Kinds of statements, captures, tool output, density, stance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.kinds import Kind, Priority
from engraphy.model.language import Stance
from engraphy.text.capture import captures
from engraphy.text.classify import classify
from engraphy.text.compound import decompose
from engraphy.text.density import density
from engraphy.text.evidence import stance
from engraphy.text.toolclass import tool_class


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I prefer pytest over unittest", Kind.PREFERENCE),
        ("Prefers stdlib over deps", Kind.PREFERENCE),
        ("I can't stand spicy food", Kind.PREFERENCE),
        ("Python'ı tercih ederim", Kind.PREFERENCE),
        ("en sevdiğim renk mavi", Kind.PREFERENCE),
        ("Decided to use Y", Kind.DECISION),
        ("Chose SQLite over Postgres for X", Kind.DECISION),
        ("PostgreSQL kullanmaya karar verdik", Kind.DECISION),
        ("We decided to use Redis 7 on port 6390 for the cache.", Kind.DECISION),
        ("We decided to host the wiki on port 8099.", Kind.DECISION),
        ("Decision: the wiki runs on port 8099.", Kind.DECISION),
        ("Let's go with port 8099, the server is Debian 12.", Kind.DECISION),
        ("Karar: wiki 8099 portunda çalışıyor.", Kind.DECISION),
        ("Wiki sunucusunun portu 8099 olsun diye karar verdik", Kind.DECISION),
        ("The wiki runs on port 8099.", Kind.FACT),
        ("Did we decide that the wiki runs on port 8099?", Kind.FACT),
        ("Correction: we decided to host the wiki on port 8099.", Kind.CORRECTION),
        ("Actually, A not B", Kind.CORRECTION),
        ("that was wrong", Kind.CORRECTION),
        ("the value should be 30, not 20", Kind.CORRECTION),
        ("Aslında port 3001", Kind.CORRECTION),
        ("This app uses Z", Kind.FACT),
        ("Database on port 5432", Kind.FACT),
        ("API rate limit is 100/min", Kind.FACT),
        ("my name is Ali", Kind.FACT),
        ("benim adım Ali", Kind.FACT),
        ("auth.js depends on jwt.js", Kind.RELATIONSHIP),
        ("Never commit secrets", Kind.POLICY),
        ("Testler zorunludur", Kind.POLICY),
        ("Never deploy on Fridays.", Kind.POLICY),
        ("Cuma günleri asla deploy yapma.", Kind.POLICY),
        ("Sakın vendor klasörüne dokunmayın", Kind.POLICY),
        ("Lütfen kısa cevap ver.", Kind.PREFERENCE),
        ("Bana her zaman Türkçe cevap ver.", Kind.PREFERENCE),
        ("Cuma günleri deploy yapmam", Kind.FACT),
        ("Always confirm the date when I ask about upcoming plans", Kind.POLICY),
        ("Kitap sorduğumda her zaman türünü de söyle", Kind.POLICY),
        ("It must feel incredible to have such a team", Kind.FACT),
        ("I prefer e-books, can you suggest a shop?", Kind.PREFERENCE),
        ("Kahveyi sade severim, hangi dükkanı önerirsin?", Kind.PREFERENCE),
        ("What do I prefer, tea or coffee?", Kind.FACT),
        ("If I like jazz, what should I hear?", Kind.FACT),
        ("Don't use ORM for bulk inserts", Kind.PITFALL),
        ("Auth is separate service", Kind.ARCHITECTURE),
        ("First run the tests, then tag the commit", Kind.WORKFLOW),
        ("I plan to visit Rome", Kind.PLAN),
        ("Yarın Ankara'ya gideceğim", Kind.PLAN),
        ("React and Docker with PostgreSQL", Kind.ENTITY),
        ("We went to the museum", Kind.EPISODE),
    ],
)
def test_the_kind_of_a_statement(text: str, kind: Kind) -> None:
    """The documents' own examples and their Turkish likes get their kind (D-03)."""
    assert classify(text).kind is kind


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("that was wrong", 0.4),
        ("I love jazz", 0.3),
        ("Decided to use Y", 0.35),
        ("React and Docker", 0.3),
        ("version is 2.1", 0.25),
    ],
)
def test_base_confidences(text: str, confidence: float) -> None:
    """One signal gives the document's base confidence."""
    assert classify(text).confidence == confidence


def test_more_evidence_raises_the_confidence() -> None:
    """Each further signal adds its share."""
    one = classify("I love jazz").confidence
    two = classify("I love jazz and my favorite band is Wilco").confidence
    assert two > one


@pytest.mark.parametrize("text", ["do you prefer cats or dogs?", "what did we decide?", "hm", ""])
def test_questions_and_noise_give_no_signal(text: str) -> None:
    """A question is no evidence; what is left is a plain fact of no confidence."""
    found = classify(text)
    assert found.kind is Kind.FACT
    assert found.signals == ()


@pytest.mark.parametrize(
    ("text", "kind", "polarity", "priority"),
    [
        ("I prefer tabs", Kind.PREFERENCE, True, Priority.MEDIUM),
        ("always use type hints", Kind.PREFERENCE, True, Priority.MEDIUM),
        ("never use tabs", Kind.PREFERENCE, False, Priority.MEDIUM),
        ("I never want tabs", Kind.PREFERENCE, False, Priority.MEDIUM),
        ("I don't like semicolons", Kind.PREFERENCE, False, Priority.MEDIUM),
        ("Actually, the port is 3001", Kind.FACT, True, Priority.HIGH),
        ("No, it's 3001", Kind.FACT, True, Priority.HIGH),
        ("use not Redis but Memcached", Kind.FACT, True, Priority.HIGH),
        ("All commits must be signed", Kind.POLICY, True, Priority.CRITICAL),
        ("The deadline must be Friday", Kind.POLICY, True, Priority.CRITICAL),
        ("It must be fast", Kind.POLICY, True, Priority.CRITICAL),
        ("We think all commits must be signed", Kind.POLICY, True, Priority.CRITICAL),
        ("Required: Python 3.11", Kind.POLICY, True, Priority.CRITICAL),
        ("Don't ever push to main", Kind.POLICY, False, Priority.CRITICAL),
        ("Kahveyi severim", Kind.PREFERENCE, True, Priority.MEDIUM),
        ("Kahveyi sevmem", Kind.PREFERENCE, False, Priority.MEDIUM),
        ("Aslında port 3001", Kind.FACT, True, Priority.HIGH),
        ("Testler zorunludur", Kind.POLICY, True, Priority.CRITICAL),
    ],
)
def test_captures_with_their_polarity(
    text: str, kind: Kind, polarity: bool, priority: Priority
) -> None:
    """Preferences, corrections and constraints; the sentence keeps its words (B-07)."""
    (found,) = captures(text)
    assert (found.kind, found.polarity, found.priority) == (kind, polarity, priority)
    assert found.content == text
    assert text[slice(*found.span)] == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Testleri her zaman pytest ile çalıştır, unittest kullanma", Kind.POLICY),
        ("fiyatları kuruş olarak tut, float kullanma", Kind.POLICY),
        ("main'e doğrudan push yapma", Kind.POLICY),
        ("Mutlaka tip ekle", Kind.POLICY),
        ("bugün deploy etme", Kind.FACT),
        ("kullanma kılavuzu çekmecede", Kind.FACT),
        ("Yemek yapma, dışarıdan söyleyelim", Kind.FACT),
    ],
)
def test_what_is_not_to_be_done_here_is_a_rule_in_turkish(text: str, kind: Kind) -> None:
    """An order about the work at a sentence's end is a rule; one for today, and the name of doing
    something, are none."""
    assert classify(text).kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "it must have been raining",
        "You must be tired",
        "I never knew that",
        "No thanks",
        "never mind",
        "Is it required?",
        "Do you prefer tea?",
        "If I preferred tea I would say so",
        "actually yes",
        "He said he prefers tea",
        "Yağmur yağmış olmalı",
        "no problem",
    ],
)
def test_tales_and_small_words_capture_nothing(text: str) -> None:
    """A supposition, a question or an idiom is no preference and no policy."""
    assert captures(text) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Fixed null pointer crash in auth.js", Kind.BUGFIX),
        ("Added a new endpoint /users", Kind.FEATURE),
        ("Refactored the parser, extracted a helper", Kind.REFACTOR),
        ("Updated config.toml", Kind.CHANGE),
        ("Found that sessions are stored in Redis", Kind.DISCOVERY),
        ("Fixed it: decided to use SQLite instead of Postgres", Kind.DECISION),
        ("Resolved the crash at login", Kind.BUGFIX),
        ("Resolved 38 packages in 412ms\nInstalled 38 packages in 96ms", Kind.DISCOVERY),
        ("npm run lint --fix\n0 errors, no failures", Kind.DISCOVERY),
    ],
)
def test_the_six_classes_of_tool_output(text: str, kind: Kind) -> None:
    """Each class can be reached, decision too (A-15)."""
    assert tool_class(text).kind is kind


def test_tool_names_are_read_in_any_case() -> None:
    """Output without evidence: a writing tool changed something, another one found something."""
    assert tool_class("done", tool="Str_Replace_EDIT").kind is Kind.CHANGE
    assert tool_class("done", tool="GREP").kind is Kind.DISCOVERY


def test_at_most_three_concepts_of_the_seven() -> None:
    """The surest three concepts are named."""
    text = (
        "Root cause fixed: the trade-off was speed instead of memory because of a gotcha, "
        "by convention it works by calling the parser, which changed"
    )
    concepts = tool_class(text).concepts
    assert len(concepts) == 3
    assert set(concepts) <= {
        "how-it-works",
        "why-it-exists",
        "what-changed",
        "problem-solution",
        "gotcha",
        "pattern",
        "trade-off",
    }


@pytest.mark.parametrize("text", ["sounds good", "let me think about that", "tamam", "what now?"])
def test_filler_has_no_density(text: str) -> None:
    """The document's fillers stay below 2 (D-02)."""
    assert density(text).total < 2


@pytest.mark.parametrize(
    "text",
    [
        "I prefer dark mode",
        "Koyu temayı tercih ederim",
        "that was wrong",
        "we decided",
        "Database on port 5432",
        "We decided to use Postgres on May 7",
    ],
)
def test_telling_statements_reach_two(text: str) -> None:
    """A preference, correction or decision counts as 2, and so do two facts."""
    assert density(text).total >= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Rome", Stance.STATED),
        ("I moved to Austin and I'm hoping to find a house", Stance.STATED),
        ("I used to live in Rome but now I live in Milan", Stance.STATED),
        ("We should use Go. I use Go.", Stance.STATED),
        ("The deadline is in May", Stance.STATED),
        ("I might move to Rome", Stance.HYPOTHETICAL),
        ("If we moved to Go, it would be fast", Stance.HYPOTHETICAL),
        ("Belki giderim", Stance.HYPOTHETICAL),
        ("Anna said she likes tea", Stance.QUOTED),
        ("the client said we use Go", Stance.QUOTED),
        ("Anna wrote that we use Go", Stance.QUOTED),
        ("the client wrote: use Go", Stance.QUOTED),
        ("Ali wrote in the doc that the port is 3000", Stance.QUOTED),
        ("Ali yazdı: port 3000", Stance.QUOTED),
        ("Belgede portun 3000 olduğu yazıyor", Stance.QUOTED),
        ("The export job writes invoices to S3", Stance.STATED),
        ("Jenkins writes its logs to disk", Stance.STATED),
        ("Anna writes the release notes", Stance.STATED),
        ("Gecelik iş raporları depoya yazıyor", Stance.STATED),
        ('"I like tea"', Stance.QUOTED),
        ("Where do I live?", Stance.QUESTION),
        ("where do i live", Stance.QUESTION),
        ("never mind, forget it", Stance.RETRACTED),
        ("I used to live in Rome", Stance.PAST),
        ("Eskiden Ankara'da yaşıyordum", Stance.PAST),
        ("I'm going to use Go", Stance.PLANNED),
        ("Yarın gideceğim", Stance.PLANNED),
    ],
)
def test_the_stance_of_a_statement(text: str, expected: Stance) -> None:
    """Only what is stated speaks for the world as it is."""
    assert stance(text) is expected


@given(st.text(max_size=300))
def test_any_text_is_understood_without_error(text: str) -> None:
    """No text raises, and confidences stay in range."""
    assert 0 <= classify(text).confidence <= 1
    assert density(text).total >= 0
    assert isinstance(stance(text), Stance)
    assert 1 <= len(decompose(text)) <= 4
    assert all(text[slice(*one.span)] == one.content for one in captures(text))
    assert len(tool_class(text).concepts) <= 3
