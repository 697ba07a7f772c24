"""The eight modules of LetsGo's memory for Amplifier (document 000).

    tool-memory-store            config: path, profile, user, agent, project
    hooks-memory-inject          prompt:submit 50
    hooks-memory-boundaries      tool:post 100
    hooks-memory-capture         session:start 50, tool:post 150, session:end 100
    hooks-memory-consolidation   session:end 200
    hooks-memory-compression     session:end 300
    hooks-memory-memorability    only its capability
    hooks-memory-temporal        only its capability

Installing engraphy offers them under these names (entry points `amplifier.modules`). The store is
opened at the first event: what is not mounted is left out of its profile, so that any module but
the store may be missing. A handler that fails says so in its trace, and never to the host.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from engraphy.adapters.walls import Walls
from engraphy.chain import CHAIN, Fired, Happening, Link, Registry, fire
from engraphy.errors import EngraphyError, MissingExtraError
from engraphy.memory import Memory
from engraphy.opening import open_profile
from engraphy.operations.shape import Argument
from engraphy.operations.toolset import Tool, toolset
from engraphy.profile import without
from engraphy.profile.registry import (
    BOUNDARIES,
    COMPRESSION,
    CONSOLIDATION,
    MEMORABILITY,
    OPTIONAL,
    STORE,
    TEMPORAL,
)
from engraphy.project import project_of

try:
    from amplifier_core import HookResult, ToolResult
except ImportError as error:
    raise MissingExtraError(extra="amplifier") from error

PROFILE = "letsgo"
_FOLDER = "session.working_dir"
_OUTPUTS = ("tool_response", "result", "tool_result", "output")
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "objects": {"type": "array", "items": {"type": "object"}},
}
Unmount = Callable[[], None]


class Store:
    """The capability `memory.store`: the memory, opened when it is first asked for; every verb of
    `Memory` can be called on it."""

    def __init__(self, coordinator: Any, config: Mapping[str, Any]) -> None:
        self._coordinator = coordinator
        self._config = config
        self._lock = Lock()
        self._memory: Memory | None = None
        user, agent = config.get("user"), config.get("agent")
        self.walls = Walls(user=user, agent=agent, project=self._project())

    @property
    def memory(self) -> Memory:
        """Opened with what is mounted by then, and without the rest."""
        with self._lock:
            if self._memory is None:
                profile = self._config.get("profile", PROFILE)
                missing = [x for x in OPTIONAL if self._coordinator.get_capability(x) is None]
                less = without(open_profile(profile), missing)
                path = self._config.get("path")
                self._memory = Memory(path, profile=profile, overrides=less)
            return self._memory

    def __getattr__(self, name: str) -> Any:
        """A verb of the memory."""
        return getattr(self.memory, name)

    def close(self) -> None:
        """Close the memory, where it was opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()

    def _project(self) -> str | None:
        if "project" in self._config:
            return None if self._config["project"] is None else str(self._config["project"])
        folder = self._coordinator.get_capability(_FOLDER)
        return None if folder is None else project_of(Path(str(folder)))


class Parts(Registry):
    """The coordinator's capabilities as the chain of events asks for them."""

    def __init__(self, coordinator: Any) -> None:
        super().__init__()
        self._coordinator = coordinator

    def get(self, name: str) -> Any:
        """The memory, where both the store and this capability are there."""
        offered = self._coordinator.get_capability(name)
        store = self._coordinator.get_capability(STORE)
        return store.memory if offered is not None and isinstance(store, Store) else None


class MemoryTool:
    """One tool of document 001, as Amplifier's `Tool`."""

    def __init__(self, store: Store, tool: Tool) -> None:
        self._store = store
        self._tool = tool
        self.name = tool.name
        self.description = tool.help
        self.input_schema = _schema(tool.arguments)

    async def execute(self, input: Mapping[str, Any]) -> Any:
        """What the tool answers; an error of ours as a result that failed."""
        given = {key: value for key, value in input.items() if not key.startswith("_")}
        try:
            output = await asyncio.to_thread(self._run, given)
        except EngraphyError as error:
            return ToolResult(success=False, error={"message": str(error)})
        return ToolResult(success=True, output=output)

    def _run(self, given: Mapping[str, Any]) -> Any:
        missing = [x.name for x in self._tool.arguments if x.required and x.name not in given]
        if missing:
            raise EngraphyError(f"{self.name} needs: {', '.join(missing)}")
        tools = toolset(PROFILE)
        return tools.run(self._store.memory, self.name, dict(given), self._store.walls.named())


async def mount_store(coordinator: Any, config: Mapping[str, Any] | None = None) -> Unmount:
    """tool-memory-store: the tools of document 001, and the capability `memory.store`."""
    store = Store(coordinator, config or {})
    coordinator.register_capability(STORE, store)
    for tool in toolset(PROFILE).tools:
        made = MemoryTool(store, tool)
        await coordinator.mount("tools", made, name=made.name)
    return store.close


def _hook(name: str, capability: str | None = None, links: Sequence[Link] = ()) -> Any:
    """The `mount` of a hook module: its capability, and its links of the chain."""

    async def mount(coordinator: Any, config: Mapping[str, Any] | None = None) -> Unmount:  # noqa: ARG001 - the kernel's signature
        if capability is not None:
            coordinator.register_capability(capability, name)
        ends = [
            coordinator.hooks.register(
                link.event, _handler(coordinator, link), priority=link.priority, name=name
            )
            for link in links
        ]

        def unmount() -> None:
            for end in ends:
                end()

        return unmount

    mount.__doc__ = f"{name}: {', '.join(f'{x.event} {x.priority}' for x in links) or capability}."
    return mount


def _handler(coordinator: Any, link: Link) -> Callable[[str, Any], Awaitable[Any]]:
    async def handle(event: str, data: Any) -> Any:
        told = _happening(coordinator, data if isinstance(data, Mapping) else {})
        came: Fired = await asyncio.to_thread(fire, Parts(coordinator), event, told, [link])
        block = "" if came.context is None else came.context.text
        if not block:
            return HookResult(action="continue")
        return HookResult(
            action="inject_context",
            context_injection=block,
            context_injection_role="user",
            ephemeral=True,
            suppress_output=True,
        )

    return handle


def _happening(coordinator: Any, data: Mapping[str, Any]) -> Happening:
    store = coordinator.get_capability(STORE)
    walls = store.walls if isinstance(store, Store) else Walls()
    session = data.get("session_id") or coordinator.session_id
    given = data.get("tool_input")
    return Happening(
        session=None if session is None else str(session),
        prompt=str(data.get("prompt") or ""),
        tool=str(data.get("tool_name") or ""),
        given=given if isinstance(given, Mapping) else {},
        output=_output(data),
        root=str(coordinator.get_capability(_FOLDER) or ""),
        **walls.named(),
    )


def _output(data: Mapping[str, Any]) -> Any:
    found = next((data[name] for name in _OUTPUTS if data.get(name) is not None), None)
    if isinstance(found, ToolResult):
        return found.output
    inner = found.get("output") if isinstance(found, Mapping) else None
    return found if inner is None else inner


def _schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    shown = {one.name: _shown(one) for one in arguments}
    required = [one.name for one in arguments if one.required]
    return {"type": "object", "properties": shown, "required": required}


def _shown(one: Argument) -> dict[str, Any]:
    told = {**_TYPES.get(one.type, _TYPES["text"]), "description": one.help}
    return {**told, "enum": list(one.choices)} if one.choices and one.type == "text" else told


def _links(*names: str) -> list[Link]:
    events = ("session:start", "prompt:submit", "tool:post", "session:end")
    return [link for link in CHAIN if link.name in names and link.event in events]


mount_inject = _hook("hooks-memory-inject", links=_links("inject"))
mount_boundaries = _hook("hooks-memory-boundaries", BOUNDARIES, _links("boundaries"))
mount_capture = _hook("hooks-memory-capture", links=_links("capture"))
mount_consolidation = _hook("hooks-memory-consolidation", CONSOLIDATION, _links("consolidation"))
mount_compression = _hook("hooks-memory-compression", COMPRESSION, _links("compression"))
mount_memorability = _hook("hooks-memory-memorability", MEMORABILITY)
mount_temporal = _hook("hooks-memory-temporal", TEMPORAL)
