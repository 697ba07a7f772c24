"""Fit each embedder's map from its own similarity to the common scale.

Usage::

    python tools/fit_calibration.py                      # refit all that are installed
    python tools/fit_calibration.py --sick PATH          # also show how SICK pairs fall

The knots are fitted on the packaged probe pairs only (English; for the multilingual embedder
English and Turkish together). SICK, where a path to it is given, is read as a check: its
sentences are of another kind, and it is not ours to ship.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles

from engraphy.errors import MissingExtraError
from engraphy.providers.calibration import Calibration, fit_calibration, probe_pairs
from engraphy.providers.minilm import MiniLMEmbedder
from engraphy.providers.multilingual import MultilingualEmbedder
from engraphy.providers.probing import EmbedTexts, probe_cosines
from engraphy.providers.static import StaticEmbedder
from engraphy.providers.vectors import cosine
from engraphy.text.similarity import lexical_similarity

CALIBRATIONS = (
    Path(__file__).parent.parent / "src" / "engraphy" / "providers" / "data" / "calibration.json"
)
Cosines = dict[str, list[float]]
PairSimilarity = Callable[[Sequence[tuple[str, str]]], list[float]]


def by_vectors(embed: EmbedTexts) -> PairSimilarity:
    def similarity(pairs: Sequence[tuple[str, str]]) -> list[float]:
        firsts, seconds = embed([a for a, _ in pairs]), embed([b for _, b in pairs])
        return [cosine(one, two) for one, two in zip(firsts, seconds, strict=True)]

    return similarity


def by_words(pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [lexical_similarity(one, two) for one, two in pairs]


def word_overlaps() -> Cosines:
    overlaps: Cosines = {}
    for pair in probe_pairs("en"):
        overlaps.setdefault(pair.relation, []).append(lexical_similarity(pair.first, pair.second))
    return overlaps


def in_both_languages(embed: EmbedTexts) -> Cosines:
    english, turkish = (probe_cosines(embed, language=name) for name in ("en", "tr"))
    return {relation: english[relation] + turkish[relation] for relation in english}


def measured() -> dict[str, tuple[Cosines, PairSimilarity]]:
    """Return the probe similarities of every embedder that is installed here."""
    static = StaticEmbedder()
    found: dict[str, tuple[Cosines, PairSimilarity]] = {
        "lexical": (word_overlaps(), by_words),
        "static": (
            probe_cosines(static.embed_documents),
            by_vectors(static.embed_documents),
        ),
    }
    try:
        small = MiniLMEmbedder()
        found["minilm"] = probe_cosines(small.embed_documents), by_vectors(small.embed_documents)
        many = MultilingualEmbedder()
        found["multilingual"] = (
            in_both_languages(many.embed_documents),
            by_vectors(many.embed_documents),
        )
    except MissingExtraError as error:
        print(f"left as it is: {error}")
    return found


def spread(values: Sequence[float]) -> str:
    tenths = quantiles(values, n=10)
    return f"p10 {tenths[0]:.2f}  median {tenths[4]:.2f}  p90 {tenths[8]:.2f}"


def read_sick(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Group SICK's pairs by its relatedness: below 2, 2 to 3.5, above 4.5, and contradictions."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        _, first, second, relatedness, judgement = line.split("\t")[:5]
        groups.setdefault(sick_group(float(relatedness), judgement), []).append((first, second))
    return groups


def sick_group(relatedness: float, judgement: str) -> str:
    if judgement == "CONTRADICTION":
        return "contradiction"
    bounds = ((2.0, "below 2"), (3.5, "2 to 3.5"), (4.5, "3.5 to 4.5"))
    return next((name for bound, name in bounds if relatedness < bound), "4.5 and more")


def report(name: str, calibration: Calibration, groups: dict[str, list[float]]) -> None:
    print(name)
    for group, values in groups.items():
        print(f"  {group:<14} {spread([calibration(value) for value in values])}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the similarity calibrations.")
    parser.add_argument("--sick", type=Path, help="SICK_train.txt, read as a check only")
    arguments = parser.parse_args()
    stored = json.loads(CALIBRATIONS.read_text("utf-8")) if CALIBRATIONS.exists() else {}
    sick = read_sick(arguments.sick) if arguments.sick else {}
    for name, (cosines, similarity) in measured().items():
        calibration = fit_calibration(cosines, model=name)
        stored[name] = calibration.knots
        report(name, calibration, cosines)
        report(f"{name} on SICK", calibration, {g: similarity(sick[g]) for g in sorted(sick)})
    lines = (f"  {json.dumps(name)}: {json.dumps(stored[name])}" for name in sorted(stored))
    CALIBRATIONS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
