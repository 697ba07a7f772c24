"""Folders beside a file in which copies are made, for their owner alone and gone afterwards; what
somebody who was killed left of one, the next one sweeps away."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from engraphy.errors import StoreBusyError
from engraphy.stores.locks import SideLock

_MARK = ".held"
"""Locked for as long as somebody is in the room: the kernel lets go of it for the killed."""
_RANDOM = re.compile(r"[a-z0-9_]{8}")
_YOUNG = 60.0
"""Seconds by which a room has to be older than one's own: a new one is locked a moment later."""
_PATIENCE = 5.0


@contextmanager
def room(prefix: str, beside: Path) -> Iterator[Path]:
    """A new folder whose name begins so."""
    with TemporaryDirectory(prefix=prefix, dir=beside, ignore_cleanup_errors=True) as name:
        mark = Path(name, _MARK)
        with SideLock(str(mark), name).held(_PATIENCE):
            with suppress(OSError):
                _sweep(prefix, beside, mark.stat().st_mtime - _YOUNG)
            yield Path(name)


def _sweep(prefix: str, beside: Path, before: float) -> None:
    with os.scandir(beside) as found:
        for one in found:
            rest = one.name.removeprefix(prefix)
            if rest != one.name and _RANDOM.fullmatch(rest) and one.is_dir(follow_symlinks=False):
                with suppress(OSError, StoreBusyError):
                    _leave(Path(one.path), before)


def _leave(folder: Path, before: float) -> None:
    """Take a room away that nobody is in any more. What has no mark is none of ours."""
    mark = folder / _MARK
    if mark.is_file() and not mark.is_symlink() and mark.stat().st_mtime < before:
        with SideLock(str(mark), str(folder)).held(0.0):
            shutil.rmtree(folder, ignore_errors=True)
        # Where an open file cannot be taken away, it is closed by now.
        shutil.rmtree(folder, ignore_errors=True)
