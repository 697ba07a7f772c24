"""Questions to a language model, as they are asked, answered, counted and paid for."""

from enum import StrEnum

from engraphy.record import Record


class CallOutcome(StrEnum):
    """How a question to a language model ended. All but `ok` mean that the rules decided."""

    STARTED = "started"
    """Not ended yet, or its process died meanwhile: counted at what was set aside for it."""
    OK = "ok"
    INVALID = "invalid"
    """An answer came that is not what was asked for, or says what its text does not say."""
    TIMEOUT = "timeout"
    REFUSED = "refused"
    BUDGET = "budget"
    """Not asked: the day's budget is spent."""
    PAUSED = "paused"
    """Not asked: the model failed several times in a row a moment ago."""
    ERROR = "error"


UNASKED = frozenset({CallOutcome.BUDGET, CallOutcome.PAUSED})
"""The outcomes of questions that never left the machine."""


class Completion(Record, frozen=True, kw_only=True):
    """What a language model answered.

    Token counts as the model told them (None where it did not). `refused`: it would not answer;
    `cut`: its answer ended at the length limit. `milliseconds` from question to answer.
    """

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refused: bool = False
    cut: bool = False
    milliseconds: int = 0


class ModelCall(Record, frozen=True, kw_only=True):
    """A line of the ledger: which model was asked what for, how it ended, what it cost.

    `cost` in the currency of the configured prices, None where none is known. Never a text.
    """

    model: str
    skill: str
    outcome: CallOutcome
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    milliseconds: int = 0


class CallLimits(Record, frozen=True, kw_only=True):
    """What may be spent between `since` and now; 0 = no limit.

    `since` and `pause_since` are moments in microseconds UTC. Where the last `pause_after` calls
    all failed and the newest of them began at or after `pause_since`, nothing is asked.
    """

    since: int
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    pause_after: int = 0
    pause_since: int = 0


class ModelUse(Record, frozen=True, kw_only=True):
    """The calls of one model for one skill that ended the same way, summed up."""

    model: str
    skill: str
    outcome: CallOutcome
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    milliseconds: int


class Costs(Record, frozen=True, kw_only=True):
    """What a tenant's language model did from `since` to `until` (microseconds UTC), and cost.

    `calls` were really asked, `fallbacks` ended with the rules deciding (asked or not). `cost` is
    None where no price is known; `uses` tell the same by model, skill and outcome.
    """

    since: int
    until: int
    calls: int
    fallbacks: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    uses: tuple[ModelUse, ...] = ()
