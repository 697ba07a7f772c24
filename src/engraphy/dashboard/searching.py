"""Where a question is tried: what comes back, why, and why something does not. Nothing counts."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import field
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.dissecting import Dissected, dissected
from engraphy.dashboard.doors import shows
from engraphy.dashboard.one_memory import glimpse, texts
from engraphy.dashboard.pages import page
from engraphy.dashboard.showing import meant
from engraphy.dashboard.visit import Visit
from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model import Context, Explanation, ReceiptLine, State, Step
from engraphy.model import Memory as Row
from engraphy.profile import Profile
from engraphy.providers.clock import stopwatch
from engraphy.record import Record
from engraphy.serving.problems import problem

WAYS = ("recall", "context")
INCLUDED = tuple(state.value for state in State if state is not State.ACTIVE)
_MOST_HITS = 100
_MOST_TOKENS = 100_000
_SUGGESTED = 30
_STAGES = (
    *("gate", "scope", "state", "validity", "route"),
    *("search", "fuse", "cut-off", "limit", "delivered"),
)
_KNOBS = ("search", "score", "fuse")


class Asked(Record, frozen=True, kw_only=True):
    """What is asked: the question, as a recall or for a prompt, and how."""

    question: str = ""
    way: str = "recall"
    limit: int | None = None
    budget: int | None = None
    include: tuple[str, ...] = ()
    as_of: str = ""
    known_at: str = ""
    missing: str = ""

    @property
    def plain(self) -> bool:
        """Whether nothing but the question is said."""
        return self == replace(Asked(), question=self.question, way=self.way)


class Answered(Record, frozen=True, kw_only=True):
    """What came of it: how it came about, its hits taken apart, and for a prompt the block, with
    how each of its memories stands in it and what those say that were left out; `sought`: the
    memory that is missed."""

    explained: Explanation
    hits: tuple[Dissected, ...]
    missing: Step | None
    milliseconds: float
    block: Context | None = None
    lines: Mapping[str, ReceiptLine] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    sought: Row | None = None


def routes() -> list[BaseRoute]:
    """The search page."""
    return [shows("/search", _search)]


async def _search(visit: Visit) -> Response:
    asked = _asked(visit)
    profile = visit.memory.profile
    told: Mapping[str, Any] = {"answer": None, "wrong": "", "status": 200}
    if asked.question:
        try:
            then = replace(asked, as_of=meant(asked.as_of), known_at=meant(asked.known_at))
            answer = await visit.work(_answered, visit.memory, then, visit.scope)
            told = {**told, "answer": answer}
        except EngraphyError as error:
            found = problem(error)
            told = {**told, "wrong": found.message, "status": found.status}
    suggested = await visit.work(partial(visit.memory.list, limit=_SUGGESTED, **visit.scope))
    return page(
        visit,
        "search.html",
        asked=asked,
        ways=WAYS,
        states=INCLUDED,
        suggested=suggested,
        profile=profile,
        knobs=_knobs(profile),
        stages=_stages(told["answer"]),
        **told,
    )


def _asked(visit: Visit) -> Asked:
    include = visit.request.query_params.getlist("include")
    return Asked(
        question=visit.query("q"),
        way=visit.chosen("way", WAYS) or WAYS[0],
        limit=visit.number("limit", 0, _MOST_HITS) or None,
        budget=visit.number("budget", 0, _MOST_TOKENS) or None,
        include=tuple(one for one in INCLUDED if one in include),
        as_of=visit.query("as_of"),
        known_at=visit.query("known_at"),
        missing=visit.query("missing"),
    )


def _answered(memory: Memory, asked: Asked, scope: Mapping[str, Any]) -> Answered:
    """The answer, and what it took; nothing is counted as delivered (R-03)."""
    begun = stopwatch()
    missing = asked.missing or None
    block = None
    if asked.way == "context":
        given: dict[str, Any] = {"budget": asked.budget, **scope}
        explained = memory.explain_context(asked.question, missing=missing, **given)
        block = memory.context(asked.question, touch=False, **given)
    else:
        explained = memory.explain(
            asked.question,
            missing=missing,
            limit=asked.limit,
            include=asked.include,
            as_of=asked.as_of or None,
            known_at=asked.known_at or None,
            **scope,
        )
    took = 1_000 * (stopwatch() - begun)
    return Answered(
        explained=explained,
        hits=tuple(dissected(hit, memory.profile) for hit in explained.hits),
        missing=explained.missing,
        milliseconds=took,
        block=block,
        lines={} if block is None else {one.memory_id: one for one in block.receipt.lines},
        left={} if block is None else texts(memory, _skipped(block), scope),
        sought=glimpse(memory, missing, scope) if missing else None,
    )


def _skipped(block: Context) -> list[str]:
    return [one.memory_id for one in block.receipt.skipped]


def _stages(answer: Answered | None) -> tuple[str, ...]:
    """The stages that a memory goes through, that among them at which one fell out."""
    fell = answer.missing.stage if answer is not None and answer.missing is not None else ""
    return _STAGES if not fell or fell in _STAGES else (*_STAGES[:-1], fell, _STAGES[-1])


def _knobs(profile: Profile) -> dict[str, dict[str, object]]:
    """The numbers behind a search, by part of the profile."""
    return {
        name: {
            knob: getattr(getattr(profile, name), knob)
            for knob in getattr(profile, name).__struct_fields__
        }
        for name in _KNOBS
    }
