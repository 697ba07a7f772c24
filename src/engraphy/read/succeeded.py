"""What is known to be newer stands before what it took the place of.

A long memory, or one whose parts cannot be told apart, stands beside the statement that ends a part
of it; which of them answers a question well, its score tells, and which is newer, their link.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engraphy.read.select import Scored


def followed(
    rows: Sequence[Scored], pairs: Iterable[tuple[str, str]], share: float
) -> list[Scored]:
    """The rows, best first: an older one that a newer follows, by `pairs` of ids, is marked with
    it and stands behind it where that scores at least `share` as well."""
    places = {row.id: row for row in rows}
    raised: dict[str, float] = {}
    marked: dict[str, list[str]] = {}
    for old_id, new_id in pairs:
        old, new = places[old_id], places[new_id]
        if new.score >= share * old.score:
            raised[new_id] = max(raised.get(new_id, 0.0), old.score)
            marked.setdefault(old_id, []).append(new_id)
    if not marked:
        return list(rows)
    found = [_placed(row, marked.get(row.id, ()), raised.get(row.id, 0.0)) for row in rows]
    return sorted(found, key=lambda row: (-row.score, row.id in marked))


def _placed(row: Scored, newer: Sequence[str], least: float) -> Scored:
    score = max(row.score, least)
    factor = score / row.score if row.score > 0.0 else 1.0
    told = (*row.newer, *(one for one in newer if one not in row.newer))
    return replace(row, score=score, aim=row.aim * factor, newer=told)
