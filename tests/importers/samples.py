"""Samples of every source, in the formats of the sources, and what of them must come in."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

FIXTURES = Path(__file__).parent / "fixtures"


class Sample(NamedTuple):
    """`where`: the path in the folder of the source; `zipped`, `made`: out of what it is made.
    `question` finds `answer` in the walls `walls`; `never` says what must not come in."""

    source: str
    where: str
    memories: int
    question: str
    answer: str
    walls: dict[str, str]
    never: tuple[str, ...] = ()


SHOP = {"project": "shop-d4673e1e"}
SAMPLES = (
    Sample(
        "auto-memory",
        "",
        4,
        "which package manager for installs?",
        "Use pnpm",
        {"project": "-srv-none-shop"},
        ("(prefers-pnpm.md)",),
    ),
    Sample("basic-memory", "", 6, "water for light roasts", "94 degrees", {}),
    Sample("chatgpt", "export.zip", 2, "where is my garden?", "Utrecht", {}, ("gnomes", "clowns")),
    Sample(
        "claude-ai",
        "export.zip",
        5,
        "what is the sourdough starter called?",
        "Otto",
        {},
        ("margarine", "white bread"),
    ),
    Sample(
        "claude-code",
        "",
        6,
        "when do deployments go out?",
        "Thursdays at 14:00",
        SHOP,
        ("Atlantis", "Narnia", "Redis", "YAML", "ghp_", "hate pnpm", "/compact", "README"),
    ),
    Sample("claude-mem", "claude-mem.db", 3, "VAT rounding", "binary floats", {"project": "shop"}),
    Sample(
        "codex",
        "",
        3,
        "favourite editor",
        "Helix",
        SHOP,
        ("tabs", "Redis", "YAML", "environment_context"),
    ),
    Sample(
        "cursor",
        "",
        1,
        "commit messages",
        "imperative",
        {"project": "srv-none-shop"},
        ("Redis",),
    ),
    Sample(
        "gemini",
        "",
        3,
        "what is my daughter called?",
        "Ada",
        SHOP,
        ("moon", "salt", "linux", "YAML"),
    ),
    Sample("letta", "agent.af", 3, "where does Lena live?", "Graz", {}, ("Redis",)),
    Sample(
        "mem0", "", 6, "seats on trains", "window seats", {"user": "nadia"}, ("Initech", "boat")
    ),
    Sample(
        "obsidian", "", 3, "where do we stay in Shinjuku?", "Gracery", {}, ("Redis", "hate trains")
    ),
    Sample("rules", "", 5, "what to run before every commit", "make check", {}, ("more.md",)),
    Sample("server-memory", "memory.jsonl", 4, "who speaks Spanish?", "John Smith", {}),
)


def made(sample: Sample, folder: Path) -> Path:
    """The sample in a folder of its own, as its source would leave it."""
    target = folder / sample.source
    shutil.copytree(FIXTURES / sample.source, target)
    path = target / sample.where if sample.where else target
    if path.suffix == ".zip":
        zipped(path, target)
    if sample.source == "claude-mem":
        with closing(sqlite3.connect(path)) as database:
            database.executescript((target / "claude-mem.sql").read_text("utf-8"))
    return path


def zipped(path: Path, folder: Path) -> None:
    """An archive of the JSON files of a folder."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in sorted(folder.glob("*.json")):
            archive.write(file, f"export/{file.name}")
