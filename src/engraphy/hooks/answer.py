"""What a hook prints: the one shape its agent accepts, or nothing."""

import json

from engraphy.hooks.dialects import ANSWERS, EVENTS, PROMPT, START

_NAMES = {START: "SessionStart", PROMPT: "UserPromptSubmit"}
_GEMINI = {START: "SessionStart", PROMPT: "BeforeAgent"}


def takes(agent: str, event: str) -> bool:
    """Whether an agent takes text for its prompt at an event."""
    return agent in ANSWERS and event in ANSWERS[agent][1]


def written(agent: str, event: str, text: str) -> bytes:
    """The answer with a block, in ASCII, so that no console's encoding can spoil it; empty where
    there is no block, or the agent takes none."""
    if not text or agent not in EVENTS or not takes(agent, event):
        return b""
    shape, _ = ANSWERS[agent]
    if shape == "flat":
        return _line({"additional_context": text})
    name = (_GEMINI if agent == "gemini" else _NAMES)[event]
    return _line({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode("ascii") + b"\n"
