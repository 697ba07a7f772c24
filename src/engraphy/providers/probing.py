"""Calibration of an embedder nobody has measured: on the packaged probe pairs, at first use."""

from collections.abc import Callable, Sequence

from engraphy.errors import EmbedderError
from engraphy.providers.calibration import Calibration, fit_calibration, probe_pairs
from engraphy.providers.table import Floats
from engraphy.providers.vectors import cosine

_OWN_COSINES = Calibration(knots=((0.0, 0.0), (1.0, 1.0)))
EmbedTexts = Callable[[Sequence[str]], Sequence[Floats]]


def probe_cosines(embed: EmbedTexts, *, language: str = "en") -> dict[str, list[float]]:
    """Embed the probe texts as one batch; return the cosines of the pairs by relation."""
    pairs = probe_pairs(language)
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))
    vectors = dict(zip(texts, embed(texts), strict=True))
    cosines: dict[str, list[float]] = {}
    for pair in pairs:
        found = cosine(vectors[pair.first], vectors[pair.second])
        cosines.setdefault(pair.relation, []).append(found)
    return cosines


def probed_calibration(embed: EmbedTexts, *, model: str) -> Calibration:
    """Fit a calibration from one batch of 160 short texts.

    A model that cannot tell the probe relations apart keeps its own cosines: it may know its
    own subject and no other, or stand in for a model in somebody's tests.
    """
    cosines = probe_cosines(embed)
    try:
        return fit_calibration(cosines, model=model)
    except EmbedderError:
        return _OWN_COSINES
