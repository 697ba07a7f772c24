"""Whether one statement takes the place of another though no rule knows the attribute (D-08).

Two statements are laid beside each other: what they speak of (their words that count), and their
values (numbers, days, names). A new statement overtakes an old one where it says that something
changed or is put right, speaks of nothing that the old one does not speak of, of the same person,
and gives another value of the same sort; or where it denies, or names as gone, what the old one
says. Without such a cue nothing overtakes anything.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engraphy.model.language import Stance
from engraphy.record import Record
from engraphy.text.evidence import asks, stance_of
from engraphy.text.framing import Frame, SORTS, framed, in_one, names_of
from engraphy.text.gazetteer import lookup, named
from engraphy.text.language import language
from engraphy.text.shaped import counts_apart
from engraphy.text.split import clauses, sentences
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wording import wording
from engraphy.text.wordlists import key, pattern, plain, words

_READ = 1_000
_NOT_SO = ("unreal", "given_up")
_SENTENCE = 300
_FEW_SENTENCES = 3
_OPENINGS = 3
_CAPTION = re.compile(r"\[[^\]\n]{0,400}\]")
_MOST_NEW, _MOST_LEFT = 2, 4
"""So many words of their own may two statements have beside what both speak of."""
_WORD = re.compile(r"[^\W_]{2,40}")
_ROOT = 4
_BEGINS = 3
_BEGINS_TURKISH = 2
_ENDS = 4
_TOPICS = frozenset({"spoken", "attribute"})


class Overtaking(Record, frozen=True, kw_only=True):
    """`subject`: the words both speak of; `value`: what the new statement puts in the old one's
    place, or what it denies (`negated`)."""

    subject: str
    value: str
    negated: bool


def tells_change(text: str) -> bool:
    """Whether a text says that something changed, is over or is put right; quick."""
    folded = plain(text[:_READ])
    return any(pattern("frames", name).search(folded) for name in ("cue", "denial", "versus"))


def overtakes(new: str, old: str) -> Overtaking | None:
    """How a new text overtakes a statement of an old one, or None. Reads 1,000 characters."""
    if not tells_change(new):
        return None
    held = [one for one in _statements(old) if not _over_already(one)]
    told = list(_statements(new))
    bare = pattern("frames", "corrective").match(plain(new[:_READ])) is not None
    cued = len(told) <= _FEW_SENTENCES and _cued(new)
    for sentence in map(_bare, told):
        if beside(sentence):
            continue
        for before in (one for one in held if _comparable(sentence, one)):
            found = _overtaken(sentence, before, cued=cued or _cued(sentence), bare=bare)
            if found is not None and (found.negated or in_one(sentence, before)):
                return found
    return None


def _over_already(sentence: str) -> bool:
    """Whether a held sentence tells of what was, or of something that happened once."""
    happened = pattern("frames", "episode").search(plain(sentence)) is not None
    return happened or stance_of(sentence) is Stance.PAST


def _bare(sentence: str) -> str:
    """The sentence without what only opens it ("one more thing, ...")."""
    for _ in range(_OPENINGS):
        found = pattern("slotwords", "opening").match(plain(sentence))
        if found is None or found.end() >= len(sentence) or _cued(found[0]):
            break
        sentence = sentence[found.end() :]
    return sentence


def beside(sentence: str) -> bool:
    """Whether a sentence adds to what holds, repeats it, or tells only of a passing time."""
    folded = plain(sentence)
    return any(pattern("frames", name).search(folded) for name in ("besides", "passing"))


def _cued(text: str) -> bool:
    return pattern("frames", "cue").search(plain(text)) is not None


def _overtaken(new: str, old: str, *, cued: bool, bare: bool) -> Overtaking | None:
    new = _without_agent(new)
    names = names_of(wording(new)) | names_of(wording(old))
    turkish = language(f"{new} {old}") == "tr"
    stale, whole = framed(old, names, turkish=turkish), framed(new, names, turkish=turkish)
    if whole.of("other") != stale.of("other"):
        return None
    denied = {phrase.lower() for _, phrase in gone(old)}
    for name, phrase in gone(new):
        part = framed(phrase, names, turkish=turkish)
        if phrase.lower() not in denied and _named_as_gone(
            part, whole, stale, explicit=name.startswith("d")
        ):
            return Overtaking(subject=said(part.all), value=said(part.all), negated=True)
        if part.values - stale.all:
            return None
    if not cued:
        return None
    parts = [whole, *(framed(one, names, turkish=turkish) for one in clauses(new))]
    begins = _BEGINS_TURKISH if turkish else _BEGINS
    value = _first_value(new, parts, stale, bare=bare)
    if value is not None and value.value[:1].isdigit() and counts_apart(new, old):
        return None
    as_now = pattern("slotwords", "anew").search(plain(new)) is not None
    return value or (_another_end(new, old, stale, begins) if as_now else None)


def _first_value(new: str, parts: list[Frame], stale: Frame, *, bare: bool) -> Overtaking | None:
    """The first of the sentence's parts that gives another value; the first part is the whole."""
    gone = pattern("frames", "leaves").search(plain(new)) is not None
    if _elsewhere(parts[0], stale):
        parts = [one for one in parts if one.spoken]
    if bare:
        parts = [one for one in parts if one.spoken & stale.all or one.of("attribute")]
    found = (_another_value(part, stale, gone=gone) for part in parts)
    return next((one for one in found if one is not None), None)


def _without_agent(sentence: str) -> str:
    """The sentence without a "they" that only says that someone changed something."""
    found = pattern("frames", "agent").search(plain(sentence))
    return sentence if found is None else sentence[: found.start()] + sentence[found.end() :]


@lru_cache(maxsize=512)
def gone(sentence: str) -> tuple[tuple[str, str], ...]:
    """What a sentence names as over: "no longer X" (d..), "from X to", "not X" (x..)."""
    return tuple(
        (name, sentence[found.start(name) : found.end(name)])
        for section in ("denial", "versus")
        for found in pattern("frames", section).finditer(plain(sentence))
        for name, value in found.groupdict().items()
        if value
    )


def _comparable(new: str, old: str) -> bool:
    """Whether two sentences can be about one thing: a word that counts stands in both, or both
    name a tool of one domain; quick, as most pairs share nothing."""
    return bool(_roots(new) & _roots(old)) or bool(_tools(new) & _tools(old))


@lru_cache(maxsize=512)
def _roots(sentence: str) -> frozenset[str]:
    spoken = language(sentence)
    found = _WORD.findall(key(sentence))
    return frozenset(one[:_ROOT] for one in found if not is_stop_word(one, spoken))


@lru_cache(maxsize=512)
def _tools(sentence: str) -> frozenset[str]:
    return frozenset(row.domain for *_, row in named(plain(sentence)) if row.kind == "tech")


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
    shared = (new.spoken | new.values) & old.all
    mine, theirs = new.of("attribute"), old.of("attribute")
    same = bool(mine & theirs) or _one_choice(new, old)
    if not shared and not (same and new.spoken <= old.spoken):
        return None
    if len(new.spoken - old.all) > _MOST_NEW or len(old.spoken - new.all) > _MOST_LEFT:
        return None
    if _elsewhere(new, old) or (mine and theirs and not mine & theirs):
        return None
    for sort in SORTS:
        mine, theirs = new.of(sort), old.of(sort)
        fresh = mine - theirs
        instead = theirs if gone else theirs - mine
        beside = [other for other in SORTS if other != sort]
        if fresh and instead and all(new.of(one) <= old.of(one) for one in beside):
            return Overtaking(subject=said(shared), value=said(fresh), negated=False)
    return None


def _one_choice(new: Frame, old: Frame) -> bool:
    """Whether both name a tool of one domain: two editors, two databases."""
    mine, theirs = _domains(new), _domains(old)
    return bool(mine & theirs)


def _domains(one: Frame) -> frozenset[str]:
    known = (lookup(name) for name in one.of("name"))
    return frozenset(row.domain for row in known if row is not None and row.kind == "tech")


def _elsewhere(new: Frame, old: Frame) -> bool:
    """Whether a word that only the new statement has makes it one about another thing: it stands
    right before a shared word ("weekly backups"), right behind a number, also with a shared word
    between them ("15 clients", "15 shop clients"), or opens the statement."""
    held = old.all
    extra = [one for one in new.pieces if one.sort == "spoken" and one.key not in held]
    shared = {one.place for one in new.pieces if one.key in held and one.sort in _TOPICS}
    numbers = {one.place for one in new.pieces if one.sort == "number"}
    weak = {"light", "attribute"}
    first = min(
        (one.place for one in new.pieces if one.place >= 0 and one.sort not in weak), default=0
    )
    counted = numbers | {place + 1 for place in numbers if place + 1 in shared}
    return any(
        one.place + 1 in shared or one.place - 1 in counted or one.place == first for one in extra
    )


def _another_end(new: str, old: str, stale: Frame, begins: int) -> Overtaking | None:
    """The same beginning and another end: "I start the day with tea", "... with cocoa now". What is
    liked or met leaves room for more."""
    mine, theirs = _folded(new), _folded(old)
    same = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
    if same is None or same < begins or max(len(mine), len(theirs)) - same > _ENDS:
        return None
    if not words("frames", "open").isdisjoint(mine[:same]):
        return None
    if not {one for one in mine[:same] if len(one) > 1} & _heads(theirs[:same], stale):
        return None
    return Overtaking(subject=" ".join(mine[:same]), value=" ".join(mine[same:]), negated=False)


def _heads(begins: Iterable[str], stale: Frame) -> set[str]:
    known = stale.spoken
    return {one for one in begins if any(one.startswith(part) for part in known)}


def _folded(text: str) -> list[str]:
    empty = words("frames", "empty") | words("slotwords", "light")
    return [one.folded for one in wording(text) if one.folded not in empty]


def _statements(text: str) -> Iterator[str]:
    for sentence in sentences(_CAPTION.sub(" ", text[:_READ])):
        short = sentence[:_SENTENCE]
        folded = plain(short)
        if asks(folded) or any(pattern("slotwords", n).search(folded) for n in _NOT_SO):
            continue
        if stance_of(short) in {Stance.STATED, Stance.PAST}:
            yield short


def said(found: frozenset[str]) -> str:
    """Words as they stand in what is overtaken."""
    return " ".join(sorted(found)) or key("it")
