"""What an agent told, in one shape for all of them."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engraphy.hooks.dialects import ADDED, FIELDS, NOT_THE_USER, PROMPT, SIDE, STOP, TOOL, told

_MOST = 400_000
"""Characters of one text that are looked at; of a tool's output the tail stays too."""


class Event(NamedTuple):
    """One event of an agent: `event` by our name, `session` and `turn` by the agent's, the folder
    it works in, what was typed, used and said, and whether it was a side call's and nobody's word.
    """

    id: str
    at: int
    agent: str
    event: str
    session: str = ""
    turn: str = ""
    folder: str = ""
    prompt: str = ""
    tool: str = ""
    given: Mapping[str, Any] = {}
    output: Any = None
    answer: str = ""
    source: str = ""
    reason: str = ""
    summary: str = ""
    side: bool = False


def normalised(agent: str, event: str, payload: Mapping[str, Any], *, id: str, at: int) -> Event:
    """The event of what an agent wrote to a hook. Whatever a field holds, it raises nothing."""
    name = told(agent, event) or told(agent, _text(payload.get("hook_event_name")))
    if payload.get("is_interrupt") is True:
        name = ""  # The user stopped a tool: that it came to nothing tells nothing.
    found = {key: _first(payload, names) for key, names in FIELDS.items()}
    tool, given = _tool(event, payload, found)
    prompt = _typed(agent, _text(found["prompt"]))
    source = _text(found["source"])[:40]
    return Event(
        id=id,
        at=at,
        agent=agent,
        event=name,
        session=_name(found["session"]),
        turn=_name(found["turn"]),
        folder=_text(found["folder"]),
        prompt=prompt[:_MOST] if name == PROMPT or agent == "gemini" else "",
        tool=tool[:200],
        given=given,
        output=_output(found) if name == TOOL else None,
        answer=_text(found["answer"])[:_MOST] if name not in {PROMPT, TOOL} else "",
        source=source,
        reason=_text(found["reason"])[:40],
        summary=_text(found["summary"])[:_MOST],
        side=_is_side(payload, name, source),
    )


def told_event(words: Sequence[str], data: bytes) -> Event:
    """The event of what a hook read. `words`: agent, event, id, moment, and in digits the folder
    where the agent names none. Raises ValueError where what was read is no JSON object."""
    payload: Any = json.loads(data.decode("utf-8", "replace").lstrip("\ufeff") or "{}")
    if not isinstance(payload, dict):
        raise ValueError("a hook is given a JSON object")
    agent, name, number, at, folder = words
    event = normalised(agent, name, payload, id=number, at=int(at))
    if not os.path.isabs(event.folder):
        event = event._replace(folder=os.fsdecode(bytes.fromhex(folder)))
    return event


def keeps(event: Event) -> bool:
    """Whether an event brings anything that is worked off later."""
    if not event.event or (event.side and event.event in {PROMPT, STOP}):
        return False
    return event.event != PROMPT or bool(event.prompt.strip())


def _typed(agent: str, prompt: str) -> str:
    """What was typed of a prompt, without what its agent put behind it."""
    for sign in ADDED.get(agent, ()):
        prompt = prompt.partition(sign)[0]
    return prompt


def _first(payload: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((payload[name] for name in names if payload.get(name) not in (None, "")), None)


def _text(value: Any) -> str:
    """A field as text: of a list its first, as Cursor tells its folders."""
    if isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else ""


def _name(value: Any) -> str:
    """A field as a name: without what shows nothing."""
    return "".join(one for one in _text(value)[:200] if one.isprintable())


def _tool(
    event: str, payload: Mapping[str, Any], found: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    """The tool and its arguments; some agents name the tool by the event only."""
    given = found["given"] if isinstance(found["given"], Mapping) else {}
    kind = event.lower().replace("-", "").replace("_", "")
    if kind == "aftershellexecution":
        return "Bash", {"command": _text(payload.get("command"))}
    if kind == "afterfileedit":
        edits = payload.get("edits")
        first = edits[0] if isinstance(edits, list) and edits else {}
        named = {"file_path": _text(payload.get("file_path"))}
        return "Edit", {**named, **(first if isinstance(first, Mapping) else {})}
    return _text(found["tool"]), given


def _output(found: Mapping[str, Any]) -> Any:
    """What a tool brought, or how it failed; very long texts by their head and tail."""
    if isinstance(found["error"], str) and found["output"] is None:
        return {"error": found["error"][:_MOST], "is_error": True}
    return _bounded(found["output"], 0)


def _bounded(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        half = _MOST // 2
        return value if len(value) <= _MOST else f"{value[:half]}\n...\n{value[-half:]}"
    if depth > 6:
        return None
    if isinstance(value, list):
        return [_bounded(one, depth + 1) for one in value[:2_000]]
    if isinstance(value, Mapping):
        return {str(k): _bounded(v, depth + 1) for k, v in list(value.items())[:2_000]}
    return value


def _is_side(payload: Mapping[str, Any], name: str, source: str) -> bool:
    """Whether a subagent, a title or a timer speaks, and not the user or the agent itself."""
    if any(payload.get(key) for key in SIDE):
        return True
    return name == PROMPT and source in NOT_THE_USER
