"""Which project a thing belongs to: by the folder that its source tells or spells."""

import os
import re
from functools import lru_cache
from pathlib import Path

from engraphy.importers.reading import name_of
from engraphy.project import project_of

_MOST_LOOKS = 5_000
_LONGEST = 4_096
_ODD = re.compile(r"[^A-Za-z0-9]")


@lru_cache(maxsize=4_096)
def project(folder: str) -> str | None:
    """The project of a folder, whether it is still there or not; None where none is told. A folder
    of another system is a project of its own, by its name."""
    if not folder:
        return None
    if "\0" not in folder and len(folder) <= _LONGEST and Path(folder).is_absolute():
        try:
            return project_of(Path(folder))
        except (OSError, ValueError):
            pass
    name = _ODD.sub("-", re.split(r"[\\/]", folder.rstrip("\\/"))[-1])[-64:].strip("-")
    return f"{name or 'project'}-{name_of(folder)[:8]}"


def spelled(slug: str) -> str | None:
    """The project of a folder that is spelled with hyphens (`-home-me-shop`), looked for among
    those that are there; where it is not, the spelling itself."""
    wanted = _ODD.sub("-", slug).strip("-")
    if not wanted:
        return None
    found = _search(Path(os.sep), wanted, [_MOST_LOOKS])
    return project(str(found)) if found is not None else slug[:128]


def _search(folder: Path, rest: str, left: list[int]) -> Path | None:
    """The folder below `folder` whose path is spelled `rest`."""
    try:
        inside = sorted(os.scandir(folder), key=_length)
    except OSError:
        return None
    for one in inside:
        left[0] -= 1
        name = _ODD.sub("-", one.name).strip("-")
        if left[0] < 0 or not name or not one.is_dir(follow_symlinks=False):
            continue
        if name == rest:
            return Path(one.path)
        if rest.startswith(f"{name}-") or (one.name.startswith(".") and rest.startswith(name)):
            found = _search(Path(one.path), rest[len(name) :].strip("-"), left)
            if found is not None:
                return found
    return None


def _length(one: "os.DirEntry[str]") -> tuple[int, str]:
    return (-len(one.name), one.name)
