"""What the plugin for OpenCode tells of, in the runtime that OpenCode's plugins have."""

import json
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """
import json, sys
said = sys.stdin.read()
with open(sys.argv[1], "a") as file:
    file.write(json.dumps([sys.argv[-1], json.loads(said)]) + "\\n")
"""
_RUN = """
import { Engraphy } from "./engraphy.mjs";
const sessions = { one: {}, two: { parentID: "one" } };
const client = { session: { get: async ({ path }) => ({ data: sessions[path.id] }) } };
const told = await Engraphy({ client, directory: "/shop", worktree: "/" });
const added = { type: "text", text: "x", synthetic: true };
const said = (text) => ({ parts: [{ type: "text", text }, added] });
const properties = { info: { id: "three", parentID: "one" } };
await told.event({ event: { type: "session.created", properties } });
for (const session of ["one", "two", "three"]) {
  await told["chat.message"]({ sessionID: session }, said(`told ${session}`));
  await told.event({ event: { type: "session.idle", properties: { sessionID: session } } });
}
await told["tool.execute.after"]({ sessionID: "two", tool: "bash", args: {} }, { output: "ok" });
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node to run a plugin with")
def test_only_the_users_sessions_have_the_users_words(tmp_path: Path) -> None:
    """What an agent tells a subagent, whose session has a parent, is no prompt of the user's; what
    a tool brings there is told all the same."""
    log = tmp_path / "log"
    program = json.dumps([sys.executable, str(tmp_path / "program.py"), str(log)])
    text = files("engraphy.agents").joinpath("assets/opencode.js").read_text(encoding="utf-8")
    (tmp_path / "engraphy.mjs").write_text(text.replace('"{engraphy}"', program))
    (tmp_path / "program.py").write_text(_PROGRAM)
    (tmp_path / "run.mjs").write_text(_RUN)
    subprocess.run(["node", "run.mjs"], cwd=tmp_path, check=True, timeout=60)
    lines: list[tuple[str, dict[str, Any]]] = [
        json.loads(one) for one in log.read_text().splitlines()
    ]
    assert [(event, told["session_id"], told.get("prompt")) for event, told in lines] == [
        ("SessionStart", "one", None),
        ("UserPromptSubmit", "one", "told one"),
        ("Stop", "one", None),
        ("PostToolUse", "two", None),
    ]
