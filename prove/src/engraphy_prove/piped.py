"""A server of MCP over stdin and stdout, for the proof that writes to it:
`python -m engraphy_prove.piped FILE TOOLSET [BUILD]`."""

import os
import sys
from collections.abc import Iterator
from typing import Any

from engraphy.mcp.options import Answer, Options
from engraphy.mcp.running import over_stdio
from engraphy.mcp.tooling import result
from engraphy_prove.textbuild import Patched, patched

_DEAD = 3


def _silent(text: str) -> Iterator[Any]:  # noqa: ARG001 - the shape of the real one
    """Says nothing to what is no message, as the SDK does."""
    return iter(())


def _raising(answer: Answer) -> Any:
    """Lets what is wrong with a call out."""
    if answer.failed:
        raise RuntimeError(answer.text)
    return result(answer)


def _ending(text: str) -> Iterator[Any]:
    """Ends at a line that is deeper than it likes."""
    if "[[[[" in text:
        os._exit(_DEAD)
    return iter(())


BUILDS = {
    name: Patched(name=told, patches=((module, function, new),))
    for name, told, module, function, new in (
        ("silent", "says nothing to what is no message", "engraphy.mcp.lines", "refusals", _silent),
        ("raising", "lets errors of calls out", "engraphy.mcp.tooling", "result", _raising),
        ("ending", "ends at a deep line", "engraphy.mcp.lines", "refusals", _ending),
    )
}


def main() -> None:
    """Serve until the client leaves."""
    file, tools = sys.argv[1:3]
    build = BUILDS.get("".join(sys.argv[3:]))
    opening = {"path": file, "embedder": "none"}
    options = Options(toolset=tools, opening=opening, project="none", session="proof")
    if build is None:
        over_stdio(options)
        return
    with patched(build):
        over_stdio(options)


if __name__ == "__main__":
    main()
