"""Random commands against the SDK's own file tool and ours: every answer must be the same text.

Folders' sizes are left out of the comparison (the SDK tells the size of the inode). Where the SDK
lets an error of the operating system through, ours must refuse as well, in whatever words.
"""

import argparse
import asyncio
import random
import re
import tempfile
from pathlib import Path

from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from engraphy import Memory
from engraphy.adapters.anthropic import EngraphyAsyncMemoryTool, EngraphyMemoryTool

NAMES = ("a", "b.md", "c d", ".hid", "é界", "..", ".", "", "deep", "x.txt")
WORDS = ("tea", "coffee", "tea tea", "line\n", "\n", "\r\n", "", "  ", "ünï", "\t", "z" * 40)
FOLDER = re.compile(r"^[\d.]+[BKMG]\t(?=(.*/$))", re.MULTILINE)


def path(chance: random.Random) -> str:
    """A path, now and then one that is none."""
    root = chance.choices(
        ("/memories", "/memoriesx", "/etc", "memories", "/memories/"), (90, 1, 1, 1, 4)
    )
    parts = chance.choices(
        NAMES, weights=(40, 40, 9, 4, 6, 1, 1, 1, 9, 9), k=chance.choice((0, 1, 1, 2, 2, 3))
    )
    return "/".join((root[0], *parts))


def text(chance: random.Random) -> str:
    """A few words and line ends."""
    return "".join(chance.choices(WORDS, k=chance.randint(0, 8)))


def command(chance: random.Random, paths: list[str]) -> dict[str, object]:
    """A random command; often about a path that was named before."""

    def some() -> str:
        chosen = chance.choice(paths) if paths and chance.random() < 0.7 else path(chance)
        paths.append(chosen)
        return chosen

    kind = chance.choice(
        ("view", "view", "create", "create", "str_replace", "insert", "delete", "rename")
    )
    if kind == "view":
        span = chance.choice((None, None, [chance.randint(-2, 4), chance.randint(-1, 6)], []))
        return {
            "command": kind,
            "path": some(),
            **({"view_range": span} if span is not None else {}),
        }
    if kind == "create":
        return {"command": kind, "path": some(), "file_text": text(chance)}
    if kind == "str_replace":
        old = chance.choice(("tea", "tea", "coffee", "z" * 40, *WORDS, text(chance)))
        return {"command": kind, "path": some(), "old_str": old, "new_str": text(chance)}
    if kind == "insert":
        line = chance.randint(-1, 6)
        return {"command": kind, "path": some(), "insert_line": line, "insert_text": text(chance)}
    if kind == "rename":
        return {"command": kind, "old_path": some(), "new_path": some()}
    return {"command": kind, "path": some()}


def answer(tool: object, given: dict[str, object]) -> str:
    """What a tool says, errors included."""
    try:
        said = tool.call(dict(given))
        said = asyncio.run(said) if asyncio.iscoroutine(said) else said
    except ToolError as error:
        return f"ToolError: {error}"
    except OSError as error:
        return f"OSError: {type(error).__name__}"
    return said


def shown(said: str, given: dict[str, object]) -> str:
    """An answer without the sizes of folders."""
    if given["command"] == "view" and said.startswith("Here're"):
        head, first, *rest = said.split("\n")
        return "\n".join((head, first.partition("\t")[2], *(FOLDER.sub("\t", one) for one in rest)))
    return said


def main() -> int:
    """Run the sequences; 1 where any answer differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=200)
    parser.add_argument("--commands", type=int, default=40)
    given = parser.parse_args()
    counts = {"same": 0, "refused alike": 0, "different": 0}
    errors = 0
    for seed in range(given.sequences):
        chance, paths = random.Random(seed), []
        kind = EngraphyAsyncMemoryTool if seed % 10 == 0 else EngraphyMemoryTool
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(Path(folder) / "memory.db", embedder="none")
            theirs, ours = (
                BetaLocalFilesystemMemoryTool(f"{folder}/files"),
                kind(memory, user=f"u{seed}"),
            )
            for _ in range(given.commands):
                wanted = command(chance, paths)
                one, two = answer(theirs, wanted), answer(ours, wanted)
                errors += one.startswith(("ToolError", "OSError"))
                if one.startswith("OSError") and two.startswith("ToolError"):
                    counts["refused alike"] += 1
                elif shown(one, wanted) == shown(two, wanted):
                    counts["same"] += 1
                else:
                    counts["different"] += 1
                    print(f"seed {seed}: {wanted}\n  theirs: {one!r}\n  ours:   {two!r}")
                    break
            memory.close()
    total = sum(counts.values())
    print(f"anthropic oracle: {total} commands, {errors} of them errors: {counts}")
    return int(counts["different"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
