"""From a model's own cosine to the common similarity scale, by a few fitted knots.

On the common scale unrelated statements are near .1, statements on the same topic near .5,
the same statement in other words near .8 and near-identical ones at .93 or more; every
threshold in a profile refers to it. The knots are fitted by tools/fit_calibration.py.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

from engraphy.errors import EmbedderError, InvalidInputError
from engraphy.record import Record

Knots = tuple[tuple[float, float], ...]

_DATA: Final = Path(__file__).with_name("data")
_UNRELATED, _TOPIC, _PARAPHRASE, _IDENTICAL = 0.1, 0.5, 0.8, 0.93
_SMALLEST_STEP: Final = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A monotone piecewise-linear map through ``(cosine, common scale)`` knots."""

    knots: Knots
    _places: tuple[float, ...] = field(init=False, repr=False, compare=False)
    """The cosines of the knots: hundreds are looked up per recall."""
    _lines: tuple[tuple[float, float, float, float], ...] = field(
        init=False, repr=False, compare=False
    )
    """From each knot to the next: where it stands, and how far that one is in both numbers."""

    def __post_init__(self) -> None:
        ordered = all(low[0] < high[0] and low[1] <= high[1] for low, high in pairwise(self.knots))
        if len(self.knots) < 2 or not ordered:
            raise InvalidInputError(
                field="knots", got=self.knots, allowed="two or more, rising in both numbers"
            )
        object.__setattr__(self, "_places", tuple(place for place, _ in self.knots))
        lines = ((x0, y0, x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(self.knots))
        object.__setattr__(self, "_lines", tuple(lines))

    def __call__(self, cosine: float) -> float:
        """Return the place of the cosine on the common scale, in [0, 1]; NaN counts as 0."""
        places = self._places
        if not cosine > places[0]:
            return self.knots[0][1]
        if cosine >= places[-1]:
            return self.knots[-1][1]
        x, y, wide, high = self._lines[bisect_right(places, cosine) - 1]
        return y + high * (cosine - x) / wide


class ProbePair(Record, frozen=True, kw_only=True):
    """Two statements and how they are related: identical, paraphrase, topic or unrelated."""

    relation: str
    first: str
    second: str


def load_calibration(name: str) -> Calibration:
    """Return the packaged calibration of ``static``, ``minilm``, ``multilingual``, ``lexical``.

    Raises InvalidInputError for a name that has none.
    """
    known = _packaged()
    if name not in known:
        raise InvalidInputError(field="calibration", got=name, allowed=", ".join(sorted(known)))
    return known[name]


@lru_cache(maxsize=1)
def _packaged() -> dict[str, Calibration]:
    stored = json.loads((_DATA / "calibration.json").read_text("utf-8"))
    return {
        name: Calibration(knots=tuple((x, y) for x, y in knots)) for name, knots in stored.items()
    }


def probe_pairs(language: str = "en") -> list[ProbePair]:
    """Return the packaged pairs of one language (``en`` or ``tr``) that calibrations fit on."""
    quads = json.loads((_DATA / "probes.json").read_text("utf-8"))[language]
    shifted = quads[len(quads) // 2 :] + quads[: len(quads) // 2]
    pairs = []
    for quad, other in zip(quads, shifted, strict=True):
        statement = quad["statement"]
        partners = {name: quad[name] for name in ("identical", "paraphrase", "topic")}
        partners["unrelated"] = other["statement"]
        pairs += [
            ProbePair(relation=relation, first=statement, second=text)
            for relation, text in partners.items()
        ]
    return pairs


def fit_calibration(cosines: Mapping[str, Sequence[float]], *, model: str) -> Calibration:
    """Fit the map on cosines of pairs by relation (the relations of ProbePair).

    The medians of unrelated, topic and paraphrase pairs go to .1, .5 and .8, the lower decile
    of identical pairs to .93; a cosine of 1 goes to 1, and 0 is reached as far below the
    unrelated median as topic lies above it.

    Raises EmbedderError where the model does not tell the relations apart in this order.
    """
    unrelated, topic, paraphrase = (
        median(cosines[relation]) for relation in ("unrelated", "topic", "paraphrase")
    )
    identical = sorted(cosines["identical"])[len(cosines["identical"]) // 10]
    marks = [unrelated, topic, paraphrase, min(identical, 1.0 - _SMALLEST_STEP)]
    if not all(low + _SMALLEST_STEP <= high for low, high in pairwise(marks)):
        raise EmbedderError(model=model, problem=f"it cannot rank similar texts: {marks}")
    bottom = unrelated - (topic - unrelated)
    levels = (0.0, _UNRELATED, _TOPIC, _PARAPHRASE, _IDENTICAL, 1.0)
    places = (bottom, *marks, 1.0)
    return Calibration(knots=tuple((round(x, 4), y) for x, y in zip(places, levels, strict=True)))
