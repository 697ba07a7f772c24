"""The common similarity scale."""

import pytest
from hypothesis import given, strategies

from engraphy.errors import EmbedderError, InvalidInputError
from engraphy.providers.calibration import (
    Calibration,
    fit_calibration,
    load_calibration,
    probe_pairs,
)
from engraphy.providers.probing import probe_cosines
from engraphy.providers.static import StaticEmbedder

NAMES = ("lexical", "minilm", "multilingual", "static")


@pytest.mark.parametrize("name", NAMES)
@given(one=strategies.floats(-1.0, 1.0), two=strategies.floats(-1.0, 1.0))
def test_packaged_maps_are_monotone(name: str, one: float, two: float) -> None:
    """A larger cosine never means less similar, and the scale is [0, 1]."""
    calibrate = load_calibration(name)
    low, high = sorted((one, two))
    assert 0.0 <= calibrate(low) <= calibrate(high) <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_equal_texts_are_at_the_top(name: str) -> None:
    """A cosine of 1 is a similarity of 1."""
    assert load_calibration(name)(1.0) == 1.0


def test_nan_is_like_nothing() -> None:
    """A cosine that is not a number counts as unlike."""
    assert load_calibration("static")(float("nan")) == 0.0


def test_an_unknown_name_is_refused() -> None:
    """Asking for a calibration nobody fitted raises and names those there are."""
    with pytest.raises(InvalidInputError, match="lexical, minilm, multilingual, static"):
        load_calibration("word2vec")


@pytest.mark.parametrize(
    "knots", [((0.0, 0.0),), ((0.5, 0.0), (0.5, 1.0)), ((0.0, 1.0), (1.0, 0.0))]
)
def test_knots_must_rise(knots: tuple[tuple[float, float], ...]) -> None:
    """Knots that do not rise are refused."""
    with pytest.raises(InvalidInputError, match="knots"):
        Calibration(knots=knots)


def test_the_static_map_is_the_fitted_one() -> None:
    """The packaged knots are what the script fits on the packaged pairs."""
    cosines = probe_cosines(StaticEmbedder().embed_documents)
    fitted = fit_calibration(cosines, model="static").knots
    packaged = load_calibration("static").knots
    assert [x for x, _ in fitted] == pytest.approx([x for x, _ in packaged], abs=2e-4)


@pytest.mark.parametrize("language", ["en", "tr"])
def test_probe_pairs_cover_every_relation(language: str) -> None:
    """Each statement has one pair of each relation, and no pair repeats a text."""
    pairs = probe_pairs(language)
    relations = [pair.relation for pair in pairs]
    counts = {relation: relations.count(relation) for relation in set(relations)}
    assert set(counts) == {"identical", "paraphrase", "topic", "unrelated"}
    assert len(set(counts.values())) == 1
    assert all(pair.first != pair.second for pair in pairs if pair.relation != "identical")


def test_a_model_that_cannot_rank_is_refused() -> None:
    """A model whose unrelated texts are as near as paraphrases cannot be calibrated."""
    flat = {name: [0.9, 0.9] for name in ("identical", "paraphrase", "topic", "unrelated")}
    with pytest.raises(EmbedderError, match="cannot rank"):
        fit_calibration(flat, model="flat")
