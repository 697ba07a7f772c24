"""Whether a path lies where globs say (B-11): the patterns of .gitignore, and `{a,b}`."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import lru_cache

_ANY_FOLDERS = "**"
_WILD = frozenset("*?[]")
_CLASS = re.compile(r"\[[^\]]{1,64}\]")
_LONGEST, _DEEPEST = 4_096, 256
_NOT = "!"
_MOST = 64


def bound(globs: Sequence[str], paths: Iterable[str]) -> int | None:
    """How narrow the narrowest of `globs` is that holds one of the spellings `paths`; None where
    none does, or one that begins with `!` does, which takes out again what it holds."""
    spelled, bare = list(paths), [glob.strip() for glob in globs]
    if any(_holding(one.removeprefix(_NOT), spelled) for one in bare if one.startswith(_NOT)):
        return None
    held = (one for glob in bare if not glob.startswith(_NOT) for one in _holding(glob, spelled))
    return max(map(specificity, held), default=None)


def _holding(glob: str, paths: Sequence[str]) -> list[str]:
    """The globs that one with braces stands for and that hold one of the paths."""
    return [one for one in expanded(glob) if any(matches(one, path) for path in paths)]


def problem(globs: Sequence[str]) -> str:
    """What keeps globs from holding what they seem to say; empty where nothing does."""
    for glob in globs:
        bare = glob.strip().removeprefix(_NOT)
        if not bare.strip():
            return f"{glob!r} names no path"
        if bare.startswith("("):
            return f"{glob!r}: a group behind ! is not read; give the paths that are meant"
        if bare.count("{") != bare.count("}"):
            return f"{glob!r}: a brace is not closed"
        if not expanded(bare):
            return f"{glob!r} stands for more than {_MOST} globs"
    if globs and all(glob.strip().startswith(_NOT) for glob in globs):
        return "only globs that begin with !: they take out of what another glob holds"
    return ""


@lru_cache(maxsize=1024)
def expanded(glob: str) -> tuple[str, ...]:
    """The globs that one with braces stands for, none where they are more than 64. Braces without a
    comma stand for themselves, as in a shell."""
    todo, done = [glob], list[str]()
    while todo:
        one = todo.pop()
        group = _group(one)
        if group is None:
            done.append(one)
        else:
            start, end, options = group
            todo += [f"{one[:start]}{option}{one[end:]}" for option in reversed(options)]
        if len(todo) + len(done) > _MOST:
            return ()
    return tuple(dict.fromkeys(done))


def _group(glob: str) -> tuple[int, int, list[str]] | None:
    """The first group of braces with a comma of its own: where it stands, and its alternatives."""
    opened: list[tuple[int, list[int]]] = []
    for place, letter in enumerate(glob):
        if letter == "{":
            opened.append((place, [place]))
        elif letter == "," and opened:
            opened[-1][1].append(place)
        elif letter == "}" and opened:
            start, cuts = opened.pop()
            if len(cuts) > 1:
                ends = [*cuts[1:], place]
                return start, place + 1, [glob[a + 1 : b] for a, b in zip(cuts, ends, strict=True)]
    return None


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
    """How narrow a glob is: the characters it spells out, more being narrower; of those that spell
    out the same, one that goes into any folder is wider."""
    parts = _parts(glob, below=False)
    spelled = "/".join(part for part in parts if part != _ANY_FOLDERS)
    letters = sum(letter not in _WILD for letter in _CLASS.sub("", spelled))
    return 2 * letters - (_ANY_FOLDERS in parts)


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
