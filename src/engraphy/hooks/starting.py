"""Processes of ours that belong to nobody."""

import subprocess
import sys
from typing import Any


def start(home: str, command: list[str]) -> int:
    """Start a process of ours that belongs to nobody: it outlives the agent, and holds none of its
    files. Its id."""
    told: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        told = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NO_WINDOW}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "engraphy.cli", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
        cwd=home,
        **told,
    )
    return process.pid
