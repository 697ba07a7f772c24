"""Which hit is an older answer to a question that asks for the value of something.

Two statements of the same origin that speak of what the question asks, with values of one kind
that differ: the older one is marked with the newer ones, and stands behind what says that the value
has changed. Nothing is dropped: only the writer knows whether the older one is over. What the agent
said takes no part: its long texts hold values of everything.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from engraphy.model import DataSource
from engraphy.profile import Aim
from engraphy.read.measure import Pool, rarity
from engraphy.read.select import Scored
from engraphy.record import Record
from engraphy.text.aims import asking_words, attribute, tells_a_change
from engraphy.text.fold import fold_text
from engraphy.text.split import prose, sentences
from engraphy.text.told import Told, beside, of_another, of_another_number, of_one, starts, told

_READ = 3_000
_ASIDE = re.compile(r"\[[^\]\n]{0,300}\]")
"""What stands in brackets is said aside: a picture, a source."""
_JOINED = str.maketrans("-./", "___")
_STEM, _ENDING = 4, 3
_HALF = 0.5
"""A sentence counts where it speaks of at least this share of what the best one speaks of; a newer
statement, where it does of what the older one speaks of; and so on."""
_TOLD_OF, _REACH = 0.3, 0.35
"""A change that is told counts from these shares of the older one's words and score on."""
_COMPETES = 0.85
"""Of several newer ones those count that speak of this share of what the best one speaks of."""
_MOST = 4
_APART = 20
_FEW = 2


class _Asked(NamedTuple):
    """What is asked: the weight of each word, and how it begins; the words that only ask; those for
    what the value is of, `least` of which must stand near it; whether it asks for the present; its
    folded text; the things that it calls by two words."""

    weights: Mapping[str, float]
    stems: Mapping[str, str]
    asking: frozenset[str]
    heads: frozenset[str]
    least: int
    present: bool
    text: str
    things: tuple[frozenset[str], ...]
    content: float = 0.0
    """The weight of those words, but the asking ones, that anything found speaks of."""

    def worth(self, words: Iterable[str]) -> float:
        """The weight of some of its words."""
        return sum(self.weights[word] for word in words)

    def matter(self, words: frozenset[str]) -> float:
        """The same without the words that only ask."""
        return self.worth(words - self.asking)


class _Said(Record, frozen=True, kw_only=True, dict=True, weakref=True):
    """What a row tells of the question: the words that its best sentences hold, these, and the
    others that speak of what is asked the value of."""

    row: Scored
    asked: _Asked
    words: frozenset[str]
    near: tuple[str, ...]
    others: tuple[str, ...]

    @cached_property
    def values(self) -> tuple[Told, ...]:
        """The values of its best sentences."""
        return tuple(self._values(self.near))

    @cached_property
    def all_values(self) -> tuple[Told, ...]:
        """The values of all its sentences that speak of what is asked."""
        return (*self.values, *self._values(self.others))

    @cached_property
    def changes(self) -> bool:
        """Whether its best sentences say that anything is new."""
        return any(map(tells_a_change, self.near))

    @cached_property
    def tells(self) -> bool:
        """Whether any of its sentences says that something is new."""
        return self.changes or any(map(tells_a_change, self.others))

    def _values(self, read: Iterable[str]) -> Iterator[Told]:
        stems = {w: stem for w, stem in self.asked.stems.items() if w not in self.asked.asking}
        for sentence in read:
            yield from told(sentence, stems, self.asked.heads, least=self.asked.least)


class _Newer(NamedTuple):
    """How strong the sign is that a statement is a newer answer, how much of the question stands
    around its value, and whether it comes before the older one."""

    rank: int
    share: float
    first: bool
    said: _Said


def unsaid_by_the_agent(rows: Iterable[Scored], limit: int) -> list[Scored]:
    """The best rows that `renewed` can read."""
    found = [r for r in rows if r.measured.candidate.data_source != DataSource.ASSISTANT_MESSAGE]
    return found[:limit]


def renewed(
    rows: Sequence[Scored], texts: Mapping[str, str], pool: Pool, knobs: Aim
) -> list[Scored]:
    """The rows, best first: older answers carry the ids of newer ones, and stand behind those that
    tell the change. `texts` by id: of the rows that are read."""
    own = [row for row in unsaid_by_the_agent(rows, len(rows)) if row.id in texts]
    read = _read(own, texts, pool)
    moved: dict[str, float] = {}
    marked: dict[str, list[str]] = {}
    for old in read:
        after = _chosen(old, read, knobs)
        parts = [old, *(one for one in read if _together(one, old))] if after else []
        for part in parts:
            ids = marked.setdefault(part.row.id, [])
            ids += [one.said.row.id for one in after[:_MOST] if one.said.row.id not in ids]
        least = max((part.row.score for part in parts), default=0.0)
        for one in after:
            if one.first:
                moved[one.said.row.id] = max(moved.get(one.said.row.id, 0.0), least)
    found = (_placed(row, marked.get(row.id, ()), moved.get(row.id, 0.0)) for row in rows)
    return sorted(found, key=lambda row: (-row.score, -row.measured.candidate.seq))


def _chosen(old: _Said, read: Sequence[_Said], knobs: Aim) -> list[_Newer]:
    """The newer answers to what the older one speaks of, best first."""
    judged = (_judged(new, old, knobs) for new in read if _after(new, old))
    found = sorted(
        (one for one in judged if one is not None),
        key=lambda one: (-one.rank, -one.share, -one.said.row.score),
    )
    if not found:
        return []
    best = found[0]
    return [one for one in found if not one.rank or one.share >= _COMPETES * best.share]


def _judged(new: _Said, old: _Said, knobs: Aim) -> _Newer | None:
    """Whether one statement answers the question anew beside another, and how that shows."""
    asked = new.asked
    both = old.words & new.words
    own, content = asked.matter(both), asked.content
    read, named = (*new.near, *new.others), [asked.heads & old.words]
    named += [one for one in asked.things if one <= old.words]
    if own <= 0.0 or any(of_another(read, one, asked.stems) for one in named):
        return None
    if of_another_number(asked.text, new.near, old.near):
        return None
    covered = own / asked.matter(old.words)
    share = _told_anew(new, old) / content if covered >= _TOLD_OF else 0.0
    close = new.row.score >= _HALF * old.row.score
    if share > knobs.newer_told:
        return _Newer(2, share, asked.present and close, new)
    near = asked.present and asked.worth(both) >= _HALF * asked.worth(old.words)
    kinds = _apart(new.values, old.values) if near else frozenset()
    if not kinds:
        return None
    spoken = asked.matter(old.words) / content
    alike = _alike(new, old, kinds) / content if spoken > knobs.newer_alike else 0.0
    of_all = asked.worth(new.words) / asked.worth(asked.weights)
    gives = spoken >= _HALF or any(one.near and one.kind in kinds for one in old.values)
    if new.changes and gives and close:
        first = of_all >= knobs.newer_first
        if of_all >= knobs.newer_marked and (first or alike <= knobs.newer_alike):
            return _Newer(0, 0.0, first, new)
    return _Newer(1, alike, False, new) if alike > knobs.newer_alike else None


def _told_anew(new: _Said, old: _Said) -> float:
    """How much of the question stands around a value of what is asked that is said to be new, where
    the older one gives another of its kind."""
    if not new.tells:
        return 0.0
    kinds = {one.kind for one in old.all_values if one.near}
    fresh = (one for one in _fresh(new.all_values, old.all_values) if one.near and one.changed)
    return _most(new.asked, (one for one in fresh if one.kind in kinds))


def _alike(new: _Said, old: _Said, kinds: frozenset[str]) -> float:
    """How much of the question stands around another value of the same thing."""
    theirs = [one for one in old.all_values if one.near]
    stems = tuple(s for word, s in new.asked.stems.items() if word not in new.asked.asking)
    fresh = (one for one in _fresh(new.all_values, old.all_values) if one.near)
    return _most(
        new.asked,
        (v for v in fresh if v.kind in kinds and any(of_one(v, o, stems) for o in theirs)),
    )


def _fresh(new: Iterable[Told], old: Iterable[Told]) -> Iterator[Told]:
    known = {(one.kind, one.form) for one in old}
    return (one for one in new if (one.kind, one.form) not in known)


def _apart(new: Collection[Told], old: Collection[Told]) -> frozenset[str]:
    """The kinds of which each has a value that the other has not."""
    mine = {one.kind for one in _fresh(new, old)}
    return frozenset(mine & {one.kind for one in _fresh(old, new)})


def _most(asked: _Asked, values: Iterable[Told]) -> float:
    return max((asked.worth(one.around) for one in values), default=0.0)


def _after(new: _Said, old: _Said) -> bool:
    one, other = new.row.measured.candidate, old.row.measured.candidate
    alike = (one.data_source, one.speaker) == (other.data_source, other.speaker)
    later = one.valid_from > other.valid_from
    return later and alike and new.row.score >= _REACH * old.row.score


def _together(one: _Said, old: _Said) -> bool:
    """Whether a row is another part of the same long message, and speaks of the question too."""
    mine, theirs = one.row.measured.candidate, old.row.measured.candidate
    same = mine.session is not None and (mine.session, mine.speaker, mine.valid_from) == (
        theirs.session,
        theirs.speaker,
        theirs.valid_from,
    )
    close = same and one is not old and abs(mine.seq - theirs.seq) <= _APART
    return close and one.asked.worth(one.words) >= _HALF * one.asked.worth(old.words)


def _read(rows: Sequence[Scored], texts: Mapping[str, str], pool: Pool) -> list[_Said]:
    """What the rows tell of the question; those that tell nothing are left out."""
    asked = _asked(pool)
    cut = [(row, _cut(texts[row.id], asked)) for row in rows]
    spoken = frozenset(word for _, read in cut for words, _ in read for word in words)
    content = asked.matter(spoken)
    if content <= 0.0:
        return []
    of = asked.heads & spoken
    others = frozenset(asked.stems) - asked.asking
    asked = asked._replace(heads=of or others, least=1 if of else _FEW, content=content)
    return [_said(row, read, asked) for row, read in cut if any(words for words, _ in read)]


def _asked(pool: Pool) -> _Asked:
    question = pool.asked.text
    weights, asking = rarity(pool), asking_words(question)
    stems = {word: word[: max(_STEM, len(word) - _ENDING)] for word in weights}
    heads = tuple(word[: max(_STEM, len(word) - _ENDING)] for word in attribute(question))
    found = frozenset(word for word, stem in stems.items() if stem in heads) - asking
    present = pool.asked.wants_present_value
    text = fold_text(question)
    things = beside(text, stems.keys() - asking)
    return _Asked(weights, stems, asking, found, 1, present, text, things)


def _cut(text: str, asked: _Asked) -> list[tuple[frozenset[str], str]]:
    """The sentences of a text, folded, each with the question's words that it holds."""
    read = sentences(_ASIDE.sub(" ", fold_text(prose(text[:_READ]))))
    return [(_held(sentence.translate(_JOINED), asked), sentence) for sentence in read]


def _held(sentence: str, asked: _Asked) -> frozenset[str]:
    return frozenset(
        word for word, stem in asked.stems.items() if next(starts(stem, sentence), None) is not None
    )


def _said(row: Scored, read: list[tuple[frozenset[str], str]], asked: _Asked) -> _Said:
    most = max(asked.worth(words) for words, _ in read)
    near = [one for one in read if one[0] and asked.worth(one[0]) >= _HALF * most]
    others = (one for one in read if one not in near and one[0] & asked.heads)
    return _Said(
        row=row,
        asked=asked,
        words=frozenset().union(*(words for words, _ in near)),
        near=tuple(sentence for _, sentence in near),
        others=tuple(sentence for _, sentence in others),
    )


def _placed(row: Scored, newer: Sequence[str], least: float) -> Scored:
    if not newer and least <= row.score:
        return row
    score = max(row.score, least)
    factor = score / row.score if row.score > 0.0 else 1.0
    return replace(row, score=score, aim=row.aim * factor, newer=tuple(newer))
