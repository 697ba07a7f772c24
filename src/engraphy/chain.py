"""The chain of an agent's events (A-21), over the registry of capabilities (A-22).

A link is a step at an event, with a priority and the capability that it needs. Links run in the
order of their priorities; one whose capability is absent is left out, and one that fails stops no
other. Hooks of coding agents and the modules of a framework run the same chain.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from engraphy.errors import EngraphyError
from engraphy.memory import Memory
from engraphy.model import Context, Outcome, SessionReport
from engraphy.profile.registry import BOUNDARIES, COMPRESSION, CONSOLIDATION, OPTIONAL, STORE

_UNKNOWN = "an unexpected error"


class Happening(NamedTuple):
    """What happened in an agent: in which session and project, what was said, which tool was used.

    `messages`: what was said, as `observe` takes it; `at`: when (microseconds UTC), None for now;
    `budget`: the most tokens of what is injected, None for the profile's.
    """

    session: str | None = None
    project: str | None = None
    user: str | None = None
    agent: str | None = None
    root: str = ""
    prompt: str = ""
    messages: Sequence[Mapping[str, object]] = ()
    tool: str = ""
    given: Mapping[str, object] = {}
    output: object = None
    at: int | None = None
    budget: int | None = None

    @property
    def walls(self) -> dict[str, Any]:
        """Where it is written, and what sees it."""
        return {"user": self.user, "agent": self.agent, "project": self.project}


class Registry:
    """Who offers which capability: `memory.store` and those that may be missing."""

    def __init__(self) -> None:
        self._parts: dict[str, Any] = {}

    def register(self, name: str, part: object) -> None:
        """Offer a capability; the last one that is registered counts."""
        self._parts[name] = part

    def drop(self, name: str) -> None:
        """Take a capability away; one that is absent already stays so."""
        self._parts.pop(name, None)

    def get(self, name: str) -> Any:
        """Who offers it; None where nobody does."""
        return self._parts.get(name)


def registry(memory: Memory) -> Registry:
    """What an opened memory offers: each capability that its profile has. What is dropped from the
    registry the memory does without in every link that runs over it."""
    offered = Registry()
    for name, there in memory.capabilities().items():
        if there:
            offered.register(name, memory)
    return offered


class Fired(Struct):
    """What came of an event: the links that ran, in their order, and those that failed by the name
    of their error."""

    ran: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    context: Context | None = None
    report: SessionReport | None = None


class Link(NamedTuple):
    """A step of the chain: `run` is told who offers its capability, what happened, and what came of
    the event so far."""

    event: str
    priority: int
    name: str
    needs: str
    run: Callable[[Any, Happening, Fired], None]


def fire(parts: Registry, event: str, told: Happening, links: Sequence[Link] = ()) -> Fired:
    """Run the links of an event in the order of their priorities; of the documents' chain where no
    other is given."""
    came, absent = Fired(), [name for name in OPTIONAL if parts.get(name) is None]
    chosen = [link for link in links or CHAIN if link.event == event]
    for link in sorted(chosen, key=lambda link: link.priority):
        part = parts.get(link.needs)
        if part is None:
            continue
        try:
            link.run(part.lacking(absent) if isinstance(part, Memory) else part, told, came)
        except EngraphyError as error:
            came.failed[link.name] = type(error).__name__
        except Exception:  # noqa: BLE001 - a part of somebody else's may fail as it likes (A-21)
            came.failed[link.name] = _UNKNOWN
        else:
            came.ran.append(link.name)
    return came


def _begin(memory: Memory, told: Happening, _: Fired) -> None:
    if told.session is not None:
        memory.start_session(told.session, root=told.root, at=told.at, **told.walls)


def _inject(memory: Memory, told: Happening, came: Fired) -> None:
    came.context = memory.context(
        told.prompt, budget=told.budget, conversation=told.session, **told.walls
    )


def _capture(memory: Memory, told: Happening, came: Fired) -> None:
    came.outcomes += memory.observe(
        list(told.messages), session=told.session, at=told.at, **told.walls
    )


def _notice(memory: Memory, told: Happening, _: Fired) -> None:
    """A session that nobody began is begun, so that what follows has segments to stand in; the
    change of topic itself is told in the transaction of what is captured (A-14)."""
    if told.session is not None:
        memory.start_session(told.session, root=told.root, at=told.at, **told.walls)


def _note(memory: Memory, told: Happening, came: Fired) -> None:
    given, walls = dict(told.given), told.walls
    # Where nobody notices boundaries, nothing of it may hold up what is captured.
    session = None if "boundaries" in came.failed else told.session
    made = memory.observe_tool(
        told.tool, told.output, input=given, session=session, at=told.at, **walls
    )
    came.outcomes.append(made)


def _checkpoint(memory: Memory, told: Happening, _: Fired) -> None:
    if told.session is not None:
        memory.checkpoint(told.session, at=told.at, **told.walls)


def _end(memory: Memory, told: Happening, came: Fired) -> None:
    if told.session is not None:
        came.report = memory.end_session(told.session, at=told.at, **told.walls)


def _rested(step: str) -> Callable[[Any, Happening, Fired], None]:
    """What maintenance does after a session is done when it ends, step by step in the same order;
    here it is told whether it was, and where the link before failed to end it, it ends now."""

    def run(memory: Memory, told: Happening, came: Fired) -> None:
        if came.report is None and came.failed:
            _end(memory, told, came)
        failed = () if came.report is None else came.report.failed
        found = next((one for one in failed if one.startswith(step)), None)
        if found is not None:
            raise EngraphyError(found)

    return run


CHAIN = (
    Link("session:start", 50, "capture", STORE, _begin),
    Link("prompt:submit", 50, "inject", STORE, _inject),
    Link("tool:post", 100, "boundaries", BOUNDARIES, _notice),
    Link("tool:post", 150, "capture", STORE, _note),
    Link("compact:before", 100, "capture", STORE, _checkpoint),
    Link("turn:stop", 100, "capture", STORE, _capture),
    Link("session:end", 100, "capture", STORE, _end),
    Link("session:end", 200, "consolidation", CONSOLIDATION, _rested("consolidate")),
    Link("session:end", 300, "compression", COMPRESSION, _rested("compress")),
)
"""The documents' events and priorities, and what coding agents tell beside them: that a turn is
over, and that a conversation is about to be condensed."""
