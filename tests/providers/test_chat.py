"""Endpoints of language models, spoken to over a real socket in each of their interfaces."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.providers.model_server import KEY, Mode, ModelServer, serving

from engraphy.errors import ModelError, ModelTimeoutError, SettingsError
from engraphy.providers.bounded import adapted
from engraphy.providers.chat import ChatModel, from_spec

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
PATHS = {"openai": "/v1", "anthropic": "/v1", "ollama": "", "other": "/v1"}


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Starts servers that stop with the test: `start("busy", "good")`."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ExitStack() as stack:

        def begin(*modes: Mode, **more: Any) -> ModelServer:
            server = ModelServer(*modes, reply=lambda body: {"ok": True}, **more)
            return stack.enter_context(serving(server))

        yield begin


def model_at(server: ModelServer, provider: str = "openai", **more: Any) -> ChatModel:
    """A model behind the server, in a provider's interface."""
    address = server.url + PATHS[provider]
    return from_spec(f"{provider}/maker/m-1", **{"base_url": address, "api_key": KEY, **more})


def asked(model: Any, timeout: float = 5.0) -> Any:
    """One question."""
    return model.complete("the data", system="what to do", schema=SCHEMA, timeout=timeout)


@pytest.mark.parametrize("provider", list(PATHS))
def test_an_answer_comes_with_its_tokens(start: Any, provider: str) -> None:
    """Each interface gives the JSON text and the tokens that were counted there."""
    model = model_at(start("good"), provider)
    answer = asked(model)
    assert json.loads(answer.text) == {"ok": True}
    assert (answer.prompt_tokens, answer.completion_tokens) == (120, 30)
    assert (answer.refused, answer.cut) == (False, False)
    assert model.model_id == f"{provider}/maker/m-1"


def test_openai_is_asked_as_it_wants(start: Any) -> None:
    """The schema is strict, instructions and data are apart, and the key is a bearer."""
    server = start("good")
    asked(model_at(server, answer_tokens=77))
    path, headers, body = server.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["messages"] == [
        {"role": "system", "content": "what to do"},
        {"role": "user", "content": "the data"},
    ]
    wanted = body["response_format"]
    assert wanted["type"] == "json_schema"
    assert (wanted["json_schema"]["strict"], wanted["json_schema"]["schema"]) == (True, SCHEMA)
    assert (body["model"], body["max_completion_tokens"]) == ("maker/m-1", 77)
    assert "temperature" not in body


def test_others_are_asked_as_older_servers_know(start: Any) -> None:
    """Compatible servers get `max_tokens` and a temperature of 0."""
    server = start("good")
    asked(model_at(server, "other", answer_tokens=77))
    body = server.seen[0][2]
    assert (body["max_tokens"], body["temperature"]) == (77, 0)
    assert "max_completion_tokens" not in body


def test_anthropic_is_asked_as_it_wants(start: Any) -> None:
    """The schema is the input of a tool that has to be used; version and key are headers."""
    server = start("good")
    asked(model_at(server, "anthropic", answer_tokens=77))
    path, headers, body = server.seen[0]
    assert path == "/v1/messages"
    told = {name.lower(): value for name, value in headers.items()}
    assert (told["x-api-key"], told["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in told
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
    assert (body["system"], body["max_tokens"]) == ("what to do", 77)


def test_ollama_is_asked_as_it_wants(start: Any) -> None:
    """The schema is the format, nothing is streamed, and the answer is bounded."""
    server = start("good")
    asked(model_at(server, "ollama", answer_tokens=77))
    path, _, body = server.seen[0]
    assert path == "/api/chat"
    assert (body["format"], body["stream"]) == (SCHEMA, False)
    assert body["options"] == {"temperature": 0, "num_predict": 77}


def test_ollama_speaks_openai_too(start: Any) -> None:
    """An Ollama address that ends in /v1 is spoken to as OpenAI-compatible."""
    server = start("good")
    model = model_at(server, "ollama", base_url=f"{server.url}/v1")
    assert json.loads(asked(model).text) == {"ok": True}
    assert server.seen[0][0] == "/v1/chat/completions"


def test_a_server_without_schemas_is_asked_plainly(start: Any) -> None:
    """A compatible server that refuses a schema is asked without one, from then on at once."""
    server = start("no_schemas")
    model = model_at(server, "other")
    assert [json.loads(asked(model).text) for _ in range(2)] == [{"ok": True}] * 2
    assert ["response_format" in body for _, _, body in server.seen] == [True, False, False]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_refusal_is_told(start: Any, provider: str) -> None:
    """A model that will not answer gives no text, and says so."""
    answer = asked(model_at(start("refusing"), provider))
    assert (answer.refused, answer.text) == (True, "")


@pytest.mark.parametrize("provider", list(PATHS))
def test_an_answer_at_its_limit_is_told(start: Any, provider: str) -> None:
    """An answer that ended at the length limit says so."""
    assert asked(model_at(start("length"), provider)).cut


@pytest.mark.parametrize("modes", [("busy", "good"), ("broken", "good"), ("cut_off", "good")])
def test_a_failing_server_is_asked_again(start: Any, modes: tuple[Mode, ...]) -> None:
    """After 429, 500 and a connection that broke, the question is repeated."""
    pauses: list[float] = []
    server = start(*modes)
    model = model_at(server)
    model._pause = pauses.append  # noqa: SLF001 - so that the test need not wait
    assert json.loads(asked(model).text) == {"ok": True}
    assert len(server.seen) == 2
    assert pauses == [0.0 if modes[0] == "busy" else 0.5]


@pytest.mark.parametrize("mode", ["broken", "busy", "hang_up"])
def test_retries_end(start: Any, mode: Mode) -> None:
    """A server that stays that way leads to an error after the set number of attempts."""
    server = start(mode)
    model = model_at(server, retries=1)
    model._pause = lambda seconds: None  # noqa: SLF001 - as above
    with pytest.raises(ModelError):
        asked(model)
    assert len(server.seen) == 2


def test_no_retry_is_begun_that_the_deadline_forbids(start: Any) -> None:
    """Where the pause would end after the deadline, the failure is told at once."""
    server = start("broken")
    begun = time.monotonic()
    with pytest.raises(ModelError, match="status 500"):
        asked(model_at(server), timeout=0.4)
    assert time.monotonic() - begun < 0.4
    assert len(server.seen) == 1


@pytest.mark.parametrize("mode", ["empty", "redirect", "huge", "forbidden"])
def test_what_cannot_help_is_not_repeated(start: Any, mode: Mode) -> None:
    """Nonsense, a redirect, a huge answer and a refused key are errors at the first attempt."""
    server = start(mode)
    with pytest.raises(ModelError):
        asked(model_at(server))
    assert [path for path, _, _ in server.seen] == ["/v1/chat/completions"]


@pytest.mark.parametrize("mode", ["slow", "dripping", "trickling"])
def test_the_deadline_holds(start: Any, mode: Mode) -> None:
    """Neither silence nor one byte at a time keeps a caller longer than was said."""
    begun = time.monotonic()
    with pytest.raises(ModelTimeoutError, match=r"within 0\.3 s"):
        asked(model_at(start(mode)), timeout=0.3)
    assert time.monotonic() - begun < 1.5


@pytest.mark.long
@pytest.mark.spec("P-21")
@pytest.mark.parametrize("mode", ["broken", "forbidden", "redirect", "hang_up", "empty", "slow"])
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_no_error_tells_the_key(start: Any, mode: Mode, provider: str) -> None:
    """Whatever a server echoes, and however the error is shown, the key is not in it, not even a
    part of it."""
    model = model_at(start(mode), provider, retries=0)
    with pytest.raises(ModelError) as caught:
        asked(model, timeout=0.5)
    shown = f"{caught.value!r} {caught.value} {caught.value.details} {model!r} {vars(model)!r}"
    assert KEY[:12] not in shown


def test_the_usual_key_goes_to_its_own_address_only(start: Any) -> None:
    """A provider's key of the environment is sent to that provider, not to another address."""
    server = start("good")
    usual = {"openai": KEY}
    asked(from_spec("openai/m", base_url=f"{server.url}/v1", usual_keys=usual))
    assert "Authorization" not in server.seen[0][1]
    own = from_spec("openai/m", usual_keys=usual)
    assert own._endpoint.api_key == KEY  # noqa: SLF001 - nothing may be sent there in a test


@pytest.mark.parametrize(
    ("spec", "more", "problem"),
    [
        ("gpt-4", {}, "not provider/model"),
        ("openai/", {}, "not provider/model"),
        ("nobody/m", {}, "needs a base_url"),
        ("openai/m", {"base_url": "ftp://x/v1"}, "no http address"),
        ("openai/m", {"base_url": f"http://me:{KEY}@x/v1"}, "do not belong"),
        ("openai/m", {"api_key": f"{KEY}\nX-Other: 1"}, "visible ASCII"),
    ],
)
def test_settings_are_checked_when_they_are_given(
    spec: str, more: dict[str, Any], problem: str
) -> None:
    """What cannot work is refused before anything is asked, without telling a key."""
    with pytest.raises(SettingsError, match=problem) as caught:
        from_spec(spec, **more)
    assert KEY not in str(caught.value)


def test_foreign_code_is_bounded() -> None:
    """A callable that ignores its timeout is left behind at the deadline."""
    let_go = threading.Event()

    def stubborn(prompt: str) -> str:
        let_go.wait(20)
        return "{}"

    begun = time.monotonic()
    try:
        with pytest.raises(ModelTimeoutError):
            asked(adapted(stubborn), timeout=0.2)
        assert time.monotonic() - begun < 1.5
    finally:
        let_go.set()


class _TheirOwnError(Exception):
    """An error that no list of ours names."""


def _raising(error: BaseException) -> Any:
    def fails(prompt: str) -> str:
        raise error

    return fails


@pytest.mark.parametrize("error", [_TheirOwnError(KEY), SystemExit(KEY), ValueError(KEY)])
def test_whatever_foreign_code_raises_is_told_by_its_kind(error: BaseException) -> None:
    """An error of any class becomes a ModelError that names the class and repeats no word."""
    with pytest.raises(ModelError, match=type(error).__name__) as caught:
        asked(adapted(_raising(error)))
    assert KEY not in str(caught.value)


def test_a_callable_sees_everything() -> None:
    """A plain callable gets instructions and data in one text, and names itself."""
    seen: list[str] = []

    def own(prompt: str) -> str:
        seen.append(prompt)
        return "{}"

    model = adapted(own)
    answer = asked(model)
    assert (answer.text, model.model_id) == ("{}", "custom/own")
    assert "what to do" in seen[0]
    assert "the data" in seen[0]


def test_what_is_no_answer_is_an_error() -> None:
    """A model that gives something else than text is told so."""
    with pytest.raises(ModelError, match="gave dict instead"):
        asked(adapted(lambda prompt: {"a": 1}))
