"""Which hit is an older answer to a question that asks for the present value of something.

Two statements of the same origin that speak of what the question asks, with values of one kind that
differ: the older one is marked with the newer one, and where the newer one speaks of most of the
question it stands first. Nothing is dropped: only the writer knows whether the older one is over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engraphy.profile import Aim
from engraphy.read.measure import Pool, rarity
from engraphy.read.select import Scored
from engraphy.text.aims import tells_a_change
from engraphy.text.fold import fold_text
from engraphy.text.shaped import values
from engraphy.text.split import sentences

_READ = 3_000
_NEAR = 0.5
"""A newer statement counts where it scores at least this share of the older one, and speaks of at
least this share of what the older one speaks of; a sentence, of what the best sentence does."""
_UNKINDLY = frozenset({"name"})
_STEM, _ENDING = 4, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a row's best sentences tell of the question: the words of it, and their values."""

    row: Scored
    words: frozenset[str]
    values: frozenset[tuple[str, str]]
    changes: bool


def renewed(
    rows: Sequence[Scored], texts: Mapping[str, str], pool: Pool, knobs: Aim
) -> list[Scored]:
    """The rows, best first: older answers carry the ids of newer ones, and stand behind it where
    it speaks of `knobs.newer_first` of the question. `texts` by id: of the rows that are read."""
    weights = rarity(pool)
    total = sum(weights.values())
    if total <= 0.0:
        return list(rows)
    told = [_told(row, texts[row.id], weights) for row in rows if row.id in texts]
    moved: dict[str, float] = {}
    marked: dict[str, list[str]] = {}
    for old in told:
        after = _newer(old, told, weights)
        shares = {one.row.id: _worth(one.words, weights) / total for one in after if one.changes}
        marked[old.row.id] = [one for one, share in shares.items() if share >= knobs.newer_marked]
        for one, share in shares.items():
            if share >= knobs.newer_first:
                moved[one] = max(moved.get(one, 0.0), old.row.score)
    found = (_placed(row, marked.get(row.id, ()), moved.get(row.id, 0.0)) for row in rows)
    return sorted(found, key=lambda row: (-row.score, -row.measured.candidate.seq))


def _newer(old: _Told, told: Sequence[_Told], weights: Mapping[str, float]) -> list[_Told]:
    """The newer answers to what the older one speaks of, best first."""
    least = _NEAR * _worth(old.words, weights)
    return [
        new
        for new in told
        if _is_newer(new, old)
        and _differ(old, new)
        and _worth(old.words & new.words, weights) >= least
    ]


def _is_newer(new: _Told, old: _Told) -> bool:
    one, other = new.row.measured.candidate, old.row.measured.candidate
    alike = (one.data_source, one.speaker) == (other.data_source, other.speaker)
    later = one.valid_from > other.valid_from
    return alike and later and new.row.score >= _NEAR * old.row.score


def _differ(old: _Told, new: _Told) -> bool:
    """Whether the newer one has a value of a kind that the older one has, and not that value."""
    fresh = new.values - old.values
    return not {kind for kind, _ in fresh}.isdisjoint(kind for kind, _ in old.values - new.values)


def _told(row: Scored, text: str, weights: Mapping[str, float]) -> _Told:
    read = [(_held(sentence, weights), sentence) for sentence in sentences(fold_text(text[:_READ]))]
    most = max((_worth(words, weights) for words, _ in read), default=0.0)
    near = [one for one in read if one[0] and _worth(one[0], weights) >= _NEAR * most]
    said = " ".join(sentence for _, sentence in near)
    found = {(one.kind, one.form) for one in values(said) if one.kind not in _UNKINDLY}
    return _Told(
        row=row,
        words=frozenset().union(*(words for words, _ in near)),
        values=frozenset(found),
        changes=tells_a_change(said),
    )


def _held(sentence: str, weights: Mapping[str, float]) -> frozenset[str]:
    return frozenset(word for word in weights if _stem(word) in sentence)


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - _ENDING)]


def _worth(words: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in words)


def _placed(row: Scored, newer: Sequence[str], least: float) -> Scored:
    if not newer and least <= row.score:
        return row
    score = max(row.score, least)
    factor = score / row.score if row.score > 0.0 else 1.0
    return replace(row, score=score, aim=row.aim * factor, newer=tuple(newer))
