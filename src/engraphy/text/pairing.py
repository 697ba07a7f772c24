"""What a new statement and an older one show beside each other: the signs from which
`engraphy.text.succession` tells whether the one takes the other's place.

`traits` are numbers, most of 0 or 1: how much of what the one speaks of the other speaks of too,
which values differ, whose it is. `marks` are the words themselves, where a word that both have, or
a value, counts by its place only: what is said of a thing is learned, not which thing.
"""

import math
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from engraphy.record import Record
from engraphy.text.evidence import asks
from engraphy.text.language import language_of_both
from engraphy.text.negation import polarity
from engraphy.text.parts import Part, apart, corrective, listed, part_of
from engraphy.text.shaped import meeting, shared
from engraphy.text.split import sentences
from engraphy.text.wordlists import key, pattern, plain

READ = 300
"""Characters of a statement that count."""

_TOKEN = re.compile(r"<[a-z]{2,12}>|[^\W_]+(?:['’][^\W_]+)?")
_OWNER = re.compile(r"\b([A-Z][^\W\d_]{1,20})['’](?:s|n?[iıuü]n)\b")
_OPENING_NAME = re.compile(r"\A\s*([A-Z][a-z]{1,20})\b")
_QUOTED = re.compile(r"[\"“”]")
_LONG, _ROOT, _ENDS = 5, 5, 4
_MATCHED = "="
_FEW_WORDS = 5
_MOST_SHARED, _MOST_NAMES = 4, 3


class Side(Record, frozen=True, kw_only=True, dict=True, weakref=True):
    """One of the two statements, read once; what only some pairs ask for, when they do."""

    text: str
    part: Part
    tokens: tuple[str, ...]
    forms: Mapping[str, frozenset[str]]
    """The forms of its values by kind."""

    @cached_property
    def owners(self) -> frozenset[str]:
        """Whom it names as owners ("Hannah's deadline")."""
        return frozenset(key(name) for name in _OWNER.findall(self.text))

    @cached_property
    def first(self) -> bool:
        """Whether it speaks of the speaker."""
        return pattern("persons_said", "first").search(plain(self.text)) is not None

    @cached_property
    def third(self) -> bool:
        """Whether it speaks of someone else."""
        return pattern("persons_said", "third").search(plain(self.text)) is not None

    @cached_property
    def asked(self) -> bool:
        """Whether it asks anything."""
        return any(asks(plain(one)) for one in sentences(self.text))

    @cached_property
    def denied(self) -> bool:
        """Whether it negates anything."""
        return polarity(self.text) < 0

    @cached_property
    def corrects(self) -> bool:
        """Whether it says that it puts something right."""
        return corrective(self.text)

    @cached_property
    def known(self) -> "_Known":
        """Its words, to be looked up."""
        return _Known(self.tokens)

    @cached_property
    def of_words(self) -> tuple[tuple[str, ...], ...]:
        """What each of its words is marked by where the other statement has it not."""
        return tuple(tuple(_of_word(one)) for one in self.tokens)

    @property
    def leans(self) -> bool:
        """Whether it may need what was said right before it to be understood."""
        return self.corrects or len(self.part.spelled) <= _FEW_WORDS


@lru_cache(maxsize=512)
def side(text: str) -> Side:
    """A statement read, its first 300 characters."""
    text = text[:READ]
    part = part_of(text)
    forms: dict[str, set[str]] = {}
    for value in part.values:
        forms.setdefault(value.kind, set()).add(value.form)
    return Side(
        text=text,
        part=part,
        tokens=_tokens(part),
        forms={kind: frozenset(found) for kind, found in forms.items()},
    )


def traits(new: str, old: str, *, just: bool) -> dict[str, float]:
    """The numbers of a pair by name; `just`: the old one was told right before the new one, which
    counts where that corrects something or says little by itself: who names both the old and the
    new is understood without it."""
    mine, theirs = side(new), side(old)
    just = just and mine.leans and (mine.corrects or not mine.part.anchors)
    found = dict(_overlap(mine.part, theirs.part))
    found.update(_values(mine.forms, theirs.forms))
    found.update(_persons(mine, theirs))
    found.update(
        asked=mine.asked,
        quoted=_QUOTED.search(mine.text) is not None,
        denied_new=mine.denied,
        denied_old=theirs.denied,
        turkish=language_of_both(mine.text, theirs.text) == "tr",
        just=just,
        just_short=just and bool(found["short"]),
        just_apart=just and bool(found["nothing_shared"]),
    )
    return {name: float(value) for name, value in found.items()}


def marks(new: str, old: str) -> frozenset[str]:
    """The words of a pair: single ones, their beginnings and ends, runs of two and three."""
    mine, theirs = side(new), side(old)
    held, told = theirs.known, mine.known
    framed, found = ["^"], set[str]()
    for one, of_word in zip(mine.tokens, mine.of_words, strict=True):
        is_matched = len(one) > _MOST_NAMES and one in held
        framed.append(_MATCHED if is_matched else one)
        found.update((f"n:{_MATCHED}",) if is_matched else of_word)
    framed.append("$")
    found.update(map("b:{} {}".format, framed, framed[1:]))
    found.update(map("c:{} {} {}".format, framed, framed[1:], framed[2:]))
    found.update(f"o:{one}" for one in theirs.tokens if one not in told)
    return frozenset(found)


def _of_word(word: str) -> Iterator[str]:
    yield f"n:{word}"
    if not word.startswith("<") and len(word) >= _LONG:
        yield f"n*{word[:_ROOT]}"
        yield f"n~{word[-_ENDS:]}"


class _Known:
    """The words of a statement, also by their beginnings."""

    def __init__(self, tokens: tuple[str, ...]) -> None:
        self._words = frozenset(tokens)
        self._roots = frozenset(one[:_ROOT] for one in tokens if len(one) >= _LONG)

    def __contains__(self, word: str) -> bool:
        return word in self._words or (len(word) >= _LONG and word[:_ROOT] in self._roots)


def _tokens(part: Part) -> tuple[str, ...]:
    text = part.text
    for value in reversed(part.values):
        text = f"{text[: value.start]} <{value.kind}> {text[value.end :]}"
    if text.isascii() and "<" not in part.text:
        return tuple(_TOKEN.findall(text.lower()))
    return tuple(map(key, _TOKEN.findall(text)))


def _overlap(new: Part, old: Part) -> Iterator[tuple[str, float]]:
    """How much of what the one speaks of the other speaks of too."""
    mine, theirs = new.anchors, old.anchors
    of_old = shared(theirs, mine | new.names | new.words)
    of_new = shared(mine, theirs | old.names | old.words)
    both = meeting(theirs, mine | new.names)
    same, either = new.words & old.words, new.words | old.words
    yield "old_covered", of_old / max(1, len(theirs))
    yield "new_covered", of_new / max(1, len(mine))
    yield "shared", min(_MOST_SHARED, of_old) / _MOST_SHARED
    yield "nothing_shared", of_old == 0
    yield "old_bare", not theirs
    yield "new_bare", not mine
    yield "longest", max(map(len, both), default=0) / 10
    yield "same_words", len(same) / max(1, len(either))
    yield "new_length", math.log1p(len(new.spelled))
    yield "old_length", math.log1p(len(old.spelled))
    yield "short", len(new.spelled) <= _FEW_WORDS
    yield "told_apart", modified(new, old, mine & theirs)
    yield "apart", apart(new, old)


def _values(
    new: Mapping[str, frozenset[str]], old: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, float]]:
    """Which values differ, kind by kind; names are told apart from all others."""
    kinds = new.keys() & old.keys()
    shapes = kinds - {"name"}
    none: frozenset[str] = frozenset()
    yield "values_differ", any(new[k] - old[k] and old[k] - new[k] for k in shapes)
    yield "values_same", any(new[k] & old[k] for k in shapes)
    yield "names_differ", any(new[k] - old[k] and old[k] - new[k] for k in kinds - shapes)
    yield "names_same", any(new[k] & old[k] for k in kinds - shapes)
    yield "values_known", bool(new) and all(new[k] <= old.get(k, none) for k in new)
    yield "values_new_only", bool(new) and not old
    yield "values_old_only", bool(old) and not new
    yield "values_none", not new and not old
    yield "from_to", any(old[k] & new[k] and new[k] - old[k] for k in kinds)
    mine, theirs = new.get("name", none), old.get("name", none)
    yield "names_added", min(_MOST_NAMES, len(mine - theirs)) / _MOST_NAMES
    yield "names_missing", min(_MOST_NAMES, len(theirs - mine)) / _MOST_NAMES


def _persons(new: Side, old: Side) -> Iterator[tuple[str, float]]:
    """Of whom the two speak."""
    mine, theirs = new.part.owners, old.part.owners
    yield "kin_new_only", bool(mine - theirs)
    yield "kin_old_only", bool(theirs - mine)
    yield "kin_same", bool(mine & theirs)
    yield "first_new", new.first
    yield "first_old", old.first
    yield "first_lost", old.first and not new.first
    yield "third_new", new.third
    yield "third_old", old.third
    yield "owner_new_only", bool(new.owners - old.part.words)
    opening = _OPENING_NAME.match(new.text)
    named = opening is not None and key(opening[1]) not in old.part.words
    yield "opens_with_name", named and not new.first


def modified(new: Part, old: Part, both: frozenset[str]) -> bool:
    """Whether what both speak of is told apart by the word before it: "docs repo", "ios repo"."""
    return any(
        (one := _before(new, stem)) != (other := _before(old, stem))
        and one not in old.words
        and other not in new.words
        for stem in both
    )


def _before(part: Part, stem: str) -> str:
    """The telling word right before a stem; "" for none."""
    last, telling = "", part.telling
    for word in part.spelled:
        if word.startswith(stem):
            return "" if last in listed("vague") else last
        last = word if word in telling else ""
    return ""


def subject_and_value(new: str, old: str) -> tuple[str, str]:
    """What both statements speak of, and what the new one says of it, in comparable form."""
    mine, theirs = side(new), side(old)
    both = [one for one in mine.tokens if one in _Known(theirs.tokens) and len(one) >= _LONG - 1]
    held = {form for forms in theirs.forms.values() for form in forms}
    fresh = [one.form for one in mine.part.values if one.form not in held]
    words = sorted(mine.part.anchors - theirs.part.anchors)
    return " ".join(dict.fromkeys(both)) or key("it"), " ".join(fresh or words)
