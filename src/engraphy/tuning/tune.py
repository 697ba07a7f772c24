"""`tune`: cross-validated search over the knobs of reading, on a store that is only read."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from engraphy.benchmarks import metrics
from engraphy.engine import scoping
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError
from engraphy.opening import open_engine
from engraphy.profile import merged
from engraphy.providing import attribute
from engraphy.settings import profile_tables, settings
from engraphy.tuning.knobs import Point, now, overrides, read_knobs
from engraphy.tuning.labelled import Labelled, Reader
from engraphy.tuning.plan import Plan, Tuned, Turn
from engraphy.tuning.search import Part, SEARCHES, Space
from engraphy.tuning.trials import Budget, Measured, OBJECTIVES, Trials
from engraphy.verbs.base import Reading

_FEWEST = 10
_LEAVE = ("allow_private", "allow_secret")
Asked = str | Path | Iterable[Mapping[str, object]]


def tune(
    data: Asked,
    plan: Plan | None = None,
    *,
    path: str | Path | None = None,
    profile: str | Path | None = None,
    tenant: str | None = None,
    key: str | None = None,
    embedder: object = None,
    progress: Callable[[str], None] | None = None,
    **asker: Unpack[Reading],
) -> Tuned:
    """Fit knobs of a profile to labelled questions about the store at `path`, which is only read.

    `data`: a JSON Lines file or rows, each with `question`, `gold` (ids or exact texts of the
    memories that answer it) and, where they differ from `asker`, `user`, `agent`, `project`,
    `session`; `as_of` where it asks what held at another moment. `profile`, `tenant`, `key`,
    `embedder`: as `Memory` takes them. `progress` is told each trial.

    Raises LabelledDataError for a row, InvalidInputError for the plan or for fewer than ten
    questions, UnreadableFileError, ProfileError and the errors of the store.
    """
    chosen = (plan or Plan()).checked()
    knobs = read_knobs(chosen.knobs, chosen.only)
    scoping.told("progress", progress)
    base = settings().profile if profile is None else profile
    engine = open_engine(
        path, profile=base, tenant=tenant, key=key, embedder=embedder, model="none", read_only=True
    )
    try:
        stands = {knob.name: now(engine.profile, knob) for knob in knobs}
        space = Space(knobs=knobs, now=stands, objective=chosen.objective, seed=chosen.seed)
        questions = _read(engine, data, dict(asker))
        stopwatch = attribute("engraphy.providers.clock", "stopwatch")
        budget = Budget(trials=chosen.trials, seconds=chosen.seconds)
        trials = Trials(engine, questions, budget, stopwatch, progress)
        return _fitted(trials, chosen, space, base)
    finally:
        engine.store.close()


def _read(engine: Engine, data: Asked, asker: dict[str, object]) -> tuple[Labelled, ...]:
    leave = {key: scoping.flag(key, asker.pop(key, False)) for key in _LEAVE}
    reader = Reader(engine=engine, asker=asker, leave=leave, now=engine.clock())
    questions = reader.questions(data)
    if len(questions) < _FEWEST:
        allowed = f"at least {_FEWEST}; some hundred tell more"
        raise InvalidInputError(field="data", got=f"{len(questions)} questions", allowed=allowed)
    return questions


def _fitted(trials: Trials, plan: Plan, space: Space, base: str | Path) -> Tuned:
    groups = _kin(trials.questions)
    parts = _folds(groups, plan)
    # All questions first: where the budget ends early, it is the folds that keep the old knobs,
    # and the gain is told too small rather than too great.
    everywhere = [place for part in parts for place in part]
    trained = [[place for place in everywhere if place not in part] for part in map(set, parts)]
    point, *picked = SEARCHES[plan.search](trials, space, [everywhere, *trained])
    after = _held_out(trials, parts, picked)
    delivered, reached = _through(trials, parts, picked)
    return Tuned(
        objective=plan.objective,
        questions=len(trials.questions),
        answers=len(groups),
        folds=len(parts),
        seed=plan.seed,
        search=plan.search,
        trials=trials.count,
        seconds=trials.seconds,
        stopped=trials.stopped,
        profile=str(base),
        before=_means(trials.base),
        after=_means(after),
        gain=_gains(trials.base, after, groups),
        delivered=delivered,
        reached=reached,
        turns=_turns(point, picked, space.now),
        tables=_tables(trials.engine, base, point),
    )


def _kin(questions: Sequence[Labelled]) -> list[Part]:
    """Places of the questions, those together that have an answer in common, or ask the same for
    the same: none of them is judged by what was fitted to its twin, nor counts as a witness of its
    own."""
    group_of = list(range(len(questions)))
    known: dict[object, int] = {}

    def root(place: int) -> int:
        while group_of[place] != place:
            place = group_of[place] = group_of[group_of[place]]
        return place

    for place, one in enumerate(questions):
        answers = (known_as for ids in one.gold for known_as in ids)
        for key in (*answers, (one.question.casefold(), one.view)):
            group_of[root(place)] = root(known.setdefault(key, place))
    groups: dict[int, list[int]] = {}
    for place in range(len(questions)):
        groups.setdefault(root(place), []).append(place)
    return list(groups.values())


def _folds(groups: Sequence[Part], plan: Plan) -> list[Part]:
    """The groups in so many parts of about one size."""
    if len(groups) < plan.folds:
        got = f"questions with {len(groups)} different answers"
        raise InvalidInputError(field="data", got=got, allowed=f"at least {plan.folds} (folds)")
    mixed = list(groups)
    random.Random(plan.seed).shuffle(mixed)
    parts: list[list[int]] = [[] for _ in range(plan.folds)]
    for group in mixed:
        min(parts, key=len).extend(group)
    return list(parts)


def _held_out(trials: Trials, parts: Sequence[Part], picked: Sequence[Point]) -> list[Measured]:
    """What each question gives under the choice of the fold that had not seen it."""
    after = list(trials.base)
    for part, point in zip(parts, picked, strict=True):
        rows = trials.measured(point) or trials.base
        for place in part:
            after[place] = rows[place]
    return after


def _through(
    trials: Trials, parts: Sequence[Part], picked: Sequence[Point]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """With the cut-offs, before and after, each question under the choice of the fold that had not
    seen it: hits per question, and the share of the answers among them."""
    before = list(trials.delivered((), range(len(trials.questions))))
    after = list(before)
    for part, point in zip(parts, picked, strict=True):
        for row in trials.delivered(point, part) if point else ():
            after[row[0]] = row
    hits, reached = (
        (metrics.mean([row[one] for row in before]), metrics.mean([row[one] for row in after]))
        for one in (1, 2)
    )
    return hits, reached


def _means(rows: Sequence[Measured]) -> dict[str, float]:
    return {name: metrics.mean([row[name] for row in rows]) for name in OBJECTIVES}


def _gains(
    before: Sequence[Measured], after: Sequence[Measured], groups: Sequence[Part]
) -> dict[str, tuple[float, float, float]]:
    found: dict[str, tuple[float, float, float]] = {}
    for name in OBJECTIVES:
        gained = [new[name] - old[name] for old, new in zip(before, after, strict=True)]
        grouped = [[gained[place] for place in group] for group in groups]
        found[name] = (metrics.mean(gained), *metrics.interval_of_groups(grouped))
    return found


def _turns(point: Point, picked: Sequence[Point], stands: Mapping[str, float]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            knob=name,
            before=stands[name],
            after=value,
            folds=sum(name in dict(one) for one in picked),
        )
        for name, value in point
    )


def _tables(engine: Engine, base: str | Path, point: Point) -> dict[str, Any]:
    """The tuned profile as the tables of a file: what the caller's own file says, with the turns
    over it."""
    own = profile_tables(base)
    parent = str(base) if own is None else own.get("inherits", "default")
    head = {
        "name": "tuned",
        "description": f"{engine.profile.name}, fitted to labelled questions.",
        "inherits": parent,
    }
    return merged({**(own or {}), **head}, overrides(engine.profile, point))
