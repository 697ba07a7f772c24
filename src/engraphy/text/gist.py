"""What several texts tell, in their own whole sentences: a summary without a model (R-09)."""

from collections import Counter
from collections.abc import Sequence

from msgspec import field
from msgspec.structs import replace

from engraphy.record import Record
from engraphy.text.bags import alike, linked, telling_stems
from engraphy.text.heading import Note, about, day_of, heading, spelled, words_for
from engraphy.text.rewrite import shortened
from engraphy.text.similarity import near_duplicate
from engraphy.text.telling import FULL, idle, said, tells, told

_ALIKE = 0.7
"""Jaccard index of their stems from which on two lines may say the same."""
_SHORTEST_LINE = 80
_BESIDE = len("- 2026-05-01: ")
_MOST_DAYS = 3
_CENTRAL = 3
"""Lines of what recurs."""


class Line(Record, frozen=True, kw_only=True):
    """What is told of a note: `place` among the notes, and the days on which others said it too."""

    place: int
    text: str
    tells: float = 0.0
    days: tuple[str, ...] = field(default=())


class Gist(Record, frozen=True, kw_only=True):
    """A summary, and the places of the notes that it tells."""

    text: str
    told: tuple[int, ...]


def gist(
    notes: Sequence[Note],
    subject: str = "",
    *,
    chars: int,
    line_chars: int,
    total: int = 0,
    by_name: bool = False,
) -> Gist:
    """The summary of notes (oldest first), at most `chars` long: a head, then a line for each with
    its day; what several say is told once. `total`: of how many memories they are the telling
    ones. `by_name`: lines that name the same stand together under its name.

    Where not all fit, those that matter and tell most stay, each of them shortened to whole
    sentences first. A note that tells nothing is told only where none does.
    """
    head = heading(notes, subject or about(notes), "best" if total > len(notes) else "head", total)
    room = max(chars - len(head), _SHORTEST_LINE)
    share = max(_SHORTEST_LINE, min(line_chars, room // max(1, len(notes)) - _BESIDE))
    lines = _within(_once(lines_of(notes, share), notes), notes, room)
    arranged = _grouped if by_name else _in_order
    while len(text := "\n".join([head, *arranged(lines, notes)])) > chars and len(lines) > 1:
        # The names of groups, and the other days, take room as well.
        lines = _without_least(lines, notes)
    return Gist(text=shortened(text, chars), told=tuple(one.place for one in lines))


def recurring(notes: Sequence[Note], subject: str = "", *, chars: int, line_chars: int) -> Gist:
    """What recurs in notes: how often, in which rhythm, and the lines that have most in common
    with the others."""
    head = heading(notes, subject or about(notes), "recurs")
    lines = lines_of(notes, line_chars)
    bags = [telling_stems(one.text) for one in lines]
    counts = Counter(stem for bag in bags for stem in bag)
    shared = [sum(counts[stem] - 1 for stem in bag) / (len(bag) or 1) for bag in bags]
    weighed = [
        Line(place=one.place, text=one.text, tells=shared[number])
        for number, one in enumerate(lines)
    ]
    equal = [Note(text=one.text, at=one.at, speaker=one.speaker, weight=0.0) for one in notes]
    central = sorted(_once(weighed, notes), key=lambda one: -_worth(one, equal))[:_CENTRAL]
    kept = _within(central, equal, max(chars - len(head), _SHORTEST_LINE))
    text = "\n".join([head, *(_shown(one, equal) for one in kept)])
    return Gist(text=shortened(text, chars), told=tuple(one.place for one in kept))


def lines_of(notes: Sequence[Note], most: int) -> list[Line]:
    """A line for each note that tells anything, at most `most` characters beside its day."""
    telling = [place for place, note in enumerate(notes) if _says(note)] or range(len(notes))
    return [
        Line(place=place, text=_line(notes[place], most), tells=tells(notes[place].text))
        for place in telling
    ]


def _says(note: Note) -> bool:
    people = bool(note.speaker)
    return any(not idle(part, between_people=people) for part in said(note.text))


def _line(note: Note, most: int) -> str:
    said = told(note.text, most, between_people=bool(note.speaker))
    own = note.title.rstrip(" .…")
    named = own and not " ".join(note.text.split()).startswith(own[: len(own) // 2 + 1])
    speaker = f"{note.speaker}: " if note.speaker else ""
    return f"{speaker}{f'{own}: ' if named else ''}{said}"


def _once(lines: Sequence[Line], notes: Sequence[Note]) -> list[Line]:
    """Lines that say the same (R-09: nothing that differs in a number, a name or a negation does)
    as one, the first of them, with the days of the others."""
    bags = [telling_stems(one.text) for one in lines]
    pairs = (
        (first, second)
        for first, second in alike(bags, _ALIKE)
        if near_duplicate(lines[first].text, lines[second].text)
    )
    gone: set[int] = set()
    kept = dict(enumerate(lines))
    for first, *others in linked(len(lines), pairs):
        gone.update(others)
        own = day_of(notes[lines[first].place].at)
        days = dict.fromkeys(day_of(notes[lines[one].place].at) for one in others)
        one = lines[first]
        also = tuple(day for day in days if day != own)
        kept[first] = Line(place=one.place, text=one.text, tells=one.tells, days=also)
    return [one for place, one in kept.items() if place not in gone]


def _within(lines: Sequence[Line], notes: Sequence[Note], room: int) -> list[Line]:
    """Those that matter and tell most, in their order, within so many characters."""
    taken: list[Line] = []
    for one in sorted(lines, key=lambda line: -_worth(line, notes)):
        size = len(_shown(one, notes)) + 1
        if size <= room:
            taken.append(one)
            room -= size
    return sorted(taken, key=lambda one: one.place) or list(lines[:1])


def _worth(line: Line, notes: Sequence[Note]) -> float:
    return line.tells + FULL * notes[line.place].weight + len(line.days)


def _without_least(lines: Sequence[Line], notes: Sequence[Note]) -> list[Line]:
    least = min(lines, key=lambda one: _worth(one, notes))
    return [one for one in lines if one is not least]


def _shown(line: Line, notes: Sequence[Note]) -> str:
    words, days = words_for(notes), ", ".join(line.days[:_MOST_DAYS])
    if len(line.days) > _MOST_DAYS:
        more = str(words["more_days"]).format(count=len(line.days) - _MOST_DAYS)
        days = f"{days} {more}"
    again = f" ({str(words['again']).format(days=days)})" if days else ""
    return f"- {day_of(notes[line.place].at)}: {line.text}{again}"


def _in_order(lines: Sequence[Line], notes: Sequence[Note]) -> list[str]:
    return [_shown(one, notes) for one in lines]


def _grouped(lines: Sequence[Line], notes: Sequence[Note]) -> list[str]:
    """Lines of one speaker together, where several speak; else those that name the same, under the
    name that most share first; what is left stands at the end."""
    speakers = dict.fromkeys(notes[one.place].speaker for one in lines)
    if len(speakers) > 1:
        shown = _by_speaker(lines, notes, [name for name in speakers if name])
        left = [one for one in lines if not notes[one.place].speaker]
    else:
        shown, left = _by_name(lines, notes)
    if left and shown:
        shown.append(f"{words_for(notes)['other']}:")
    return [*shown, *(_shown(one, notes) for one in left)]


def _by_speaker(lines: Sequence[Line], notes: Sequence[Note], names: Sequence[str]) -> list[str]:
    shown: list[str] = []
    for name in names:
        shown.append(f"{name}:")
        own = (one for one in lines if notes[one.place].speaker == name)
        shown += (
            _shown(replace(one, text=one.text.removeprefix(f"{name}: ")), notes) for one in own
        )
    return shown


def _by_name(lines: Sequence[Line], notes: Sequence[Note]) -> tuple[list[str], list[Line]]:
    counts = Counter(uri for one in lines for uri in notes[one.place].entities)
    shown: list[str] = []
    left = list(lines)
    for uri, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        own = [one for one in left if uri in notes[one.place].entities]
        if len(own) > 1:
            shown.append(f"{spelled(uri, [notes[one.place] for one in own])}:")
            shown += (_shown(one, notes) for one in own)
            left = [one for one in left if one not in own]
    return shown, left
