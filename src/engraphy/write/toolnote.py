"""From the use of a tool to a note: what was done, to which files, what it is about (A-15)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from engraphy.model import (
    DataSource,
    Draft,
    Evidence,
    Kind,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Scope,
    Step,
    SubTier,
    WriteSource,
)
from engraphy.record import Record
from engraphy.text.entities import entities
from engraphy.text.paths import normal_path
from engraphy.text.rewrite import shortened, title
from engraphy.text.toolclass import MOST_CONCEPTS, tool_class
from engraphy.text.toolinput import ToolInput, is_file
from engraphy.text.tooloutput import looking, matches
from engraphy.text.tools import Role
from engraphy.write.given import kind_priority

_MOST_FILES = 64
_MOST_LINES, _MOST_CHANGED = 12, 48
_LINE = 200
_TITLE, _SUBTITLE, _COMMAND = 80, 160, 200
_CERTAINTY = 0.5
_READER = "read"
_PROSE = (".md", ".txt", ".rst", ".adoc", ".org")
_DONE = {"write": "Changed", "read": "Read", "search": "Searched", "web": "Looked up"}
_NATURAL = {
    Kind.BUGFIX: "problem-solution",
    Kind.DECISION: "why-it-exists",
    Kind.DISCOVERY: "how-it-works",
}
_TOLD_BY_WORDS = frozenset({Kind.DECISION, Kind.BUGFIX, Kind.FEATURE, Kind.REFACTOR})


class ToolUse(Record, frozen=True, kw_only=True):
    """One use of a tool, made safe: its secrets redacted, its output cut, its files in one
    spelling."""

    tool: str
    role: Role
    given: ToolInput
    text: str
    failed: bool
    files_read: tuple[str, ...]
    files_modified: tuple[str, ...]
    tokens: int = 0
    """What the whole output would cost (estimate)."""
    steps: tuple[Step, ...] = ()

    @property
    def created(self) -> bool:
        """Whether a file is new."""
        return self.role == "write" and matches("created", self.text[: _LINE * 2])


def touched(
    role: Role,
    given: ToolInput,
    read: Sequence[str],
    modified: Sequence[str],
    root: str,
    *,
    failed: bool,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files read and the files modified, as the caller and the arguments tell; an edit that
    failed modified nothing."""
    own = [*read], [*modified, *([] if failed else given.changed)]
    named = given.files if role != "search" else tuple(filter(is_file, given.files))
    own[int(role == "write" and not failed)].extend(named)
    changed = _spelled(own[1], root)
    return tuple(one for one in _spelled(own[0], root) if one not in changed), changed


def _spelled(files: Sequence[str], root: str) -> tuple[str, ...]:
    made = dict.fromkeys(normal_path(one, root) for one in files if one.strip())
    return tuple(one for one in made if one not in (".", "/"))[:_MOST_FILES]


def noted(use: ToolUse, scope: Scope, at: int, now: int, segment: int | None) -> Draft:
    """The draft of a note on the use of a tool. Its origin is the tool, or the web."""
    said = classified(use)
    content = note(use)
    origin = Origin.WEB if use.role == "web" else Origin.TOOL
    marks = {"tool": use.tool} | ({} if segment is None else {"segment": str(segment)})
    memory = Memory(
        id="",
        scope=scope,
        content=content,
        kind=said.kind,
        title=headline(use, said.kind),
        subtitle=subtitle(use),
        concepts=said.concepts,
        files_read=use.files_read,
        files_modified=use.files_modified,
        entities=tuple(dict.fromkeys(one.uri for one in entities(content))),
        metadata=tuple(sorted(marks.items())),
        discovery_tokens=use.tokens,
        priority=kind_priority(said.kind),
        origin=origin,
        write_source=WriteSource.CAPTURE,
        data_source=DataSource.TOOL_OUTPUT,
        evidence=Evidence.OBSERVED,
        trust=ORIGIN_TRUST[origin],
        source_confidence=_CERTAINTY,
        sub_tier=SubTier.OBSERVED,
        valid_from=at,
        recorded_at=now,
        updated_at=at,
    )
    return Draft(memory=memory, explicit=False, trace=use.steps)


class Said(Record, frozen=True, kw_only=True):
    """The kind of a note and up to three of the seven concepts."""

    kind: Kind
    concepts: tuple[str, ...]


def classified(use: ToolUse) -> Said:
    """What a use of a tool is about."""
    files = (*use.files_modified, *use.files_read)
    prose = bool(use.given.words) or any(one.endswith(_PROSE) for one in use.files_modified)
    told = "\n".join((use.given.words, use.given.command, *_added(use), *_output(use)))
    looks = use.role == "run" and looking(use.given.command)
    found = tool_class(told, tool=_READER if looks else use.tool, failed=use.failed, prose=prose)
    kind = found.kind
    if use.role in ("write", "read") and any(matches("decision_record", one) for one in files):
        kind = Kind.DECISION
    elif kind is Kind.CHANGE and use.created and not prose:
        kind = Kind.FEATURE
    natural = _NATURAL.get(kind, "what-changed")
    concepts = dict.fromkeys((*found.concepts[: MOST_CONCEPTS - 1], natural, *found.concepts))
    return Said(kind=kind, concepts=tuple(concepts)[:MOST_CONCEPTS])


def note(use: ToolUse) -> str:
    """The text that is kept: what was done, the lines that changed, what came back."""
    changes = (line for before, after in use.given.edits for line in changed_lines(before, after))
    lines = (action(use), *islice(changes, _MOST_CHANGED), *_output(use))
    return "\n".join(filter(None, lines))


def action(use: ToolUse) -> str:
    """What was done, in a line."""
    given = use.given
    files = ", ".join((use.files_modified or use.files_read)[:3])
    if given.command:
        head = f"Ran {shortened(' '.join(given.command.split()), _COMMAND)}"
    elif use.role == "search":
        head = f"Searched for {shortened(given.query, _COMMAND)}" + (
            f" in {files}" if files else ""
        )
    elif use.role == "web":
        head = f"Looked up {shortened(given.query, _COMMAND)}".rstrip()
    elif files:
        verb = "Created" if use.created else _DONE.get(use.role, use.tool)
        head = f"{verb if not use.failed else f'Failed: {use.tool}'} {files}"
    else:
        head = use.tool
    words = " ".join(given.words.split())
    return f"{head}: {shortened(words, _SUBTITLE)}" if words else head


def headline(use: ToolUse, kind: Kind) -> str:
    """The title of a note."""
    if use.role in ("run", "ask", "other", "web") and not use.failed and kind in _TOLD_BY_WORDS:
        told = [*_commit_words(use.given.command), use.given.words, *_output(use)]
        return title(next(filter(str.strip, told), use.tool), _TITLE)
    bare_run = use.role == "run" and not use.given.command and not use.given.words
    if (use.role in ("ask", "other") or bare_run) and use.text.strip():
        return title(use.text, _TITLE)
    words = " ".join(use.given.words.split())
    line = words if use.role == "run" and words else action(use)
    telling = subtitle(use) if use.role == "run" else ""
    if use.role == "write" and not words:
        telling = next(iter(_added(use)), "")
    bare = telling.lstrip("#/*-<!; ")
    return shortened(f"{line}: {bare}" if bare and bare != line else line, _TITLE)


def subtitle(use: ToolUse) -> str:
    """The second line of a note: how it ended, the first line that was written, or where."""
    lines = [line.strip() for line in use.text.splitlines() if line.strip()]
    if use.role == "run" and lines:
        return shortened(lines[-1], _SUBTITLE)
    added = list(_added(use))
    if added:
        return shortened(added[0], _SUBTITLE)
    return shortened(lines[0], _SUBTITLE) if lines else ""


def changed_lines(before: str, after: str) -> Iterator[str]:
    """The lines that an edit takes out (`- `) and puts in (`+ `), at most 12 of each."""
    old, new = before.splitlines(), after.splitlines()
    had, has = set(old), set(new)
    yield from _marked("-", [line for line in old if line not in has])
    yield from _marked("+", [line for line in new if line not in had])


def _marked(sign: str, lines: Sequence[str]) -> Iterator[str]:
    telling = [line.strip() for line in lines if any(map(str.isalnum, line))]
    for line in telling[:_MOST_LINES]:
        yield f"{sign} {shortened(line, _LINE)}"
    if len(telling) > _MOST_LINES:
        yield f"{sign} [{len(telling) - _MOST_LINES} more lines]"


def _added(use: ToolUse) -> Iterator[str]:
    for before, after in use.given.edits:
        for line in changed_lines(before, after):
            if line.startswith("+ "):
                yield line[2:]


def _output(use: ToolUse) -> Iterator[str]:
    """What came back, unless it is the receipt of an edit that stands here already."""
    text = use.text.strip()
    if text and not (use.given.edits and use.role == "write" and not use.failed):
        yield text


def _commit_words(command: str) -> Iterator[str]:
    """The message of a commit that a command makes."""
    if not matches("commit", command):
        return
    for sign in ("-m ", "-am ", "--message=", "--message "):
        _, found, rest = command.partition(sign)
        quote = rest[:1]
        if found and quote in ("'", '"'):
            yield rest[1:].partition(quote)[0].partition("\n")[0]
            return
