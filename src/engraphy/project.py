"""Which project a folder belongs to: the name of a wall that every door means the same by."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from engraphy import here
from engraphy.errors import NameTakenError
from engraphy.text.paths import is_absolute, normal_path
from engraphy.text.secrets import secret_in_name

_FILES = ("file", "file_path", "files_read", "files_modified", "path", "scope", "scope_globs")
"""What operations and tools call files, and where a memory applies."""
_ODD = re.compile(r"[^\w.-]+")
_LONGEST = 64
_DIGITS = 8
_POINTS_TO, _POINTS_BACK = "gitdir:", "gitdir"
_TREES = "worktrees"
_PLACES = "projects.json"
_MOST_PLACES = 2_000
_WRITTEN_ONCE = ("description", "info/exclude")
"""What git writes into a repository when it makes it, and never again."""
_UNSIGNED = "no repository"


def project_of(folder: str | Path) -> str | None:
    """The id of the project that `folder` belongs to; None where it is the home folder, or the
    root of a disk: what is told there is told for all projects.

    A project is the top of a git work tree (a worktree belongs to its main repository where that
    knows it, a submodule is its own), else the folder itself. The id is the top's name and, so that
    two folders of one name are two projects, 8 hex digits of its real path's SHA-256:
    `shop-1f0c9a7e`. A home folder that is itself under git makes no project of what lies in it.
    A repository that was moved or renamed since `note_place` stays the project that it was, and
    one that `name_project` named is called so.
    """
    top = _top(folder)
    return None if top is None else _known(top, _places())


def tops_of(folder: str | Path) -> tuple[str, ...]:
    """How the top of a folder's project is written: as the folder was told, where a link leads
    there, and by its real path; none where it is no project. Of a worktree, whose project lies
    elsewhere, the folder itself is the first."""
    top = _top(folder)
    if top is None:
        return ()
    told = Path(folder).absolute()
    real = Path(os.path.realpath(told))
    below = real.relative_to(top).parts if real.is_relative_to(top) else ()
    above = told.parents[len(below) - 1] if below else told
    is_top = os.path.realpath(above) == str(top)
    first = above if is_top or not real.is_relative_to(top) else top
    return tuple(dict.fromkeys([str(first), str(top)]))


def placed(values: Mapping[str, Any], tops: Sequence[str]) -> dict[str, Any]:
    """The arguments of a call, with files inside the project that lies there relative to it
    (A-11)."""
    return {name: _inside(one, tops) if name in _FILES else one for name, one in values.items()}


def placed_here(values: Mapping[str, Any], folder: str | Path) -> dict[str, Any]:
    """The same for a call from a folder, where it is about the project of this folder."""
    named = values.get("project")
    given = named is not None and any(values.get(name) for name in _FILES)
    return placed(values, tops_of(folder) if given and named == project_of(folder) else ())


def _inside(value: Any, tops: Sequence[str]) -> Any:
    # An empty tuple is an option that was not given, an empty list the wish for no files.
    if isinstance(value, list | tuple):
        return type(value)(_inside(one, tops) for one in value)
    if not isinstance(value, str) or not is_absolute(value):
        return value
    spelled = (normal_path(value, top) for top in tops)
    return next((one for one in spelled if not is_absolute(one)), value)


def note_place(folder: str | Path) -> None:
    """Note where the project of a folder lies, so that it is known again where it is moved to.
    Where it cannot be noted, nothing happens."""
    with suppress(OSError, ValueError):
        top = _top(folder)
        sign = "" if top is None else _sign(top)
        if top is None or not sign:
            return
        held = _places()
        project = _known(top, held)
        told = {"top": str(top), "sign": sign}
        if held.get(project) == told:
            return
        rest = [(name, one) for name, one in held.items() if name != project]
        _write(dict([*rest, (project, told)][-_MOST_PLACES:]))


def name_project(folder: str | Path, name: str) -> str | None:
    """Have the project of a folder of this machine called so, as those who share a store call it
    where their work trees lie; the name that it had, None where the folder belongs to none. Raises
    NameTakenError where another folder has the name, and OSError."""
    top, held = _top(folder), _places()
    if top is None:
        return None
    had, other = _known(top, held), held.get(name, {}).get("top", str(top))
    if other != str(top) and Path(other).exists():
        allowed = f"another name: this one is that of {other}"
        raise NameTakenError(field="name", got=repr(name), allowed=allowed)
    rest = [(known, one) for known, one in held.items() if known != name and one["top"] != str(top)]
    _write(dict([*rest, (name, {"top": str(top), "sign": _sign(top)})][-_MOST_PLACES:]))
    return had


def _top(folder: str | Path) -> Path | None:
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
    return None if top in ends else top


def _known(top: Path, places: Mapping[str, Mapping[str, str]]) -> str:
    """The project of a top: the one that is known to lie there, else the one whose repository this
    is and which is no more where it was, else its own."""
    for name, one in places.items():
        if one["top"] == str(top):
            return name
    own, sign = _id(top), _sign(top) if places else ""
    for name, one in places.items():
        if sign and one["sign"] == sign and _sign(Path(one["top"])) != sign:
            return name
    # Where a project was that lies elsewhere now, what came there is another one, under git or not.
    return own if own not in places else _id(top, sign or _UNSIGNED)


def _sign(top: Path) -> str:
    """What tells a repository from all others of this disk, wherever it is moved: the number of its
    folder, and when it was made. A copy, or what comes out of an archive, has another number."""
    with suppress(OSError):
        number = (top / ".git").stat().st_ino
        for name in _WRITTEN_ONCE:
            with suppress(OSError):
                return f"{number}-{(top / '.git' / name).stat().st_mtime_ns}"
    return ""


def _places() -> dict[str, dict[str, str]]:
    """Where projects lie, as it was noted; what is no note of ours is none."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        held = json.loads(Path(here.home(), _PLACES).read_text("utf-8"))
        return {
            str(name): {"top": str(one["top"]), "sign": str(one["sign"])}
            for name, one in held.items()
            if isinstance(one, dict) and {"top", "sign"} <= one.keys()
        }
    return {}


def _write(places: Mapping[str, Mapping[str, str]]) -> None:
    place = Path(here.home(), _PLACES)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = place.with_name(f"{_PLACES}.{os.getpid()}.tmp")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(places), "utf-8")
    draft.replace(place)


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


def _id(top: Path, sign: str = "") -> str:
    digits = sha256(os.fsencode(top) + sign.encode()).hexdigest()[:_DIGITS]
    readable = top.name.encode("utf-8", "replace").decode("utf-8")
    name = f"{_ODD.sub('-', readable)[:_LONGEST].strip('-') or 'project'}-{digits}"
    # A folder that is called like a key: no wall is (P-14).
    return f"project-{digits}" if secret_in_name(name) else name
