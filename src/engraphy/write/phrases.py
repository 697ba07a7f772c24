"""What stands of a clause of which a value is over: its other phrases ("nightly at 2:00 in Airflow"
runs at 4:00 now, and still in Airflow)."""

from collections.abc import Iterator

from engraphy.text.atoms import rule
from engraphy.text.canonical import canonical
from engraphy.text.language import language
from engraphy.text.parts import Part, part_of, stems_of, words
from engraphy.text.shaped import shared
from engraphy.text.wordlists import plain

_REPLACED = frozenset({"time", "number", "version", "duration", "money", "percent"})
_DAYS = frozenset({"date", "weekday"})
"""Another day leaves open what was told of the time and place of the old one."""


def phrases_left(clause: str, new: str) -> str:
    """The clause without the phrase whose value the new text gives anew, or that says with whom
    where that is told of; empty where that is not one phrase, or where no other phrase tells a
    value or a name."""
    told = part_of(canonical(new))
    if language(clause) == "tr" or _kinds(told) & _DAYS & _kinds(part_of(clause)):
        return ""
    phrases = list(_phrases(clause.rstrip(" .;,")))
    parts = [part_of(one) for one in phrases]
    over = [place for place, one in enumerate(parts) if _over(one, told)]
    over = over or [place for place, one in enumerate(parts) if _with_whom(one, told)]
    stands = [place for place, one in enumerate(parts) if place not in over and _tells(one, told)]
    if len(over) != 1 or not stands:
        return ""
    kept = _without_value(phrases[0], parts[0]) if over == [0] else phrases[0]
    rest = [one for place, one in enumerate(phrases) if place and place not in over]
    return "" if not kept else f"{kept[:1].upper()}{kept[1:]}{''.join(rest)}."


def _phrases(clause: str) -> Iterator[str]:
    start = 0
    for border in rule("phrase", "en").finditer(plain(clause)):
        yield clause[start : border.start()]
        start = border.start()
    yield clause[start:]


def _kinds(part: Part) -> frozenset[str]:
    return frozenset(one.kind for one in part.values)


def _over(phrase: Part, told: Part) -> bool:
    """Whether a phrase gives a value of a kind that is given anew, and speaks of nothing else."""
    kinds = _kinds(phrase) & _kinds(told) & _REPLACED
    return bool(kinds) and shared(phrase.anchors, stems_of(told)) == len(phrase.anchors)


def _with_whom(phrase: Part, told: Part) -> bool:
    """Whether a phrase only says with whom, or with what, by a name that is in the new text."""
    found = rule("with_whom", "en").match(plain(phrase.text).lstrip())
    return found is not None and bool(phrase.names) and words(found["whom"]) <= told.words


def _tells(phrase: Part, told: Part) -> bool:
    """Whether a phrase tells a value or a name that the new text says nothing of."""
    said = {one.form for one in told.values}
    return any(one.form not in said for one in phrase.values)


def _without_value(phrase: str, part: Part) -> str:
    """A phrase without the value that it ends with; empty where it does not end so."""
    last = part.values[-1]
    head = phrase[: phrase.lower().rfind(last.form)].rstrip()
    if not phrase.rstrip().lower().endswith(last.form) or len(part.values) > 1:
        return ""
    found = rule("copula", "en").search(f"{head} ")
    return head if found is None else head[: found.start()]
