"""Writes what the MCP server announces of each toolset (src/engraphy/mcp/tools/NAME.json).

Rendered from the operations; with --check nothing is written and the exit code says whether the
files are fresh.
"""

import json
import sys
from pathlib import Path

from engraphy.mcp.rendering import rendered
from engraphy.operations.toolset import NAMES, toolset

FOLDER = Path(__file__).parent.parent / "src/engraphy/mcp/tools"


def pages() -> dict[Path, str]:
    made = {}
    for name in NAMES:
        text = json.dumps(rendered(toolset(name)), ensure_ascii=False, indent=1)
        made[FOLDER / f"{name}.json"] = f"{text}\n"
    return made


def main(arguments: list[str]) -> int:
    wanted = pages()
    stale = [
        file
        for file, text in wanted.items()
        if not file.exists() or file.read_text("utf-8") != text
    ]
    left = [file for file in FOLDER.glob("*.json") if file not in wanted]
    if "--check" in arguments:
        for file in (*stale, *left):
            print(f"{file.name} is not fresh: run make docs")
        return int(bool(stale or left))
    FOLDER.mkdir(exist_ok=True)
    for file in stale:
        file.write_text(wanted[file], encoding="utf-8")
    for file in left:
        file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
