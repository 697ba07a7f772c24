"""The stretch of time a question is about, and the events it is dated by."""

from datetime import UTC, datetime

import pytest

from engraphy.text.moments import iso
from engraphy.text.timeframe import timing

NOW = int(datetime(2026, 5, 20, 12, tzinfo=UTC).timestamp()) * 1_000_000


def spans(question: str) -> list[tuple[str | None, str | None, bool]]:
    """First day, day after the last, and whether it is a limit."""
    found = timing(question, now=NOW).stretches
    return [((iso(s.begin) or "")[:10], (iso(s.until) or "")[:10], s.sharp) for s in found]


@pytest.mark.parametrize(
    ("question", "begin", "until", "limit"),
    [
        ("what did we decide last week?", "2026-05-11", "2026-05-18", False),
        ("what did we use before March?", "", "2026-03-01", True),
        ("what did we use until March?", "", "2026-04-01", True),
        ("since January what changed", "2026-01-01", "", True),
        ("what changed after January?", "2026-02-01", "", True),
        ("what changed between March and June", "2025-03-01", "2025-07-01", False),
        ("from January to March, what changed?", "2026-01-01", "2026-04-01", False),
        ("what happened in the last 3 days", "2026-05-17", "2026-05-20", False),
        ("the past two weeks", "2026-05-06", "2026-05-20", False),
        ("what did I do in the past couple of weeks", "2026-05-06", "2026-05-20", False),
        ("what did I read recently?", "2026-04-20", "2026-05-20", False),
        ("what happened over the weekend", "2026-05-16", "2026-05-18", False),
        ("what did we do in the week before 3 May 2026?", "2026-04-26", "2026-05-03", False),
        ("what did we do the day after 3 May 2026?", "2026-05-04", "2026-05-05", False),
        ("what did we use prior to 2024?", "", "2024-01-01", True),
        ("geçen hafta ne yaptık", "2026-05-11", "2026-05-18", False),
        ("marttan önce ne kullanıyorduk", "", "2026-03-01", True),
        ("geçen haftadan beri ne değişti", "2026-05-11", "", True),
        ("ocaktan beri ne değişti", "2026-01-01", "", True),
        ("15 Mart'tan sonra ne değişti", "2026-03-16", "", True),
        ("2024'ten önce ne kullanıyorduk", "", "2024-01-01", True),
        ("mart ile haziran arasında ne oldu", "2025-03-01", "2025-07-01", False),
        ("son üç günde ne oldu", "2026-05-17", "2026-05-20", False),
        ("son iki haftada ne oldu", "2026-05-06", "2026-05-20", False),
        ("son zamanlarda ne okudum", "2026-04-20", "2026-05-20", False),
        ("hafta sonu ne yaptık", "2026-05-16", "2026-05-18", False),
        ("3 Mayıs 2026'dan önceki hafta ne yaptık", "2026-04-26", "2026-05-03", False),
    ],
)
def test_a_question_names_a_stretch(question: str, begin: str, until: str, limit: bool) -> None:
    """Dates, rolling times, limits and ranges become one stretch, open where nothing is said."""
    assert spans(question) == [(begin, until, limit)]


@pytest.mark.parametrize(
    ("question", "side", "event"),
    [
        ("where did we live before we moved?", "before", "we moved"),
        ("before we moved where did we live?", "before", "we moved"),
        ("what changed after the release", "after", "the release"),
        ("what did I drink when I lived in Berlin?", "during", "I lived in Berlin"),
        ("taşınmadan önce nerede yaşıyorduk", "before", "taşınmadan"),
        ("Porto'ya taşındıktan sonra ne değişti", "after", "Porto'ya taşındıktan"),
        ("Berlin'de yaşarken ne içerdim", "during", "Berlin'de yaşar"),
    ],
)
def test_a_question_is_dated_by_an_event(question: str, side: str, event: str) -> None:
    """A clause or a noun of time that holds no date is an event to be looked up."""
    (anchor,) = timing(question, now=NOW).anchors
    assert (anchor.side, anchor.event) == (side, event)
    assert spans(question) == []


@pytest.mark.parametrize(
    "question",
    [
        "how many days passed between when I sold the boat and the day before we moved?",
        "How many weeks did it take me to read it after I sold the boat?",
        "how long did we wait before we moved?",
        "how soon after the release did we move?",
        "taşındıktan kaç gün sonra tekneyi sattım",
        "taşındıktan ne kadar sonra tekneyi sattım",
    ],
)
def test_how_long_it_was_between_events_is_no_limit(question: str) -> None:
    """Where a question asks how far apart two things lay, both are its answer: neither dates it."""
    found = timing(question, now=NOW)
    assert (found.stretches, found.anchors) == ((), ())


@pytest.mark.parametrize(
    "question",
    [
        "When did we move?", "what is the plan after that?", "since when do I work here",
        "after all what is my name", "daha önce ne demiştim", "erken kalkar mıyım",
        "Haftada bir ne yapıyorum", "what is my favourite colour?", "",
    ],
)  # fmt: skip
def test_small_words_set_no_time(question: str) -> None:
    """Where nothing is told of a time or an event, there is none."""
    found = timing(question, now=NOW)
    assert (found.stretches, found.anchors, found.alone) == ((), (), False)


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("what happened last week?", True),
        ("geçen hafta ne yaptık?", True),
        ("what did Ada do last week?", False),
        ("what happened last week before we moved?", False),
    ],
)
def test_whether_nothing_but_a_time_is_named(question: str, alone: bool) -> None:
    """Small words and words that only ask what happened name nothing."""
    assert timing(question, now=NOW).alone is alone
