"""What each package offers is exactly what its `__all__` says."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import engraphy

ROOT = Path(engraphy.__file__).parent
INITS = sorted(ROOT.rglob("__init__.py"))


def dotted(file: Path) -> str:
    """The dotted name of a package."""
    return ".".join(("engraphy", *file.parent.relative_to(ROOT).parts))


def bound(body: list[ast.stmt]) -> Iterator[str]:
    """Names of ours that a package's own statements bind, `if TYPE_CHECKING` included."""
    for node in body:
        match node:
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "engraphy":
                yield from (alias.asname or alias.name for alias in node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign():
                yield from (one.id for one in node.targets if isinstance(one, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.If():
                yield from bound(node.body)


@pytest.mark.parametrize("file", INITS, ids=dotted)
def test_all_is_exact(file: Path) -> None:
    """`__all__` is sorted, without repetition, and equals the public names of the package."""
    package = import_module(dotted(file))
    names = list(getattr(package, "__all__", ()))
    assert names == sorted(set(names))
    body = ast.parse(file.read_text(encoding="utf-8")).body
    # A word of `typing`, which is not imported where hooks pass: no name of ours.
    public = {name for name in bound(body) if not name.startswith("_")} - {"TYPE_CHECKING"}
    assert {name for name in names if not name.startswith("__")} == public


@pytest.mark.parametrize("file", INITS, ids=dotted)
def test_all_can_be_had(file: Path) -> None:
    """Every name of `__all__` is there."""
    package = import_module(dotted(file))
    assert [name for name in getattr(package, "__all__", ()) if not hasattr(package, name)] == []


@pytest.mark.parametrize("name", ["engraphy", "engraphy.cli"])
def test_importing_loads_nothing_heavy(name: str) -> None:
    """Neither the package nor its command line loads numpy, apsw, rich or asyncio by itself."""
    heavy = "{'numpy', 'apsw', 'rich', 'asyncio', 'onnxruntime'}"
    code = f"import sys, {name}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_values_are_no_dataclasses(tmp_path: Path) -> None:
    """A store that is opened and asked makes a handful of dataclasses at most: each takes some
    forty times as long as a `Record`, and there are hundreds of values."""
    code = (
        "import gc, engraphy\n"
        f"with engraphy.Memory({str(tmp_path / 'm.db')!r}) as memory:\n"
        "    memory.remember('The heron nests by the lake')\n"
        "    memory.recall('where does the heron nest?')\n"
        "made = [one for one in gc.get_objects() if isinstance(one, type)]\n"
        "made = [one for one in made if '__dataclass_params__' in vars(one)]\n"
        "print(len({one for one in made if one.__module__.startswith('engraphy')}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert int(done.stdout) <= 10
