"""Which hit a newer one probably takes the place of, where a question asks how things are.

The writer ends what is certain (D-08). What is only likely stays: a statement beside others in one
memory, a change that is told in words of its own. Here the two stand beside each other, and the
question tells what they are asked about: the older one is marked, and the newer comes before it
where it is likely enough. Nothing is dropped.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from engraphy.model import Candidate, DataSource
from engraphy.profile import Aim
from engraphy.read.measure import Pool, rarity
from engraphy.read.select import Scored
from engraphy.text.aims import tells_a_change, wants_value
from engraphy.text.gazetteer import is_everyday
from engraphy.text.imprint import code
from engraphy.text.overtaking import tells_change
from engraphy.text.stopwords import is_stop_word
from engraphy.text.succession import excluded, succession

OLDER, NEWER = 3, 10
"""Of so many of the best it is asked whether they are over, and of so many whether they say so."""
_READ = 300
"""Characters of a statement that the model reads; a longer one is compared with nothing."""
_TOKENS, _ONE = 80, 32
_NEAR = 0.6
"""Of the best hit's score, for an older one to matter."""
_SPOKEN, _SHARED = 0.4, 0.6
"""Share of the question that the older one must speak of, and of this the newer one."""
_BEHIND = 0.99
_CERTAIN = 0.9
_MOST_NAMES = 6
_NAME = re.compile(r"\b[A-ZÇĞİÖŞÜ]\w{2,30}")
_DIGIT = re.compile(r"\d")
_AGENT = DataSource.ASSISTANT_MESSAGE.value


class Pair(NamedTuple):
    """An older statement and a newer one, by id; `named`: the newer one speaks of a name in the
    older, else of what is asked."""

    old: str
    new: str
    named: bool = False


class Likely(NamedTuple):
    """A pair, and how likely the older one is over."""

    pair: Pair
    share: float


def stated(rows: Iterable[Scored]) -> list[Scored]:
    """The best of the rows, best first, that state something short: no agent's, no question."""
    return list(islice((row for row in rows if _states(row.measured.candidate)), NEWER))


def _states(one: Candidate) -> bool:
    return not one.asks and one.length <= _TOKENS and one.data_source != _AGENT


def leading(rows: Sequence[Scored]) -> list[Scored]:
    """Those of the best rows that state one short thing."""
    short = (row for row in _older(rows) if row.measured.candidate.length <= _ONE)
    return [row for row in short if _states(row.measured.candidate)]


def _older(rows: Sequence[Scored]) -> list[Scored]:
    """Those of the rows, best first, that may be over."""
    least = _NEAR * rows[0].score if rows else 0.0
    return [row for row in rows[:OLDER] if row.score >= least]


def _follows(new: Candidate, old: Candidate) -> bool:
    """Whether one speaker told the one after the other."""
    said = (new.speaker, new.data_source) == (old.speaker, old.data_source)
    return said and new.valid_from > old.valid_from


def speaking(rows: Sequence[Scored], pool: Pool) -> list[Pair]:
    """The pairs of rows that both speak of what is asked."""
    rare = rarity(pool)
    forms: dict[str, list[bytes]] = {}
    for term in pool.asked.terms:
        forms.setdefault(term.surface, []).append(code(term.term))
    held = {row.id: _held(row.measured.candidate.words, forms) for row in rows}

    def worth(words: Collection[str]) -> float:
        return sum(rare[word] for word in words)

    least = _SPOKEN * worth(rare)
    return [
        Pair(old.id, new.id)
        for old in _older(rows)
        if (spoken := worth(held[old.id])) >= least and spoken
        for new in rows
        if _follows(new.measured.candidate, old.measured.candidate)
        and worth(held[old.id] & held[new.id]) >= _SHARED * spoken
    ]


def _held(words: bytes, forms: Mapping[str, Sequence[bytes]]) -> frozenset[str]:
    return frozenset(word for word, codes in forms.items() if any(one in words for one in codes))


def names(text: str, asked: Collection[str]) -> list[str]:
    """The names in a statement that the question does not name."""
    found = dict.fromkeys(_NAME.findall(text[:_READ]))
    told = (one for one in found if one.lower() not in asked and not is_stop_word(one.lower()))
    return list(islice(told, _MOST_NAMES))


def naming(old: str, told: Sequence[str], later: Mapping[str, str]) -> list[Pair]:
    """The pairs of a statement with those that name what it names, and tell a change."""
    spoken = [_spelled(one) for one in told]
    return [
        Pair(old, new, named=True)
        for new, text in later.items()
        if any(one.search(text) for one in spoken) and _is_change(text)
    ]


def _spelled(name: str) -> re.Pattern[str]:
    """A name as people type it, with or without its capital; one that is an everyday word too
    ("May", "Will") only with it."""
    cased = re.NOFLAG if is_everyday(name) else re.IGNORECASE
    return re.compile(rf"\b{re.escape(name)}\b", cased)


def _is_change(text: str) -> bool:
    return tells_change(text) or tells_a_change(text)


def likely(pairs: Sequence[Pair], texts: Mapping[str, str], pool: Pool, knobs: Aim) -> list[Likely]:
    """The pairs of which the older one is likely over; of those that only name something, the
    likeliest for each older one."""
    spoken = {(one.old, one.new) for one in pairs if not one.named}
    asked = _names(pool.asked.text) if spoken else frozenset()
    found: list[Likely] = []
    named: dict[str, Likely] = {}
    for pair in pairs:
        if pair.named and (pair.old, pair.new) in spoken:
            continue
        least = max(knobs.newer_named, _known(named, pair)) if pair.named else knobs.newer_likely
        share = _share(pair, texts, pool.asked.text, asked, least)
        if share < least:
            continue
        if pair.named:
            named[pair.old] = Likely(pair, share)
        else:
            found.append(Likely(pair, share))
    return [*found, *named.values()]


def _known(named: Mapping[str, Likely], pair: Pair) -> float:
    return named[pair.old].share if pair.old in named else 0.0


def _names(question: str) -> frozenset[str]:
    """What a question names."""
    found = {one.lower() for one in set(_NAME.findall(question))}
    return frozenset(one for one in found if not is_stop_word(one))


def _share(
    pair: Pair, texts: Mapping[str, str], question: str, asked: Collection[str], least: float
) -> float:
    """How likely the older one is over; any share below `least` is as good as none."""
    old, new = texts.get(pair.old, ""), texts.get(pair.new, "")
    if not (old and new) or max(len(old), len(new)) > _READ:
        return 0.0
    # The model costs milliseconds: what tells no change is not worth asking about.
    if not pair.named and (_leaves_open(new, old, question, asked) or not _is_change(new)):
        return 0.0
    share = succession(new, old)
    return 0.0 if share < least or excluded(new, old) else share


def _leaves_open(new: str, old: str, question: str, asked: Collection[str]) -> bool:
    """Whether the question names something (`asked`) that the older statement speaks of and the
    newer one does not, or asks for a value that only the older one may give."""
    told, before = new.lower(), old.lower()
    if any(one in before and one not in told for one in asked):
        return True
    if not wants_value(question):
        return False
    return _DIGIT.search(old) is not None and _DIGIT.search(new) is None


def placed(rows: Sequence[Scored], found: Sequence[Likely], knobs: Aim) -> list[Scored]:
    """The rows, best first, with the older ones marked; a newer one comes before its older where
    that is all but over, and one that only names what it names right behind it: nobody knows
    whether the question is after that part."""
    known = {row.id: row for row in rows}
    least: dict[str, tuple[float, float]] = {}
    marked: dict[str, list[str]] = {}
    for (old_id, new_id, named), share in found:
        old = known[old_id]
        if named or share >= knobs.newer_sure:
            factor = _BEHIND if named else 1.0
            wanted = (factor * old.score, factor * old.confidence)
            least[new_id] = max(least.get(new_id, (0.0, 0.0)), wanted)
        if share >= _CERTAIN or not named:
            marked.setdefault(old_id, []).append(new_id)
    moved = [_moved(row, least.get(row.id, (0.0, 0.0)), marked.get(row.id, ())) for row in rows]
    # Of equals the newer one first.
    return sorted(moved, key=lambda row: (-row.score, -row.measured.candidate.valid_from))


def _moved(row: Scored, least: tuple[float, float], newer: Sequence[str]) -> Scored:
    told = (*row.newer, *(one for one in newer if one not in row.newer))
    if least[0] <= row.score:
        return replace(row, newer=told) if newer else row
    factor = least[0] / row.score if row.score > 0.0 else 1.0
    confidence = max(row.confidence, least[1])
    return replace(row, score=least[0], confidence=confidence, aim=row.aim * factor, newer=told)
