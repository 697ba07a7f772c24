"""A summary without a model: whole sentences, nothing added, what tells most; golden files."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.entities import entities
from engraphy.text.gist import gist, recurring
from engraphy.text.heading import Note
from engraphy.text.moments import microseconds
from engraphy.text.split import sentences
from engraphy.text.telling import idle, said, told

GOLDEN = Path(__file__).with_name("data") / "gists"


def n(day: str, text: str, speaker: str = "", title: str = "", weight: float = 0.5) -> Note:
    """A note of a day."""
    found = tuple(one.uri for one in entities(text))
    at = microseconds(day)
    return Note(text=text, at=at, speaker=speaker, title=title, weight=weight, entities=found)


TALK = [
    n(
        "2026-02-03",
        """Hey Ines! Good to see you! I finally signed up for the ceramics class in Porto.
It starts on 14 February.""",
        "Joao",
    ),
    n("2026-02-03", "Wow, that's great! What will you make first?", "Ines"),
    n(
        "2026-02-10",
        "Haha, thanks! I won't make bowls, Ines. I want to make 12 tiles for the kitchen.",
        "Joao",
    ),
    n(
        "2026-02-21",
        "The first 4 tiles cracked in the kiln. It was set to 1,240 degrees and not to 1,040.",
        "Joao",
    ),
    n(
        "2026-02-21",
        "Oh no! My sister Marta has a kiln in Braga, you can use it on Sundays.",
        "Ines",
    ),
    n("2026-03-01", "We fired the other 8 tiles at Marta's. None of them cracked!", "Joao"),
]
WORK = [
    n("2026-01-05", "The API gateway listens on port 8443."),
    n(
        "2026-01-06",
        "We decided to pin numpy below 2.0 because the wheels of 2.0 break the tokenizer.",
        title="Numpy pin",
    ),
    n(
        "2026-01-08",
        "Never restart the ingest queue before noon: the batch of the night is still running.",
    ),
    n(
        "2026-01-12",
        "Never restart the ingest queue before noon; the batch of the night is still running.",
    ),
    n(
        "2026-01-09",
        """We looked at PostgreSQL for a while. It felt slow to all of us.
In the end Marcus found that max_connections was 20 and not 200. So we raised it on 9 January 2026.
Everybody was glad. PostgreSQL has been quiet ever since, and nobody complained again about
PostgreSQL or the pool in front of it.""",
    ),
    n(
        "2026-01-15",
        "PostgreSQL backups go to Zurich every night at 02:30 and are kept for 35 days.",
    ),
]
WORK.sort(key=lambda one: one.at)
TURKISH = [
    n("2026-04-01", "Merhaba! Sunucuyu Ankara'dan İzmir'e taşıdık, yeni adresi 10.0.4.12."),
    n("2026-04-03", "Yedekler her gece 03:30'da alınıyor. Bu yüzden o saatte yayına çıkılmıyor."),
    n("2026-04-10", "Ayşe artık Redis kullanmıyor. Onun yerine PostgreSQL 16 kuruldu."),
    n("2026-04-10", "Tamam, teşekkürler!"),
    n("2026-04-17", "Kemal 45 dakikalık toplantıları sevmiyor, en çok 20 dakika istiyor."),
]
WEEKLY = [
    n(d, t)
    for d, t in (
        (
            "2026-03-06",
            "Friday review: the team deployed the shop at 16:00 and watched the dashboard.",
        ),
        ("2026-03-13", "The team deployed the shop at 16:00 again, Ada watched the dashboard."),
        ("2026-03-20", "Deployed the shop at 16:00, the dashboard stayed green."),
        ("2026-03-27", "The shop was deployed at 17:00 because of the holiday."),
    )
]

SHOWN = {
    "talk": lambda: gist(TALK, chars=1_000, line_chars=160),
    "work": lambda: gist(WORK, chars=1_200, line_chars=200),
    "work_short": lambda: gist(WORK, "ops", chars=420, line_chars=200),
    "work_by_name": lambda: gist(WORK, chars=1_200, line_chars=200, by_name=True, total=40),
    "talk_by_speaker": lambda: gist(TALK, chars=1_000, line_chars=120, by_name=True, total=18),
    "turkish": lambda: gist(TURKISH, chars=900, line_chars=160),
    "weekly": lambda: recurring(WEEKLY, chars=600, line_chars=160),
}


@pytest.mark.parametrize("name", SHOWN)
def test_summaries_read_as_they_should(name: str) -> None:
    """Small talk and bare questions are left out, what is said twice is said once with both days,
    denials and figures stay, a head says what of, how many and when."""
    assert SHOWN[name]().text + "\n" == (GOLDEN / f"{name}.txt").read_text("utf-8")


NOTES = st.lists(
    st.sampled_from([*TALK, *WORK, *TURKISH, *WEEKLY]), min_size=1, max_size=12, unique=True
)


@given(NOTES, st.integers(300, 3_000), st.booleans())
def test_no_half_sentence_and_never_too_long(notes: list[Note], chars: int, by_name: bool) -> None:
    """Every line is made of whole sentences of its note, and the whole is as long as it may be;
    only a sentence that is alone longer than its line's share of the room ends at a word."""
    notes = sorted(notes, key=lambda one: one.at)
    found = gist(notes, "these", chars=chars, line_chars=240, by_name=by_name)
    assert len(found.text) <= chars
    whole = {part for one in notes for part in said(one.text)}
    for line in found.text.split("\n")[1:]:
        if line.startswith("- "):
            bare = re.sub(r" \((?:also on|ayrıca) [^)]*\)$", "", line[len("- 2026-01-01: ") :])
            for prefix in ("Joao: ", "Ines: ", "Numpy pin: "):
                bare = bare.removeprefix(prefix)
            if line.endswith("…"):
                assert any(one.startswith(bare[:-1]) and len(one) > 80 for one in whole), line
            else:
                assert all(part in whole for part in sentences(bare)), line


@given(NOTES)
def test_nothing_is_lost_where_there_is_room(notes: list[Note]) -> None:
    """Each number that a telling sentence holds stands in the summary."""
    notes = sorted(notes, key=lambda one: one.at)
    text = gist(notes, "these", chars=20_000, line_chars=2_000).text
    for one in notes:
        telling = [p for p in said(one.text) if not idle(p, between_people=bool(one.speaker))]
        for number in re.findall(r"\d+(?:[.,:]\d+)*", " ".join(telling)):
            assert number in text


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("We met. It was in Porto. Somebody came by car.", 30, "We met. It was in Porto."),
        ("Thanks! The key is under the third stone.", 100, "The key is under the third stone."),
        ("Do you like it? I like 3 of them.", 100, "I like 3 of them."),
        ("No, never!", 100, "No, never!"),
        (
            "The kiln of the sister of Marta who lives in Braga can be used on\nSundays. Fine.",
            90,
            "The kiln of the sister of Marta who lives in Braga can be used on Sundays.",
        ),
        ("What is the plan?", 100, "What is the plan?"),
        ("Sonra gittik. Bu yüzden 5 gün kaldık.", 30, "Sonra gittik."),
    ],
)
def test_a_text_is_told_shorter(text: str, most: int, kept: str) -> None:
    """A sentence that leans on another one comes with it, questions and thanks go where something
    else is said, and a text that only asks is told as it stands."""
    assert told(text, most) == kept
