"""Files that an agent keeps, as memories: the commands of `memory_20250818`.

Answers and refusals are those of the SDK's own file tool, to the letter.
"""

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engraphy.adapters.walls import Walls
from engraphy.errors import EngraphyError, StaleDocumentError
from engraphy.memory import Memory
from engraphy.model.documents import Document

SHELF = "files"
ROOT = "/memories"
_MOST_LINES = 999_999
_DEPTH = 2
_AROUND = 2
_ATTEMPTS = 8


class RefusedError(EngraphyError):
    """A command that was not carried out; its message is for the agent."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one set of walls."""

    memory: Memory
    walls: Walls

    def run(self, command: Callable[["Tree"], str]) -> str:
        """Carry out a command; one that another writer overtook is carried out anew. Raises
        RefusedError, and what the verbs of documents raise."""
        for _ in range(_ATTEMPTS):
            held = self.memory.documents(SHELF, **self.walls.named())
            tree = Tree({one.key: one for one in held})
            answer = command(tree)
            try:
                self.memory.put_documents(SHELF, tree.changes, **self.walls.named())
            except StaleDocumentError:
                continue
            if tree.refusal:
                raise RefusedError(tree.refusal)
            return answer
        raise RefusedError("The files were changed by others all the while; try again.")


class Tree:
    """The files and folders as they stand, and what a command changes of them.

    A key that ends in "/" is a folder that nothing is in; the others are implied by their files.
    """

    def __init__(self, held: dict[str, Document]) -> None:
        self.held = held
        self.changes: list[Document] = []
        self.refusal = ""

    def is_file(self, path: str) -> bool:
        """Whether a file stands at a path."""
        return path in self.held

    def is_folder(self, path: str) -> bool:
        """Whether a folder does."""
        return path == ROOT or any(self.below(path))

    def below(self, path: str) -> Iterable[str]:
        """The keys of all that is in a folder, itself included where it is empty."""
        return (key for key in self.held if key.startswith(f"{path}/"))

    def view(self, path: str, view_range: Sequence[int] | None) -> str:
        """Raises RefusedError."""
        place = located(path)
        if self.is_file(place):
            return _numbered_file(path, self.held[place].text, view_range)
        if self.is_folder(place):
            return self._listing(path, place)
        raise RefusedError(f"The path {path} does not exist. Please provide a valid path.")

    def create(self, path: str, text: str) -> str:
        """Raises RefusedError."""
        place = located(path)
        if self.is_file(place) or self.is_folder(place):
            raise RefusedError(f"File {path} already exists")
        self._make_way(path, place)
        self._write(place, text, expected=0)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old: str, new: str) -> str:
        """Raises RefusedError."""
        file = self._file(path)
        count = file.text.count(old)
        if count == 0:
            raise RefusedError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
            )
        if count > 1:
            found = ", ".join(map(str, _lines_with(file.text, old)))
            raise RefusedError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                f"{found}. Please ensure it is unique"
            )
        changed = file.text[: file.text.find(old)].count("\n")
        text = file.text.replace(old, new)
        self._write(file.key, text, expected=file.version)
        lines = text.split("\n")
        first, last = max(0, changed - _AROUND), min(len(lines), changed + _AROUND + 1)
        return (
            "The memory file has been edited. Here is the snippet showing the change "
            f"(with line numbers):\n{_numbered(lines[first:last], first + 1)}"
        )

    def insert(self, path: str, line: int, text: str) -> str:
        """Raises RefusedError."""
        file = self._file(path)
        lines = file.text.split("\n")
        if lines[-1] == "":
            lines.pop()
        if not 0 <= line <= len(lines):
            raise RefusedError(
                f"Invalid `insert_line` parameter: {line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(line, text.rstrip("\n"))
        whole = "\n".join(lines)
        whole = whole if whole.endswith("\n") else f"{whole}\n"
        self._write(file.key, whole, expected=file.version)
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Raises RefusedError."""
        place = located(path)
        if place == ROOT:
            raise RefusedError("Cannot delete the /memories directory itself")
        if not self.is_file(place) and not self.is_folder(place):
            raise RefusedError(f"The path {path} does not exist")
        self._take_out(place)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Raises RefusedError."""
        old, new = located(old_path), located(new_path)
        if old == ROOT:
            raise RefusedError("Cannot rename the /memories directory itself")
        if self.is_file(new) or self.is_folder(new):
            raise RefusedError(f"The destination {new_path} already exists")
        if f"{new}/".startswith(f"{old}/") and self.is_folder(old):
            raise RefusedError(f"Cannot rename {old_path} to a place inside itself")
        moved = [old] if self.is_file(old) else list(self.below(old))
        if not moved and self.is_file(posixpath.dirname(new)):
            raise RefusedError(f"The path {old_path} does not exist")
        self._make_way(new_path, new)
        if not moved:
            # The folder of the new path is made all the same, as the SDK's own tool does.
            self.refusal = f"The path {old_path} does not exist"
            self._leave_folder(posixpath.dirname(new))
            return ""
        texts = {key: self.held[key] for key in moved}
        self._take_out(old)
        for key, file in texts.items():
            place = f"{new}{key.removeprefix(old)}"
            self._write(place, file.text, expected=0)
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Take out everything."""
        self._remove(list(self.held))
        return "All memory cleared"

    def _file(self, path: str) -> Document:
        place = located(path)
        if self.is_file(place):
            return self.held[place]
        if self.is_folder(place):
            raise RefusedError(f"The path {path} is not a file.")
        raise RefusedError(f"The path {path} does not exist. Please provide a valid path.")

    def _make_way(self, path: str, place: str) -> None:
        """A file is no folder; the folders above are implied from here on."""
        above = _above(place)
        if any(self.is_file(one) for one in above):
            raise RefusedError(f"The path {path} is below a file")
        self._remove([f"{one}/" for one in above if f"{one}/" in self.held])

    def _take_out(self, place: str) -> None:
        self._remove([place] if self.is_file(place) else list(self.below(place)))
        self._leave_folder(posixpath.dirname(place))

    def _leave_folder(self, folder: str) -> None:
        """A folder stays when the last of what was in it went."""
        if not self.is_folder(folder):
            self._write(f"{folder}/", "", expected=None)

    def _remove(self, keys: Sequence[str]) -> None:
        for key in keys:
            self.held.pop(key)
            self.changes.append(Document(key=key, removed=True))

    def _write(self, key: str, text: str, *, expected: int | None) -> None:
        heading = "" if key.endswith("/") else key
        new = Document(key=key, text=text, heading=heading, expected=expected, embed=bool(text))
        self.held[key] = new
        self.changes.append(new)

    def _listing(self, path: str, place: str) -> str:
        header = (
            f"Here're the files and directories up to 2 levels deep in {path}, "
            "excluding hidden items:"
        )
        rows = [f"{_size(self._bytes(place))}\t{path}"]
        rows += [f"{size}\t{path}/{name}" for size, name in self._items(place, "", 1)]
        return "\n".join((header, *rows))

    def _items(self, place: str, prefix: str, depth: int) -> Iterable[tuple[str, str]]:
        start = len(place) + 1
        names = sorted({key[start:].partition("/")[0] for key in self.below(place)} - {""})
        for name in names:
            whole = f"{place}/{name}"
            if name.startswith("."):
                continue
            if self.is_file(whole):
                yield _size(self._bytes(whole)), f"{prefix}{name}"
                continue
            yield _size(self._bytes(whole)), f"{prefix}{name}/"
            if depth < _DEPTH:
                yield from self._items(whole, f"{prefix}{name}/", depth + 1)

    def _bytes(self, place: str) -> int:
        keys = [place] if self.is_file(place) else self.below(place)
        return sum(len(self.held[key].text.encode()) for key in keys)


def located(path: str) -> str:
    """The place that a path names, below the root, without dots. Raises RefusedError."""
    if not path.startswith(ROOT):
        raise RefusedError(f"Path must start with /memories, got: {path}")
    place = posixpath.normpath(f"{ROOT}/{path.removeprefix(ROOT).lstrip('/')}")
    if place != ROOT and not place.startswith(f"{ROOT}/"):
        raise RefusedError(f"Path {path} would escape /memories directory")
    return place


def _above(place: str) -> list[str]:
    """The folders above a place, the root aside, outermost first."""
    parts = place.removeprefix(f"{ROOT}/").split("/")[:-1]
    return [f"{ROOT}/{'/'.join(parts[: end + 1])}" for end in range(len(parts))]


def _numbered_file(path: str, text: str, view_range: Sequence[int] | None) -> str:
    lines, first = text.split("\n"), 0
    if len(lines) > _MOST_LINES:
        raise RefusedError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0]) - 1
        last = len(lines) if view_range[1] == -1 else view_range[1]
        lines = lines[first:last]
    return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first + 1)}"


def _numbered(lines: Sequence[str], first: int) -> str:
    width = len(str(_MOST_LINES))
    return "\n".join(f"{first + place:>{width}}\t{line}" for place, line in enumerate(lines))


def _lines_with(text: str, wanted: str) -> Iterable[int]:
    place = text.find(wanted)
    while place != -1:
        yield text[:place].count("\n") + 1
        place = text.find(wanted, place + 1)


def _size(count: int) -> str:
    step = 0 if count == 0 else min((count.bit_length() - 1) // 10, 3)
    size = count / 1024**step
    shown = str(int(size)) if size == int(size) else f"{size:.1f}"
    return f"{shown}{'BKMG'[step]}"
