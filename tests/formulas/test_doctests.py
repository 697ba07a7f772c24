"""The formulas' own documentation is true."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

from engraphy import formulas

MODULES = sorted(module.name for module in pkgutil.iter_modules(formulas.__path__))
FUNCTIONS = [name for name in formulas.__all__ if callable(getattr(formulas, name))]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    """Every example in a docstring gives what it says."""
    found = importlib.import_module(f"engraphy.formulas.{module}")
    assert doctest.testmod(found, raise_on_error=False).failed == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring(name: str) -> None:
    """A formula states its formula, its inputs, its range and its source, and shows an example."""
    text = inspect.getdoc(getattr(formulas, name)) or ""
    missing = [
        part for part in ("Formula:", "Inputs:", "Range:", "Source:", ">>>") if part not in text
    ]
    assert missing == []
