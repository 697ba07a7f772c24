"""The user's own language model, or ours: bounded in time, and with errors of our own.

The one place where anything that a model raises becomes a `ModelError`: a foreign client raises
what it likes, and a memory must be written all the same (R-12).
"""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final

from msgspec.structs import replace

from engraphy.errors import InvalidInputError, ModelError, ModelTimeoutError
from engraphy.model.calls import Completion
from engraphy.providers.clock import stopwatch

_FORMS: Final = (
    "none, provider/model, a callable from a prompt to JSON text, or an object with complete()"
)
Asking = Callable[..., object]


class BoundedModel:
    """A language model whose answer is waited for no longer than was said.

    The question is asked in a thread of its own, which is left behind at the deadline: neither a
    name server that does not answer nor foreign code that ignores its timeout holds a write up.
    """

    def __init__(self, ask: Asking, *, model_id: str) -> None:
        """`ask` is called as `Complete.complete` is."""
        if not model_id.strip():
            raise InvalidInputError(field="model_id", got=repr(model_id), allowed="a name")
        self.model_id = model_id
        self._ask = ask

    def complete(
        self, prompt: str, *, system: str, schema: dict[str, object], timeout: float
    ) -> Completion:
        """The answer, with the milliseconds it took. Raises ModelTimeoutError, ModelError."""
        answer = _Answer()

        def run() -> None:
            with answer:
                answer.value = self._ask(prompt, system=system, schema=schema, timeout=timeout)

        begun = stopwatch()
        threading.Thread(target=run, name="engraphy-model", daemon=True).start()
        if not answer.ended.wait(timeout):
            raise ModelTimeoutError(model=self.model_id, seconds=timeout)
        return replace(self._completion(answer), milliseconds=round((stopwatch() - begun) * 1_000))

    def _completion(self, answer: "_Answer") -> Completion:
        if isinstance(answer.error, ModelError):
            raise answer.error
        if answer.error is not None:
            # Its text may hold anything, a key included: the kind of the error has to do.
            raise ModelError(model=self.model_id, problem=type(answer.error).__name__)
        if isinstance(answer.value, Completion):
            return answer.value
        if isinstance(answer.value, str):
            return Completion(text=answer.value)
        kind = type(answer.value).__name__
        raise ModelError(model=self.model_id, problem=f"it gave {kind} instead of JSON text")


class _Answer:
    """What a question in another thread led to: a value, or the error it raised."""

    def __init__(self) -> None:
        self.value: object = None
        self.error: BaseException | None = None
        self.ended = threading.Event()

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.error = error
        self.ended.set()
        return True


def adapted(model: object) -> BoundedModel:
    """Any callable or object with `complete` as a bounded model.

    An object may have a `model_id`; else the name of its class, or of the callable, is told as
    `custom/name`. A callable is given the whole prompt as one text. Raises InvalidInputError for
    what is neither.
    """
    complete = getattr(model, "complete", None)
    if callable(complete):
        return BoundedModel(complete, model_id=_name(model))
    if not callable(model):
        raise InvalidInputError(field="model", got=repr(model)[:60], allowed=_FORMS)

    def asked(prompt: str, *, system: str, schema: object, timeout: float) -> object:  # noqa: ARG001 - a plain callable knows neither
        return model(f"{system}\n\n{prompt}")

    return BoundedModel(asked, model_id=_name(model))


def _name(model: object) -> str:
    named = getattr(model, "model_id", None)
    if isinstance(named, str):
        return named
    own = getattr(model, "__name__", type(model).__name__)
    return f"custom/{own}"
