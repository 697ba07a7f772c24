"""A file or folder of another memory, brought in: found out whose it is, read, and counted."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.importers import (
    auto_memory,
    chatgpt,
    claude_ai,
    claude_code,
    claude_mem,
    codex,
    cursor,
    gemini,
    letta,
    mem0,
    rules,
    server_memory,
    vault,
)
from engraphy.importers.notes import Notes
from engraphy.importers.reading import is_export
from engraphy.importers.source import Source
from engraphy.memory import Memory
from engraphy.model.importing import Imported, Item

AUTO = "auto"
_SOURCES: tuple[Source, ...] = (
    claude_mem.SOURCE,
    letta.SOURCE,
    chatgpt.SOURCE,
    claude_ai.SOURCE,
    codex.SOURCE,
    gemini.SOURCE,
    cursor.SOURCE,
    claude_code.SOURCE,
    auto_memory.SOURCE,
    server_memory.SOURCE,
    mem0.SOURCE,
    vault.OBSIDIAN_SOURCE,
    rules.SOURCE,
    vault.BASIC_SOURCE,
)
"""In the order in which they are tried."""
_TALKS = frozenset(
    {chatgpt.NAME, claude_ai.NAME, codex.NAME, gemini.NAME, cursor.NAME, claude_code.NAME}
)
"""Whose messages count as the user's own words."""
_HOMES = frozenset({".claude", ".codex", ".gemini", ".cursor"})
SOURCES: tuple[str, ...] = tuple(sorted(one.name for one in _SOURCES))


def imported(
    memory: Memory,
    path: str | Path,
    *,
    source: str = AUTO,
    trusted: bool = False,
    forgotten: bool = False,
    shared: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
    user: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
) -> Imported:
    """Bring in what another memory keeps, or transcripts of conversations, from `path`.

    `source`: whose it is; "auto" finds it out (transcripts in a project have to be named, as they
    may be anybody's). `shared`: for every user, agent and project,
    whatever the source says; else a wall that is named takes the place of the source's. The other
    arguments, and what holds for each thing, are those of `Memory.bring_in`. A second import of
    the same changes nothing; `memory.undo(last="import")` takes all of it out again. Raises
    InvalidInputError, which says what was expected, and UnreadableFileError.
    """
    place = _there(path)
    chosen = _chosen(place, source)
    notes = Notes(root=place)
    done = memory.bring_in(
        _freed(chosen.items(place, notes), shared=shared),
        source=chosen.name,
        place=str(place.absolute()),
        trusted=trusted,
        forgotten=forgotten,
        dry_run=dry_run,
        progress=progress,
        user=user,
        agent=agent,
        project=project,
        session=session,
    )
    skipped = {**notes.skipped}
    for why, count in done.skipped.items():
        skipped[why] = skipped.get(why, 0) + count
    return replace(
        done,
        skipped=dict(sorted(skipped.items())),
        files=notes.files,
        broken=notes.broken,
        problems=tuple(notes.problems),
    )


def check(path: str | Path, source: str = AUTO) -> None:
    """What `imported` refuses before anything comes in: a file or folder that is not there, or
    holds something else. Raises what `imported` does."""
    place = _there(path)
    next(_chosen(place, source).items(place, Notes()), None)


def source_of(path: str | Path) -> str | None:
    """Whose a file or folder is; None where it looks like none of them."""
    place = _there(path)
    found = _found(place)
    return None if found is None else found.name


def _there(path: str | Path) -> Path:
    place = Path(path).expanduser()
    try:
        there = place.exists()
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=path, problem=str(error)) from error
    if not there:
        raise UnreadableFileError(path=path, problem="there is no such file or folder")
    return place


def _chosen(place: Path, name: str) -> Source:
    if place.is_file() and is_export(place):
        allowed = "what another memory keeps; an export comes in without --from (Memory.import_)"
        raise InvalidInputError(field="path", got="an export of engraphy", allowed=allowed)
    if name == AUTO:
        found = _found(place)
        if found is None:
            allowed = f"what one of these keeps: {', '.join(SOURCES)}; or name it (--from SOURCE)"
            got = f"{place.name or str(place)!r}, which looks like nothing that is known"
            raise InvalidInputError(field="path", got=got, allowed=allowed)
        return found
    for one in _SOURCES:
        if one.name == name:
            return one
    allowed = ", ".join((AUTO, *SOURCES))
    raise InvalidInputError(field="source", got=repr(name)[:60], allowed=allowed)


def _found(place: Path) -> Source | None:
    """Whose it is by its looks. In a project, which may be a clone of anybody's, nothing is taken
    for a conversation of the user's unless that is said."""
    tried = [one for one in _SOURCES if one.name not in _TALKS] if _cloned(place) else _SOURCES
    return next((one for one in tried if one.fits(place)), None)


def _cloned(place: Path) -> bool:
    folder = place.resolve()
    if any((one / ".git").exists() for one in (folder, *folder.parents)):
        return True
    return folder.is_dir() and folder.name not in _HOMES and rules.SOURCE.fits(folder)


def _freed(items: Iterator[Item], *, shared: bool) -> Iterator[Item]:
    if not shared:
        yield from items
        return
    for one in items:
        yield replace(one, user=None, agent=None, project=None)
