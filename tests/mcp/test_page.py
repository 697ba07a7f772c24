"""The page about the server says what is so."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from engraphy.operations.toolset import NAMES, toolset

PAGE = Path(__file__).resolve().parents[2] / "docs/mcp.md"


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is printed."""
    monkeypatch.chdir(tmp_path)
    [block] = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    exec(compile(block, str(PAGE), "exec"), vars(ModuleType("page")))


def test_every_toolset_and_default_tool_is_named() -> None:
    """None is left out."""
    text = PAGE.read_text("utf-8")
    for name in (*NAMES, *(one.name for one in toolset("default").tools)):
        assert name == "default" or f"`{name}`" in text, name
