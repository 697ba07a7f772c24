"""Spans by the GenAI conventions for memories, as a tracer of OpenTelemetry gets them."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from tests.engine.making import Ticks, opened

from engraphy import AsyncMemory, Memory
from engraphy.errors import NotFoundError
from engraphy.providers.otel import OPERATIONS
from engraphy.testing import ScriptedModel

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SAID = "Ada's gateway listens on port 8443"
ASKED = "Which port does the gateway listen on?"


@pytest.fixture(scope="module")
def exporter() -> Iterator[InMemorySpanExporter]:
    """What the process's tracer was given; a process has one tracer."""
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)
    yield kept
    provider.shutdown()


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> InMemorySpanExporter:
    """The same, empty."""
    exporter.clear()
    return exporter


def shown(spans: InMemorySpanExporter) -> list[tuple[str, dict[str, Any]]]:
    """Names and attributes, in the order in which the spans ended."""
    return [(one.name, dict(one.attributes or {})) for one in spans.get_finished_spans()]


def one(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    (found,) = [span for span in spans.get_finished_spans() if span.name == name]
    return found


def test_each_verb_is_a_span_of_the_conventions(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """A span per verb, named by its operation: which store, how many records, which record where
    it is one; the kind is internal, as a memory runs in its caller's process."""
    with opened(tmp_path / "store.db") as memory:
        row = memory.remember(SAID, session="s", agent="a").memory
        assert row is not None
        memory.recall(ASKED, agent="a")
        memory.update(row.id, f"{SAID} now", agent="a")
        memory.forget(row.id, agent="a")
        memory.stats()
    found = shown(spans)
    assert [name for name, _ in found] == [
        "upsert_memory",
        "search_memory",
        "update_memory",
        "delete_memory",
        "stats",
    ]
    for name, attributes in found:
        assert attributes["gen_ai.operation.name"] == name
        assert attributes["gen_ai.memory.store.id"] == "store.db"
    kept, sought = found[0][1], found[1][1]
    assert kept["gen_ai.memory.record.id"] == row.id
    assert (kept["gen_ai.conversation.id"], kept["gen_ai.agent.id"]) == ("s", "a")
    assert (sought["gen_ai.memory.record.count"], sought["engraphy.operation"]) == (1, "recall")
    assert {span.kind for span in spans.get_finished_spans()} == {SpanKind.INTERNAL}


def test_all_seven_operations_are_told(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    """Whatever writes, reads or erases memories is one of the seven operations of the conventions:
    pages and notebooks, what is handed over, and the forgetting of a whole user too."""
    with opened(tmp_path / "store.db") as memory:
        book = memory.create_notebook("Notes")
        page = memory.create_page(book.id, "/a", "x")
        memory.update_page(book.id, page.id, content="y")
        memory.pages(book.id)
        memory.delete_page(book.id, page.id)
        memory.delete_notebook(book.id)
        memory.enqueue([{"role": "user", "content": SAID}], user="ada")
        memory.forget_all(user="ada")
        memory.forget_user("ada")
    # Whoever is handed something extracts it in a thread of its own.
    found = [name for name, told in shown(spans) if told["engraphy.operation"] != "extract"]
    assert found == [
        "create_memory_store",
        "create_memory",
        "update_memory",
        "search_memory",
        "delete_memory",
        "delete_memory_store",
        "upsert_memory",
        "delete_memory",
        "delete_memory",
    ]


def test_the_names_are_those_of_verbs() -> None:
    """Whatever the conventions have a name for is a verb, or the extraction behind one."""
    assert [name for name in OPERATIONS if name != "extract" and not hasattr(Memory, name)] == []


def test_a_call_to_a_model_stands_below_its_verb(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """Calls to a language model and to an embedder are spans below the verb that makes them, with
    what they are called by the conventions; a call that fails is an error of its own."""
    knobs = {"model": {"skills": ["formation"], "retries": 0}}
    model = ScriptedModel([TimeoutError()])
    with opened(tmp_path / "s.db", model=model, embedder="static", overrides=knobs) as memory:
        memory.observe([{"role": "user", "content": "We moved the API to port 3001 on Monday"}])
    verb, chat = one(spans, "upsert_memory"), one(spans, "chat 1")
    assert chat.parent is not None
    assert verb.context is not None
    assert chat.parent.span_id == verb.context.span_id
    assert (chat.kind, chat.status.status_code) == (SpanKind.CLIENT, StatusCode.ERROR)
    told = dict(chat.attributes or {})
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.request.model"] == "1"
    assert told["gen_ai.provider.name"] == "scripted"
    assert told["error.type"] == "error"
    assert verb.status.status_code is StatusCode.UNSET
    embedded = [span for span in spans.get_finished_spans() if span.name.startswith("embeddings ")]
    assert embedded
    assert all(span.parent is not None for span in embedded)


def test_verbs_stand_below_the_caller_also_when_awaited(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    """A verb's span stands below the span its caller is in, in another thread as well."""

    async def run() -> None:
        async with AsyncMemory(tmp_path / "store.db", embedder="none") as memory:
            with trace.get_tracer("caller").start_as_current_span("turn"):
                await memory.recall(ASKED)

    asyncio.run(run())
    turn, verb = one(spans, "turn"), one(spans, "search_memory")
    assert turn.context is not None
    assert verb.parent is not None
    assert verb.parent.span_id == turn.context.span_id


@pytest.mark.parametrize("said", [None, "", "false", "NO_CONTENT", "EVENT_ONLY"])
def test_no_text_is_told(
    tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, said: str | None
) -> None:
    """Without the opt-in of the conventions no attribute holds a word of a memory, a question, a
    user's name or an error."""
    if said is not None:
        monkeypatch.setenv(CAPTURE, said)
    with opened(tmp_path / "store.db") as memory:
        memory.remember("The zanzibar gateway", user="zanzibar", title="zanzibar")
        memory.recall("zanzibar?", user="zanzibar")
        memory.context("zanzibar?", user="zanzibar")
        with pytest.raises(NotFoundError):
            memory.get("zanzibar")
    assert len(spans.get_finished_spans()) == 4
    assert "zanzibar" not in "".join(span.to_json() for span in spans.get_finished_spans())


@pytest.mark.parametrize("said", ["true", "SPAN_ONLY", "SPAN_AND_EVENT"])
def test_texts_are_told_on_request(
    tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """With the opt-in, the question and the records are told by the schema of the conventions."""
    monkeypatch.setenv(CAPTURE, said)
    with opened(tmp_path / "store.db") as memory:
        row = memory.remember(SAID).memory
        assert row is not None
        memory.recall(ASKED)
    told = dict(one(spans, "search_memory").attributes or {})
    assert told["gen_ai.memory.query.text"] == ASKED
    (record,) = json.loads(str(told["gen_ai.memory.records"]))
    assert (record["id"], record["content"]) == (row.id, SAID)
    assert 0.0 < record["score"] <= 1.0


def test_an_error_is_told_by_its_class(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    """What fails has the status of an error and its class, and no event with its words."""
    with opened(tmp_path / "store.db") as memory, pytest.raises(NotFoundError):
        memory.get("unknown")
    span = one(spans, "search_memory")
    assert span.status.status_code is StatusCode.ERROR
    assert dict(span.attributes or {})["error.type"] == "NotFoundError"
    assert (span.status.description, span.events) == (None, ())


def test_what_is_observed_later_is_a_span(tmp_path: Path, spans: InMemorySpanExporter) -> None:
    """Extraction in the background is told as well."""
    with opened(tmp_path / "store.db", Ticks()) as memory:
        memory.observe_later([{"role": "user", "content": SAID}])
        assert memory.flush()
    operations = [attributes["engraphy.operation"] for _, attributes in shown(spans)]
    assert sorted(operations) == ["extract", "flush", "observe_later"]


UNTRACED = """
import sys
from engraphy import Memory
with Memory(sys.argv[1], embedder="none") as memory:
    memory.remember("Ada's gateway listens on port 8443")
    memory.recall("port?")
print(sorted(name for name in sys.modules if name.startswith("opentelemetry")))
"""


@pytest.mark.long
def test_nothing_is_loaded_where_nobody_traces(tmp_path: Path) -> None:
    """A process that traces nothing loads nothing of a tracer, installed or not."""
    command = [sys.executable, "-c", UNTRACED, str(tmp_path / "store.db")]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"
