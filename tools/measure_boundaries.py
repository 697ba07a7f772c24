"""Measure how changes of topic are noticed (A-14): `python tools/measure_boundaries.py DATA`.

Chats stand in for sessions: stretches of one chat are one topic, and the end of one chat followed
by another is a change. DATA is the folder with `beam/` and `locomo/`, which are read there and not
copied. The first five BEAM chats were used to choose the numbers; all others were not.
"""

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from engraphy.profile import load
from engraphy.write.progress import Observation, Progress, restamped, topic, turned

KNOBS = load("default").sessions
STRETCH, BEFORE, LATE, PAIRS = 24, 12, 2, 3
"""Observations of a stretch, and of each side of a change; how late one is found; changes made of
each stretch."""
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The keywords of observations in a row, and which chat they are from."""

    chat: int
    words: tuple[Words, ...]


def boundaries(stream: Sequence[Words]) -> list[int]:
    """The places (from 0) of the observations that open a new segment."""
    progress = Progress(started_at=0, last_at=0)
    seen: dict[int, Observation] = {}
    found = []
    for number, words in enumerate(stream, 1):
        window = {at: one for at, one in seen.items() if at > number - 1 - 3 * KNOBS.window}
        new = Observation(at=number, tool="chat", keywords=words)
        turn = turned(progress, new, window, KNOBS)
        if turn.since is not None:
            found.append(turn.since - 1)
            moved = {at: one for at, one in seen.items() if at >= turn.since}
            seen |= {at: restamped(one, turn.progress.segment) for at, one in moved.items()}
        progress = turn.progress
        seen[number] = turn.observation
    return found


def told(name: str, stretches: Sequence[Stretch]) -> str:
    """One line of figures."""
    chance, changes, found, exact = Random(7), 0, 0, 0
    false = [len(boundaries(one.words)) for one in stretches]
    for one in stretches:
        others = [other for other in stretches if other.chat != one.chat]
        for _ in range(PAIRS):
            first, second = one.words[:BEFORE], chance.choice(others).words[:BEFORE]
            places = boundaries((*first, *second))
            hits = [0 <= place - len(first) <= LATE for place in places]
            changes += 1
            found += any(hits)
            exact += hits == [True]
    observed = sum(len(one.words) for one in stretches)
    clean = sum(count == 0 for count in false)
    return (
        f"{name}: {sum(false)} false in {observed} observations "
        f"({clean} of {len(stretches)} stretches without); of {changes} changes "
        f"{found / changes:.0%} found, {exact / changes:.0%} as exactly one boundary"
    )


def beam(files: Sequence[Path], each: int) -> Iterator[Stretch]:
    """Stretches of BEAM chats, `each` messages to an observation."""
    for chat, file in enumerate(files):
        messages = list(texts(json.loads(gzip.decompress(file.read_bytes()))))
        words = observations(messages, each)
        for start in range(0, len(words) - STRETCH, STRETCH):
            yield Stretch(chat=chat, words=words[start : start + STRETCH])


def locomo(file: Path, each: int) -> Iterator[Stretch]:
    """The sessions of LoCoMo dialogues, `each` turns to an observation."""
    for chat, dialogue in enumerate(json.loads(file.read_text("utf-8"))):
        for turns in dialogue["conversation"].values():
            if isinstance(turns, list) and len(turns) >= BEFORE:
                yield Stretch(chat=chat, words=observations([t["text"] for t in turns], each))


def observations(messages: Sequence[str], each: int) -> tuple[Words, ...]:
    """The keywords of every `each` messages together."""
    joined = (
        "\n".join(messages[at : at + each]) for at in range(0, len(messages) - each + 1, each)
    )
    return tuple(topic(text, (), KNOBS.keywords) for text in joined)


def texts(value: Any) -> Iterator[str]:
    """The messages of a chat, wherever they stand in it."""
    if isinstance(value, dict) and "role" in value and isinstance(value.get("content"), str):
        yield value["content"]
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    folder: Path = parser.parse_args().data
    files = sorted((folder / "beam").glob("*.json.gz"))
    for name, chosen in (("BEAM 1-5 (tuned on)", files[:5]), ("BEAM 6-10", files[5:])):
        print(told(f"{name}, question and answer", list(beam(chosen, 2))))
        print(told(f"{name}, single messages", list(beam(chosen, 1))))
    print(told("LoCoMo sessions, single turns", list(locomo(folder / "locomo/locomo5.json", 1))))
    print(told("LoCoMo sessions, four turns", list(locomo(folder / "locomo/locomo5.json", 4))))


if __name__ == "__main__":
    main()
