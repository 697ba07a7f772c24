"""What operators are told: for every operation one line in the ops log and one span (D-53).

Everything here costs two look-ups where nobody logs or traces. No text of a memory or of a caller
is told, except to a tracer that was asked for texts.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from engraphy.engine.digest import Digest, counted, digest, told_input
from engraphy.engine.parts import Engine
from engraphy.engine.scoping import KEYS
from engraphy.model import Check, DreamReport
from engraphy.ports import Span

Result = TypeVar("Result")
Fields = dict[str, object]

_NOTES: ContextVar[Fields | None] = ContextVar("engraphy_operation", default=None)
"""What is said of the operation under way, beside what it gives back."""
_DIGITS = 12


def watched(engine: Engine) -> bool:
    """Whether anybody is told what an engine does."""
    return engine.ops is not None or engine.spans() is not None


def checked(engine: Engine) -> Check:
    """The log of operations for `doctor`: whether there is one, and how it fares."""
    if engine.ops is None:
        return Check(name="ops log", ok=True, detail="off")
    return engine.ops.check()


def note(**fields: object) -> None:
    """Say something of the operation under way; of none, nothing."""
    if (notes := _NOTES.get()) is not None:
        notes.update(fields)


class _Operation(NamedTuple):
    """An operation under way: its name, what it was given, when it began (seconds of the engine's
    stopwatch), and what is said of it."""

    name: str
    given: Mapping[str, object]
    begun: float
    notes: Fields


def operated(
    engine: Engine, name: str, given: Mapping[str, object], run: Callable[[], Result]
) -> Result:
    """Run an operation, and tell of it whatever its end. Raises what it raises."""
    one, spans = _Operation(name, given, engine.stopwatch(), {}), engine.spans()
    token = _NOTES.set(one.notes)
    try:
        if spans is None:
            result = run()
        else:
            with spans.operation(name, given) as span:
                result = run()
                _show(engine, span, result, one.notes)
    except BaseException as error:
        _log(engine, one, Digest(type(error).__name__), success=False)
        raise
    finally:
        _NOTES.reset(token)
    _log(engine, one, digest(result), success=True)
    if isinstance(result, DreamReport):
        _log_steps(engine, result)
    return result


def _show(engine: Engine, span: Span, result: object, notes: Fields) -> None:
    found = digest(result)
    about = {"store": Path(engine.store.path).name, "profile": engine.profile.name}
    came = {"output": found.output, "count": found.rows, "records": found.records}
    span.told({**about, **came, **notes})


def _log(engine: Engine, one: _Operation, found: Digest, *, success: bool) -> None:
    if engine.ops is None:
        return
    engine.ops.write(
        one.name,
        input=told_input(one.given),
        output=found.output,
        model=one.notes.get("model"),
        latencyMs=_since(engine, one.begun),
        success=success,
        fallback=bool(one.notes.get("fallback")),
        intent=one.notes.get("intent"),
        avgRelevance=found.relevance,
        resultCount=found.rows,
        **_who(engine),
        **{key: hashed(one.given[key]) for key in KEYS if one.given.get(key)},
    )


def _log_steps(engine: Engine, report: DreamReport) -> None:
    """Each step of a cycle is a decision of its own."""
    for step in report.steps if engine.ops is not None else ():
        assert engine.ops is not None
        engine.ops.write(
            f"dream.{step.name}",
            input=f"{counted(step.looked, 'memory')} looked at",
            output=counted(step.changed, "change"),
            model=None,
            latencyMs=round(step.seconds * 1_000, 3),
            success=True,
            fallback=False,
            intent=None,
            avgRelevance=None,
            resultCount=step.changed,
            **_who(engine),
        )


def decided(engine: Engine, skill: str, begun: float, outcome: str | None) -> None:
    """A question to the language model has ended: with an answer (`outcome` None), or the rules
    decide, and `outcome` says why in one word."""
    assert engine.model is not None
    fell = outcome is not None
    note(model=engine.model.model_id, **({"fallback": True} if fell else {}))
    if engine.ops is None:
        return
    engine.ops.write(
        skill,
        input="1 question",
        output=outcome or "answered",
        model=engine.model.model_id,
        latencyMs=_since(engine, begun),
        success=not fell,
        fallback=fell,
        intent=None,
        avgRelevance=None,
        resultCount=None,
        **_who(engine),
    )


@contextmanager
def calling(engine: Engine, kind: str, model_id: str) -> Iterator[Span | None]:
    """A call to a model, as a span below the operation; None while nobody traces."""
    spans = engine.spans()
    if spans is None:
        yield None
        return
    with spans.call(kind, model_id) as span:
        yield span


def hashed(name: object) -> str:
    """A name of a scope as the log tells it: the first digits of its SHA-256, so that lines of one
    user can be found by who knows the name, and the log names nobody."""
    return sha256(str(name).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def _who(engine: Engine) -> Fields:
    return {"profile": engine.profile.name, "tenant": hashed(engine.tenant)}


def _since(engine: Engine, begun: float) -> float:
    return round((engine.stopwatch() - begun) * 1_000, 3)
