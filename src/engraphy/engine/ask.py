"""The one place where a language model is asked: bounded, paid for, and fallen back from (R-12).

Every question has a rule behind it that decides where there is no usable answer, whatever the
reason; the ledger and the trace say which it was. No text reaches the ledger.
"""

from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.watching import calling, decided
from engraphy.errors import ModelError, ModelTimeoutError
from engraphy.model import MICROSECONDS_PER_DAY, SENSITIVITY_RANK, Sensitivity, Step
from engraphy.model.calls import CallLimits, CallOutcome, Completion, ModelCall
from engraphy.ports import LanguageModel, Span
from engraphy.profile import Model
from engraphy.record import Record
from engraphy.skills.shape import Prompt, Skill, Unusable
from engraphy.text.tokens import estimate_tokens
from engraphy.write.intake import storable

Question = TypeVar("Question")
Answer = TypeVar("Answer")

_SECOND = 1_000_000
_LEAST_SECONDS = 0.05
"""Less is not worth asking again for."""
_MILLION = 1_000_000
_TRIES = 2
"""A question, and one more where its answer was of no use."""
_TOLD = 160


class Asked(Record, Generic[Answer], frozen=True, kw_only=True):
    """What came of a question: an answer, or None where the rules decide; `steps` tell why, and
    are empty where nothing was to be asked."""

    answer: Answer | None = None
    steps: tuple[Step, ...] = ()


class _Reply(NamedTuple):
    """How one call ended: the ledger's word, what was answered, what was wrong with it."""

    outcome: CallOutcome
    completion: Completion | None = None
    problem: str = ""


def asks(engine: Engine, skill: str, sensitivity: Sensitivity = Sensitivity.PUBLIC) -> bool:
    """Whether a model is configured for a skill and may be shown texts of this sensitivity."""
    knobs = engine.profile.model
    if engine.model is None or skill not in knobs.skills:
        return False
    most = Sensitivity(knobs.most_sensitive)
    return SENSITIVITY_RANK[sensitivity] <= SENSITIVITY_RANK[most]


def ask(
    engine: Engine, skill: Skill[Question, Answer], question: Question, *, tries: int = _TRIES
) -> Asked[Answer]:
    """Ask the configured model; the caller goes by its rules where there is no answer.

    `tries`: how often at most, where an answer is of no use. Takes no longer than the profile's
    `model.timeout_seconds` (plus two lines of the ledger), a second try with what was wrong
    included. Raises nothing that a model did.
    """
    model = engine.model
    if model is None or not asks(engine, skill.name):
        return Asked()
    begun = engine.stopwatch()
    answered = _answered(engine, model, skill, question, tries=tries)
    reply, answer = answered
    decided(engine, skill.name, begun, None if answer is not None else reply.outcome.value)
    if answer is None:
        return Asked(steps=(_fallen_back(skill.name, reply),))
    told = f"{skill.name} by {model.model_id}"
    return Asked(answer=answer, steps=(Step(stage="model", detail=told),))


def _answered(
    engine: Engine,
    model: LanguageModel,
    skill: Skill[Question, Answer],
    question: Question,
    *,
    tries: int,
) -> tuple[_Reply, Answer | None]:
    """The last reply, and the answer that is of use; within the profile's time, all tries of it."""
    seconds, problem = engine.profile.model.timeout_seconds, ""
    answer: Answer | None = None
    reply = _Reply(CallOutcome.ERROR)
    for _ in range(min(tries, _TRIES)):
        prompt = skill.prompt(question, engine.new_id(engine.clock()), problem)
        tried = _tried(engine, model, skill, (prompt, question), seconds)
        reply, answer = tried
        if answer is not None or reply.outcome is not CallOutcome.INVALID:
            break
        if reply.completion is None:
            break
        problem, seconds = reply.problem, seconds - reply.completion.milliseconds / 1_000
        if seconds < _LEAST_SECONDS:
            break
    return reply, answer


def _tried(
    engine: Engine,
    model: LanguageModel,
    skill: Skill[Question, Answer],
    asked: tuple[Prompt, Question],
    seconds: float,
) -> tuple[_Reply, Answer | None]:
    """One call from its line in the ledger to its end."""
    prompt, question = asked
    knobs = engine.profile.model
    size = estimate_tokens(prompt.system) + estimate_tokens(prompt.data)
    if size > knobs.prompt_tokens:
        longest = f"{size} tokens are more than {knobs.prompt_tokens}"
        return _Reply(CallOutcome.BUDGET, problem=longest), None
    planned = ModelCall(
        model=model.model_id,
        skill=skill.name,
        outcome=CallOutcome.STARTED,
        prompt_tokens=size,
        completion_tokens=knobs.answer_tokens,
        cost=_price(size, knobs.answer_tokens, knobs),
    )
    number = engine.store.begin_call(
        engine.tenant, planned, _limits(knobs, engine.clock()), now=engine.clock()
    )
    if isinstance(number, CallOutcome):
        return _Reply(number), None
    answer: Answer | None = None
    with calling(engine, "chat", model.model_id) as span:
        reply = _called(model, prompt, skill, seconds)
        _show(span, reply)
    if reply.outcome is CallOutcome.OK and reply.completion is not None:
        found = skill.parse(reply.completion.text, question)
        if isinstance(found, Unusable):
            reply = reply._replace(outcome=CallOutcome.INVALID, problem=found.problem)
        else:
            answer = found
    engine.store.finish_call(engine.tenant, number, _ended(planned, reply, knobs, seconds))
    return reply, answer


def _called(
    model: LanguageModel, prompt: Prompt, skill: Skill[Question, Answer], seconds: float
) -> _Reply:
    try:
        completion = model.complete(
            prompt.data, system=prompt.system, schema=skill.schema, timeout=seconds
        )
    except ModelTimeoutError:
        return _Reply(CallOutcome.TIMEOUT, problem=f"no answer within {seconds:g} s")
    except ModelError as error:
        return _Reply(CallOutcome.ERROR, problem=storable(str(error.details.get("problem", ""))))
    if completion.refused:
        return _Reply(CallOutcome.REFUSED, completion, "it would not answer")
    if completion.cut:
        return _Reply(CallOutcome.INVALID, completion, "it was longer than it may be")
    return _Reply(CallOutcome.OK, completion)


def _show(span: Span | None, reply: _Reply) -> None:
    """A call as a tracer shows it: how much was said, and not what."""
    if span is None:
        return
    if reply.completion is not None:
        used = reply.completion
        told = {"prompt_tokens": used.prompt_tokens, "completion_tokens": used.completion_tokens}
        span.told(told)
    if reply.outcome is not CallOutcome.OK:
        span.failed(reply.outcome.value)


def _limits(knobs: Model, now: int) -> CallLimits:
    return CallLimits(
        since=now // MICROSECONDS_PER_DAY * MICROSECONDS_PER_DAY,
        calls=knobs.daily_calls,
        tokens=knobs.daily_tokens,
        cost=knobs.daily_cost,
        pause_after=knobs.pause_after,
        pause_since=now - round(knobs.pause_seconds * _SECOND),
    )


def _price(asked: int, answered: int, knobs: Model) -> float | None:
    if not knobs.prompt_price and not knobs.answer_price:
        return None
    return (asked * knobs.prompt_price + answered * knobs.answer_price) / _MILLION


def _ended(planned: ModelCall, reply: _Reply, knobs: Model, seconds: float) -> ModelCall:
    """The line of a call that ended. Of one that never came back what was set aside counts on, as
    nobody knows what the provider charges; a failure costs nothing."""
    completion = reply.completion
    if reply.outcome is CallOutcome.TIMEOUT:
        return replace(planned, outcome=reply.outcome, milliseconds=round(seconds * 1_000))
    if completion is None:
        nothing = None if planned.cost is None else 0.0
        return replace(
            planned, outcome=reply.outcome, prompt_tokens=0, completion_tokens=0, cost=nothing
        )
    asked, answered = completion.prompt_tokens, completion.completion_tokens
    asked = planned.prompt_tokens if asked is None else asked
    answered = estimate_tokens(completion.text) if answered is None else answered
    return replace(
        planned,
        outcome=reply.outcome,
        prompt_tokens=asked,
        completion_tokens=answered,
        cost=_price(asked, answered, knobs),
        milliseconds=completion.milliseconds,
    )


def _fallen_back(skill: str, reply: _Reply) -> Step:
    why = f" ({' '.join(reply.problem.split())[:_TOLD]})" if reply.problem else ""
    return Step(stage="model", detail=f"{skill}: {reply.outcome}{why}, the rules decide")
