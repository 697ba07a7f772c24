"""What is known before anything is loaded: the folder of a user's memory, how hooks are to behave,
the time. For processes that are over before `settings.py` would have been read.
"""

from __future__ import annotations

import os
import sys
import time
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = "engraphy"
_OWN = ("ENGRAPHY_DAEMON", "ENGRAPHY_HOOKS", "ENGRAPHY_HOOK_SECONDS")
_FAMILIES = ("ENGRAPHY_", "MEMORY_", "LETSGO_", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_LONGEST = 60.0
_MICROSECOND = 1_000


def home(environment: Mapping[str, str] | None = None) -> str:
    """ENGRAPHY_HOME, or the user's data folder as `platformdirs` names it."""
    env = os.environ if environment is None else environment
    told = env.get("ENGRAPHY_HOME")
    if told:
        return os.path.expanduser(told)
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Application Support/{_FOLDER}")
    if sys.platform == "win32":
        return os.path.join(_windows(env), _FOLDER)
    data = env.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")
    return os.path.join(data, _FOLDER)


def _windows(env: Mapping[str, str]) -> str:
    return env.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")


def mark(environment: Mapping[str, str] | None = None) -> str:
    """Eight digits that differ where a variable differs that decides how a memory is opened; they
    tell none of the values."""
    env = os.environ if environment is None else environment
    told = sorted(
        f"{name}={value}"
        for name, value in env.items()
        if name.startswith(_FAMILIES) and name not in _OWN
    )
    return f"{zlib.crc32(chr(0).join(told).encode('utf-8', 'replace')):08x}"


def daemon() -> str:
    """ENGRAPHY_DAEMON: `auto`, the first hook of a session starts it; `off`, it is not even asked;
    else it is used where it runs."""
    return os.environ.get("ENGRAPHY_DAEMON", "").strip().lower()


def hooks_are_off() -> bool:
    """ENGRAPHY_HOOKS=off: hooks do nothing at all."""
    return os.environ.get("ENGRAPHY_HOOKS", "").strip().lower() in {"off", "0", "no", "false"}


def seconds(usual: float) -> float:
    """ENGRAPHY_HOOK_SECONDS, after which a hook is over whatever it is at; else `usual`."""
    try:
        told = float(os.environ.get("ENGRAPHY_HOOK_SECONDS", "") or usual)
    except ValueError:
        return usual
    return min(told, _LONGEST) if told > 0 else usual


def now() -> int:
    """Now, in integer microseconds UTC."""
    return time.time_ns() // _MICROSECOND


def stopwatch() -> float:
    """Seconds of a clock that never jumps."""
    return time.monotonic()


def fresh() -> str:
    """An id that sorts by time: 16 digits of nanoseconds, and the process."""
    return f"{time.time_ns():016x}-{os.getpid():x}"
