"""Trials: what each setting of the knobs gives on every question, within a budget."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.benchmarks import metrics
from engraphy.engine.parts import Engine
from engraphy.engine.recall import recall
from engraphy.model import Hit
from engraphy.profile import Profile
from engraphy.record import Record
from engraphy.tuning.knobs import Point, turned
from engraphy.tuning.labelled import Labelled

DEPTH = 10
"""Hits that a question is judged by: what `recall` delivers unless it is told otherwise."""
OBJECTIVES = ("mrr", "rec@10", "hit@1")

Measured = Mapping[str, float]
"""The objectives of one question, each in [0, 1]."""


class Budget(Record, frozen=True, kw_only=True):
    """What a search may use: settings tried, and seconds by the stopwatch."""

    trials: int
    seconds: float


class Trials:
    """Measures points, each once. The first, where nothing is turned, is always measured."""

    def __init__(
        self,
        engine: Engine,
        questions: Sequence[Labelled],
        budget: Budget,
        stopwatch: Callable[[], float],
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.engine = engine
        self.questions = questions
        self._budget = budget
        self._stopwatch = stopwatch
        self._began = stopwatch()
        self._progress = progress or (lambda _: None)
        self._known: dict[Point, tuple[Measured, ...]] = {}
        self.stopped = ""
        """What ran out: "trials", "seconds", or nothing."""
        self.base = tuple(self._all(()))
        self._known[()] = self.base
        self._tell(())

    @property
    def count(self) -> int:
        """Points measured."""
        return len(self._known)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return self._stopwatch() - self._began

    def measured(self, point: Point, share: float = 1.0) -> tuple[Measured, ...] | None:
        """What every question gives under a point; None where more than `share` of the budget is
        used up and it is not known yet."""
        if point in self._known:
            return self._known[point]
        if self.count >= self._budget.trials * share:
            self.stopped = self.stopped or "trials"
            return None
        found = []
        for one in self._all(point):
            if self.seconds >= self._budget.seconds * share:
                self.stopped = "seconds"
                return None
            found.append(one)
        self._known[point] = tuple(found)
        self._tell(point)
        return self._known[point]

    def _tell(self, point: Point) -> None:
        turned_to = ", ".join(f"{name} {value:g}" for name, value in point) or "as it is"
        figures = ", ".join(
            f"{name} {metrics.mean([row[name] for row in self._known[point]]):.4f}"
            for name in OBJECTIVES
        )
        self._progress(f"trial {self.count}: {figures} ({turned_to})")

    def _all(self, point: Point) -> Iterator[Measured]:
        engine = replace(self.engine, profile=_uncut(turned(self.engine.profile, point)))
        for one in self.questions:
            hits = recall(engine, one.question, one.view, DEPTH, touch=False)
            yield _judged(hits, one.gold)

    def delivered(self, point: Point, places: Iterable[int]) -> Iterator[tuple[int, int, float]]:
        """Of the questions at these places, with the profile's cut-offs: the place, how many of ten
        hits come through, and the share of the answers that do."""
        engine = replace(self.engine, profile=turned(self.engine.profile, point))
        for place in places:
            one = self.questions[place]
            hits = recall(engine, one.question, one.view, DEPTH, touch=False)
            yield place, len(hits), _judged(hits, one.gold)["rec@10"]


def _uncut(profile: Profile) -> Profile:
    """The profile without cut-offs: with them whatever flattens scores would seem to gain, as
    more comes through."""
    score = structs.replace(profile.score, min_score=0.0, min_share_of_best=0.0, min_confidence=0.0)
    return structs.replace(profile, score=score)


def _judged(hits: Sequence[Hit], gold: Sequence[frozenset[str]]) -> Measured:
    """The objectives of one answer; memories of one text count as one."""
    names = {one: str(place) for place, ids in enumerate(gold) for one in ids}
    ranked = list(dict.fromkeys(names.get(hit.memory.id, hit.memory.id) for hit in hits))
    wanted = frozenset(names.values())
    return {
        "mrr": metrics.reciprocal(ranked, wanted),
        "rec@10": metrics.recall(ranked, wanted, DEPTH),
        "hit@1": metrics.hit(ranked, wanted, 1),
    }
