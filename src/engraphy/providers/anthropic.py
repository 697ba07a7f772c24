"""Anthropic's `/v1/messages`: the answer is the input of a tool that the model has to use."""

import json
from typing import Any

from engraphy.model.calls import Completion
from engraphy.providers.dialect import Dialect, NAME, Question, counted

_VERSION = "2023-06-01"


def _headers(key: str | None) -> dict[str, str]:
    version = {"anthropic-version": _VERSION}
    return {**version, "x-api-key": key} if key else version


def _body(asked: Question) -> dict[str, object]:
    tool = {"name": NAME, "description": "Give the answer.", "input_schema": asked.schema}
    return {
        "model": asked.model,
        "max_tokens": asked.longest,
        "system": asked.system,
        "messages": [{"role": "user", "content": asked.prompt}],
        "tools": [tool],
        "tool_choice": {"type": "tool", "name": NAME},
    }


def _read(answer: Any) -> Completion:
    used = [part["input"] for part in answer["content"] if part.get("type") == "tool_use"]
    stopped, usage = answer.get("stop_reason"), answer.get("usage")
    refused = stopped == "refusal"
    if not used and not refused and stopped != "max_tokens":
        raise KeyError("tool_use")
    return Completion(
        text=json.dumps(used[0], ensure_ascii=False) if used and not refused else "",
        prompt_tokens=counted(usage, "input_tokens"),
        completion_tokens=counted(usage, "output_tokens"),
        refused=refused,
        cut=stopped == "max_tokens",
    )


MESSAGES = Dialect(path="/messages", headers=_headers, body=_body, read=_read)
