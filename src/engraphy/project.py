"""Which project a folder belongs to: the name of a wall that every door means the same by."""

import os
import re
from hashlib import sha256
from pathlib import Path

from engraphy.text.secrets import secret_in_name

_ODD = re.compile(r"[^\w.-]+")
_LONGEST = 64
_DIGITS = 8
_POINTS_TO, _POINTS_BACK = "gitdir:", "gitdir"
_TREES = "worktrees"


def project_of(folder: str | Path) -> str | None:
    """The id of the project that `folder` belongs to; None where it is the home folder, or the
    root of a disk: what is told there is told for all projects.

    A project is the top of a git work tree (a worktree belongs to its main repository where that
    knows it, a submodule is its own), else the folder itself. The id is the top's name and, so that
    two folders of one name are two projects, 8 hex digits of its real path's SHA-256:
    `shop-1f0c9a7e`. A home folder that is itself under git makes no project of what lies in it.
    """
    real = Path(os.path.realpath(folder))
    ends = {Path(os.path.realpath(Path.home())), Path(real.anchor)}
    if real in ends:
        return None
    top = real
    for one in (real, *real.parents):
        if one in ends:
            break
        if (found := _repository(one)) is not None:
            top = found
            break
    return None if top in ends else _id(top)


def _repository(folder: Path) -> Path | None:
    """The project whose work tree has its top here; None where none has."""
    mark = folder / ".git"
    try:
        if (mark / "HEAD").is_file():
            return folder
        said = mark.read_text("utf-8").strip() if mark.is_file() else ""
        if not said.startswith(_POINTS_TO):
            return None
        held = Path(os.path.realpath(folder / said.removeprefix(_POINTS_TO).strip()))
        shared = held / "commondir"
        if not shared.is_file():
            return folder
        common = Path(os.path.realpath(held / shared.read_text("utf-8").strip()))
        if not _is_tree_of(mark, held, common):
            return folder
    except (OSError, ValueError):
        return None
    return common.parent if common.name == ".git" else common


def _is_tree_of(mark: Path, held: Path, common: Path) -> bool:
    """Whether a repository knows the work tree that says it is one of its own: anybody's archive
    can hold a file that points at another project. Raises OSError."""
    if held.parent != common / _TREES:
        return False
    back = held / (held / _POINTS_BACK).read_text("utf-8").strip()
    return os.path.realpath(back) == os.path.realpath(mark)


def _id(top: Path) -> str:
    digits = sha256(os.fsencode(top)).hexdigest()[:_DIGITS]
    readable = top.name.encode("utf-8", "replace").decode("utf-8")
    name = f"{_ODD.sub('-', readable)[:_LONGEST].strip('-') or 'project'}-{digits}"
    # A folder that is called like a key: no wall is (P-14).
    return f"project-{digits}" if secret_in_name(name) else name
