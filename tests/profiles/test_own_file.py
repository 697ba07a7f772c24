"""A profile in a file of one's own: how it is named, what it inherits, how it fails."""

from pathlib import Path

import pytest

from engraphy import Memory
from engraphy.errors import ProfileError


def told(path: Path, profile: str | Path) -> list[str]:
    """What a recall under a profile finds of two memories, of which one is off the matter."""
    with Memory(path, profile=profile, embedder="none") as memory:
        if not memory.list(user="ada"):
            memory.remember("Staging listens on port 3000", user="ada")
            memory.remember("The port of Izmir is large", user="ada")
        hits = memory.recall("On which port does staging listen?", user="ada", touch=False)
        return [hit.memory.content for hit in hits]


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_sets_some_knobs_and_inherits_the_rest(tmp_path: Path) -> None:
    """Without `inherits` a profile's file lies over the default one; a knob it sets counts."""
    store = tmp_path / "m.db"
    assert len(told(store, "default")) == 1
    wide = written(tmp_path, "[score]\nmin_share_of_best = 0.0\nmin_confidence = 0.0\n")
    assert len(told(store, wide)) == len(told(store, str(wide))) == 2


def test_a_file_is_read_where_the_environment_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ENGRAPHY_PROFILE may name a file; a profile is called as it says, or as its file is."""
    monkeypatch.setenv("ENGRAPHY_PROFILE", str(written(tmp_path, 'inherits = "letsgo"\n')))
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        assert [one.detail for one in memory.doctor() if one.name == "profile"] == ["own"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('inherits = "mine"', "it inherits from 'mine'; allowed: cognitive, default"),
        ("inherits = 3", "it inherits from '3'; allowed: cognitive, default"),
        ("[fuse]\nsofter = 1.0", "softer"),
        ("[fuse]\nsoft = 11.0", "fuse.soft"),
        ("fuse = ", "its file cannot be read"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(tmp_path: Path, text: str, problem: str) -> None:
    """What a file inherits from, an unknown knob, a number out of its range, broken TOML."""
    with pytest.raises(ProfileError, match=problem):
        Memory(tmp_path / "m.db", profile=written(tmp_path, text))
    assert not (tmp_path / "m.db").exists()


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """A file that is not there is an error of the profile."""
    with pytest.raises(ProfileError, match=r"none\.toml: its file cannot be read"):
        Memory(tmp_path / "m.db", profile=tmp_path / "none.toml")
