"""Messages as callers hand them over, made into our own; nothing is written if one is wrong."""

from collections.abc import Mapping, Sequence

from engraphy.errors import InvalidInputError
from engraphy.model import Message, Role
from engraphy.text.clean import clean
from engraphy.text.cues import ZONE
from engraphy.text.moments import microseconds
from engraphy.text.zones import told_in
from engraphy.write.intake import storable, storable_pair, told

_KEYS = ("role", "content", "name", "at", "metadata")
_BESIDE = frozenset(
    {"annotations", "audio", "cache_control", "function_call", "id", "model", "reasoning_content"}
    | {"refusal", "status", "stop_reason", "stop_sequence", "tool_call_id", "tool_calls", "type"}
    | {"usage"}
)
"""What the messages of chat APIs have beside: nothing that is said, so it is passed over."""
_ALLOWED = f"a mapping with the keys {', '.join(_KEYS)}"
_ROLES = {"human": "user", "ai": "assistant", "developer": "system", "function": "tool"}


def messages(given: object, at: object = None) -> tuple[Message, ...]:
    """A message, or a sequence of them, as `Message` values. Text alone is a user's message. A
    moment that is told with an offset from UTC, a message's own or `at` for those without, says in
    which time zone it was said.

    Raises InvalidInputError that names the message and the field.
    """
    if isinstance(given, str | Mapping | Message):
        given = [given]
    if not isinstance(given, Sequence):
        raise InvalidInputError(
            field="messages", got=type(given).__name__, allowed="a list of messages"
        )
    return tuple(_message(one, f"messages[{i}]", at) for i, one in enumerate(given))


def _message(given: object, where: str, usual: object) -> Message:
    if isinstance(given, Message):
        given = {key: getattr(given, key) for key in _KEYS} | {"metadata": _pairs(given, where)}
    if isinstance(given, str):
        return Message(role=Role.USER, content=clean(given), metadata=_metadata(None, where, usual))
    if not isinstance(given, Mapping):
        raise InvalidInputError(field=where, got=type(given).__name__, allowed=_ALLOWED)
    for key in given:
        if key not in _KEYS and key not in _BESIDE:
            raise InvalidInputError(field=where, got=f"a mapping with {key!r}", allowed=_ALLOWED)
    at = given.get("at")
    return Message(
        role=_role(given.get("role", "user"), where),
        content=clean(_content(given.get("content"), where)),
        at=None if at is None else microseconds(at, field=f"{where}.at"),
        name=_name(given.get("name"), where),
        metadata=_metadata(given.get("metadata"), where, usual if at is None else at),
    )


def _pairs(given: Message, where: str) -> Mapping[str, str]:
    try:
        return dict(given.metadata)
    except (TypeError, ValueError) as error:
        got = type(given.metadata).__name__
        raise InvalidInputError(
            field=f"{where}.metadata", got=got, allowed="pairs of texts"
        ) from error


def _role(value: object, where: str) -> Role:
    name = str(value).lower()
    try:
        return Role(_ROLES.get(name, name))
    except ValueError as error:
        allowed = ", ".join(role.value for role in Role)
        raise InvalidInputError(
            field=f"{where}.role", got=repr(value)[:40], allowed=allowed
        ) from error


def _content(value: object, where: str) -> str:
    """Text, or a list of parts of which the text parts count (as chat APIs send them)."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        texts = [
            part if isinstance(part, str) else part.get("text", "")
            for part in value
            if isinstance(part, str | Mapping)
        ]
        return "\n".join(text for text in texts if isinstance(text, str) and text)
    if value is None:
        return ""
    raise InvalidInputError(
        field=f"{where}.content", got=type(value).__name__, allowed="text or a list of parts"
    )


def _name(value: object, where: str) -> str | None:
    if value is None or isinstance(value, str):
        return storable(value) if value else None
    raise InvalidInputError(field=f"{where}.name", got=type(value).__name__, allowed="text")


def _metadata(value: object, where: str, at: object) -> tuple[tuple[str, str], ...]:
    zone = told_in(at)
    beside = {ZONE: zone} if zone else {}
    if value is None:
        return tuple(beside.items())
    if not isinstance(value, Mapping):
        raise InvalidInputError(
            field=f"{where}.metadata", got=type(value).__name__, allowed="a mapping"
        )
    at = f"{where}.metadata"
    pairs = (
        (str(name), told(held, f"{at}[{name!r}]")) for name, held in {**beside, **value}.items()
    )
    return tuple(sorted(storable_pair(name, text) for name, text in pairs))
