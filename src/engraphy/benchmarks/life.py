"""`engraphy bench life`: a simulated year, lived by a memory that dreams and by one that does not.

Dialogues are told with their own dates through the public class, a cycle of maintenance runs at
night, questions are asked along the way and a year after the first turn. What the gates drop
neither of the two holds, so that it counts as nobody's forgetting.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from engraphy.benchmarks import life_figures as figures
from engraphy.benchmarks.life_replay import Lived, replayed
from engraphy.benchmarks.life_stories import Shelf, Story, shelf
from engraphy.benchmarks.run import Opening, Progress
from engraphy.profile import load

_LOST, _FEWER, _HELD = -1.0, 0.30, 0.50


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a year is lived. `only`: these corpora or cases; `every`: of nights before which nothing
    was told, every so many are dreamt; `processes`: stories that are lived at once."""

    only: Sequence[str] = ()
    every: int = 7
    processes: int = 2


def run(
    data: str,
    openings: Sequence[Opening],
    tell: Progress | None = None,
    plan: Plan | None = None,
) -> dict[str, Any]:
    """The stories in each profile; one JSON object.

    Raises InvalidInputError for a story that is not there, UnreadableFileError.
    """
    chosen = plan or Plan()
    found = shelf(Path(data), chosen.only)
    return {
        "benchmark": "life",
        "data_sha256": dict(found.sha256),
        "data": found.known,
        "engine": "sqlite",
        "nights_every": chosen.every,
        "definitions": figures.DEFINITIONS,
        "profiles": [_profile(found, opening, chosen, tell) for opening in openings],
    }


def _profile(found: Shelf, opening: Opening, plan: Plan, tell: Progress | None) -> dict[str, Any]:
    started = time.monotonic()
    lived = sorted(_lives(found, opening, plan, tell), key=lambda one: _place(found, one))
    return {
        "profile": opening.profile,
        "embedder": lived[0].embedder,
        "wall_s": time.monotonic() - started,
        "cpu_s": sum(one.cpu_s for one in lived),
        "groups": [_group(name, part, opening) for name, part in _parts(lived)],
        "bars": _bars(lived, opening),
        "rows": [row for one in lived for row in one.asked],
        "stale_rows": [row for one in lived for row in one.stale],
    }


def _lives(found: Shelf, opening: Opening, plan: Plan, tell: Progress | None) -> Iterator[Lived]:
    """Each story in a process of its own, the longest first."""
    longest = sorted(found.stories, key=_length, reverse=True)
    with ProcessPoolExecutor(plan.processes, mp_context=get_context("spawn")) as pool:
        begun = [pool.submit(replayed, story, opening, plan.every) for story in longest]
        for one in as_completed(begun):
            lived = one.result()
            if tell is not None:
                tell(f"{opening.profile} {_told(lived)}")
            yield lived


def _length(story: Story) -> int:
    return sum(len(turn.content) for turn in story.case.turns)


def _place(found: Shelf, lived: Lived) -> int:
    return [story.case.id for story in found.stories].index(lived.story.case.id)


def _told(lived: Lived) -> str:
    awake = 100 * figures.awake([lived])["fewer_active"]
    lost = figures.questions([lived])["at the end"]["rec@10"]["difference"]
    return f"{lived.story.case.id}: {lived.cpu_s:.0f} s, {awake:.0f} % fewer, rec@10 {lost:+.2f}"


def _parts(lived: Sequence[Lived]) -> list[tuple[str, list[Lived]]]:
    """Each corpus by its halves, and all that nothing was tuned on."""
    found: dict[str, list[Lived]] = {}
    for one in lived:
        half = "tuning" if one.story.tuned else "reporting"
        found.setdefault(f"{one.story.corpus}, {half}", []).append(one)
    rest = [one for one in lived if not one.story.tuned]
    return [*found.items(), *([("all, reporting", rest)] if rest else [])]


def _group(name: str, lived: Sequence[Lived], opening: Opening) -> dict[str, Any]:
    profile = load(opening.profile, overrides=opening.overrides)
    return {
        "group": name,
        "stories": [one.story.case.id for one in lived],
        "recall": figures.questions(lived),
        "awake": figures.awake(lived),
        "spread": figures.spread(lived, profile),
        "stale": figures.stale(lived),
        "nights": figures.nights(lived),
    }


def _bars(lived: Sequence[Lived], opening: Opening) -> list[dict[str, Any]]:
    """What issue and design ask of all that nothing was tuned on (of everything where all was)."""
    rest = [one for one in lived if not one.story.tuned] or list(lived)
    group = _group("bars", rest, opening)
    lost = {when: part["rec@10"]["difference"] for when, part in group["recall"].items()}
    measured = (
        ("points of rec@10 at the end", lost["at the end"], _LOST, True),
        ("points of rec@10 along the way", lost["along the way"], _LOST, True),
        ("share of active rows less", group["awake"]["fewer_active"], _FEWER, True),
        ("share with retention from .95", group["spread"]["retention_from_95"], _HELD, False),
        ("old values strengthened", float(group["stale"]["strengthened"]), 0.0, False),
    )
    return [
        {
            "name": name,
            "measured": value,
            "limit": limit,
            "at_least": at_least,
            "met": value >= limit if at_least else value <= limit,
        }
        for name, value, limit, at_least in measured
    ]
