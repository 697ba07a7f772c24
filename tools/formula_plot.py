"""What the plot of each formula shows: one input on the x axis, a curve per value of another."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engraphy import formulas

POINTS: Final = 61
HALVES: Final[Mapping[str, Any]] = {
    "match": 0.5,
    "recency": 0.5,
    "importance": 0.5,
    "trust": 0.5,
    "relevance": 0.5,
    "activation": 0.5,
    "rank_fusion": 0.5,
    "semantic": 0.5,
    "utility": 0.5,
    "novelty": 0.5,
    "reward": 0.5,
    "attention": 0.5,
    "specificity": 0.5,
    "emphasis": 0.5,
    "context_switch": 0.5,
    "salience": 0.5,
    "distinctiveness": 0.5,
    "type_weight": 0.5,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Plot:
    """The x axis and the curves of one plot."""

    x: str
    places: Sequence[float]
    curves: Mapping[str, Callable[[Any], Any]]


def sweep(name: str, axis: str, low: float, high: float, /, **inputs: Any) -> tuple[str, Plot]:
    """Run the input ``axis`` from low to high; an input given as a tuple makes a curve per value.

    Two whole numbers as ends make steps of one. Inputs without a default that are not named
    stand at one half.
    """
    formula = getattr(formulas, name)
    knobs = inspect.signature(formula).parameters
    fixed = {key: HALVES[key] for key in knobs if key in HALVES and key != axis} | inputs
    fixed = {key: value for key, value in fixed.items() if _needed(knobs[key], key, inputs)}
    varied = next((key for key, value in fixed.items() if isinstance(value, tuple)), "")
    values = fixed.get(varied, ("",))

    def curve(value: object) -> Callable[[Any], Any]:
        chosen = {**fixed, varied: value} if varied else fixed
        return lambda place: formula(**{**chosen, axis: place})

    labels = {f"{varied} = {value}" if varied else "": curve(value) for value in values}
    return name, Plot(x=axis, places=_places(low, high), curves=labels)


def _needed(knob: inspect.Parameter, key: str, inputs: Mapping[str, Any]) -> bool:
    return key in inputs or knob.default is inspect.Parameter.empty


def _places(low: float, high: float) -> Sequence[float]:
    if isinstance(low, int) and isinstance(high, int):
        return range(low, high + 1)
    return [low + (high - low) * step / (POINTS - 1) for step in range(POINTS)]


def drawn(name: str, axis: str, low: float, high: float, /, **curves: Any) -> tuple[str, Plot]:
    """A plot of given curves, for formulas that take sets, lists or functions."""
    labels = {key.replace("_", " ") if len(curves) > 1 else "": one for key, one in curves.items()}
    return name, Plot(x=axis, places=_places(low, high), curves=labels)
