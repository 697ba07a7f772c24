"""Amplifier's own behaviour and structure suites on each of the eight modules.

The suites find a module by its folder: one is made for each, with the package
`amplifier_module_<type>_<name>` in it, which names the mount function of engraphy.
"""

import os
import sys
import tempfile
from pathlib import Path

from suite import run

MODULES = {
    "tool-memory-store": "store",
    "hooks-memory-boundaries": "boundaries",
    "hooks-memory-capture": "capture",
    "hooks-memory-compression": "compression",
    "hooks-memory-consolidation": "consolidation",
    "hooks-memory-inject": "inject",
    "hooks-memory-memorability": "memorability",
    "hooks-memory-temporal": "temporal",
}
TESTS = '''"""The kernel's suites."""

from amplifier_core.validation.behavioral import {kind}BehaviorTests
from amplifier_core.validation.structural import {kind}StructuralTests


class TestBehaviour{number}({kind}BehaviorTests):
    """As they are."""


class TestStructure{number}({kind}StructuralTests):
    """As they are."""
'''


def made(folder: Path) -> None:
    """A folder for each module."""
    for number, (module, mount) in enumerate(MODULES.items()):
        package = (
            folder / f"amplifier-module-{module}" / f"amplifier_module_{module.replace('-', '_')}"
        )
        package.mkdir(parents=True)
        text = (
            f'"""{module}."""\n\nfrom engraphy.adapters.amplifier import mount_{mount} as mount\n'
        )
        (package / "__init__.py").write_text(text)
        kind = "Tool" if module.startswith("tool") else "Hook"
        tests = package.parent / "tests" / f"test_module_{number}.py"
        tests.parent.mkdir()
        tests.write_text(TESTS.format(kind=kind, number=number))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        os.environ["ENGRAPHY_HOME"] = f"{name}/home"
        os.chdir(name)
        made(Path(name))
        options = ["--import-mode=importlib", name, *sys.argv[1:]]
        sys.exit(run("amplifier suites", options, {}))
