"""Profiles: strict data over one shape, with inheritance and overrides."""

from pathlib import Path

import pytest

from engraphy import Memory
from engraphy.errors import ProfileError
from engraphy.profile import differences, load, names


@pytest.mark.parametrize("name", names())
def test_every_shipped_profile_is_complete_and_opens(name: str, tmp_path: Path) -> None:
    """Each profile is valid and runs a memory from write to read."""
    assert load(name).name == name
    with Memory(tmp_path / "p.db", profile=name, embedder="none") as memory:
        assert memory.remember("The API listens on port 3000").memory is not None
        assert memory.recall("which port does the API use?")


def test_overrides_have_the_profiles_shape() -> None:
    """Tables merge, values replace; weights are replaced as a whole."""
    changed = load("default", {"score": {"weights": {"match": 1.0}}, "inject": {"budget": 50}})
    assert changed.score.weights == {"match": 1.0}
    assert changed.inject.budget == 50
    assert changed.judge == load("default").judge


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"scoring": {}}, "scoring"),
        ({"score": {"weight": 1}}, "weight"),
        ({"score": {"min_score": 1.5}}, "min_score"),
        ({"score": {"min_score": "high"}}, "min_score"),
        ({"score": {"weights": {"luck": 1.0}}}, "weights"),
        ({"search": {"text_limit": 0}}, "text_limit"),
        ({"gate": {"trivial": "yes"}}, "trivial"),
    ],
)
def test_a_wrong_override_is_named(overrides: dict[str, object], said: str) -> None:
    """An unknown key, a wrong type, a value out of range: an error that names the knob."""
    with pytest.raises(ProfileError, match=said):
        load("default", overrides)


def test_an_unknown_profile_lists_the_known_ones() -> None:
    """The error says which profiles there are."""
    with pytest.raises(ProfileError, match="cognitive, default, layered, letsgo, titans"):
        load("nobody")


def test_profiles_inherit_from_default() -> None:
    """What a profile does not say is what default says; what it says differs."""
    letsgo, default = load("letsgo"), load("default")
    assert letsgo.write.max_content_chars == default.write.max_content_chars
    knobs = {knob for knob, _, _ in differences(default, letsgo)}
    assert {"score.weights.match", "score.min_score", "gate.threshold"} <= knobs
    assert differences(default, default) == []


@pytest.mark.spec("A-04")
def test_letsgo_scores_by_the_documents_weights(tmp_path: Path) -> None:
    """Each hit of letsgo shows its four parts; custom weights are honoured."""
    with Memory(tmp_path / "l.db", profile="letsgo") as memory:
        memory.remember("The API listens on port 3000", importance=1.0)
        (hit,) = memory.recall("API port")
        assert {"match", "recency", "importance", "trust"} <= set(hit.why)
        assert hit.why["importance"] == pytest.approx(0.15)
        assert hit.why["trust"] == pytest.approx(0.10)
        assert hit.why["recency"] == pytest.approx(0.20, abs=0.001)
    weights = {"score": {"weights": {"importance": 1.0}, "min_score": 0.0}}
    with Memory(tmp_path / "l.db", profile="letsgo", overrides=weights) as memory:
        (hit,) = memory.recall("API port")
        assert hit.score == pytest.approx(1.0)
