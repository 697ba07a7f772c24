"""What is known of clients, read once from `clients.toml`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from engraphy.record import Record


class Clients(Record, frozen=True, kw_only=True):
    """The file as it is used."""

    sessions: tuple[str, ...]
    named: tuple[str, ...]
    beside: frozenset[str]
    least_tokens: int
    agents: tuple[str, ...]
    envelope: re.Pattern[str]
    errand: re.Pattern[str]


@cache
def clients() -> Clients:
    """What is known of clients."""
    told = tomllib.loads(Path(__file__).with_name("clients.toml").read_text("utf-8"))
    tags = "|".join(re.escape(one) for one in told["envelopes"])
    flags = re.IGNORECASE | re.DOTALL
    return Clients(
        sessions=tuple(told["sessions"]),
        named=tuple(told["named"]),
        beside=frozenset(told["beside"]),
        least_tokens=told["least_tokens"],
        agents=tuple(told["agents"]),
        envelope=re.compile(rf"\s*<({tags})\b[^>]{{0,200}}>", flags),
        errand=re.compile("|".join(told["errands"]), flags),
    )


def is_agent(headers: Mapping[str, str]) -> bool:
    """Whether a program asks that gives its model tools whenever it works for its user."""
    agent = headers.get("user-agent", "").lower()
    return any(one in agent for one in clients().agents)


def is_words(text: str) -> bool:
    """Whether a part of a prompt says anything beside its host's envelopes."""
    at = 0
    while (found := clients().envelope.match(text, at)) is not None:
        closing = f"</{found[1]}>"
        end = text.find(closing, found.end())
        if end < 0:
            break
        at = end + len(closing)
    return bool(text[at:].strip())
