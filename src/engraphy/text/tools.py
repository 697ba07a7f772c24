"""Which tool it is that an agent used: what it does, under whatever name it goes."""

from functools import cache
from typing import Literal, get_args

from engraphy.text.datafiles import table

Role = Literal["write", "read", "run", "search", "list", "web", "plan", "ask", "own", "other"]
"""What a tool does: changes files, reads one, runs a command, searches, lists, fetches from the
web, keeps a plan, asks another agent, is a memory's own, or something else."""

_PARTS = ("edit", "write", "patch", "create", "replace", "insert")
_MCP = "mcp__"
_LONGEST = 200


def role(tool: str) -> Role:
    """What a tool does by its name, in any case and spelling (A-15).

    `mcp__server__name` is judged by its last part, unless the server is a memory.
    """
    server, name = _split(tool)
    if any(one in server for one in words("roles", "own_servers")):
        return "own"
    known = _roles().get(name)
    if known is not None:
        return known
    return "write" if any(part in name for part in _PARTS) else "other"


def plain_name(tool: str) -> str:
    """A tool's name in lower case without separators."""
    return "".join(letter for letter in tool[:_LONGEST].lower() if letter.isalnum())


@cache
def words(section: str, key: str) -> tuple[str, ...]:
    """The words under a key of the tools' data, in their order."""
    return tuple(str(table("tools")[section][key]).split())


def _split(tool: str) -> tuple[str, str]:
    if not tool.lower().startswith(_MCP):
        return "", plain_name(tool)
    server, _, name = tool[len(_MCP) : _LONGEST].rpartition("__")
    return plain_name(server), plain_name(name)


@cache
def _roles() -> dict[str, Role]:
    named: dict[str, Role] = {}
    for one in get_args(Role):
        if one != "other":
            named |= dict.fromkeys(words("roles", one), one)
    return named
