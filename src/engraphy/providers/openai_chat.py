"""OpenAI's `/chat/completions`, which LM Studio, vLLM, OpenRouter and others speak too."""

from typing import Any

from engraphy.model.calls import Completion
from engraphy.providers.dialect import Dialect, NAME, Question, bearer, counted, text


def _body(asked: Question) -> dict[str, object]:
    return {
        "model": asked.model,
        "messages": [
            {"role": "system", "content": asked.system},
            {"role": "user", "content": asked.prompt},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": NAME, "strict": True, "schema": asked.schema},
        },
    }


def _of_openai(asked: Question) -> dict[str, object]:
    return {**_body(asked), "max_completion_tokens": asked.longest}


def _compatible(asked: Question) -> dict[str, object]:
    return {**_body(asked), "max_tokens": asked.longest, "temperature": 0}


def _plain(asked: Question) -> dict[str, object]:
    """Without a schema, which also stands in the instructions."""
    return {name: value for name, value in _compatible(asked).items() if name != "response_format"}


def _read(answer: Any) -> Completion:
    [choice, *_] = answer["choices"]
    message, usage = choice["message"], answer.get("usage")
    refused = bool(message.get("refusal")) or choice.get("finish_reason") == "content_filter"
    return Completion(
        text="" if refused else text(message["content"]),
        prompt_tokens=counted(usage, "prompt_tokens"),
        completion_tokens=counted(usage, "completion_tokens"),
        refused=refused,
        cut=choice.get("finish_reason") == "length",
    )


OPENAI = Dialect(path="/chat/completions", headers=bearer, body=_of_openai, read=_read)
"""OpenAI itself: its reasoning models take neither a temperature nor `max_tokens`."""

COMPATIBLE = Dialect(
    path="/chat/completions", headers=bearer, body=_compatible, read=_read, plain=_plain
)
"""Everyone else: older servers know `max_tokens` only, and some know no schemas."""
