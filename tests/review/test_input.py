"""What callers hand over is checked the same way, whatever form it comes in."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from engraphy import Memory
from engraphy.errors import InvalidInputError
from engraphy.model import Message, Role

KEY = "AKIAIOSFODNN7EXAMPLE"
WRONG: Mapping[str, Callable[[Memory, Path], object]] = {
    "touch of recall": lambda m, _: m.recall("x", touch="no"),  # type: ignore[arg-type]
    "touch of get": lambda m, _: m.get("x", touch=None),  # type: ignore[arg-type]
    "current": lambda m, _: m.facts(current="no"),  # type: ignore[arg-type]
    "everything": lambda m, to: m.export(to / "e", everything="no"),  # type: ignore[arg-type]
    "deep": lambda m, _: m.doctor(deep="no"),  # type: ignore[arg-type]
    "dry_run": lambda m, _: m.dream(dry_run="no"),  # type: ignore[arg-type]
    "progress of observe": lambda m, _: m.observe("I moved to Rome", progress=5),  # type: ignore[arg-type]
    "progress of import": lambda m, to: m.import_(to / "e", progress=5),  # type: ignore[arg-type]
    "progress of reembed": lambda m, _: m.reembed(progress=5),  # type: ignore[arg-type]
    "metadata": lambda m, _: m.remember("abc", metadata=range(3)),
    "pinned": lambda m, _: m.list(pinned="\ud800"),
    "clock": lambda _, to: Memory(to / "c.db", clock=5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", WRONG)
def test_what_only_looks_like_a_value_is_refused(name: str, memory: Memory, tmp_path: Path) -> None:
    """Flags are True or False and what is to be called can be; nothing is written first."""
    with pytest.raises(InvalidInputError):
        WRONG[name](memory, tmp_path)
    assert memory.stats().total == 0
    assert not (tmp_path / "e").exists()


def test_a_message_value_is_read_like_a_mapping(memory: Memory) -> None:
    """A `Message` of the caller's own making brings no secret past the redaction (P-14)."""
    said = Message(
        role=Role.USER,
        content="I moved to Rome in May",
        name=KEY,
        metadata=(("password", "hunter2-Secret99"), ("key", KEY)),
    )
    memory.observe([said])
    (row,) = memory.list()
    assert KEY not in repr(row)
    assert "hunter2" not in repr(row)


@pytest.mark.parametrize(
    "wrong",
    [{"content": 5}, {"role": "boss"}, {"at": 1.5}, {"name": 5}, {"metadata": ("x",)}],
    ids=str,
)
def test_a_wrong_message_value_is_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    """A `Message` with a wrong field is refused by the field's name."""
    right = {"role": Role.USER, "content": "I moved to Rome in May"}
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        memory.observe([Message(**{**right, **wrong})])
    assert memory.stats().total == 0
