"""What is told together becomes one memory: themes, and old memories in the same words."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from engraphy.dream.condense import even
from engraphy.dream.ripe import (
    COMPRESSED,
    THEME,
    category_of,
    instructs,
    notes_of,
    oldest_first,
    ripe,
    told_by,
)
from engraphy.model import Kind, MICROSECONDS_PER_DAY, Memory, Merge, Snapshot
from engraphy.profile import Profile
from engraphy.profile.dream import Clustering
from engraphy.record import Record
from engraphy.text.bags import alike, content_words, linked, telling_stems
from engraphy.text.gist import gist

_LEAST_SHARED = 2
"""Telling words that two memories of a theme share at least."""
_COMMON = 50
"""Memories from which on the words of a batch say how common a word is."""
_ORDINARY = 0.1
"""Share of a batch that uses a word from which on it finds no neighbours."""
_LEAST_POSTED = 12


def old_enough_for_themes(memory: Memory, now: int, profile: Profile) -> bool:
    """Whether `cluster` looks at a memory."""
    return _old(memory, now, profile.dream.cluster.older_than_days, profile)


def old_enough_to_compress(memory: Memory, now: int, profile: Profile) -> bool:
    """Whether `compress` looks at a memory."""
    return _old(memory, now, profile.dream.compress.older_than_days, profile)


def _old(memory: Memory, now: int, days: float, profile: Profile) -> bool:
    before = now - round(days * MICROSECONDS_PER_DAY)
    return memory.updated_at < before and ripe(
        memory, default_ttl_days=profile.write.default_ttl_days
    )


def any_theme(snapshot: Snapshot, now: int, profile: Profile) -> bool:  # noqa: ARG001
    """Whether a batch has a theme that `cluster` looks at for the first time: most have none, and
    words and names tell, so that nothing else of its memories need be read."""
    return any(True for _ in _themes(snapshot, profile.dream.cluster))


def any_new_to_compress(snapshot: Snapshot, now: int, profile: Profile) -> bool:  # noqa: ARG001
    """Whether `compress` looks at any of a batch for the first time."""
    return _news(snapshot.memories, snapshot, profile.dream.compress.older_than_days)


def _apart(memory: Memory) -> tuple[str, ...]:
    """What may be told together at all: as sensitive, and of one origin, so that nothing said by
    a page or a tool takes the trust out of the user's own words."""
    return (memory.sensitivity.value, memory.origin.value)


def _parts(
    rows: Sequence[Memory], key: Callable[[Memory], tuple[str, ...]]
) -> Iterator[list[Memory]]:
    parts: dict[tuple[str, ...], list[Memory]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    yield from parts.values()


def compress(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """Old memories whose words are mostly the same are told by one summary (A-19): single linkage
    by the Jaccard index of their words, three or more; of a long chain several summaries."""
    knobs = profile.dream.compress
    for rows in _parts(snapshot.memories, _apart):
        if not _news(rows, snapshot, knobs.older_than_days):
            continue
        bags = [content_words(one.content) for one in rows]
        for group in linked(len(rows), alike(bags, knobs.alike)):
            members = [rows[place] for place in group]
            if not _news(members, snapshot, knobs.older_than_days):
                continue
            told = sorted((one for one in members if not instructs(one)), key=oldest_first)
            for some in even(told, knobs.most) if len(told) >= knobs.least else ():
                importance = max(one.importance for one in some)
                memory = _summary(some, now, profile, knobs.chars, importance)
                tagged = replace(memory, tags=(*memory.tags, COMPRESSED), category=_category(some))
                reason = "old memories in mostly the same words"
                yield Merge(memory=tagged, sources=some, reason=reason, skill="consolidation")


def _news(members: Sequence[Memory], snapshot: Snapshot, days: float) -> bool:
    """Whether any of them is looked at for the first time: a cycle that looks at the same ones
    again, in batches with other borders, makes nothing of them."""
    wait = round(days * MICROSECONDS_PER_DAY)
    return any(max(one.updated_at + wait, one.recorded_at) >= snapshot.since for one in members)


def _summary(
    rows: Sequence[Memory], now: int, profile: Profile, chars: int, importance: float
) -> Memory:
    written = gist(notes_of(rows), chars=chars, line_chars=profile.condense.line_chars)
    return told_by(rows, written.text, Kind.SUMMARY, now=now, importance=importance)


def cluster(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """Memories of one theme are told by one memory (D-47): three or more around the one that has
    most in common with others; never across a level of sensitivity or an origin."""
    knobs = profile.dream.cluster
    for members in _themes(snapshot, knobs):
        told = sorted((one for one in members if not instructs(one)), key=oldest_first)
        if len(told) < knobs.least:
            continue
        memory = _summary(told, now, profile, knobs.chars, knobs.importance)
        tagged = replace(memory, tags=(*memory.tags, THEME), category=_category(told))
        reason = "memories of one theme"
        yield Merge(memory=tagged, sources=tuple(told), reason=reason, skill="consolidation")


def _themes(snapshot: Snapshot, knobs: Clustering) -> Iterator[list[Memory]]:
    for rows in _parts(snapshot.memories, _apart):
        if _news(rows, snapshot, knobs.older_than_days):
            for members in _stars(rows, knobs):
                if _news(members, snapshot, knobs.older_than_days):
                    yield members


def _category(rows: Sequence[Memory]) -> str:
    [(category, _)] = Counter(map(category_of, rows)).most_common(1)
    return category


class _Told(Record, frozen=True):
    """A memory as it is compared: its telling words, what they weigh, what it names."""

    memory: Memory
    words: frozenset[str]
    weight: float
    entities: frozenset[str]


def _stars(rows: Sequence[Memory], knobs: Clustering) -> Iterator[list[Memory]]:
    """The clusters of a batch: each memory that no other took, in the order of how many it is near
    to, with those near to it that nobody took, the nearest first. What is left over is near to too
    few, and would be again: the same batch without what was taken has no further clusters."""
    bags = [telling_stems(one.content) for one in rows]
    counts = Counter(word for bag in bags for word in bag)
    weights = {word: log(1 + max(len(rows), _COMMON) / count) for word, count in counts.items()}
    told = [
        _Told(one, bag, sum(weights[word] for word in bag), frozenset(one.entities))
        for one, bag in zip(rows, bags, strict=True)
    ]
    near = _neighbours(told, counts, weights, knobs)
    taken: set[int] = set()
    for place in sorted(near, key=lambda one: (-len(near[one]), one)):
        if place in taken:
            continue
        free = [(share, other) for other, share in near[place].items() if other not in taken]
        nearest = sorted(free, key=lambda one: (-one[0], one[1]))[: knobs.most - 1]
        if len(nearest) + 1 >= knobs.least:
            star = [place, *(other for _, other in nearest)]
            taken.update(star)
            yield [told[one].memory for one in star]


def _neighbours(
    told: Sequence[_Told],
    counts: Mapping[str, int],
    weights: Mapping[str, float],
    knobs: Clustering,
) -> dict[int, dict[int, float]]:
    """By place the places near to it, each with the share of words they have in common."""
    most = max(_LEAST_POSTED, round(_ORDINARY * len(told)))
    postings: dict[str, list[int]] = {}
    near: dict[int, dict[int, float]] = {}
    for place, one in enumerate(told):
        own = [word for word in one.words if counts[word] <= most]
        shared = Counter(other for word in own for other in postings.get(word, ()))
        for other, count in shared.items():
            if count >= _LEAST_SHARED:
                share = _share(one, told[other], weights, knobs)
                if share:
                    near.setdefault(place, {})[other] = share
                    near.setdefault(other, {})[place] = share
        for word in own:
            postings.setdefault(word, []).append(place)
    return near


def _share(one: _Told, other: _Told, weights: Mapping[str, float], knobs: Clustering) -> float:
    """The share of words that two memories have in common, seen from either, rarer ones weighing
    more; 0 where they are too little alike, or neither name the same nor are of one kind and about
    as important."""
    both = one.words & other.words
    share = sum(weights[word] for word in both) / (max(one.weight, other.weight) or 1.0)
    if len(both) < _LEAST_SHARED or share < knobs.alike:
        return 0.0
    if knobs.entities and len(one.entities & other.entities) >= knobs.entities:
        return share
    apart = abs(one.memory.importance - other.memory.importance)
    same = one.memory.kind is other.memory.kind and apart <= knobs.importance_within
    return share if same else 0.0
