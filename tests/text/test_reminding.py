"""Requests to be reminded, read: of what, when, about what, how often; and the clocks of zones."""

from calendar import monthrange
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.reminding import EACH
from engraphy.text import recurring
from engraphy.text.moments import microseconds
from engraphy.text.reminding import apart, request
from engraphy.text.topics import answered
from engraphy.text.zones import at_wall, wall, written, zone

NOW = microseconds("2026-11-28T19:45")
"""A Saturday."""
DAY = 86_400_000_000
SENTENCES = (Path(__file__).parent / "data/reminders.txt").read_text("utf-8").splitlines()
"""English and Turkish: "+ " before what the user asks for, "- " before what is no request."""
ZONES = ("UTC", "Europe/Istanbul", "America/New_York", "Asia/Kolkata", "+05:45", "Pacific/Auckland")


def moment(text: str | None) -> int | None:
    """A moment as these tests write it."""
    return None if text is None else microseconds(text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("remind me to renew the passport on 3 March", "2027-03-03"),
        ("Can you remind me tomorrow at 5pm to call mom?", "2026-11-29T17:00"),
        ("remind me in 2 hours to take the pizza out", "2026-11-28T21:45"),
        ("on Monday morning, remind me to submit the form", "2026-11-30T09:00"),
        ("remind me two days before 3 March to renew the passport", "2027-03-01"),
        ("I need a reminder for the dentist on Tuesday at 14:30", "2026-12-01T14:30"),
        ("Set a reminder for Monday at 10: standup with Anna", "2026-11-30T10:00"),
        ("Set a reminder tomorrow at 10:30: standup", "2026-11-29T10:30"),
        ("Yarın için bir hatırlatma kur: kira ödenecek.", "2026-11-29"),
        ("Set a reminder to water the plants on 5 December", "2026-12-05"),
        ("Don't let me forget to pay the rent on the 1st of December", "2026-12-01"),
        ("Make sure I don't forget to bring the charger tomorrow", "2026-11-29"),
        ("remind me to call the bank at noon", "2026-11-29T12:00"),
        ("remind me to call at 6", "2026-11-29T18:00"),
        ("remind me tonight to lock the door", "2026-11-28T20:00"),
        ("Yarın saat 17:30'da annemi aramamı hatırlat", "2026-11-29T17:30"),
        ("Bana 3 Mart'ta pasaportu yenilememi hatırlatır mısın?", "2027-03-03"),
        ("bana cuma günü faturayı hatırlat", "2026-12-04"),
        ("akşam 7'de ilacımı almamı hatırlat", "2026-11-29T19:00"),
        ("iki hafta sonra sigortayı yenilemeyi hatırlatmayı unutma", "2026-12-12"),
        ("bana hatırlat: yarın 09:15'te diş hekimi", "2026-11-29T09:15"),
    ],
)
def test_the_moment_that_is_meant(text: str, at: str) -> None:
    """Dates by the same rules as everywhere, always ahead; hours and parts of the day."""
    asked = request(text, now=NOW)
    assert asked is not None
    assert (asked.at, asked.topic) == (moment(at), "")
    assert asked.action


@pytest.mark.parametrize(
    ("text", "topic", "every"),
    [
        ("remind me when we talk about the deploy to check the migrations", "deploy", ""),
        ("When we discuss the billing service, remind me to ask", "billing service", ""),
        ("Next time I mention Bob, remind me to congratulate him", "Bob", ""),
        ("remind me next time I'm at the supermarket to buy batteries", "supermarket", ""),
        ("remind me to check the logs whenever we deploy", "deploy", EACH),
        ("kira konusu açılınca ev sahibini aramayı unutturma", "kira", ""),
        ("her deploy konuştuğumuzda logları kontrol etmemi hatırlat", "deploy", EACH),
    ],
)
def test_the_topic_that_is_meant(text: str, topic: str, every: str) -> None:
    """A condition becomes the words of what is to come up, without those that only say that."""
    asked = request(text, now=NOW)
    assert asked is not None
    assert (asked.at, asked.topic, asked.every) == (None, topic, every)


@pytest.mark.parametrize(
    ("text", "every", "first"),
    [
        ("remind me every day at 9 to take my pills", "1 day", "2026-11-29T09:00"),
        ("remind me every Monday to send the report", "1 week", "2026-11-30"),
        ("remind me every other week to back up", "2 week", "2026-12-12"),
        ("remind me monthly to back up the disk", "1 month 28", "2026-12-28"),
        ("her pazartesi raporu göndermemi hatırlat", "1 week", "2026-11-30"),
        ("her pazar çiçekleri sulamamı hatırlat", "1 week", "2026-11-29"),
        ("her sabah vitamin almamı hatırlat", "1 day", "2026-11-29T09:00"),
    ],
)
def test_how_often_it_is_meant(text: str, every: str, first: str) -> None:
    """Days, weeks, months; the first time lies ahead."""
    asked = request(text, now=NOW)
    assert asked is not None
    assert (asked.every, asked.at) == (every, moment(first))


def test_only_requests_are_requests() -> None:
    """Of what speaks of reminding, is quoted, is code, or is asked of others nothing is taken for a
    request; of requests at most one in ten is missed."""
    said = [(line[:2] == "+ ", line[2:].replace("\\n", "\n")) for line in SENTENCES]
    taken = [(asked, text) for asked, text in said if request(text, now=NOW)]
    assert [text for asked, text in taken if not asked] == []
    assert len(taken) >= 0.9 * sum(asked for asked, _ in said)


def test_one_sentence_is_the_request() -> None:
    """What stands around it is something else."""
    text = "I love Vienna. Please remind me to buy tickets tomorrow. It is nice there."
    assert list(apart(text, now=NOW)) == [
        ("I love Vienna.", False),
        ("Please remind me to buy tickets tomorrow.", True),
        ("It is nice there.", False),
    ]


@given(
    head=st.sampled_from(
        ["remind me ", "Remind us when ", "bana ", "", "on Friday, remind me to "]
    ),
    middle=st.text(max_size=60),
    tail=st.sampled_from(
        [" to call tomorrow", " hatırlat", " every day", "", " at 25:00 on 31 June"]
    ),
    now=st.integers(-62_000_000_000_000_000, 253_000_000_000_000_000),
    name=st.sampled_from(ZONES),
)
def test_any_text_is_read(head: str, middle: str, tail: str, now: int, name: str) -> None:
    """Nothing raises, at any time, in any zone; what is read lies ahead, ends after it begins, and
    has a topic where it has no moment; the pieces hold every word of the text."""
    text = head + middle + tail
    asked = request(text, now=now, zone=name)
    if asked is not None:
        assert asked.at is not None or asked.topic
        if asked.at is not None:
            assert asked.until is not None
            assert now - 2 * DAY < asked.at < asked.until
    words = "".join(piece for piece, _ in apart(text, now=now, zone=name))
    assert "".join(words.split()) == "".join(text.split())


@given(
    at=st.integers(0, 4_000_000_000_000_000),
    late=st.integers(0, 2_000 * DAY),
    every=st.sampled_from(
        ["1 day", "3 day", "2 week", "1 month", "1 month 31", "1 year", "5 month"]
    ),
    name=st.sampled_from(ZONES),
)
def test_what_comes_again_comes_next(at: int, late: int, every: str, name: str) -> None:
    """The next time lies behind now, by no more than one period, at the same hour of the wall.
    What comes on the 31st came on the last day of its month."""
    if every.endswith(" 31"):
        first = datetime.fromtimestamp(at // 10**6, tz=zone(name))
        at += (monthrange(first.year, first.month)[1] - first.day) * DAY
    found = recurring.next_after(at, every, at + late, name)
    assert found is not None
    count, unit, *_ = every.split()
    longest = int(count) * {"day": 1, "week": 7, "month": 31, "year": 366}[unit] + 2
    assert at + late < found <= at + late + longest * DAY
    before, after = (datetime.fromtimestamp(one // 10**6, tz=zone(name)) for one in (at, found))
    skipped = (after.utcoffset(), before.utcoffset())
    assert (after.hour, after.minute) == (before.hour, before.minute) or skipped[0] != skipped[1]


@given(at=st.integers(0, 4_000_000_000_000_000), name=st.sampled_from(ZONES))
def test_a_wall_clock_is_read_back(at: int, name: str) -> None:
    """What a clock reads tells the moment, but for the hour that comes twice; as text with its
    offset it is the same moment."""
    back = at_wall(wall(at, name), name)
    assert back == at or abs(back - at) in {3_600_000_000, 1_800_000_000}
    assert microseconds(written(at, name)) == at - at % 1_000_000


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc", "+99:00", "", "a" * 100, "Europe", "ü"])
def test_no_zone_is_made_up(name: str) -> None:
    """Only those that there are; none at all is UTC."""
    assert (zone(name) is None) == bool(name)


@pytest.mark.parametrize(
    ("topic", "text", "share"),
    [
        ("deploy", "the deployment is done", 1.0),
        ("sunum", "sunumumuzu hazırladım", 1.0),
        ("kira", "kirayı ödedim", 1.0),
        ("billing service", "the service", 0.5),
        ("Bob", "Bob's idea", 1.0),
        ("deploy", "the harbour", 0.0),
        ("", "anything", 0.0),
        ("...", "anything", 0.0),
    ],
)
def test_how_far_a_text_speaks_of_a_topic(topic: str, text: str, share: float) -> None:
    """By any form of its words, English and Turkish."""
    assert answered(topic, text) == share


def test_now_is_utc_where_nothing_is_said() -> None:
    """The default zone is no surprise."""
    asked = request("remind me to call tomorrow", now=NOW)
    assert asked is not None
    assert asked.at == round(datetime(2026, 11, 29, tzinfo=UTC).timestamp()) * 10**6
