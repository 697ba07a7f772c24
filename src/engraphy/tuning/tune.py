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
    parts = _folds(trials.questions, plan)
    # All questions first: where the budget ends early, it is the folds that keep the old knobs,
    # and the gain is told too small rather than too great.
    everywhere = [place for part in parts for place in part]
    trained = [[place for place in everywhere if place not in part] for part in map(set, parts)]
    point, *picked = SEARCHES[plan.search](trials, space, [everywhere, *trained])
    after = _held_out(trials, parts, picked)
    return Tuned(
        objective=plan.objective,
        questions=len(trials.questions),
        folds=len(parts),
        seed=plan.seed,
        search=plan.search,
        trials=trials.count,
        seconds=trials.seconds,
        stopped=trials.stopped,
        profile=str(base),
        before=_means(trials.base),
        after=_means(after),
        gain=_gains(trials.base, after),
        delivered=(trials.delivered(()), trials.delivered(point)),
        turns=_turns(point, picked, space.now),
        tables=_tables(trials.engine, base, point),
    )


def _folds(questions: Sequence[Labelled], plan: Plan) -> list[Part]:
    """Places of the questions in so many parts of about one size; questions with the same answer
    stay together, so that none is judged by what was fitted to its twin."""
    groups: dict[frozenset[frozenset[str]], list[int]] = {}
    for place, one in enumerate(questions):
        groups.setdefault(frozenset(one.gold), []).append(place)
    if len(groups) < plan.folds:
        got = f"questions with {len(groups)} different answers"
        raise InvalidInputError(field="data", got=got, allowed=f"at least {plan.folds} (folds)")
    mixed = list(groups.values())
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


def _means(rows: Sequence[Measured]) -> dict[str, float]:
    return {name: metrics.mean([row[name] for row in rows]) for name in OBJECTIVES}


def _gains(
    before: Sequence[Measured], after: Sequence[Measured]
) -> dict[str, tuple[float, float, float]]:
    pairs = list(zip(before, after, strict=True))
    found = {name: [new[name] - old[name] for old, new in pairs] for name in OBJECTIVES}
    return {name: (metrics.mean(one), *metrics.interval(one)) for name, one in found.items()}


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
