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
_KEY, _KEY_FILE = "ENGRAPHY_KEY", "ENGRAPHY_KEY_FILE"
_OWN = ("ENGRAPHY_DAEMON", "ENGRAPHY_HOOKS", "ENGRAPHY_HOOK_SECONDS", _KEY, _KEY_FILE)
"""What decides nothing of which memory is opened; of a key not even a checksum is left anywhere."""
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


def key(environment: Mapping[str, str] | None = None) -> str | None:
    """ENGRAPHY_KEY, or the first line of the file that ENGRAPHY_KEY_FILE names; None where neither
    is set. Raises OSError and ValueError: a key that went astray must not end in no encryption."""
    env = os.environ if environment is None else environment
    told, file = env.get(_KEY), env.get(_KEY_FILE)
    if told is not None and file is not None:
        raise ValueError(f"{_KEY} and {_KEY_FILE} are both set")
    if file is not None:
        try:
            # An editor's mark of the encoding is no part of a key.
            with open(os.path.expanduser(file), encoding="utf-8-sig") as held:
                told = held.readline().rstrip("\r\n")
        except UnicodeDecodeError:
            # Its words would tell a part of the key.
            raise ValueError(f"the file in {_KEY_FILE} is no UTF-8 text") from None
    if told is not None and not told:
        raise ValueError("it is empty; to have no encryption, do not set it")
    return told


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
