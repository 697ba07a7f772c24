"""One spelling for each file: relative to the project, with slashes, without `.` and `..`."""

import re

_DRIVE = re.compile(r"([A-Za-z]):(?=/)")
_SCHEME = "file://"
_MOST = 2_000


def normal_path(path: str, root: str = "") -> str:
    """`path` as the one spelling under which a file is kept and asked for (A-11).

    Relative and absolute paths, `./`, `..`, double and Windows separators, space around a name and
    `file://` come out alike. A path inside `root`, the folder of the project, becomes relative to
    it; one outside stays absolute, and so does every absolute path where no root is known. Letters
    are compared in their own case, except after a drive letter, whose file systems know none. A
    path that names nothing (the project itself) comes out as ".".
    """
    parts = _parts(path)
    above = _parts(root) if root else []
    if above and _starts(parts, above):
        parts = parts[len(above) :]
    return _joined(parts)


def is_absolute(path: str) -> bool:
    """Whether a path begins at a root or a drive."""
    return _joined(_parts(path))[:1] == "/" or _DRIVE.match(_joined(_parts(path))) is not None


def _parts(path: str) -> list[str]:
    plain = path.strip()[:_MOST].removeprefix(_SCHEME).replace("\\", "/")
    if plain[:1] == "/" and _DRIVE.match(plain[1:]):
        plain = plain[1:]
    drive = _DRIVE.match(plain)
    if drive is not None:
        plain = f"/{drive[1].upper()}:{plain[drive.end() :]}"
    made: list[str] = [""] if plain[:1] == "/" else []
    for named in plain.split("/"):
        part = named.strip()
        if part in ("", "."):
            continue
        if part == ".." and made and made[-1] != "..":
            made[len(made) - int(made[-1] != "") :] = []
        else:
            made.append(part)
    return made


def _joined(parts: list[str]) -> str:
    if parts[:1] == [""] and parts[1:] and parts[1].endswith(":"):
        return "/".join([*parts[1:], ""] if len(parts) == 2 else parts[1:])
    return "/" if parts == [""] else "/".join(parts) or "."


def _starts(parts: list[str], above: list[str]) -> bool:
    """Whether `parts` lie in `above`, itself included; behind a drive no case counts."""
    head = parts[: len(above)]
    on_drive = above[1:] and above[1].endswith(":")
    if on_drive:
        return [one.lower() for one in head] == [one.lower() for one in above]
    return above[:1] == [""] and head == above
