"""Whether a path lies where a glob says (B-11): the patterns of .gitignore, without negation."""

import re
from fnmatch import translate
from functools import lru_cache

_ANY_FOLDERS = "**"
_WILD = frozenset("*?[]")
_LONGEST, _DEEPEST = 4_096, 256


def matches(glob: str, path: str) -> bool:
    """Whether `path` lies in `glob`. `*` and `?` stay inside a folder, `**` crosses folders, a
    glob that ends with `/` holds everything below it, one without `/` fits at any depth. Both
    sides may be written with `./` in front or with Windows separators. What is longer than 4,096
    characters or deeper than 256 folders is no path of any system, and lies nowhere."""
    if max(len(glob), len(path)) > _LONGEST:
        return False
    wanted, parts = _parts(glob, below=True), _parts(path, below=False)
    if len(wanted) == 1:
        wanted = [_ANY_FOLDERS, *wanted, _ANY_FOLDERS] if _is_folder(wanted[0]) else wanted
        wanted = wanted if len(wanted) > 1 else [_ANY_FOLDERS, *wanted]
    return 0 < len(parts) <= _DEEPEST and len(wanted) <= _DEEPEST and _fits(wanted, parts)


def specificity(glob: str) -> int:
    """How narrow a glob is: the characters it spells out, more being narrower."""
    return sum(letter not in _WILD for letter in "/".join(_parts(glob, below=False)))


def _is_folder(part: str) -> bool:
    return "." not in part and not _WILD & set(part)


def _parts(text: str, *, below: bool) -> list[str]:
    plain = text.strip().replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    return [*parts, _ANY_FOLDERS] if below and plain.endswith("/") else parts


def _fits(wanted: list[str], parts: list[str]) -> bool:
    """Row by row over the glob's parts: which beginnings of the path are taken so far."""
    reached = [True, *(False for _ in parts)]
    for part in wanted:
        if part == _ANY_FOLDERS:
            first = reached.index(True) if True in reached else len(reached)
            reached = [place >= first for place in range(len(reached))]
        else:
            fits = _compiled(part).match
            steps = zip(reached, parts, strict=False)
            reached = [False, *(was and fits(name) is not None for was, name in steps)]
    return reached[-1]


@lru_cache(maxsize=1024)
def _compiled(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))
