"""Whether hooks start the daemon by themselves: asked by each of them, so nothing heavy is read."""

import os
from contextlib import suppress

from engraphy import here

_ENABLED = "daemon.enabled"


def is_enabled(folder: str) -> bool:
    """Whether the first hook starts the daemon: as ENGRAPHY_DAEMON says, else as was enabled for
    this folder of the hooks."""
    told = here.daemon()
    return told == "auto" or (not told and os.path.lexists(os.path.join(folder, _ENABLED)))


def enable(folder: str) -> None:
    """From now on the first hook starts the daemon, whatever agent it is of. Raises OSError."""
    with open(os.path.join(folder, _ENABLED), "w", encoding="ascii"):
        pass


def disable(folder: str) -> None:
    """No hook starts it, unless ENGRAPHY_DAEMON says so. Raises OSError."""
    with suppress(FileNotFoundError):
        os.remove(os.path.join(folder, _ENABLED))
