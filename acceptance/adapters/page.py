"""Runs the example of one framework on docs/frameworks.md, as it is printed.

What it leaves to the reader (a memory, a model, a client) is put in its place here.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from engraphy import Memory

PAGE = Path(__file__).resolve().parents[2] / "docs/frameworks.md"


def section(title: str) -> str:
    """The Python block under a heading."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return "".join(re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def openai() -> Any:
    """A model that answers from a list."""
    from agents.testing import ScriptedModel  # noqa: PLC0415 - only where it is installed
    from openai.types.responses import (  # noqa: PLC0415
        ResponseOutputMessage,
        ResponseOutputText,
    )

    part = ResponseOutputText(annotations=[], text="Green tea.", type="output_text", logprobs=[])
    model = ScriptedModel()
    for number in range(2):
        told = {"id": str(number), "role": "assistant", "status": "completed", "type": "message"}
        model.enqueue([ResponseOutputMessage(content=[part], **told)])
    return model


def pydantic() -> Any:
    """The framework's own test model."""
    from pydantic_ai.models.test import TestModel  # noqa: PLC0415 - only where it is installed

    return TestModel()


def microsoft() -> Any:
    """The tests' client."""
    from test_agent_framework import Scripted  # noqa: PLC0415 - only where it is installed

    return Scripted()


GIVEN = {
    "OpenAI Agents SDK": ("model", openai),
    "Pydantic AI": ("model", pydantic),
    "Microsoft Agent Framework": ("client", microsoft),
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["ENGRAPHY_HOME"] = folder
        title = sys.argv[1]
        name, make = GIVEN.get(title, ("nothing", lambda: None))
        with Memory("page.db") as memory:
            space = {"memory": memory, name: make()}
            exec(compile(section(title), str(PAGE), "exec"), space)  # noqa: S102
            if title == "OpenAI Agents SDK":
                asked = str(space["model"].calls[-1].input)
                assert "green tea" in asked, asked
    print(f"page: {title}: runs as printed")
