"""Anthropic's memory tool (`memory_20250818`): the files that Claude keeps, as memories.

    from anthropic import Anthropic
    from engraphy.adapters.anthropic import EngraphyMemoryTool

    tool = EngraphyMemoryTool(user="ann")
    Anthropic().beta.messages.tool_runner(
        model="claude-sonnet-5-5", max_tokens=1024, tools=[tool],
        messages=[{"role": "user", "content": "Remember that I like coffee."}],
    ).until_done()

Commands, answers and errors are those of the SDK's own file tool, to the letter. Each file is one
memory with its path as its heading, so that `memory.recall` finds it too; the earlier texts of a
file are its history. Where a folder's size is told, it is that of its files. Secrets are redacted,
and blocks that engraphy injected are taken out.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engraphy.adapters.files import Files, Tree
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import EngraphyError, MissingExtraError
from engraphy.memory import Memory

try:
    from anthropic.lib.tools import (
        BetaAbstractMemoryTool,
        BetaAsyncAbstractMemoryTool,
        ToolError,
    )
    from anyio.to_thread import run_sync
except ImportError as error:
    raise MissingExtraError(extra="anthropic") from error


class EngraphyMemoryTool(BetaAbstractMemoryTool):
    """The memory tool over an engraphy memory; `user`, `agent` and `project` are its walls.

    `memory`: an opened `Memory`, a path, or None for the user's own.
    """

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        cache_control: Any = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = Files(opened(memory), Walls(user=user, agent=agent, project=project))

    def _run(self, command: Callable[[Tree], str]) -> str:
        try:
            return self.files.run(command)
        except EngraphyError as error:
            raise ToolError(str(error)) from error

    def view(self, command: Any) -> str:
        """A folder's files two levels deep, or a file with its lines numbered."""
        return self._run(lambda tree: tree.view(command.path, command.view_range))

    def create(self, command: Any) -> str:
        """A new file; never over one that stands."""
        return self._run(lambda tree: tree.create(command.path, command.file_text))

    def str_replace(self, command: Any) -> str:
        """One place of a file, told by its words."""
        return self._run(
            lambda tree: tree.str_replace(command.path, command.old_str, command.new_str)
        )

    def insert(self, command: Any) -> str:
        """Lines into a file, after the line of that number."""
        return self._run(
            lambda tree: tree.insert(command.path, command.insert_line, command.insert_text)
        )

    def delete(self, command: Any) -> str:
        """A file, or a folder with all in it, for good."""
        return self._run(lambda tree: tree.delete(command.path))

    def rename(self, command: Any) -> str:
        """A file or folder under another path."""
        return self._run(lambda tree: tree.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Every file of these walls; other memories stay."""
        return self._run(lambda tree: tree.clear())


class EngraphyAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`: commands run in threads."""

    def __init__(self, memory: Memory | str | Path | None = None, **given: Any) -> None:
        super().__init__(cache_control=given.get("cache_control"))
        self.tool = EngraphyMemoryTool(memory, **given)

    async def view(self, command: Any) -> str:
        """As `EngraphyMemoryTool.view`."""
        return await run_sync(self.tool.view, command)

    async def create(self, command: Any) -> str:
        """As `EngraphyMemoryTool.create`."""
        return await run_sync(self.tool.create, command)

    async def str_replace(self, command: Any) -> str:
        """As `EngraphyMemoryTool.str_replace`."""
        return await run_sync(self.tool.str_replace, command)

    async def insert(self, command: Any) -> str:
        """As `EngraphyMemoryTool.insert`."""
        return await run_sync(self.tool.insert, command)

    async def delete(self, command: Any) -> str:
        """As `EngraphyMemoryTool.delete`."""
        return await run_sync(self.tool.delete, command)

    async def rename(self, command: Any) -> str:
        """As `EngraphyMemoryTool.rename`."""
        return await run_sync(self.tool.rename, command)

    async def clear_all_memory(self) -> str:
        """As `EngraphyMemoryTool.clear_all_memory`."""
        return await run_sync(self.tool.clear_all_memory)
