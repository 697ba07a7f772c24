"""What still stands of sentences of which a part is over: clause by clause, a list without the
member that went."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engraphy.text.atoms import hangs, lacks_subject, stands_alone, subject
from engraphy.text.parts import listed, part_of, stems, words
from engraphy.text.slots import statements
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wordlists import key

Ended = Callable[[str], frozenset[str] | None]
"""Of a text whether it is over: None where it stands, else what of it, where that is known."""

_READ = 4_096
"""So many characters of a fragment are read for what it tells."""
_SUBORDINATED = re.compile(r"\s(?:after|before|until|while|because|although|though|whereas)\s")
_NAME = re.compile(r"[A-ZÇĞİÖŞÜ][^\W\d_]{1,30}\b")
_COORDINATED = re.compile(r"(?:\b(?:and|ve)|;)\s*$", re.IGNORECASE)


class _Clause(NamedTuple):
    text: str
    """With the subject that it has from the one before it."""
    over: frozenset[str] | None
    is_joined: bool
    """Whether it stands behind "and", so that it is no remark on what is before it."""
    stands: bool
    """Whether it can be a sentence."""
    joint: str
    """What ties it to the one before it."""


def standing(
    sentences: Sequence[str], ended: Ended, *, forgotten: bool = False
) -> list[str] | None:
    """What stands of sentences; None where something hangs on words that are over. What is to be
    `forgotten` takes the names along that were told of it ("two kids, Mia and Tom")."""
    kept: list[str] = []
    for sentence in sentences:
        stands = ended(sentence) is None
        parts = [sentence] if stands else clauses_left(sentence, ended, forgotten=forgotten)
        if parts is None:
            return None
        kept += parts
    return kept


def clauses_left(sentence: str, ended: Ended, *, forgotten: bool = False) -> list[str] | None:
    """The clauses of a sentence that stand, each a sentence with what hangs on it. A remark on what
    is over goes with it, and a list goes on without it."""
    told = list(_clauses(sentence, ended))
    if all(one.over is None for one in told):
        apart = (one.stands or _lists_on(one.text) for one in told[1:])
        return None if any(apart) else []
    kept: list[str] = []
    is_list = any(one.is_joined and not stands_alone(one.text) for one in told)
    # The clause before, where it is over: a member of a list may take the place of what went.
    gone: _Clause | None = None
    for one in told:
        if one.stands:
            gone = None if one.over is None else one
            kept += [one.text] if one.over is None else []
        elif one.over is not None:
            continue
        elif gone is None:
            kept[-1] += f"{one.joint}{one.text}"
        elif is_list and (head := _head(gone, one.text)):
            kept.append(f"{head}{one.text}")
            gone = None
        elif (one.is_joined and not forgotten and _names(one.text)) or _lists_on(one.text):
            return None
    return [f"{one[:1].upper()}{one[1:].rstrip('.;, ')}." for one in kept]


def is_coordinated(sentence: str) -> bool:
    """Whether all clauses of a sentence stand side by side: none remarks on another."""
    return all(one.is_joined or _own(one) for one in list(_clauses(sentence, lambda _: None))[1:])


def tells_apart(sentence: str) -> bool:
    """Whether a clause behind the first of a sentence is no remark on it, by its own name or value
    of what it names ("..., the dentist is Dr Quinn"), or as the line of another day."""
    rest = list(_clauses(sentence, lambda _: None))[1:]
    return any(_own(one) or _of_a_day(one.text) for one in rest)


def _own(clause: _Clause) -> bool:
    if not clause.stands or words(clause.text) & listed("dangling"):
        return False
    return _lists_on(clause.text) or _of_somebody(clause.text)


def _of_somebody(text: str) -> bool:
    """Whether a clause behind another begins with a name ("..., Karim does infra")."""
    found = _NAME.match(text)
    return found is not None and not is_stop_word(found[0].lower())


def _clauses(sentence: str, ended: Ended) -> Iterator[_Clause]:
    lowered, end, whose = sentence.lower(), 0, ""
    before: _Clause | None = None
    for number, said in enumerate(statements(sentence)):
        place = lowered.find(said.lower(), end)
        text, joined, joint = said, False, ", "
        if place >= 0:
            tie = sentence[end:place]
            joint = tie if _SUBORDINATED.fullmatch(tie) else joint
            end = place + len(said)
            text = sentence[place:end]
            joined = _COORDINATED.search(sentence[:place]) is not None
        stands = not number or stands_alone(text, joined=joined)
        if number and lacks_subject(text):
            stands = stands and bool(whose)
            text = f"{whose} {text}" if stands else text
        else:
            whose = subject(text)
        one = _Clause(text, ended(said), joined, stands, joint)
        if before is not None and not (before.stands or stands) and joint != ", ":
            before = _with(before, one)
            continue
        if before is not None:
            yield before
        before = one
    if before is not None:
        yield before


def _with(one: _Clause, other: _Clause) -> _Clause:
    """Two fragments that only say something together ("order before tuesday noon"): over as soon
    as either is."""
    over = one.over if other.over is None else (one.over or frozenset()) | other.over
    return one._replace(text=f"{one.text}{other.joint}{other.text}", over=over)


def _head(clause: _Clause, member: str) -> str:
    """A clause up to what it ends with, where that is what is over; else empty. What has a number
    of its own ("Python 3.10") goes with it where the next member is no mere number."""
    head, _, last = clause.text.rstrip(" .;,").rpartition(" ")
    if not head or not (stems(last) | {key(last)}) & (clause.over or frozenset()):
        return ""
    before, _, name = head.rpartition(" ")
    if before and stems(name) and last[0].isdigit() and not member[:1].isdigit():
        head = before
    return f"{head} "


def _lists_on(text: str) -> bool:
    """Whether a fragment tells something more, and is no remark on what is before it: it gives a
    value of what it names, and hangs on nothing ("Stilton from Colston", "14 dollars an hour",
    "Python 3.12"), or of a day of the week ("Fri 9-13")."""
    text = text[:_READ]
    part = part_of(text)
    kinds = {value.kind for value in part.values}
    named = bool(part.values and part.anchors) or {"name"} < kinds
    return (named or _of_a_day(text)) and not hangs(text)


def _of_a_day(text: str) -> bool:
    """Whether a fragment gives a day of the week a value, as a timetable does."""
    kinds = {value.kind for value in part_of(text).values}
    return "weekday" in kinds and len(kinds) > 1


def _names(text: str) -> bool:
    """Whether a fragment says of what it is: more than another value ("mon, wed and fri")."""
    part = part_of(text)
    return bool(part.anchors or part.names)
