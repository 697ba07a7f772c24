"""Where a block of memories goes among the messages of a chat (C-06)."""

from collections.abc import Mapping, Sequence

from engraphy.model.outcome import Placement

Message = Mapping[str, object]
_SYSTEM = frozenset({"system", "developer"})


def placed(
    messages: Sequence[Message], text: str, placement: Placement, at: int | None = None
) -> list[dict[str, object]]:
    """The messages with a block in its place; those given are not changed. `at`: the number of the
    user's message it belongs to; the last one where it is None.

    `tail`: at the end of the user's last message, behind whatever the client marked for its
    cache. `system`: at the end of the system message, which is made where there is none.
    `assistant`: as a message of the assistant before the user's last one.
    """
    made = [dict(one) for one in messages]
    if not text:
        return made
    if placement == "system":
        return _in_system(made, text)
    place = last_of_user(made) if at is None else at
    if placement == "assistant":
        before = len(made) if place is None else place
        return [*made[:before], {"role": "assistant", "content": text}, *made[before:]]
    if place is None:
        return [*made, {"role": "user", "content": text}]
    made[place]["content"] = _longer(made[place].get("content"), text)
    return made


def last_of_user(messages: Sequence[Message]) -> int | None:
    """The place of the user's last message; None where the user said nothing."""
    places = (n for n in range(len(messages) - 1, -1, -1) if messages[n].get("role") == "user")
    return next(places, None)


def said(content: object) -> str:
    """The text of a message's content: a text, or blocks of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    found = (one.get("text") for one in content if isinstance(one, Mapping))
    return "\n".join(text for text in found if isinstance(text, str))


def _in_system(messages: list[dict[str, object]], text: str) -> list[dict[str, object]]:
    for one in messages:
        if one.get("role") in _SYSTEM:
            one["content"] = _longer(one.get("content"), text)
            return messages
    return [{"role": "system", "content": text}, *messages]


def _longer(content: object, text: str) -> object:
    if isinstance(content, Sequence) and not isinstance(content, str):
        return [*content, {"type": "text", "text": text}]
    return f"{content}\n\n{text}" if content else text
