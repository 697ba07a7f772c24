"""What several texts have in common: the head of a summary without a model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Any

from engraphy.record import Record
from engraphy.text.bags import telling_stems
from engraphy.text.datafiles import table
from engraphy.text.entities import entities
from engraphy.text.fold import fold_text
from engraphy.text.keywords import keywords
from engraphy.text.language import language
from engraphy.text.moments import iso, moment

_DAY = len("2026-05-01")
_SUBJECTS = 3
_RHYTHM = 0.35
"""How far, relative to the median, the gaps between days may lie from it to be a rhythm."""
_LEAST_DAYS = 3
_MOSTLY = 2 / 3


class Note(Record, frozen=True, kw_only=True):
    """A text to be told: when it became true (microseconds UTC), who said it, what it is called,
    the addresses of what it names, how much it matters in [0, 1]."""

    text: str
    at: int
    title: str = ""
    speaker: str = ""
    entities: tuple[str, ...] = ()
    weight: float = 0.5


def heading(notes: Sequence[Note], subject: str, form: str, total: int = 0) -> str:
    """The first line of a summary: what of, how many, of which days."""
    days = sorted(day_of(one.at) for one in notes)
    if days[0] == days[-1]:
        form = {"head": "day"}.get(form, f"{form}_day")
    return str(words_for(notes)[form]).format(
        subject=subject,
        count=max(total, len(notes)),
        start=days[0],
        end=days[-1],
        rhythm=rhythm(notes),
    )


def about(notes: Sequence[Note]) -> str:
    """What notes have in common, in a few of their own words: names that half of them share, else
    telling words that at least two use."""
    half = max(2, (len(notes) + 1) // 2)
    counts = Counter(uri for one in notes for uri in dict.fromkeys(one.entities))
    speakers = {fold_text(one.speaker) for one in notes}
    shared = [
        uri
        for uri, count in counts.most_common()
        if count >= half and uri.rpartition("/")[2] not in speakers
    ]
    names = [spelled(uri, notes) for uri in shared[:_SUBJECTS]]
    if len(names) < _SUBJECTS:
        known = [*names, *speakers]
        names += _shared_words(notes, half, _SUBJECTS - len(names), known)
    if not names:
        return str(words_for(notes)["mixed"])
    text = ", ".join(names)
    return text[:1].upper() + text[1:]


def _shared_words(notes: Sequence[Note], least: int, most: int, known: Sequence[str]) -> list[str]:
    counts: Counter[str] = Counter()
    for one in notes:
        counts.update(telling_stems(one.text))
    found = keywords(" \n".join(one.text for one in notes), 24)
    there = telling_stems(" ".join(known))
    shared = [
        word
        for word in found
        if (stems := telling_stems(word)) and stems.isdisjoint(there)
        if all(counts[stem] >= least for stem in stems)
    ]
    return shared[:most]


def spelled(uri: str, notes: Sequence[Note]) -> str:
    """An entity's name as a note spells it; its address's last part where none does."""
    for one in notes:
        if uri in one.entities and (name := _names(one.text).get(uri)):
            return name
    return uri.rpartition("/")[2].replace("-", " ")


@lru_cache(maxsize=64)
def _names(text: str) -> dict[str, str]:
    # A summary asks the same notes for the name of each address that two of them share.
    return {found.uri: found.name for found in reversed(entities(text))}


def rhythm(notes: Sequence[Note]) -> str:
    """How what recurs is spread: a weekday that most of its days share, or about every so many
    days; nothing where it is neither."""
    words = words_for(notes)
    days = sorted({one.at // 86_400_000_000 for one in notes})
    if len(days) < _LEAST_DAYS:
        return ""
    weekdays = Counter(moment(day * 86_400_000_000).weekday() for day in days)
    [(weekday, count)] = weekdays.most_common(1)
    if count >= _LEAST_DAYS and count / len(days) >= _MOSTLY:
        return str(words["weekday"]).format(weekday=words["weekdays"][weekday])
    gaps = [later - earlier for earlier, later in pairwise(days)]
    usual = median(gaps)
    if usual >= 2 and all(abs(gap - usual) <= max(1, _RHYTHM * usual) for gap in gaps):
        return str(words["every"]).format(days=round(usual))
    return ""


def day_of(at: int) -> str:
    """The day of a moment, as YYYY-MM-DD."""
    return str(iso(at))[:_DAY]


def words_for(notes: Sequence[Note]) -> Mapping[str, Any]:
    """The words of a summary in the language of what it tells: Turkish, else English."""
    return _words_of(tuple(one.text[:200] for one in notes[:12]))


@lru_cache(maxsize=16)
def _words_of(texts: tuple[str, ...]) -> Mapping[str, Any]:
    # Asked for every line of a summary.
    return dict(table("gist")["tr" if language(" ".join(texts)) == "tr" else "en"])
