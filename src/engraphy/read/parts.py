"""The results of the parts of a compound question become one (D-22)."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.formulas import reciprocal_rank_fusion
from engraphy.profile import Score
from engraphy.read.select import Scored, best_alone, refusal


def united(lists: Sequence[Sequence[Scored]], parts: int, knobs: Score) -> list[Scored]:
    """The rows of several questions, each id once: first what answers one of the first `parts`
    best, then by reciprocal rank fusion over all, last what answers none well enough.

    A row keeps the best of its scores, so that a question nobody answers stays one; whether it is
    good enough is judged beside the answers to its own question.
    """
    judged = [_judged(rows, knobs) for rows in lists]
    places = [
        {row.id: place for place, row in enumerate(row for row in rows if not row.cut)}
        for rows in judged
    ]
    best: dict[str, Scored] = {}
    for row in (row for rows in judged for row in rows):
        known = best.get(row.id)
        if known is None or (bool(known.cut), -known.score) > (bool(row.cut), -row.score):
            best[row.id] = row
    found = [_placed(row, [by_id.get(row.id) for by_id in places]) for row in best.values()]
    return sorted(found, key=lambda row: _order(row, parts))


def _judged(rows: Sequence[Scored], knobs: Score) -> list[Scored]:
    best = best_alone(rows)
    return [replace(row, cut=refusal(row, best, knobs) or "") for row in rows]


def _placed(row: Scored, places: Sequence[int | None]) -> Scored:
    fused = reciprocal_rank_fusion(ranks=places)
    return replace(row, fused=fused, places=tuple(places))


def _order(row: Scored, parts: int) -> tuple[bool, bool, float, float, int]:
    seq = row.measured.candidate.seq
    return bool(row.cut), 0 not in row.places[:parts], -row.fused, -row.score, -seq
