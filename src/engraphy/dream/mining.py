"""Runs of steps that recur become workflows (D-74): nothing is followed yet, only written down."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engraphy.dream.ripe import FIRM, MINED, instructs, oldest_first, told_by
from engraphy.model import Kind, Memory, Merge, Procedure, Snapshot, SubTier
from engraphy.profile import Profile
from engraphy.record import Record
from engraphy.text.bags import telling_stems
from engraphy.text.rewrite import shortened
from engraphy.text.stepped import MOST_STEPS, address, done, stepped, written

_LONGEST_RUN = 12
_NAME = 60
_TOOL = "tool"

Step = frozenset[str]
Run = tuple[Step, ...]


class _Course(Record, frozen=True):
    """What was done in one episode, or by the tools of one session: each step with the memory that
    tells it, as it is told and as it is compared."""

    rows: tuple[Memory, ...]
    steps: tuple[str, ...]
    keys: Run


def is_done(memory: Memory, now: int, profile: Profile) -> bool:  # noqa: ARG001 - the shape
    """Whether `mine` looks at a memory: an event, the use of a tool, a workflow."""
    if not profile.dream.mine.episodes or memory.evidence not in FIRM:
        return False
    of_a_tool = memory.scope.session is not None and _TOOL in dict(memory.metadata)
    return memory.kind in {Kind.EPISODE, Kind.WORKFLOW, Kind.PROCEDURE} or of_a_tool


def mine(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """A workflow of each run of steps that enough episodes, or sessions of tool use, went through
    in this order without another step between; the longest runs, none inside another. One that is
    known already, here or by a caller, is not written again, but linked to further episodes."""
    knobs = profile.dream.mine
    known = [row for row in snapshot.memories if row.kind is Kind.PROCEDURE]
    held = {_keys(stepped(row.content).steps): row for row in (*known, *snapshot.made)}
    for courses in _together(snapshot.memories):
        for run, found in _recurring(courses, knobs.steps, knobs.episodes).items():
            outer = [keys for keys in held if _within(run, keys) and keys != run]
            if not outer:
                yield from _workflow(run, found, held.get(run), now)


def _together(rows: Sequence[Memory]) -> Iterator[list[_Course]]:
    """The courses of one sensitivity and origin."""
    parts: dict[tuple[str, str], list[Memory]] = {}
    for row in rows:
        if row.kind is not Kind.PROCEDURE and not instructs(row):
            parts.setdefault((row.sensitivity.value, row.origin.value), []).append(row)
    for part in parts.values():
        yield list(_courses(part))


def _courses(rows: Sequence[Memory]) -> Iterator[_Course]:
    sessions: dict[str, list[Memory]] = {}
    for row in sorted(rows, key=oldest_first):
        if row.kind in {Kind.EPISODE, Kind.WORKFLOW}:
            yield from _course([(row, step) for step in done(row.content)])
        else:
            # A use of a tool is noted as what was done, and below it what came of it.
            sessions.setdefault(str(row.scope.session), []).append(row)
    for own in sessions.values():
        yield from _course([(row, row.content.partition("\n")[0]) for row in own])


def _course(steps: Sequence[tuple[Memory, str]]) -> Iterator[_Course]:
    telling = [one for one in steps[:MOST_STEPS] if telling_stems(one[1])]
    if len(telling) > 1:
        rows, said = zip(*telling, strict=True)
        yield _Course(rows, said, _keys(said))


def _keys(steps: Sequence[str]) -> Run:
    return tuple(telling_stems(step) for step in steps)


def _recurring(
    courses: Sequence[_Course], least: int, episodes: int
) -> dict[Run, list[tuple[_Course, int]]]:
    """The longest runs that enough courses went through, with the first place in each."""
    counts: dict[Run, dict[int, int]] = {}
    for number, course in enumerate(courses):
        for size in range(least, min(_LONGEST_RUN, len(course.keys)) + 1):
            for start in range(len(course.keys) - size + 1):
                run = course.keys[start : start + size]
                counts.setdefault(run, {}).setdefault(number, start)
    kept: dict[Run, list[tuple[_Course, int]]] = {}
    for run, places in sorted(counts.items(), key=_longest):
        varied = len(set(run)) >= least
        if len(places) >= episodes and varied and not any(_within(run, one) for one in kept):
            kept[run] = [(courses[number], start) for number, start in places.items()]
    return kept


def _longest(item: tuple[Run, Mapping[int, int]]) -> tuple[int, int, list[list[str]]]:
    run, places = item
    return -len(run), -len(places), [sorted(step) for step in run]


def _within(run: Run, other: Run) -> bool:
    size = len(run)
    return any(other[start : start + size] == run for start in range(len(other) - size + 1))


def _workflow(
    run: Run, found: Sequence[tuple[_Course, int]], held: Memory | None, now: int
) -> Iterator[Merge]:
    course, start = found[-1]
    steps = course.steps[start : start + len(run)]
    used = (one.rows[place : place + len(run)] for one, place in found)
    rows = {row.id: row for some in used for row in some}
    sources = tuple(sorted(rows.values(), key=oldest_first))
    reason = f"its steps recur in {len(found)} episodes"
    if held is not None:
        if MINED in held.tags and not rows.keys() <= set(held.source_ids):
            more = replace(held, source_ids=(*held.source_ids, *rows))
            yield Merge(
                memory=more, sources=sources, reason=reason, keep_sources=True, replaces=held
            )
        return
    name = shortened(", ".join(steps) if len(steps) < 4 else f"{steps[0]} ... {steps[-1]}", _NAME)
    importance = max(row.importance for row in sources)
    memory = told_by(
        sources, written(name, steps, ""), Kind.PROCEDURE, now=now, importance=importance
    )
    memory = replace(
        memory,
        title=name,
        category="",
        speaker="",
        tags=(MINED,),
        entities=(address(name), *memory.entities),
        sub_tier=SubTier.PROCEDURAL,
    )
    part = Procedure(memory_id="", name=name, steps=steps)
    yield Merge(memory=memory, sources=sources, reason=reason, keep_sources=True, procedure=part)
