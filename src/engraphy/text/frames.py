"""Whether one statement takes the place of another though no rule knows the attribute (D-08).

Two statements are laid beside each other: what they speak of (their words that count), and their
values (numbers, days, names). A new statement overtakes an old one where it says that something
changed or is put right, speaks of nothing that the old one does not speak of, of the same person,
and gives another value of the same sort; or where it denies, or names as gone, what the old one
says. Without such a cue nothing overtakes anything.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engraphy.model.language import Stance
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks, stance_of
from engraphy.text.gazetteer import lookup
from engraphy.text.language import language
from engraphy.text.split import sentences
from engraphy.text.stems import turkish_stem
from engraphy.text.wording import Word, wording
from engraphy.text.wordlists import key, pattern, plain, words

_READ = 1_000
_SENTENCE = 300
_MOST = 60
_DIGIT = re.compile(r"\d")
_DENIED = re.compile(r"m[iu]yor(?:um|uz|lar)?$")
"""The end of a Turkish verb that denies ("gitmiyor")."""
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "st"})
_SUFFIX = 4
_LETTERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Overtaking:
    """`subject`: the words both speak of; `value`: what the new statement puts in the old one's
    place, or what it denies (`negated`)."""

    subject: str
    value: str
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A statement as sets of comparable words: what it speaks of, its values by sort, and whom."""

    spoken: frozenset[str]
    light: frozenset[str]
    numbers: frozenset[str]
    days: frozenset[str]
    names: frozenset[str]
    others: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every word that counts."""
        return self.spoken | self.light | self.values

    @property
    def values(self) -> frozenset[str]:
        """The numbers, days and names."""
        return self.numbers | self.days | self.names


def tells_change(text: str) -> bool:
    """Whether a text says that something changed, is over or is put right; quick."""
    folded = plain(text[:_READ])
    return any(pattern("frames", name).search(folded) for name in ("cue", "denial", "versus"))


def overtakes(new: str, old: str) -> Overtaking | None:
    """How a new text overtakes a statement of an old one, or None. Reads 1,000 characters."""
    if not tells_change(new):
        return None
    held = [one for one in _statements(old) if not _past(one)]
    for sentence in _statements(new):
        if pattern("slotwords", "besides").search(plain(sentence)):
            continue
        for before in held:
            found = _overtaken(sentence, before)
            if found is not None:
                return found
    return None


def _overtaken(new: str, old: str) -> Overtaking | None:
    new = _without_agent(new)
    folded = plain(new)
    names = _names(wording(new)) | _names(wording(old))
    turkish = language(f"{new} {old}") == "tr"
    stale, whole = frame(old, names, turkish=turkish), frame(new, names, turkish=turkish)
    if whole.others != stale.others:
        return None
    for name, found in _gone(folded):
        part = frame(new[found.start(name) : found.end(name)], names, turkish=turkish)
        if _named_as_gone(part, whole, stale, explicit=name.startswith("d")):
            return Overtaking(subject=_said(part.all), value=_said(part.all), negated=True)
    if pattern("frames", "cue").search(folded):
        gone = pattern("frames", "leaves").search(folded) is not None
        return _another_value(whole, stale, gone=gone)
    return None


def _without_agent(sentence: str) -> str:
    """The sentence without a "they" that only says that someone changed something."""
    found = pattern("frames", "agent").search(plain(sentence))
    return sentence if found is None else sentence[: found.start()] + sentence[found.end() :]


def _gone(folded: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Where a sentence names what is over: "no longer X" (d..), "from X to", "not X" (x..)."""
    for section in ("denial", "versus"):
        for found in pattern("frames", section).finditer(folded):
            yield from ((name, found) for name, value in found.groupdict().items() if value)


def _named_as_gone(part: Frame, whole: Frame, stale: Frame, *, explicit: bool) -> bool:
    """Whether what is over is what the old statement says: all its words stand there, and, where
    it is only set against something else, the sentence speaks of the same."""
    told = part.spoken | part.values
    if not told or not told <= stale.all:
        return False
    rest = whole.all - part.all
    return explicit or bool(rest & stale.all) or not whole.spoken - part.all


def _another_value(new: Frame, old: Frame, *, gone: bool) -> Overtaking | None:
    """Another value of one sort, beside the same values of the other sorts; `gone`: the new
    statement may name the old value too ("Tom left, Ann runs the team now")."""
    if not new.spoken <= old.all or not (new.spoken | new.values) & old.all:
        return None
    sorts = (
        (new.numbers, old.numbers, (new.days, old.days), (new.names, old.names)),
        (new.days, old.days, (new.numbers, old.numbers), (new.names, old.names)),
        (new.names, old.names, (new.numbers, old.numbers), (new.days, old.days)),
    )
    for mine, theirs, *beside in sorts:
        fresh = mine - theirs
        instead = theirs if gone else theirs - mine
        if fresh and instead and all(here <= there for here, there in beside):
            return Overtaking(subject=_said(new.all & old.all), value=_said(fresh), negated=False)
    return None


@lru_cache(maxsize=256)
def frame(text: str, names: frozenset[str], *, turkish: bool) -> Frame:
    """The frame of a statement; `names`: the words that are names in either of two statements.

    Turkish words are compared by five letters of their stem (Can et al. 2008), as short texts
    inflect too freely for stems alone.
    """
    spoken, light, numbers, days, named, others = (set[str]() for _ in range(6))
    for word in wording(text)[:_MOST]:
        if word.folded in words("frames", "others") and not (turkish and word.folded == "her"):
            others.add(word.folded)
        elif word.folded in names:
            named.add(word.folded)
        elif number(word.folded):
            numbers.add(number(word.folded))
        elif found := day(word.folded):
            days.add(found)
        elif word.content and word.folded not in words("frames", "empty"):
            (light if _weak(word) else spoken).add(_key(word, turkish=turkish))
    sets = (spoken, light, numbers, days, named, others)
    names_of = ("spoken", "light", "numbers", "days", "names", "others")
    return Frame(**{name: frozenset(one) for name, one in zip(names_of, sets, strict=True)})


def _key(word: Word, *, turkish: bool) -> str:
    return turkish_stem(word.raw)[:_LETTERS] if turkish else word.keys[0]


def _weak(word: Word) -> bool:
    """Whether a word tells little of what a statement is about: it runs, it is used, it changed."""
    listed = words("frames", "light")
    return word.folded in listed or word.keys[0] in listed or bool(_DENIED.search(word.folded))


def number(folded: str) -> str:
    """The number that a word is, in digits; "" for none."""
    if _DIGIT.search(folded):
        return folded
    return _number_words().get(folded, "")


def day(folded: str) -> str:
    """The day or month that a word names, with or without an ending; "" for none."""
    for name in words("frames", "days"):
        if folded.startswith(name) and len(folded) - len(name) <= _SUFFIX:
            return name
    return ""


def _names(spoken: list[Word]) -> frozenset[str]:
    """The words of a statement that are names: by a capital inside it, known ones anywhere, and
    one that opens it before a verb."""
    found: set[str] = set()
    for place, word in enumerate(spoken):
        if not word.content or word.folded in words("frames", "light"):
            continue
        capital = word.raw[:1].isupper()
        titled = place > 0 and spoken[place - 1].folded in _TITLES
        inside = capital and (not word.opens or titled)
        if inside or lookup(word.folded) is not None or (capital and _acts(spoken, place)):
            found.add(word.folded)
    return frozenset(found)


def _acts(spoken: list[Word], place: int) -> bool:
    """Whether what follows an opening word is a verb of the third person."""
    after = spoken[place + 1].folded if place + 1 < len(spoken) else ""
    return after in words("frames", "verbs")


def _statements(text: str) -> Iterator[str]:
    for sentence in sentences(text[:_READ]):
        short = sentence[:_SENTENCE]
        folded = plain(short)
        if asks(folded) or pattern("slotwords", "unreal").search(folded):
            continue
        if stance_of(short) in {Stance.STATED, Stance.PAST}:
            yield short


def _past(sentence: str) -> bool:
    return stance_of(sentence) is Stance.PAST


def _said(found: frozenset[str]) -> str:
    return " ".join(sorted(found)) or key("it")


@lru_cache(maxsize=1)
def _number_words() -> dict[str, str]:
    found = dict(table("words_similarity")["numbers"])
    return {word: digits for word, digits in found.items() if word not in {"one", "bir", "a"}}
