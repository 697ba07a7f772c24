"""Prompts to coding agents: is what only asks for something now left out, and what lasts kept?

Two files of hand-written prompts, English and Turkish: the rules were tuned on the first; the
second was written before them and is reported apart.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from engraphy.benchmarks.write_figures import Bar, Group, Row, scored, share
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_trivial import tally

_FILES = {"tuned on": "write_requests.toml", "held out": "write_requests_blind.toml"}
_DEFINITIONS = {
    "positive": "a prompt that only asks for something to be done now; found where nothing is kept",
    "lasting_kept": "share of the prompts that say something lasting, of which all the words that "
    "must last stand in what is kept",
    "request_left_out": "share of the prompts that ask and say something lasting, of whose request "
    "no word stands in what is kept",
    "asked": "each prompt by itself, observed as a user's; every one has walls of its own",
}
_BARS = (
    Bar(group="held out", figure="lasting_kept", limit=1.0),
    Bar(group="held out", figure="recall", limit=0.85),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prompt:
    """What is said, the words of it that must last, and those that must not."""

    text: str
    kept: tuple[str, ...]
    gone: tuple[str, ...]


def measure(ground: Ground) -> Part:
    """All prompts of both files."""
    rows: list[Row] = []
    groups = [_group(ground, name, file, rows) for name, file in _FILES.items()]
    return Part(groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows)


def _group(ground: Ground, name: str, file: str, rows: list[Row]) -> Group:
    tallies, lasting, halves = [], [], []
    for place, (prompt, contents) in enumerate(_told(ground, file)):
        told = "\n".join(contents)
        tallies.append(tally(found=not contents, positive=not prompt.kept))
        whole = all(word in told for word in prompt.kept)
        clear = not any(word in told for word in prompt.gone)
        if prompt.kept:
            lasting.append(whole)
        if prompt.gone:
            halves.append(clear)
        if not (whole and clear and bool(contents) == bool(prompt.kept)):
            rows.append(wrong(ground, f"{name}:{place}", _why(whole=whole), text=prompt.text))
    return scored(
        name,
        tallies,
        lasting_kept=share(sum(lasting), len(lasting)),
        request_left_out=share(sum(halves), len(halves)),
    )


def _why(*, whole: bool) -> str:
    return "the request is kept" if whole else "what lasts is lost"


def _told(ground: Ground, file: str) -> Iterator[tuple[_Prompt, list[str]]]:
    """Each prompt, and the texts that are kept of it."""
    with ground.memory() as (memory, _):
        for place, prompt in enumerate(_prompts(file)):
            user = f"user-{place}"
            memory.observe([{"role": "user", "content": prompt.text}], user=user)
            yield prompt, [one.content for one in memory.list(user=user)]


def _prompts(file: str) -> Iterator[_Prompt]:
    listed: dict[str, list[dict[str, Any]]] = tomllib.loads(
        files(__package__).joinpath(file).read_text("utf-8")
    )
    for row in listed["prompts"]:
        kept, gone = tuple(row.get("kept", ())), tuple(row.get("gone", ()))
        yield _Prompt(text=row["text"], kept=kept, gone=gone)
