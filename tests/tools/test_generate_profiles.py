"""The page of knobs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

import generate_profiles
from engraphy.profile import Profile, names


class Oven(msgspec.Struct):
    """What bakes."""

    heat: Annotated[int, Meta(ge=0, le=300)]
    """Degrees | none."""
    time: Annotated[float, Meta(gt=0.0, le=9.5)]


class Kitchen(msgspec.Struct):
    """A room."""

    name: str
    oven: Oven


def kitchens(**hot: Any) -> dict[str, Any]:
    """Two kitchens, the second with other values."""
    cold = {"heat": 0, "time": 1.5}
    return {
        name: {"name": name, "inherits": "", "description": "", "oven": oven}
        for name, oven in (("cold", cold), ("hot", cold | hot))
    }


def test_page_of_a_shape() -> None:
    """A knob's row has its range, its value in each profile, bold where it differs, its words."""
    page = generate_profiles.page(Kitchen, kitchens(heat=200))
    assert "| knob | allowed | `cold` | `hot` | what it is |" in page
    assert "| `heat` | whole number, 0 to 300 | 0 | **200** | Degrees \\| none. |" in page
    assert "| `time` | number, above 0 to 9.5 | 1.5 | 1.5 |  |" in page
    assert "### oven\n\nWhat bakes." in page


def is_section(kind: object) -> bool:
    """Whether a field's type is a table of knobs by itself."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def sections(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, type]]:
    """Every table of a shape by its dotted name, those inside tables too."""
    for field in msgspec.structs.fields(kind):
        if is_section(field.type):
            name = f"{path}.{field.name}".lstrip(".")
            yield name, field.type
            yield from sections(field.type, name)


def test_every_knob_of_every_profile() -> None:
    """Every section and every knob of the shipped shape has its row, every profile its column."""
    page = generate_profiles.page()
    for section, kind in sections(Profile):
        _, _, text = page.partition(f"\n### {section}\n")
        table, _, _ = text.partition("\n### ")
        for knob in msgspec.structs.fields(kind):
            if not is_section(knob.type):
                assert f"\n| `{knob.name}` | " in table, (section, knob.name)
        assert all(f" `{name}` |" in table for name in names())
    assert Profile.__struct_fields__[:3] == ("name", "description", "inherits")


def test_unknown_type() -> None:
    """A type without words, and a number without both ends, are errors."""

    class Odd(msgspec.Struct):
        when: bytes

    class Endless(msgspec.Struct):
        number: Annotated[int, Meta(ge=0)]

    for shape in (Odd, Endless):
        (field,) = msgspec.inspect.type_info(shape).fields  # type: ignore[attr-defined]
        with pytest.raises(generate_profiles.UnknownTypeError, match="no words for"):
            generate_profiles.type_words(field.type)


@pytest.mark.long
def test_check(tmp_path: Path) -> None:
    """`--check` passes on a fresh page, fails on a stale or missing one, and writes nothing."""
    (tmp_path / "docs").mkdir()
    root = ["--root", str(tmp_path)]
    assert generate_profiles.main(["--check", *root]) == 1
    assert generate_profiles.main(root) == 0
    assert generate_profiles.main(["--check", *root]) == 0
    target = tmp_path / "docs/profiles.md"
    target.write_text("old")
    assert generate_profiles.main(["--check", *root]) == 1
    assert target.read_text() == "old"
