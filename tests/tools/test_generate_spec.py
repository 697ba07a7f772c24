"""The page of kept rows."""

from pathlib import Path

import pytest

import generate_spec

ROWS = """
[[group]]
title = "First"
[group.rows]
A-01 = "One"
A-02 = "Two"
A-03 = "Three"
"""

TESTS = '''
import pytest

@pytest.mark.slow
@pytest.mark.spec("A-01", "A-02")
def test_one():
    """Rule."""

class TestMany:
    @pytest.mark.spec("A-02")
    def test_two(self):
        """Rule."""
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with three rows and two marked tests."""
    for folder in ("docs", "tests/room"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs/spec_rows.toml").write_text(ROWS)
    (tmp_path / "tests/room/test_a.py").write_text(TESTS)
    return tmp_path


def test_page(repository: Path) -> None:
    """Every row is listed with the tests that claim it, or as not yet kept."""
    assert generate_spec.main(["--root", str(repository)]) == 0
    page = (repository / "docs/spec.md").read_text()
    first, second = (
        f"`tests/room/test_a.py::{name}`" for name in ("TestMany.test_two", "test_one")
    )
    assert f"| A-01 | One | {second} |" in page
    assert f"| A-02 | Two | {first}<br>{second} |" in page
    assert "| A-03 | Three | not yet |" in page
    assert "**2 of 3 rows" in page


def test_module_mark() -> None:
    """A module's own mark counts for the module."""
    source = 'import pytest\npytestmark = [pytest.mark.slow, pytest.mark.spec("A-03")]\n'
    assert list(generate_spec.marks(source)) == [("A-03", "")]


def test_unknown_row(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim on a row that does not exist fails and says where it is made."""
    file = repository / "tests/room/test_a.py"
    file.write_text(TESTS.replace("A-01", "Z-99"))
    assert generate_spec.main(["--root", str(repository)]) == 1
    assert "Z-99 in tests/room/test_a.py::test_one" in capsys.readouterr().out


def test_check(repository: Path) -> None:
    """`--check` passes on a fresh page and fails on a stale one."""
    assert generate_spec.main(["--check", "--root", str(repository)]) == 1
    assert generate_spec.main(["--root", str(repository)]) == 0
    assert generate_spec.main(["--check", "--root", str(repository)]) == 0
    (repository / "tests/room/test_a.py").write_text("")
    assert generate_spec.main(["--check", "--root", str(repository)]) == 1
