"""Ollama's own `/api/chat`, which holds a model to a JSON schema while it writes."""

from typing import Any

from engraphy.model.calls import Completion
from engraphy.providers.dialect import Dialect, Question, bearer, counted, text


def _body(asked: Question) -> dict[str, object]:
    return {
        "model": asked.model,
        "messages": [
            {"role": "system", "content": asked.system},
            {"role": "user", "content": asked.prompt},
        ],
        "stream": False,
        "format": asked.schema,
        "options": {"temperature": 0, "num_predict": asked.longest},
    }


def _read(answer: Any) -> Completion:
    return Completion(
        text=text(answer["message"]["content"]),
        prompt_tokens=counted(answer, "prompt_eval_count"),
        completion_tokens=counted(answer, "eval_count"),
        cut=answer.get("done_reason") == "length",
    )


CHAT = Dialect(path="/api/chat", headers=bearer, body=_body, read=_read)
