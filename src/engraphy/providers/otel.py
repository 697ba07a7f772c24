"""Spans by the semantic conventions for generative AI of OpenTelemetry, memory operations included
(repository semantic-conventions-genai, status: development).

A verb's span is named by its `gen_ai.operation.name`; verbs that the conventions have no name for
are called by their own. `gen_ai.memory.store.id` is the name of the store's file.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from engraphy.ports import Span

_SEARCH, _CREATE, _UPDATE = "search_memory", "create_memory", "update_memory"
_UPSERT, _DELETE = "upsert_memory", "delete_memory"
OPERATIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("recall", "context", "inject", "explain", "explain_context", "get", "list", "scoped",
         "timeline", "timeline_of", "working", "entity", "documents", "nearest_documents",
         "page", "pages", "page_version", "page_versions"),
        _SEARCH,
    ),
    **dict.fromkeys(
        ("remember", "observe", "observe_later", "observe_tool", "extract", "import_", "enqueue",
         "bring_in", "put_documents"),
        _UPSERT,
    ),
    **dict.fromkeys(("episode", "procedure", "create_page"), _CREATE),
    **dict.fromkeys(("update", "pin", "protect", "accept", "report", "update_page"), _UPDATE),
    **dict.fromkeys(
        ("forget", "forget_all", "forget_user", "delete", "delete_page", "redact_page_version",
         "purge_expired", "prune", "reject"),
        _DELETE,
    ),
    "create_notebook": "create_memory_store",
    "delete_notebook": "delete_memory_store",
}  # fmt: skip
"""What a verb of `Memory` is called by the conventions."""

_FIELDS: Final[Mapping[str, str]] = {
    "count": "gen_ai.memory.record.count",
    "store": "gen_ai.memory.store.id",
    "model": "engraphy.model",
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "output": "engraphy.output",
    "intent": "engraphy.intent",
    "fallback": "engraphy.fallback",
    "profile": "engraphy.profile",
}
_GIVEN: Final[Mapping[str, str]] = {"session": "gen_ai.conversation.id", "agent": "gen_ai.agent.id"}
_QUESTIONS: Final = ("query", "prompt")


class OtelSpans:
    """The tracer of the process, by OpenTelemetry's interface; spans of a process that set up none
    go nowhere."""

    def __init__(self, *, content: bool) -> None:
        self.content = content
        self._tracer = trace.get_tracer("engraphy")

    @contextmanager
    def operation(self, name: str, given: Mapping[str, object]) -> Iterator[Span]:
        """A verb's span: in our process, so its kind is internal."""
        called = OPERATIONS.get(name, name.rstrip("_"))
        first: dict[str, str] = {
            "gen_ai.operation.name": called,
            "engraphy.operation": name.rstrip("_"),
            **{_GIVEN[key]: str(given[key]) for key in _GIVEN if given.get(key)},
        }
        if self.content and (text := _question(given)):
            first["gen_ai.memory.query.text"] = text
        with self._span(called, SpanKind.INTERNAL, first) as span:
            yield OtelSpan(span, content=self.content)

    @contextmanager
    def call(self, kind: str, model_id: str) -> Iterator[Span]:
        """A call to a model: elsewhere, as far as anybody here knows."""
        provider, _, model = model_id.rpartition("/")
        first = {"gen_ai.operation.name": kind, "gen_ai.request.model": model}
        if provider:
            first["gen_ai.provider.name"] = provider
        with self._span(f"{kind} {model}", SpanKind.CLIENT, first) as span:
            yield OtelSpan(span, content=False)

    @contextmanager
    def _span(self, name: str, kind: SpanKind, first: dict[str, str]) -> Iterator[trace.Span]:
        """The words of an error may hold anything, so it is told by its class alone."""
        with self._tracer.start_as_current_span(
            name, kind=kind, attributes=first, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield span
            except BaseException as error:
                OtelSpan(span, content=False).failed(type(error).__name__)
                raise


class OtelSpan:
    """One span, told in our words."""

    def __init__(self, span: trace.Span, *, content: bool) -> None:
        self._span = span
        self._content = content

    def told(self, fields: Mapping[str, object]) -> None:
        """Set the attributes that the fields mean."""
        if not self._span.is_recording():
            return
        for name, value in fields.items():
            if name in _FIELDS and isinstance(value, str | int | float):
                self._span.set_attribute(_FIELDS[name], value)
        records = fields.get("records")
        if isinstance(records, Sequence):
            self._records(records)

    def _records(self, records: Sequence[tuple[str, str, float | None]]) -> None:
        if len(records) == 1:
            self._span.set_attribute("gen_ai.memory.record.id", records[0][0])
        if self._content and records:
            shown = [_shown(*one) for one in records]
            told = json.dumps(shown, ensure_ascii=False)
            self._span.set_attribute("gen_ai.memory.records", told)

    def failed(self, kind: str) -> None:
        """The status of an error, and its class."""
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))


def _question(given: Mapping[str, object]) -> str:
    return next((text for key in _QUESTIONS if isinstance(text := given.get(key), str)), "")


def _shown(id: str, content: str, score: float | None) -> dict[str, object]:
    scored = {} if score is None else {"score": score}
    return {"id": id, "content": content, **scored}
