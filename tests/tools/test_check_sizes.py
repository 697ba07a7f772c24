"""The size bounds."""

from pathlib import Path

import pytest

import check_sizes


def write(root: Path, text: str, *, folder: str = "src") -> None:
    """One module in a repository of its own."""
    (root / folder).mkdir(exist_ok=True)
    (root / folder / "one.py").write_text(text)


def function(lines: int, *, docstring: int = 0) -> str:
    """A function of that many lines, of which some are its docstring."""
    words = ['    """Words'] + ["    words"] * (docstring - 2) + ['    """'] if docstring else []
    return (
        "\n".join(["def long() -> None:", *words, *["    pass"] * (lines - 1 - docstring)]) + "\n"
    )


@pytest.mark.parametrize(("lines", "code"), [(60, 0), (61, 1)])
def test_function_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int, code: int
) -> None:
    """A function of 60 lines passes, one of 61 is named with its line."""
    write(tmp_path, function(lines), folder="tools")
    assert check_sizes.main(["--root", str(tmp_path)]) == code
    assert ("tools/one.py:1: long has 61 lines" in capsys.readouterr().out) is bool(code)


@pytest.mark.parametrize(("lines", "code"), [(300, 0), (301, 1)])
def test_module_bound(tmp_path: Path, lines: int, code: int) -> None:
    """A module of 300 lines passes, one of 301 does not."""
    write(tmp_path, "x = 1\n" * lines)
    assert check_sizes.main(["--root", str(tmp_path)]) == code


@pytest.mark.parametrize(("lines", "code"), [(8, 0), (9, 1)])
def test_median_bound(tmp_path: Path, lines: int, code: int) -> None:
    """The median of src/ is bounded; docstrings do not count in it."""
    write(tmp_path, function(lines + 20, docstring=20))
    assert check_sizes.main(["--root", str(tmp_path)]) == code


def test_nested_functions_count() -> None:
    """A function inside a function or class is measured too."""
    source = "class A:\n    def f(self):\n        def g():\n            pass\n"
    assert {one.name for one in check_sizes.functions(source, "x")} == {"f", "g"}
