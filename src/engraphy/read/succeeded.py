"""What is known to be newer comes with what it took the place of.

A long memory, or one whose parts cannot be told apart, stands beside the statement that ends a part
of it. Whether the question is after that part nobody knows; who sees both does.
"""

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from engraphy.read.select import Scored

_BEHIND = 0.99
"""Of the score of what it took the place of, for what comes right behind it."""


def followed(
    rows: Sequence[Scored],
    pairs: Iterable[tuple[str, str]],
    share: float,
    spoken: Collection[str],
) -> list[Scored]:
    """The rows, best first: an older one that a newer follows, by `pairs` of ids, is marked with
    it. The newer stands before it where it scores at least `share` as well, else right behind it
    where it is one of those that say a word of the question (`spoken`)."""
    places = {row.id: row for row in rows}
    least: dict[str, tuple[float, float]] = {}
    marked: dict[str, list[str]] = {}
    for old_id, new_id in pairs:
        old, new = places[old_id], places[new_id]
        factor = 1.0 if new.score >= share * old.score else _BEHIND * (new_id in spoken)
        if factor:
            wanted = (factor * old.score, factor * old.confidence)
            least[new_id] = max(least.get(new_id, (0.0, 0.0)), wanted)
            marked.setdefault(old_id, []).append(new_id)
    if not marked:
        return list(rows)
    found = [_placed(row, marked.get(row.id, ()), least.get(row.id, (0.0, 0.0))) for row in rows]
    return sorted(found, key=lambda row: (-row.score, row.id in marked))


def _placed(row: Scored, newer: Sequence[str], least: tuple[float, float]) -> Scored:
    score, confidence = max(row.score, least[0]), max(row.confidence, least[1])
    factor = score / row.score if row.score > 0.0 else 1.0
    told = (*row.newer, *(one for one in newer if one not in row.newer))
    return replace(row, score=score, confidence=confidence, aim=row.aim * factor, newer=told)
