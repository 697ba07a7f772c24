"""Which messages of a chat are prompts, and by which key each is known again.

A client does not keep what was injected into its chat; the next request is made of the messages
without it. A key names a prompt by what the user said up to it, so that the block it was given can
be put at the same place again.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from engraphy.read.placing import said
from engraphy.text.fence import strip_injected

_BYTES = 16
_ANSWERS = frozenset({"assistant", "model", "tool", "function"})


class Prompt(NamedTuple):
    """A prompt: its place among the messages, its key, and the user's own words in it."""

    place: int
    key: str
    text: str


def prompts(messages: Sequence[Mapping[str, object]], conversation: str = "") -> Iterator[Prompt]:
    """The user's messages that say something, in order.

    A key is made of the conversation's name and the user's own words up to it: what hosts inject
    (their reminders change from request to request) and what was answered are no part of it.
    """
    chain = blake2b(conversation.encode("utf-8", "surrogatepass"), digest_size=_BYTES)
    for place, one in enumerate(messages):
        if one.get("role") != "user":
            continue
        text = strip_injected(said(one.get("content"))).strip()
        if text:
            chain.update(blake2b(text.encode("utf-8", "surrogatepass")).digest())
            yield Prompt(place, chain.hexdigest(), text)


def is_open(messages: Sequence[Mapping[str, object]], place: int) -> bool:
    """Whether nobody has answered to the message at `place` yet."""
    return all(one.get("role") not in _ANSWERS for one in messages[place + 1 :])
