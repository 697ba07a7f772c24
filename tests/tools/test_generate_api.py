"""The page of verbs, values and errors."""

import inspect
from pathlib import Path

import pytest

import generate_api
from engraphy import Memory, errors
from engraphy.model import outcome


class Shelf:
    """Keeps labels."""

    def __init__(self, first: str = "a", *, limit: int = 9) -> None:
        self.labels = [first] * limit

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.labels)

    def put(self, label: str, *, at: object = None, **more: str) -> list[str]:
        """Put a label on it."""
        return [label, *more]


class Silent(Shelf):
    """Has a verb without words."""

    def take(self) -> int:
        return 1


class Strange(Shelf):
    """Gives back what no page shows."""

    def give(self) -> "Shelf | None":
        """Give one."""
        return None

    def lend(self) -> complex:
        """Lend one."""
        return 1j


def test_verbs() -> None:
    """Signatures stand as written, without self; a property has no parentheses."""
    page = generate_api.verbs(Shelf)
    assert "## Shelf\n\n```python\nShelf(first: str = 'a', *, limit: int = 9)\n```" in page
    assert "put(label: str, *, at: object = None, **more: str) -> list[str]" in page
    assert "### size\n\n```python\nsize -> int\n```\n\nHow many there are." in page


@pytest.mark.long
def test_everything_public_is_shown() -> None:
    """Every verb, every result value and every error has its place on the page."""
    page = generate_api.page()
    for name, _ in inspect.getmembers(Memory):
        if not name.startswith("_"):
            assert f"\n### {name.rstrip('_')}\n" in page, name
    for name, value in vars(outcome).items():
        if inspect.isclass(value) and value.__module__ == outcome.__name__:
            assert f"\n### model.{name}\n" in page, name
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, errors.EngraphyError):
            assert f"- **{name}**" in page, name


def test_undocumented() -> None:
    """A verb without words, and a result that is not shown, are errors that name them."""
    with pytest.raises(generate_api.UndocumentedError, match=r"Silent\.take"):
        generate_api.verbs(Silent)
    with pytest.raises(generate_api.UndocumentedError, match="not shown: complex"):
        generate_api.check_results(Strange, {"Values": (Shelf,)})


def test_error_without_words() -> None:
    """An error class says its message itself; it does not inherit one."""

    class LoudError(Exception):
        """It is {volume}."""

    class MuteError(LoudError):
        pass

    with pytest.raises(generate_api.UndocumentedError, match="MuteError"):
        list(generate_api.error_rows(LoudError))


def test_differing_classes() -> None:
    """The async class has the verbs of the other one, no more and no fewer."""
    with pytest.raises(generate_api.UndocumentedError, match="take"):
        generate_api.awaited(Shelf, Silent)


@pytest.mark.long
def test_check(tmp_path: Path) -> None:
    """`--check` passes on a fresh page, fails on a stale or missing one, and writes nothing."""
    (tmp_path / "docs").mkdir()
    root = ["--root", str(tmp_path)]
    assert generate_api.main(["--check", *root]) == 1
    assert generate_api.main(root) == 0
    assert generate_api.main(["--check", *root]) == 0
    target = tmp_path / "docs/api.md"
    target.write_text("old")
    assert generate_api.main(["--check", *root]) == 1
    assert target.read_text() == "old"
