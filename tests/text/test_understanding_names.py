"""Entities, dates, announcements, rewriting and titles."""

import itertools
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.language import Grain
from engraphy.text.dates import annotated, dates, iso
from engraphy.text.entities import MOST, entities
from engraphy.text.foresight import foresight
from engraphy.text.moments import microseconds
from engraphy.text.rewrite import standalone, title

WEDNESDAY = microseconds("2023-05-10T14:30")
DAY = 86_400_000_000


def uris(text: str) -> list[str]:
    """The addresses of the entities of a text."""
    return [one.uri for one in entities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I prefer Go", ["entity://tech/go"]),
        ("we run postgres and k8s", ["entity://tech/postgresql", "entity://tech/kubernetes"]),
        ("C++, C# and Node.js", ["entity://tech/c++", "entity://tech/c#", "entity://tech/node.js"]),
        ("Postgres'e geçtik", ["entity://tech/postgresql"]),
        ("we use rust for the parser", ["entity://tech/rust"]),
        (
            "My wife Anna works at Google in Istanbul",
            ["entity://person/anna", "entity://org/google", "entity://place/istanbul"],
        ),
        ("I'm Marcus", ["entity://person/marcus"]),
        ("call me Zorblax", ["entity://person/zorblax"]),
        ("eşim Mehmet Yılmaz geldi", ["entity://person/mehmet-yilmaz"]),
        ("benim adım Ayşe", ["entity://person/ayse"]),
        ("the Tartine Lab paper", ["entity://org/tartine-lab"]),
        ("see src/api/auth.js", ["entity://file/src-api-auth.js"]),
        ("auth.js depends on jwt.js", ["entity://file/auth.js", "entity://file/jwt.js"]),
        ("see https://example.org/a.", ["entity://url/https-example.org-a"]),
        ("version 1.2.3", ["entity://version/1.2.3"]),
        ("on 2023-05-07", ["entity://date/2023-05-07"]),
    ],
)
def test_entities_have_addresses(text: str, expected: list[str]) -> None:
    """Each kind, by gazetteer, spelling or what stands around (D-04)."""
    assert uris(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "my best friend and my wife",
        "Go to the shop and react to this",
        "Rust never sleeps",
        "I'm German",
        "I'm Excited",
        "Will you call?",
        "Can I go in May?",
        "Yesterday was good. Tomorrow too.",
        "I love poetry and black coffee",
        "apple pie from turkey",
        "Umut var mı?",
        "the red cross on the map",
    ],
)
def test_everyday_words_name_nothing(text: str) -> None:
    """A lower-case phrase is no person, a capital at a sentence's start proves nothing."""
    assert [one for one in uris(text) if not one.startswith("entity://date")] == []


def test_at_most_eight_and_none_twice() -> None:
    """The first eight different entities are kept."""
    text = "Docker, Redis, MySQL, SQLite, MongoDB, Kafka, nginx, Django, Flutter. Docker again."
    assert len(uris(text)) == MOST == len(set(uris(text)))


@given(st.text(max_size=400))
def test_places_of_entities_lie_in_the_text(text: str) -> None:
    """Whatever the text, spans are ordered, apart and inside it."""
    found = entities(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "2023-05-10"),
        ("yesterday", "2023-05-09"),
        ("tomorrow", "2023-05-11"),
        ("the day before yesterday", "2023-05-08"),
        ("last Friday", "2023-05-05"),
        ("last Wednesday", "2023-05-03"),
        ("this Friday", "2023-05-12"),
        ("next Friday", "2023-05-19"),
        ("on Friday", "2023-05-05"),
        ("I will call on Friday", "2023-05-12"),
        ("in 3 weeks", "2023-05-31"),
        ("in two days", "2023-05-12"),
        ("in a month", "2023-06-10"),
        ("two days ago", "2023-05-08"),
        ("2 weeks ago", "2023-04-24 to 2023-04-30"),
        ("a couple of months ago", "2023-03"),
        ("three years ago", "2020"),
        ("last week", "2023-05-01 to 2023-05-07"),
        ("next week", "2023-05-15 to 2023-05-21"),
        ("last month", "2023-04"),
        ("next month", "2023-06"),
        ("last year", "2022"),
        ("last weekend", "2023-05-06 to 2023-05-07"),
        ("the weekend before last", "2023-04-29 to 2023-04-30"),
        ("in May", "2023-05"),
        ("in June", "2022-06"),
        ("the deadline is in June", "2023-06"),
        ("in March 2021", "2021-03"),
        ("May 7", "2023-05-07"),
        ("May 12", "2022-05-12"),
        ("we will meet on May 12", "2023-05-12"),
        ("7 May 2023", "2023-05-07"),
        ("May 7, 2022", "2022-05-07"),
        ("2023-05-07", "2023-05-07"),
        ("in 2021", "2021"),
        ("last summer", "2022-06-01 to 2022-08-31"),
        ("summer of 2020", "2020-06-01 to 2020-08-31"),
        ("this morning", "2023-05-10"),
        ("end of the month", "2023-05-31"),
        ("5 minutes ago", "2023-05-10T14:25"),
        ("in 2 hours", "2023-05-10T16:00"),
        ("bugün", "2023-05-10"),
        ("dün", "2023-05-09"),
        ("yarın", "2023-05-11"),
        ("geçen hafta", "2023-05-01 to 2023-05-07"),
        ("geçen cuma", "2023-05-05"),
        ("3 hafta sonra", "2023-05-31"),
        ("2 gün önce", "2023-05-08"),
        ("geçen ay", "2023-04"),
        ("haftaya", "2023-05-15 to 2023-05-21"),
        ("3 Mayıs'ta", "2023-05-03"),
        ("Mayıs 2022'de", "2022-05"),
        ("15.01.2023", "2023-01-15"),
        ("geçen yaz", "2022-06-01 to 2022-08-31"),
    ],
)
def test_dates_against_the_time_of_the_message(text: str, expected: str) -> None:
    """Relative and absolute dates, both languages, on a Wednesday (D-06)."""
    assert [iso(found) for found in dates(text, now=WEDNESDAY)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "may I go",
        "on the 7th floor",
        "I sat with the sun",
        "in 9999 years",
        "march on",
        "",
        "99/99/2023",
    ],
)
def test_what_is_no_date_gives_none(text: str) -> None:
    """Everyday words and impossible dates are no mention."""
    assert dates(text, now=WEDNESDAY) == ()


def test_a_span_is_half_open_and_in_utc() -> None:
    """The span of a day begins at midnight and ends at the next, which is not in it."""
    (found,) = dates("it was yesterday", now=WEDNESDAY)
    assert found.until - found.begin == DAY
    assert datetime.fromtimestamp(found.begin / 1e6, tz=UTC).isoformat() == (
        "2023-05-09T00:00:00+00:00"
    )
    assert (found.grain, found.text) == (Grain.DAY, "yesterday")


@pytest.mark.parametrize("now", ["2024-02-29", "2023-12-31", "2023-01-01", "2024-03-31"])
@given(st.integers(min_value=0, max_value=40))
def test_months_never_overflow(now: str, count: int) -> None:
    """The ends of months and years are no trap."""
    at = microseconds(now)
    for text in (f"in {count} months", f"{count} months ago", f"{count} weeks ago"):
        assert all(found.begin < found.until for found in dates(text, now=at))


@given(st.text(max_size=200), st.integers(min_value=-(10**18), max_value=10**18))
def test_any_text_at_any_time_has_ordered_dates(text: str, now: int) -> None:
    """No text and no clock raises."""
    found = dates(f"{text} last week and May 7", now=now)
    assert all(one.begin < one.until for one in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_relative_dates_are_annotated() -> None:
    """The words stay, the ISO date stands behind them; an ISO date gains nothing."""
    text = "I met her yesterday and moved on 2023-01-02"
    assert annotated(text, now=WEDNESDAY) == (
        "I met her yesterday (2023-05-09) and moved on 2023-01-02"
    )


def test_an_announcement_holds_to_its_date_or_seven_days() -> None:
    """The stated date where it lies ahead, else a week (D-06)."""
    stated = foresight("I'm going to visit Rome tomorrow", now=WEDNESDAY)
    assert stated is not None
    assert stated.valid_until == microseconds("2023-05-12")
    assert stated.stated
    assumed = foresight("I plan to visit Rome", now=WEDNESDAY)
    assert assumed is not None
    assert assumed.valid_until == WEDNESDAY + 7 * DAY
    assert not assumed.stated
    turkish = foresight("Yarın Ankara'ya gideceğim", now=WEDNESDAY)
    assert turkish is not None
    assert turkish.stated
    assert foresight("I like tea", now=WEDNESDAY) is None


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("The office is closed until winter", "2024-03-01"),
        ("We will not deploy until the autumn.", "2023-12-01"),
        ("Ofis kışa kadar açılmayacak", "2024-03-01"),
        ("We are staying here until Christmas", "2023-12-26"),
        ("The sale ends by new year's eve and will not come back", "2024-01-01"),
        ("It is off until the migration is through", None),
        ("Builds stay red until Spring Boot 4 is out", None),
    ],
)
def test_what_holds_until_a_season_or_a_feast_holds_so_long(text: str, until: str | None) -> None:
    """To the end of it, and never for a week; what holds until something else has no end."""
    found = foresight(text, now=WEDNESDAY)
    assert (found and found.valid_until) == (until and microseconds(until))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I prefer dark mode", "User prefers dark mode"),
        ("well, um, I really prefer Go", "User really prefers Go"),
        ("I'm not a fan of Java", "User is not a fan of Java"),
        ("I don't like 4 spaces", "User doesn't like 4 spaces"),
        ("I never use tabs", "User never uses tabs"),
        ("I've been to Rome", "User has been to Rome"),
        ("I went home", "User went home"),
        ("I try and study", "User tries and study"),
        ("My wife works with me", "User's wife works with User"),
        ("World War I was bad", "World War I was bad"),
        ('She said "I love it"', 'She said "I love it"'),
        ("We use Postgres", "We use Postgres"),
        ("Python'ı tercih ederim", "Kullanıcı Python'ı tercih eder"),
        ("Ben artık kahve içmiyorum", "Kullanıcı artık kahve içmiyor"),
        ("Asla tab kullanmam", "Kullanıcı asla tab kullanmaz"),
        ("Yarın Ankara'ya gideceğim", "Kullanıcı yarın Ankara'ya gidecek"),
        ("Benim adım Ahmet", "Kullanıcının adı Ahmet"),
        ("Benim favori editörüm Vim", "Kullanıcının favori editörü Vim"),
        ("Benim arabam kırmızı", "Kullanıcının arabası kırmızı"),
        ("Benim en sevdiğim renk yeşil", "Kullanıcının en sevdiği renk yeşil"),
        ("Benim kızım Ayşe 5 yaşında", "Kullanıcının kızı Ayşe 5 yaşında"),
        ("Kızım Ayşe 5 yaşında", "Kızım Ayşe 5 yaşında"),
        ("Kullanıcı adım zed91", "Kullanıcı adım zed91"),
        ("Kızım için kitap aldım", "Kullanıcı kızı için kitap aldı"),
        ("Bana Docker lazım", "Kullanıcıya Docker lazım"),
        ("Benim için Docker önemli", "Kullanıcı için Docker önemli"),
        ("Dün gittim ve Vim kurdum", "Kullanıcı dün gitti ve Vim kurdu"),
        ("Kredim dün onaylandı", "Kredim dün onaylandı"),
    ],
)
def test_statements_stand_alone(text: str, expected: str) -> None:
    """First person becomes third, fillers go, negations and numbers stay (D-05)."""
    assert standalone(text) == expected


def test_the_speaker_may_be_named() -> None:
    """A known speaker stands in the user's place."""
    assert standalone("I like tea", speaker="Marcus") == "Marcus likes tea"
    assert standalone("Benim adım gizli", speaker="Bob") == "Bob'un adı gizli"
    assert standalone("Bana çay lazım", speaker="Ayşe") == "Ayşe'ye çay lazım"


@given(st.text(max_size=800))
def test_a_rewritten_statement_keeps_its_numbers_and_its_limit(text: str) -> None:
    """At most 500 characters, and of a short text every digit survives."""
    found = standalone(text)
    assert len(found) <= 500
    if len(text) < 200:
        assert [c for c in found if c in "0123456789"] == [c for c in text if c in "0123456789"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("well, actually I prefer **dark** mode. And more", "I prefer dark mode"),
        ("hi. We use `snake_case` for names", "We use snake_case for names"),
        ("# Release notes\nbody", "Release notes"),
        ("ok", "ok"),
        ("   ", ""),
    ],
)
def test_titles(text: str, expected: str) -> None:
    """The first telling sentence without markup and lead-in (A-02)."""
    assert title(text) == expected


@given(st.text(max_size=400), st.integers(min_value=1, max_value=120))
def test_titles_fit_and_are_not_empty(text: str, limit: int) -> None:
    """A title fits its limit, and is there where the text holds a letter or digit."""
    found = title(text, limit)
    assert len(found) <= limit
    if any(map(str.isalnum, text)):
        assert found
