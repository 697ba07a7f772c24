"""What an agent gave to a tool: files, command, query, edits, plan, in any agent's field names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from engraphy.record import Record
from engraphy.text.tools import Role, words

_MOST_FILES = 64
_MOST_EDITS = 32
_MOST_TODOS = 64
_READ = 20_000
_READ_OF_EDITS = 100_000
"""Characters of all edits together: a note shows the first lines that changed."""
_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ (?:b/)?)([^\t\r\n]{1,1000})",
    re.MULTILINE,
)
_PATCH = "*** Begin Patch"
_NOWHERE = "/dev/null"
_DONE = frozenset({"completed", "complete", "done", "cancelled", "canceled", "closed"})
_FILE_NAME = re.compile(r"\A[\w./\\:~@+-]{0,300}[\w-]\.[A-Za-z]\w{0,9}")
_OPERATORS = re.compile(r"&&|\|\|?|;|\n")


class ToolInput(Record, frozen=True, kw_only=True):
    """What of a tool's arguments tells what was done; `edits` are (before, after) texts."""

    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Files that the arguments themselves say are changed: by a patch, by a command."""
    command: str = ""
    query: str = ""
    words: str = ""
    edits: tuple[tuple[str, str], ...] = ()
    unread: int = 0
    """Characters of edits that are not read, as there are too many."""
    open: tuple[str, ...] = ()
    """What a plan leaves to be done."""


def tool_input(given: Mapping[str, object], role: Role) -> ToolInput:
    """The telling arguments of a tool, whichever agent named them."""
    command = _first(given, "commands") or _listed(given.get("command"))
    patch = _first(given, "patches") if role in ("write", "other") else ""
    patch = patch if patched(patch) else command if _PATCH in command else ""
    # Codex hands a patch over as a command: nothing is run then.
    command = "" if command.lstrip().startswith(_PATCH) else command
    named = tuple(dict.fromkeys(islice(_files(given), _MOST_FILES)))
    read, written = of_command(command) if role == "run" and not patch else ((), ())
    writes = role in ("write", "other")
    edits, unread = _read_of(_edits(given, patch)) if writes or patch else ((), 0)
    unread += max(0, len(patch) - _READ)
    return ToolInput(
        files=(*named, *read),
        changed=tuple(dict.fromkeys((*patched(patch), *written))),
        command=command[:_READ],
        query=_first(given, "queries")[:_READ],
        words=_first(given, "words")[:_READ],
        edits=edits,
        unread=unread,
        open=tuple(islice(_open(given), _MOST_TODOS)) if role == "plan" else (),
    )


def patched(patch: str) -> list[str]:
    """The files that a patch (unified, or in the form of `apply_patch`) changes."""
    found = [one.strip() for one in _PATCHED.findall(patch[: _READ * 10])]
    return [one for one in dict.fromkeys(found) if one and one != _NOWHERE][:_MOST_FILES]


def of_command(command: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that a shell command reads, and those it writes, as far as its words show."""
    read: list[str] = []
    written: list[str] = []
    for simple in parts(command):
        targets = _redirected(simple)
        written += targets
        part = [word for word in simple if word not in targets]
        verb = verb_of(part)
        files = [word for word in part[1:] if is_file(word)]
        in_place = verb in ("sed", "perl", "awk") and any(w.startswith("-i") for w in part)
        if verb in words("commands", "writers") or in_place:
            written += files
        elif verb in words("commands", "readers") or verb in words("commands", "searchers"):
            read += files
    return tuple(dict.fromkeys(read)), tuple(dict.fromkeys(written))


def parts(command: str) -> list[list[str]]:
    """The words of each simple command of a line, quotes taken off."""
    made = [part.split() for part in _OPERATORS.split(command[:_READ])]
    return [[word.strip("'\"`()") for word in part] for part in made if part]


def verb_of(part: Sequence[str]) -> str:
    """The program of a simple command: settings of variables and `sudo` in front left out."""
    for word in part:
        if word and word not in ("sudo", "time", "command") and "=" not in word:
            return word.rpartition("/")[2].lower()
    return ""


def is_file(word: str) -> bool:
    """Whether a word is spelled as the name of a file with an ending."""
    return len(word) <= 320 and _FILE_NAME.fullmatch(word) is not None and "://" not in word


def _redirected(part: Sequence[str]) -> list[str]:
    after = [b for a, b in pairwise(part) if a in (">", ">>")]
    joined = [word.lstrip(">") for word in part if word[:1] == ">" and word.strip(">")]
    return [word for word in (*after, *joined) if is_file(word)]


def _first(given: Mapping[str, object], key: str) -> str:
    for name in words("input", key):
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _listed(value: object) -> str:
    """A command that stands as a list of words (`["bash", "-lc", "pytest"]`)."""
    if not isinstance(value, Sequence) or not all(isinstance(one, str) for one in value):
        return ""
    told = list(value)
    return told[-1] if told[1:2] and told[1] in ("-c", "-lc") else " ".join(told)


def _files(given: Mapping[str, object]) -> Iterator[str]:
    for name in words("input", "files"):
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            yield value
    for name in words("input", "many_files"):
        value = given.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            yield from (one for one in value if isinstance(one, str) and one.strip())


def _read_of(edits: Iterator[tuple[str, str]]) -> tuple[tuple[tuple[str, str], ...], int]:
    """What is read of the edits, and how many characters are not."""
    kept: list[tuple[str, str]] = []
    room, unread = _READ_OF_EDITS, 0
    for before, after in edits:
        read = _head(before), _head(after)
        size = sum(map(len, read))
        unread += len(before) + len(after)
        if size <= room and len(kept) < _MOST_EDITS:
            kept.append(read)
            room -= size
            unread -= size
    return tuple(kept), unread


def _head(text: str) -> str:
    """The beginning of a text, up to its last whole line where it is long: a credential that is cut
    in two would not be known."""
    head = text[:_READ]
    return head if len(text) <= _READ else head.rpartition("\n")[0] or head


def _edits(given: Mapping[str, object], patch: str) -> Iterator[tuple[str, str]]:
    before, after = _first(given, "before"), _first(given, "after")
    if before or after:
        yield before, after
    for name in words("input", "edits"):
        value = given.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            for one in value:
                if isinstance(one, Mapping):
                    yield _first(one, "before"), _first(one, "after")
    if patch:
        lines = patch[:_READ].splitlines()
        gone = [line[1:] for line in lines if line[:1] == "-" and line[:3] != "---"]
        come = [line[1:] for line in lines if line[:1] == "+" and line[:3] != "+++"]
        yield "\n".join(gone), "\n".join(come)


def _open(given: Mapping[str, object]) -> Iterator[str]:
    for name in words("input", "todos"):
        value = given.get(name)
        if not isinstance(value, Sequence) or isinstance(value, str):
            continue
        for one in value:
            text, status = _todo(one)
            if text and status.lower() not in _DONE:
                yield text
        return


def _todo(one: object) -> tuple[str, str]:
    if isinstance(one, str):
        return one, ""
    if not isinstance(one, Mapping):
        return "", ""
    found = [one.get(name) for name in ("content", "step", "description", "title", "task")]
    texts = [value for value in found if isinstance(value, str) and value.strip()]
    return (texts[0][:300] if texts else ""), str(one.get("status", ""))
