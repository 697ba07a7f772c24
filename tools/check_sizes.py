"""Check that functions and modules stay short.

A function has at most 60 lines (docstring included), a module at most 300; the median function
of src/ has at most 8 lines beside its docstring. Overloads and protocol methods count as written.
"""

import argparse
import ast
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FUNCTION_LINES = 60
MODULE_LINES = 300
MEDIAN_LINES = 8
FOLDERS = ("src", "tools", "benchmarks", "prove")


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function: where it is, its lines in all and without its docstring."""

    place: str
    name: str
    lines: int
    code_lines: int


def functions(source: str, place: str) -> Iterator[Function]:
    """Every function of a module, nested ones too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Function(
                place=f"{place}:{node.lineno}",
                name=node.name,
                lines=lines,
                code_lines=lines - _docstring_lines(node),
            )


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    if ast.get_docstring(node, clean=False) is None:
        return 0
    first = node.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def too_long(file: Path, place: str) -> Iterator[str]:
    """What breaks a bound in one module."""
    source = file.read_text(encoding="utf-8")
    if (lines := len(source.splitlines())) > MODULE_LINES:
        yield f"{place}: {lines} lines, a module has at most {MODULE_LINES}"
    for one in functions(source, place):
        if one.lines > FUNCTION_LINES:
            yield f"{one.place}: {one.name} has {one.lines} lines, at most {FUNCTION_LINES}"


def median(files: list[Path]) -> tuple[float, float, int]:
    """Median lines without and with docstring, and how many functions there are."""
    found = [one for file in files for one in functions(file.read_text(encoding="utf-8"), "")]
    if not found:
        return 0.0, 0.0, 0
    return (
        statistics.median(one.code_lines for one in found),
        statistics.median(one.lines for one in found),
        len(found),
    )


def main(arguments: list[str] | None = None) -> int:
    """Print what is too long; returns 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: here)")
    root = parser.parse_args(arguments).root
    modules = [file for folder in FOLDERS for file in sorted((root / folder).rglob("*.py"))]
    problems = [
        problem for file in modules for problem in too_long(file, file.relative_to(root).as_posix())
    ]
    code, whole, number = median(sorted((root / "src").rglob("*.py")))
    if code > MEDIAN_LINES:
        problems.append(f"src: the median function has {code:g} lines, at most {MEDIAN_LINES}")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(
        f"{len(modules)} modules; src has {number} functions,"
        f" median {code:g} lines ({whole:g} with docstring); {len(problems)} too long"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
