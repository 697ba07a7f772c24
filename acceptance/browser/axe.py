"""axe-core (npm) on a page: what it finds wrong, by its rules for WCAG 2.2 AA and best practice."""

import shutil
import subprocess
from typing import Any

from look import Eye, folder

_PACKAGE = "axe-core@4.14.1"
_RUN = """
() => axe.run(document, {resultTypes: ['violations'], runOnly: {type: 'tag', values:
  ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}})
"""


def source() -> str:
    """Its script; it is installed where it is not yet."""
    place = folder("node")
    file = place / "node_modules/axe-core/axe.min.js"
    if not file.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("npm is needed to install axe-core")
        words = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place))
        subprocess.run([npm, *words, _PACKAGE], check=True, capture_output=True)
    return file.read_text(encoding="utf-8")


def found(eye: Eye, script: str) -> list[str]:
    """What is wrong with the page that an eye looks at: rule, how grave, where."""
    eye.page.evaluate(script)
    told: dict[str, Any] = eye.page.evaluate(_RUN)
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['target']} "
        f"{one['nodes'][0]['html'][:160]} | {_why(one['nodes'][0])}"
        for one in told["violations"]
    ]


def _why(node: dict[str, Any]) -> str:
    told = [part["message"] for kind in ("any", "all", "none") for part in node[kind]]
    return told[0][:200] if told else ""
