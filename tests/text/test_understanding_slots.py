"""Slots of statements, and which statements replace others (D-08)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.language import Slot
from engraphy.text.slots import contradicts, slots


def replaces(new: str, old: str) -> str | None:
    """The reason why one statement replaces another, or None."""
    found = contradicts(slots(new), slots(old))
    return found.reason if found is not None else None


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value", "single"),
    [
        ("The server runs on port 3000", "server", "port", "3000", True),
        ("The API port is 3000", "api", "port", "3000", True),
        ("I live in Austin, Texas", "user", "city", "austin", True),
        ("My sister lives in Berlin", "sister", "city", "berlin", True),
        ("I work at Google", "user", "employer", "google", True),
        ("I work as a software engineer", "user", "job", "software engineer", True),
        ("I work as a backend engineer at Acme", "user", "employer", "acme", True),
        ("I joined Acme as a data analyst", "user", "employer", "acme", True),
        ("I changed jobs, I'm at Trendline now", "user", "employer", "trendline", True),
        ("I moved, I'm in Porto now", "user", "city", "porto", True),
        ("I went vegan", "user", "diet", "vegan", True),
        ("I got divorced last month", "user", "relationship status", "divorced", True),
        ("I'm 34 years old", "user", "age", "34", True),
        ("My name is Ali", "user", "name", "ali", True),
        ("My email is a@b.co", "user", "email", "a@b.co", True),
        ("My favorite color is blue", "user", "favorite:color", "blue", True),
        ("The deadline is May 7", "project", "deadline time", "may 7", True),
        ("Rate limit is 100/min", "project", "rate limit", "100/min", True),
        ("We use Python 3.11", "python", "version", "3.11", True),
        ("User prefers Python", "user", "preference:language", "python", True),
        ("I prefer dark mode", "user", "preference:mode", "dark mode", True),
        ("I like tea", "user", "likes", "tea", False),
        ("I don't like olives", "user", "dislikes", "olives", False),
        ("I also use Vim", "user", "uses:editor", "vim", False),
        ("Our database is MySQL", "project", "uses:database", "mysql", True),
        ("İstanbul'da yaşıyorum", "user", "city", "istanbul", True),
        ("Google'da çalışıyorum", "user", "employer", "google", True),
        ("New York'ta yaşıyorum", "user", "city", "new york", True),
        ("Elif Google'da çalışıyor", "elif", "employer", "google", True),
        (
            "Kız kardeşim Elif İzmir'de diş hekimi olarak çalışıyor",
            "elif",
            "job",
            "dis hekimi",
            True,
        ),
        ("Ayşe Google'a geçti", "ayse", "employer", "google", True),
        ("Vim kullanıyorum", "user", "uses:editor", "vim", True),
        ("34 yaşındayım", "user", "age", "34", True),
        ("En sevdiğim renk mavi", "user", "favorite:color", "mavi", True),
        ("API portu 3001", "api", "port", "3001", True),
    ],
)
def test_a_statement_fills_a_slot(
    text: str, subject: str, attribute: str, value: str, single: bool
) -> None:
    """Subject, attribute and value come in one comparable form, in both languages."""
    expected = Slot(subject=subject, attribute=attribute, value=value, single=single)
    assert expected in slots(text)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I moved to Vienna in 2020.", {("city", "vienna")}),
        ("We switched to Debian in 2021.", {("uses:os", "debian")}),
        ("We switched to Debian in May 2021.", {("uses:os", "debian")}),
        ("We use Debian since 2021", {("uses:os", "debian")}),
        ("We switched to Debian 11 in 2021.", {("uses:os", "debian"), ("version", "11")}),
        ("We use Python 3.12", {("uses:language", "python"), ("version", "3.12")}),
        ("We use Postgres 17", {("uses:database", "postgresql"), ("version", "17")}),
        ("We run Debian 12", {("version", "12")}),
        ("We run Ubuntu 24.04", {("version", "24.04")}),
        ("We use Windows 2000", {("uses:os", "windows"), ("version", "2000")}),
        ("We target ES 2020", {("version", "2020")}),
    ],
)
def test_a_year_is_no_version(text: str, stated: set[tuple[str, str]]) -> None:
    """When something was done is neither a version nor a purpose; a version that looks like a year
    stays one."""
    found = {(slot.attribute, slot.value) for slot in slots(text)}
    assert {one for one in found if not one[0].startswith("version:")} == stated


@pytest.mark.parametrize("since", ["seit", "depuis", "en", "since", "in", "desde"])
def test_a_year_is_no_version_behind_any_word_of_time(since: str) -> None:
    """Also in other languages."""
    told = slots(f"We use Debian {since} 2021")
    assert not any(slot.attribute == "version" or "2021" in slot.attribute for slot in told)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We no longer use Postgres", "postgresql"),
        ("I moved from Istanbul to Ankara", "istanbul"),
        ("We switched from Jest to Vitest", "jest"),
        ("We replaced webpack with Vite", "webpack"),
        ("We use pnpm instead of npm", "npm"),
        ("I no longer like olives", "olives"),
        ("I quit smoking", "smoking"),
        ("Artık Docker kullanmıyoruz", "docker"),
        ("Jest yerine Vitest kullanıyoruz", "jest"),
        ("Artık vegan değilim", "vegan"),
    ],
)
def test_what_is_over_is_denied(text: str, value: str) -> None:
    """The old side of a change gives a slot of negative polarity."""
    assert value in {slot.value for slot in slots(text) if not slot.polarity}


CHANGES = [
    (
        ("The API runs on port 3000",),
        ("The API now runs on port 3001", "Actually, the API port is 3001"),
    ),
    (("User prefers Python", "I prefer Python"), ("I prefer Go", "Actually, I prefer Go")),
    (
        ("We use PostgreSQL",),
        ("We no longer use PostgreSQL", "We switched to MySQL", "We migrated to MySQL"),
    ),
    (
        ("I live in Boston", "I moved to Boston last year"),
        ("I moved to Denver", "I now live in Denver"),
    ),
    (("I work at Google",), ("I now work at Netflix", "I no longer work at Google")),
    (("I use Vim", "My editor is Vim"), ("I switched to VS Code", "I stopped using Vim")),
    (("I like sushi",), ("I no longer like sushi", "I hate sushi")),
    (("I hate olives",), ("I love olives now", "I no longer hate olives")),
    (("The deadline is Friday",), ("The deadline was moved to Monday",)),
    (("I am vegetarian",), ("I'm no longer vegetarian", "I went vegan")),
    (("I'm married",), ("I got divorced",)),
    (("We use Python 3.10",), ("We upgraded from Python 3.10 to 3.12",)),
    (("My favorite movie is Dune",), ("My favorite movie is now Arrival",)),
    (("Our standup is at 10:00",), ("The standup moved to 9:30",)),
    (("The project is in progress",), ("The project is now finished",)),
    (("İzmir'de yaşıyorum",), ("Ankara'ya taşındım", "İzmir'den Ankara'ya taşındım")),
    (("PostgreSQL kullanıyoruz",), ("MySQL'e geçtik", "Artık PostgreSQL kullanmıyoruz")),
    (("Kahveyi severim",), ("Artık kahve sevmiyorum",)),
]


@pytest.mark.parametrize(
    ("new", "old"), [(n, o) for olds, news in CHANGES for n, o in product(news, olds)]
)
def test_a_change_replaces(new: str, old: str) -> None:
    """The same subject and attribute with another value, or an explicit denial."""
    assert replaces(new, old) is not None


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I also like coffee", "I like tea"),
        ("I also use Vim", "I use VS Code"),
        ("My sister lives in Berlin", "I live in Rome"),
        ("My sister's favorite color is red", "My favorite color is blue"),
        ("If we moved to Go, it would be faster", "We use Python"),
        ("Should we use MySQL?", "We use PostgreSQL"),
        ("He said he lives in Berlin", "I live in Rome"),
        ('"I prefer Go", he said', "I prefer Python"),
        ("I used to live in Berlin", "I live in Rome"),
        ("When I was a kid I lived in Berlin", "I live in Rome"),
        ("I might move to Berlin", "I live in Rome"),
        ("I want to move to Berlin", "I live in Rome"),
        ("I will move to Berlin", "I live in Rome"),
        ("I'm thinking about switching to Emacs", "I use Vim"),
        ("I planned to switch to Emacs but decided against it", "I use Vim"),
        ("Vim yerine Emacs'e geçmeyi düşündüm ama vazgeçtim", "Vim kullanıyorum"),
        ("The web port is 8080", "The API port is 3000"),
        ("The staging database is MySQL", "The production database is PostgreSQL"),
        ("I visited Berlin", "I live in Rome"),
        ("We use Redis for caching", "We use PostgreSQL"),
        ("I prefer tea in the morning", "I prefer coffee in the evening"),
        ("I prefer Italian food", "I prefer spicy food"),
        ("I moved to the next chapter", "I live in Rome"),
        ("we live in boxes", "I live in Rome"),
        ("The meeting is on Monday", "The deadline is Friday"),
        ("Presentation is in March", "Presentation is on Friday"),
        ("Python 2 is no longer supported", "We use Python 3.11"),
        ("We use PostgreSQL 15", "We use PostgreSQL"),
        ("We use Python 3.11.2", "We use Python 3.11"),
        ("The API port is still 3000", "The API port is 3000"),
        ("I live in Rome, near the Colosseum", "I live in Rome"),
        ("I no longer use Vim", "I use VS Code"),
        ("Anna prefers Go", "Ben prefers Python"),
        ("For example, the port is 9000", "The port is 3000"),
        ("We ate at a vegan restaurant", "I'm vegetarian"),
        ("I like games", "I dislike games with bad ads"),
        ("Kız kardeşim Ankara'da yaşıyor", "İzmir'de yaşıyorum"),
        ("Ankara'ya taşınmayı düşünüyorum", "İzmir'de yaşıyorum"),
        ("Çayı da severim", "Kahveyi severim"),
        ("Eskiden Ankara'da yaşıyordum", "İzmir'de yaşıyorum"),
        ("Redis de kullanıyoruz", "PostgreSQL kullanıyoruz"),
        ("Web portu 8080", "API portu 3000"),
    ],
)
def test_what_only_looks_like_a_change_replaces_nothing(new: str, old: str) -> None:
    """Additions, other subjects, suppositions, questions, quotes and old habits."""
    assert replaces(new, old) is None


def test_a_statement_never_contradicts_itself() -> None:
    """Said twice, a statement holds."""
    for olds, news in CHANGES:
        for text in (*olds, *news):
            assert replaces(text, text) in {None, "negated"}
            assert replaces(olds[0], olds[0]) is None


def test_the_reason_tells_a_new_value_from_a_denial() -> None:
    """`value` and `negated`, with both slots."""
    found = contradicts(slots("The API port is 3001"), slots("The API port is 3000"))
    assert found is not None
    assert (found.reason, found.new.value, found.old.value) == ("value", "3001", "3000")
    assert replaces("I no longer like tea", "I like tea") == "negated"


@given(st.text(max_size=300))
def test_any_text_has_slots_without_error(text: str) -> None:
    """No text raises; every slot has a subject, an attribute and a value."""
    for slot in slots(f"I like {text}. {text}"):
        assert slot.subject
        assert slot.attribute
        assert slot.value
