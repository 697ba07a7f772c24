"""The page of formulas is complete, fresh and repeatable."""

from pathlib import Path

import pytest

import generate_formulas
from engraphy import formulas

NAMES = [name for name in formulas.__all__ if callable(getattr(formulas, name))]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator writes below the folder it is run in."""
    monkeypatch.chdir(Path(generate_formulas.__file__).parents[1])


def test_page_and_plots_are_fresh() -> None:
    """The committed page is what the docstrings give, and every plot is there."""
    assert generate_formulas.stale() == []


def test_every_formula_has_a_plot() -> None:
    """A formula without a plot, or a plot without a formula, fails."""
    assert sorted(generate_formulas.PLOTS) == NAMES


def test_a_changed_page_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check sees an edited page and a missing plot."""
    monkeypatch.chdir(tmp_path)
    generate_formulas.PAGE.parent.mkdir()
    generate_formulas.PAGE.write_text("edited by hand", "utf-8")
    assert len(generate_formulas.stale()) == 1 + len(NAMES)


@pytest.mark.long
def test_plots_are_repeatable() -> None:
    """The same matplotlib draws the same bytes, without a date."""
    first = generate_formulas.draw("recency")
    assert first == generate_formulas.draw("recency")
    assert b"<dc:date>" not in first
    assert b"<text" in first
