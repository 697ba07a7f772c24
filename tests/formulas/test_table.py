"""Every formula against the table: range, direction, neutral value, NaN (row R-11)."""

import inspect
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import few
from tests.formulas.case import Case, MAYBE, NUMBER, NUMBERS, TWINS
from tests.formulas.cases_choice import CHOICE_CASES
from tests.formulas.cases_life import LIFE_CASES
from tests.formulas.cases_retention import RETENTION_CASES
from tests.formulas.cases_signals import SIGNAL_CASES

from engraphy import formulas

CASES = {**SIGNAL_CASES, **CHOICE_CASES, **RETENTION_CASES, **LIFE_CASES}
EVERY = pytest.mark.parametrize("name", sorted(CASES))
DIRECTIONS = sorted(
    (name, knob, sign)
    for name, case in CASES.items()
    for knobs, sign in ((case.rising, 1), (case.falling, -1))
    for knob in knobs
)
NUMERIC = sorted(
    (name, knob)
    for name, case in CASES.items()
    for knob, strategy in case.inputs.items()
    if strategy in (NUMBER, MAYBE) or strategy is NUMBERS
)


def drawn(data: st.DataObject, name: str) -> dict[str, Any]:
    """Inputs for one call of the named formula."""
    given_inputs = {knob: data.draw(values, knob) for knob, values in CASES[name].inputs.items()}
    if name in TWINS:
        left, right = TWINS[name]
        given_inputs[left], given_inputs[right] = given_inputs[left]
    return given_inputs


def place(case: Case, result: Any) -> float:
    """A result's place in the order in which it rises."""
    return float(case.order.index(result)) if case.order else float(result)


def test_the_table_names_every_formula() -> None:
    """A new formula is not finished before it has a row in the table."""
    assert sorted(CASES) == [n for n in formulas.__all__ if callable(getattr(formulas, n))]


def test_all_is_exact() -> None:
    """What the room offers is in `__all__`, sorted, and nothing else is public."""
    offered = {
        n for n, v in vars(formulas).items() if not n.startswith("_") and not inspect.ismodule(v)
    }
    assert sorted(offered) == formulas.__all__ == sorted(formulas.__all__)


@EVERY
def test_inputs_are_keywords_and_known(name: str) -> None:
    """Every input of a formula is passed by keyword, and the table draws only inputs it has."""
    parameters = inspect.signature(getattr(formulas, name)).parameters
    assert {p.kind for p in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert set(CASES[name].inputs) <= set(parameters)


def in_range(name: str, data: st.DataObject) -> None:
    """Any finite or infinite input gives a finite result inside the stated range."""
    inputs = drawn(data, name)
    assert CASES[name].holds(getattr(formulas, name)(**inputs), inputs)


@EVERY
@settings(max_examples=few(8))
@given(data=st.data())
def test_range(name: str, data: st.DataObject) -> None:
    """Any finite or infinite input gives a finite result inside the stated range."""
    in_range(name, data)


@pytest.mark.slow
@EVERY
@settings(max_examples=200)
@given(data=st.data())
def test_range_of_many(name: str, data: st.DataObject) -> None:
    """The same with many more inputs."""
    in_range(name, data)


def one_way(name: str, knob: str, sign: int, data: st.DataObject) -> None:
    """A formula that is said to rise in an input never falls in it, and the other way round."""
    inputs = drawn(data, name)
    low, high = sorted(data.draw(st.tuples(*[CASES[name].inputs[knob]] * 2), "two values"))
    formula = getattr(formulas, name)
    first, second = (
        place(CASES[name], formula(**{**inputs, knob: value})) for value in (low, high)
    )
    slack = 1e-9 * max(1.0, abs(first), abs(second))
    assert sign * (second - first) >= -slack


@pytest.mark.parametrize(("name", "knob", "sign"), DIRECTIONS)
@settings(max_examples=few(6))
@given(data=st.data())
def test_direction(name: str, knob: str, sign: int, data: st.DataObject) -> None:
    """A formula that is said to rise in an input never falls in it, and the other way round."""
    one_way(name, knob, sign, data)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "knob", "sign"), DIRECTIONS)
@settings(max_examples=150)
@given(data=st.data())
def test_direction_of_many(name: str, knob: str, sign: int, data: st.DataObject) -> None:
    """The same with many more inputs."""
    one_way(name, knob, sign, data)


@pytest.mark.parametrize(
    ("name", "inputs", "expected"),
    [(name, inputs, value) for name, case in CASES.items() for inputs, value in case.neutral],
)
def test_neutral_value(name: str, inputs: dict[str, Any], expected: Any) -> None:
    """At its neutral input a formula changes nothing, and at its ends it gives the end."""
    result = getattr(formulas, name)(**inputs)
    assert result == expected or math.isclose(result, expected, abs_tol=1e-12)


@pytest.mark.parametrize(("name", "knob"), NUMERIC)
@settings(max_examples=few(3, 2))
@given(data=st.data())
def test_nan_is_refused(name: str, knob: str, data: st.DataObject) -> None:
    """NaN is no number: a formula refuses it, wherever it stands, and says what is allowed."""
    inputs = drawn(data, name)
    inputs[knob] = [math.nan] if CASES[name].inputs[knob] is NUMBERS else math.nan
    with pytest.raises(ValueError, match="NaN"):
        getattr(formulas, name)(**inputs)
