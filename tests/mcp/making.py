"""Servers in this process, and what a client of the SDK says to them."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client

from engraphy.mcp.options import Options
from engraphy.mcp.server import server

Told = TypeVar("Told")
ERAS = ("legacy", "2026-07-28")


def options(folder: Path, toolset: str = "default", **more: Any) -> Options:
    """A server's options over the store of this folder, in the project `shop`."""
    opening = {"path": str(folder / "store.db"), "embedder": "none", **more.pop("opening", {})}
    return Options(toolset=toolset, opening=opening, **{"project": "shop", **more})


def talk(
    told: Options, conversation: Callable[[Client], Awaitable[Told]], mode: str = ERAS[1]
) -> Told:
    """What a conversation with a fresh server comes to; a minute at most."""

    async def run() -> Told:
        with anyio.fail_after(60):
            async with Client(server(told), mode=mode) as client:  # type: ignore[arg-type]
                return await conversation(client)

    return anyio.run(run)


async def called(client: Client, name: str, /, **values: Any) -> dict[str, Any]:
    """The structured answer of a tool, which its text says too. Fails where it is an error."""
    done = await client.call_tool(name, values)
    text = done.content[0].text  # type: ignore[union-attr]
    assert not done.is_error, text
    assert json.loads(text) == done.structured_content
    return dict(done.structured_content or {})


async def refused(client: Client, name: str, /, **values: Any) -> str:
    """The text of a tool's error. Fails where it is none."""
    done = await client.call_tool(name, values)
    assert done.is_error, done.structured_content
    assert done.structured_content is None
    return done.content[0].text  # type: ignore[union-attr]


def remembered(told: Options, *contents: str, **fields: Any) -> list[str]:
    """The ids of what a server of these options was told to remember."""

    async def run(client: Client) -> list[str]:
        made = [await called(client, "remember", content=one, **fields) for one in contents]
        return [one["memory"]["id"] for one in made]

    return talk(told, run)
