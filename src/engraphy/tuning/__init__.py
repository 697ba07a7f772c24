"""Fitting the weights of retrieval to a team's own labelled questions."""

from engraphy.tuning.plan import Plan, Tuned, Turn
from engraphy.tuning.saving import save
from engraphy.tuning.tune import tune

__all__ = ["Plan", "Tuned", "Turn", "save", "tune"]
