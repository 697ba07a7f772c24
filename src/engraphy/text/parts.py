"""Statements in parts: clauses with the signs that something changed, their values, what they speak
of and whose it is; what of a statement is left behind. The word lists are `lexicon/replacing.toml`.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache, cached_property, lru_cache

from engraphy.model.language import Stance
from engraphy.record import Record
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks, stance_of
from engraphy.text.fold import fold_text
from engraphy.text.language import language
from engraphy.text.shaped import Value, composed, meeting, values
from engraphy.text.slots import without_opening
from engraphy.text.split import clauses, sentences
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.stopwords import stop_words
from engraphy.text.wordlists import plain

_WORD = re.compile(r"[^\W_][\w'’.+#/@-]*[\w+#]|[^\W_]")
_TOLD = frozenset({Stance.STATED})
READ = 1_200
_SHORT = 160
_SENTENCE = 400
_LEAST_WORD = 3
_LOOK_BACK = 24
_LEFT_WORDS = 4


class Part(Record, frozen=True, kw_only=True, dict=True, weakref=True):
    """A clause, or a short sentence: its signs, its values, what it speaks of and whose it is."""

    whole: str
    text: str
    """The same without what only opens it."""
    values: tuple[Value, ...]
    anchors: frozenset[str]
    """Stems of what it speaks of, values and signs aside."""
    names: frozenset[str]
    spelled: tuple[str, ...]
    """Its words in order, in plain lower case, without the ending behind an apostrophe."""

    @cached_property
    def changed(self) -> bool:
        """Whether it says that something changed, or from when on it is so."""
        folded = plain(self.whole).lower()
        return _has("changed", folded) or _has("dated", folded)

    @cached_property
    def adds(self) -> bool:
        """Whether it says that it only adds something."""
        return _has("added", plain(self.text).lower())

    @cached_property
    def renames(self) -> bool:
        """Whether it gives something another name."""
        return _has("renamed", plain(self.whole).lower())

    @cached_property
    def words(self) -> frozenset[str]:
        """The words as a set."""
        return frozenset(self.spelled)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Its words that what it speaks of is told by."""
        return frozenset(meeting(self.spelled, self.anchors))

    @cached_property
    def owners(self) -> frozenset[str]:
        """The people other than the speaker whose it is."""
        return self.words & listed("others")


class Reading(Record, frozen=True, kw_only=True):
    """A statement read for what it may replace, or for what may replace it."""

    parts: tuple[Part, ...]
    corrects: bool
    behind: tuple[frozenset[str], ...]
    """Stems of each thing that it says is left behind."""
    gone: frozenset[tuple[str, str]]
    """Values of what it says is left behind, with their kinds."""

    @property
    def left(self) -> frozenset[str]:
        """Stems of all that it says is left behind."""
        return frozenset().union(*self.behind)

    @property
    def replaces(self) -> bool:
        """Whether it can replace anything at all."""
        behind = bool(self.left or self.gone)
        return self.corrects or behind or any(part.changed for part in self.parts)


def upholds(text: str, value: str) -> bool:
    """Whether a statement names a value itself, and not as what it leaves behind ("upgraded to
    PostgreSQL 17" of PostgreSQL)."""
    named = stems(value)
    return bool(named) and named <= stems(text) - reading_of(text).left


def reading(text: str, *, held: bool = False) -> Reading:
    """A statement read for what it may replace, or, where it is `held`, for what may replace it.
    What only supposes, asks, quotes or tells of a passing state replaces nothing."""
    read = text[:READ]
    told = tuple(clauses(read)) if held else tuple(_said(read))
    spoken = " ".join(one for one in sentences(read) if not _supposed(one[:_SENTENCE]))
    behind = () if held else tuple(_left(plain(spoken).lower()))
    return Reading(
        parts=tuple(part_of(one) for one in told),
        corrects=not held and _has("corrected", plain(read).lower()),
        behind=tuple(filter(None, map(stems, behind))),
        gone=frozenset((v.kind, v.form) for phrase in behind for v in values(phrase)),
    )


@lru_cache(maxsize=512)
def part_of(text: str) -> Part:
    """A text read as one part; what was just read is kept."""
    told = without_opening(text)
    found = values(told)
    return Part(
        whole=text,
        text=told,
        values=found,
        anchors=stems(_outside(told, found)),
        names=frozenset(stem for one in found if one.kind == "name" for stem in _named(one.form)),
        spelled=_spelled(told),
    )


def _said(text: str) -> Iterator[str]:
    """The clauses that say how things are, together where their sentence is short; a condition
    takes a whole sentence away."""
    for sentence in sentences(text):
        if _supposed(sentence[:_SENTENCE]):
            continue
        told = list(_told(sentence[:_SENTENCE]))
        yield from [", ".join(told)] if told and len(sentence) <= _SHORT else told


def _supposed(sentence: str) -> bool:
    folded = plain(sentence).lower()
    return _has("supposed", folded) or _has("passing", folded)


def _told(sentence: str) -> Iterator[str]:
    for clause in clauses(sentence):
        folded = plain(clause).lower()
        asked = asks(folded) or stance_of(clause) not in _TOLD
        if not asked and not any(_has(name, folded) for name in ("wished", "reported")):
            yield clause


def _has(name: str, folded: str) -> bool:
    return any(composed(one).search(folded) for one in table("replacing")["signs"][name])


def _left(folded: str) -> Iterator[str]:
    for source in table("replacing")["left"]["patterns"]:
        for match in composed(source).finditer(folded):
            before = folded[max(0, match.start() - _LOOK_BACK) : match.start()]
            if any(composed(one).search(before) for one in table("replacing")["left"]["kept"]):
                continue
            phrase = next(group for group in match.groups() if group is not None)
            yield " ".join(phrase.split()[:_LEFT_WORDS])


def stems(text: str) -> frozenset[str]:
    """The stems of a text's telling words."""
    spoken = language(text)
    stem = turkish_stem if spoken == "tr" else english_stem
    told = words(text) - listed("vague") - stop_words(spoken)
    return frozenset(stem(bare) for bare in told if len(bare) >= _LEAST_WORD and not bare.isdigit())


def _named(name: str) -> frozenset[str]:
    """The stems of a name; of a short one ("Bo") all of it."""
    return stems(name) or words(name)


def words(text: str) -> frozenset[str]:
    """The words of a text in plain lower case, without the ending behind an apostrophe."""
    return frozenset(_spelled(text))


def without(text: str, gone: Collection[str]) -> str:
    """The text without the given words (in plain lower case)."""
    return _WORD.sub(lambda found: "" if _bare(found[0]) in gone else found[0], text)


@lru_cache(maxsize=512)
def _spelled(text: str) -> tuple[str, ...]:
    if text.isascii():
        found = _WORD.findall(text.lower())
        return tuple(one.partition("'")[0] for one in found) if "'" in text else tuple(found)
    return tuple(map(_bare, _WORD.findall(text)))


def _bare(word: str) -> str:
    return fold_text(plain(word)).partition("'")[0]


@cache
def listed(name: str) -> frozenset[str]:
    """A word list of what forbids that one statement replaces another."""
    return frozenset(table("replacing")["guards"][name])


def _outside(text: str, found: tuple[Value, ...]) -> str:
    for value in reversed(found):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def apart(new: Part, old: Part) -> bool:
    """Whether the two speak of different people, places or times, which differ and stay so."""
    if new.owners - old.owners or (old.owners and not new.owners & old.owners):
        return True
    for group in table("replacing")["guards"]["apart"]:
        mine, theirs = new.words & set(group), old.words & set(group)
        if mine and theirs and not mine & theirs:
            return True
    return False


def corrective(text: str) -> bool:
    """Whether a text says that it puts something right."""
    return _has("corrected", plain(text).lower())


def stems_of(part: Part) -> frozenset[str]:
    """What a part speaks of, with the names in it."""
    return part.anchors | part.names


def told_and_held(new: str, old: str) -> tuple[Reading, Reading]:
    """Both statements read, the one for what it replaces, the other for what is replaced."""
    return reading_of(new), _reading(old, held=True)


def reading_of(new: str) -> Reading:
    """A statement read for what it may replace; as all readings of short texts, remembered."""
    return _reading(new)


def begins(text: str) -> bool:
    """Whether a text says from when on something is so."""
    return _has("dated", plain(text[:READ]).lower())


def says_of_change(text: str) -> bool:
    """Whether a text says that it replaces something; quick."""
    folded = plain(text[:READ]).lower()
    signs = _has("changed", folded) or _has("corrected", folded)
    return signs or any(True for _ in _left(folded))


@lru_cache(maxsize=256)
def _reading(text: str, *, held: bool = False) -> Reading:
    return reading(text, held=held)
