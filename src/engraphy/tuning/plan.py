"""What a tuning is told, and what it gives back."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engraphy.engine import scoping
from engraphy.errors import InvalidInputError
from engraphy.record import Record
from engraphy.tuning.search import SEARCHES
from engraphy.tuning.trials import OBJECTIVES

_MOST_FOLDS = 50
_MOST_TRIALS = 1_000_000
_LONGEST = 30 * 86_400.0


class Plan(Record, frozen=True, kw_only=True):
    """How a tuning goes. Checked by `tune`, which raises InvalidInputError.

    `objective`: mrr, rec@10 or hit@1, each over ten hits. `folds`: 2 to 50 parts of the questions.
    `search`: coordinate (each knob alone, then together) or random. `trials` and `seconds`: what
    ends it, whichever comes first; the profile as it is is always measured. `knobs`: a TOML file
    of ranges instead of the shipped one; `only`: these knobs of it. `seed`: of folds and chance.
    """

    objective: str = "mrr"
    folds: int = 5
    search: str = "coordinate"
    trials: int = 200
    seconds: float = 600.0
    knobs: str | Path | None = None
    only: Sequence[str] = ()
    seed: int = 0

    def checked(self) -> "Plan":
        """The plan itself. Raises InvalidInputError."""
        for field, value, allowed in (
            ("objective", self.objective, OBJECTIVES),
            ("search", self.search, tuple(SEARCHES)),
        ):
            if value not in allowed:
                raise InvalidInputError(
                    field=field, got=repr(value)[:60], allowed=", ".join(allowed)
                )
        folds: object = self.folds
        if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= _MOST_FOLDS:
            several = f"2 to {_MOST_FOLDS}"
            raise InvalidInputError(field="folds", got=repr(folds)[:60], allowed=several)
        scoping.positive("trials", self.trials, _MOST_TRIALS)
        scoping.number("seconds", self.seconds, _LONGEST)
        scoping.texts("only", self.only)
        return self


class Turn(Record, frozen=True, kw_only=True):
    """One knob that is turned; `folds`: in how many folds it was turned, too."""

    knob: str
    before: float
    after: float
    folds: int


class Tuned(Record, frozen=True, kw_only=True):
    """What a tuning found.

    `before` and `after`: the mean of each objective over all questions, each judged by a search
    that had not seen it; `gain`: the mean difference with its 95 % bootstrap interval over the
    `answers` that differ; all of them of the ranking, without cut-offs. `delivered`: hits per
    question that come through the cut-offs, before and after, and `reached`: the share of the
    answers that do. `turns`: what a search over all questions turned. `stopped`: trials,
    seconds, or nothing where the search came to its end. `tables`: the profile as a file's tables
    (`engraphy.tuning.save`).
    """

    objective: str
    questions: int
    answers: int
    folds: int
    seed: int
    search: str
    trials: int
    seconds: float
    stopped: str
    profile: str
    before: Mapping[str, float]
    after: Mapping[str, float]
    gain: Mapping[str, tuple[float, float, float]]
    delivered: tuple[float, float]
    reached: tuple[float, float]
    turns: tuple[Turn, ...]
    tables: Mapping[str, Any]

    @property
    def above_noise(self) -> bool:
        """Whether the whole interval of the objective's gain lies above 0."""
        return self.gain[self.objective][1] > 0.0
