"""How likely one statement takes the place of another: any two texts, and the packaged weights."""

import math
import os
import re
import subprocess
import sys
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.making import opened

from engraphy.model import Action
from engraphy.text.pairing import READ, marks, side, subject_and_value, traits
from engraphy.text.succession import excluded, succession, weights

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=120)
WORDS = [
    "I", "we", "my", "our", "Ada's", "moved", "switched", "quit", "no", "longer", "now", "instead",
    "scratch", "that", "wait", "actually", "the", "port", "3001", "3000", "Berlin", "Porto", "on",
    "Monday", "€40", "3.5", "kg", "09:15", "v2.1", "a@b.co", "artık", "taşındım", "bıraktım",
    "yerine", "değil", "pazartesi", "kardeşimin", "İstanbul'da", "?", "!", ".", '"', "”", "'", "😀",
    "👩\u200d👩\u200d👧", "\ud800", "\udfff", "\0", "\x1b[31m", "\u202e", "\u200b",
    "e\u0301", "東京",
]  # fmt: skip
TOLD = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
TEXTS = ANY_TEXT | TOLD
LONG = ["a", "I ", "7", "\0", "\ud800", "😀", "We moved from Rome to Oslo. ", "artık ", "'s ", '"']
PAIRS = [
    ("We've handed invoicing over to Paddle", "Our invoices go out through Stripe"),
    ("Korodan ayrıldım", "Koroda şarkı söylüyorum"),
    ("My sister plays golf", "I keep my savings at Northbank"),
]
LARGEST = 1_200_000
LEAST_WEIGHT = 5


@given(TEXTS, TEXTS, st.booleans())
def test_any_two_texts_have_a_probability(new: str, old: str, just: bool) -> None:
    """It lies in (0, 1) and is the same each time, whatever stands in the two texts."""
    found = succession(new, old, just=just)
    assert 0 < found < 1
    side.cache_clear()
    assert succession(new, old, just=just) == found
    assert excluded(new, old) in {True, False}
    subject, value = subject_and_value(new, old)
    assert subject.strip()
    assert subject == subject.lower()
    assert "\n" not in value


@pytest.mark.parametrize(("one", "other"), list(product(LONG, LONG[:4])))
def test_long_texts_are_read_to_their_bound(one: str, other: str) -> None:
    """Of 100,000 characters the first 300 count, and nothing raises."""
    new, old = (one * 100_000)[:100_000], (other * 100_000)[:100_000]
    assert succession(new, old) == succession(new[:READ], old[:READ])
    assert excluded(new, old) in {True, False}


@pytest.mark.long
def test_another_process_says_the_same() -> None:
    """No figure depends on the order of a set, which another process shuffles."""
    code = (
        "from engraphy.text.succession import succession as s;"
        f"print([s(new, old) for new, old in {PAIRS!r}])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {f"{[succession(new, old) for new, old in PAIRS]}\n"}


@pytest.mark.spec("D-08")
def test_the_same_text_takes_no_place(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a text says, observing it again never supersedes it."""
    with opened(tmp_path_factory.mktemp("same") / "store.db") as memory:

        @given(TOLD | ANY_TEXT | st.sampled_from([text for pair in PAIRS for text in pair]))
        def holds(text: str) -> None:
            user = f"user-{memory.stats().journal_entries}"
            memory.observe(text, user=user)
            actions = {one.action for one in memory.observe(text, user=user)}
            assert Action.SUPERSEDED not in actions

        holds()


def rows() -> list[list[str]]:
    """The lines of the packaged file, without its header."""
    path = files("engraphy.text") / "lexicon" / "succession_weights.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("#") for line in lines[:2])
    return [line.split("\t") for line in lines[2:]]


@pytest.mark.long
def test_the_weights_are_whole() -> None:
    """Every trait that is read has its mean, its spread and its weights, all of them finite; the
    units fit; nothing is named twice; the file is not large."""
    found = rows()
    assert {row[0] for row in found} == {"units", "trait", "word"}
    units = [list(map(float, row[1].split())) for row in found if row[0] == "units"]
    assert len(units[0]) == 1
    assert len(units[1]) == len(units[2]) > 1
    numbers = {row[1]: list(map(float, row[2].split())) for row in found if row[0] == "trait"}
    assert list(numbers) == sorted(traits("a", "b", just=False))
    assert {len(row) for row in numbers.values()} == {3 + len(units[1])}
    assert all(map(math.isfinite, [one for row in (*units, *numbers.values()) for one in row]))
    assert all(row[1] > 0 for row in numbers.values())
    words = [row[1] for row in found if row[0] == "word"]
    assert len(words) == len(set(words))
    assert all(re.match(r"[bcno]:.|n[*~].", word) for word in words)
    least = min(abs(int(row[2])) for row in found if row[0] == "word")
    assert least >= LEAST_WEIGHT
    path = Path(str(files("engraphy.text") / "lexicon" / "succession_weights.txt"))
    assert path.stat().st_size < LARGEST


def test_the_weights_are_those_of_the_file() -> None:
    """What is read is what stands there, line by line."""
    model, found = weights(), rows()
    assert len(model.traits) + len(model.words) + 3 == len(found)
    for row in found:
        if row[0] == "word":
            assert model.words[row[1]] == int(row[2])
        elif row[0] == "trait":
            mean, spread, weight, *units = map(float, row[2].split())
            assert model.traits[row[1]] == (mean, spread, weight, tuple(units))


def test_a_value_counts_by_its_place_and_not_by_what_it_is() -> None:
    """Other numbers and names in the same places give the same probability and the same marks."""
    one = ("The retry limit of the mailer went up to 5", "The retry limit of the mailer is 3")
    other = ("The retry limit of the mailer went up to 9", "The retry limit of the mailer is 8")
    assert marks(*one) == marks(*other)
    assert succession(*one) == succession(*other)


def test_what_was_told_just_before_counts_for_a_correction_only() -> None:
    """`just` moves the probability of a remark that puts something right, and of no other."""
    old = "The retro is on Wednesday"
    correction, statement = "Scratch that, Thursday", "The canteen serves soup on Thursdays"
    assert succession(correction, old, just=True) > succession(correction, old)
    assert succession(statement, old, just=True) == succession(statement, old)
