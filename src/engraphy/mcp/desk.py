"""Where calls are worked on: the memory, opened when it is first needed, and who is asking.

A desk is shared by the server's threads. It is loaded by dotted name, as everything heavy comes
with it.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from engraphy.errors import ConfirmationRequiredError, EngraphyError, NotFoundError
from engraphy.mcp.options import Answer, Options
from engraphy.memory import Memory
from engraphy.model import Kind, Scope
from engraphy.operations import operation
from engraphy.operations.reference import take_in
from engraphy.operations.toolset import Tool, toolset
from engraphy.plain import plain
from engraphy.project import note_place, placed, project_of, tops_of
from engraphy.settings import agents_folder, agents_session, graph_file
from engraphy.text.fence import sanitise_visible
from engraphy.verbs.base import Reading

_AUTO, _NONE = "auto", "none"
_MOST = 1_000
_LINES = 20


def standing(options: Options) -> dict[str, str | None]:
    """The walls that a server stands in, None for what is shared only, and its session."""
    told = {name: getattr(options, name) for name in ("user", "agent", "project", "session")}
    held = {name: one for name, one in told.items() if one not in (None, _NONE)}
    if held.get("project") == _AUTO:
        held["project"] = project_of(agents_folder())
        note_place(agents_folder())
    if held.get("session") == _AUTO:
        held["session"] = agents_session()
    return held


class Desk:
    """A toolset over a memory that is opened on demand."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lock = Lock()
        self._memory: Memory | None = None
        self._file: tuple[int, int] | None = None
        self._taken = False
        self.tools = toolset(options.toolset)
        self.standing = standing(options)
        self._roots = tops_of(agents_folder()) if options.project == _AUTO else ()

    @property
    def walls(self) -> Reading:
        """Who is asking, without the session, which narrows nothing."""
        told: Reading = {}
        for name in ("user", "agent", "project"):
            if (wall := self.standing.get(name)) is not None:
                told[name] = wall
        return told

    def call(self, name: str, values: Mapping[str, Any]) -> Answer:
        """Run a tool. What goes wrong in a way that we know of is an answer that says so."""
        try:
            tool = self.tools.tool(name)
            if self._options.demand is not None:
                self._options.demand(tool.verb)
            memory = self.memory()
            if self.tools.name == "reference":
                self._take_in(memory)
            told = self.tools.run(memory, name, placed(values, self._roots), self.standing)
        except EngraphyError as error:
            return Answer(text=_said(error), failed=True)
        return self._answer(tool, told)

    def page(self, verb: str, values: Mapping[str, Any]) -> Any:
        """What an operation gives for these walls, without what is empty; or the last receipt, or
        the graph of the reference tools. Raises EngraphyError."""
        if verb == "graph":
            return self.tools.run(self.memory(), "read_graph", {}, self.standing)
        if verb == "last_receipt":
            return self._last_receipt()
        return visible(lean(plain(operation(verb).run(self.memory(), {**values, **self.walls}))))

    def _last_receipt(self) -> Any:
        """What was put into a prompt last: of this session where it has a name. Raises
        NotFoundError where nothing was."""
        where: Reading = {**self.walls, "session": self.standing.get("session")}
        found = self.memory().receipts(limit=1, **where)
        if not found:
            raise NotFoundError("Nothing was put into a prompt yet.", id="receipts/last")
        return visible(lean(plain(found[0])))

    def block(self, question: str) -> str:
        """The block of memories for a question."""
        return self.memory().context(question, **self.walls).text

    def lines(self, about: str) -> str:
        """What is remembered of a topic, or the newest of all, a line each with its id."""
        memory = self.memory()
        if about.strip():
            rows = [one.memory for one in memory.recall(about, limit=_LINES, **self.walls)]
        else:
            rows = memory.list(limit=_LINES, **self.walls)
        return "\n".join(
            f"- [{one.id}] {' '.join(sanitise_visible(one.content).split())}" for one in rows
        )

    def ids(self) -> list[str]:
        """The ids of the newest memories."""
        return [one.id for one in self.memory().list(limit=_MOST, **self.walls)]

    def kinds(self) -> list[str]:
        """Every kind that there is."""
        return [one.value for one in Kind]

    def subjects(self) -> list[str]:
        """What facts are known of."""
        found = self.memory().facts(limit=_MOST, **self.walls)
        return sorted({one.subject for one in found})

    def projects(self) -> list[str]:
        """The projects that hold anything: none where the server stands in one."""
        if "project" in self.standing:
            return []
        here = {one.project for one in self.memory().walls() if _seen(one, self.walls)}
        return sorted(one for one in here if one is not None)

    def memory(self) -> Memory:
        """The memory, opened where it is not, or where another file stands in its place by now.
        Raises the errors of opening one; the next call tries again."""
        if self._options.given is not None:
            return self._options.given
        with self._lock:
            if self._memory is not None and _identity(self._memory.path) != self._file:
                self._memory.close()
                self._memory = None
            if self._memory is None:
                self._memory = Memory(**self._options.opening)
                self._file = _identity(self._memory.path)
            return self._memory

    def close(self) -> None:
        """Close the memory: what waits to be extracted is, for at most ten seconds."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None

    def _take_in(self, memory: Memory) -> None:
        """The graph of the server whose place this one takes, where its file is told."""
        with self._lock:
            if not self._taken:
                file = graph_file()
                if file is not None:
                    take_in(memory, self.walls, file)
                self._taken = True

    def _answer(self, tool: Tool, told: Any) -> Answer:
        if tool.text and isinstance(told, dict):
            return Answer(text=str(told.get(tool.text) or "Nothing that is remembered fits."))
        whole = told if isinstance(told, dict) else {tool.envelope or "result": told}
        if not self.tools.exact:
            whole = {**({tool.envelope: []} if tool.envelope else {}), **visible(lean(whole))}
        if tool.shown:
            return Answer(text=_text(whole[tool.shown]), structured=whole)
        indent = 2 if self.tools.exact else None
        return Answer(text=_text(whole, indent), structured=whole)


def _line(content: str) -> str:
    return " ".join(sanitise_visible(content).split())


def _seen(scope: Scope, walls: Reading) -> bool:
    """Whether a caller of these walls sees what lives there, the project aside."""
    return all(getattr(scope, name) in (None, walls.get(name)) for name in ("user", "agent"))


def lean(value: Any) -> Any:
    """A JSON value without what says nothing: null, and empty texts, lists and objects."""
    if isinstance(value, dict):
        slim = {name: lean(one) for name, one in value.items()}
        return {name: one for name, one in slim.items() if one not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [lean(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value


def visible(value: Any) -> Any:
    """A JSON value as a reader would see it: what shows nothing, or changes how the rest shows,
    reaches no model (P-09); stored texts stay as they are."""
    if isinstance(value, str):
        return sanitise_visible(value)
    if isinstance(value, dict):
        return {name: visible(one) for name, one in value.items()}
    return [visible(one) for one in value] if isinstance(value, list | tuple) else value


def _text(value: Any, indent: int | None = 2) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=indent)


def _said(error: EngraphyError) -> str:
    """An error as a model can act on it; where other memories match than were shown, those."""
    if not isinstance(error, ConfirmationRequiredError):
        return str(error)
    ids, previews = (error.details.get(name) for name in ("ids", "previews"))
    if not isinstance(ids, Sequence) or not isinstance(previews, Sequence):
        return str(error)
    shown = (
        f"{one}: {sanitise_visible(str(text))}" for one, text in zip(ids, previews, strict=False)
    )
    return "\n".join([str(error), *shown])


def _identity(path: str) -> tuple[int, int] | None:
    """Which file stands at a path; None where there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
