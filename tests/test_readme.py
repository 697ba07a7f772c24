"""The examples of the README run, in order, as they are printed."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"


def examples() -> list[str]:
    """The Python blocks of the README."""
    return re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_ten_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least ten public-API examples stand in the README and run from top to bottom."""
    monkeypatch.chdir(tmp_path)
    blocks = examples()
    assert len(blocks) >= 10
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(README), "exec"), names)
