"""What was done in a session, put together from what it left: no model, no word of its own."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from engraphy.model import (
    DataSource,
    Evidence,
    Kind,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Scope,
    SubTier,
    WriteSource,
)
from engraphy.record import Record
from engraphy.text.classify import evidence
from engraphy.text.datafiles import table
from engraphy.text.injection import injection_signals
from engraphy.text.language import language
from engraphy.text.moments import iso
from engraphy.text.rewrite import shortened, title
from engraphy.text.split import sentences
from engraphy.text.tooloutput import looking, matches
from engraphy.text.tools import role
from engraphy.text.wordlists import plain
from engraphy.write.progress import Observation

T = TypeVar("T")
SESSION_SUMMARY = "session_summary"
"""The category of what tells what a session that ended did."""
_LINE = 160
_FILES = 24
_KEPT_FILES = 64
_TITLE = 80
_SECTIONS = {
    "decisions": frozenset({Kind.DECISION}),
    "fixes": frozenset({Kind.BUGFIX}),
    "features": frozenset({Kind.FEATURE}),
    "changes": frozenset({Kind.CHANGE, Kind.REFACTOR}),
    "discoveries": frozenset({Kind.DISCOVERY, Kind.PITFALL, Kind.ARCHITECTURE}),
}
_BY_WORDS = frozenset({Kind.DECISION, Kind.PREFERENCE, Kind.POLICY})
_READ = 2_000
_WORDS = 4  # of a sentence that reports something, at least
_TOLD = frozenset({Kind.PREFERENCE, Kind.CORRECTION, Kind.POLICY, Kind.PLAN})
_LOOKS = frozenset({"read", "search", "list"})


class Done(Record, frozen=True, kw_only=True):
    """What was done: lines by heading, files, tools, and the memories that the lines are from;
    `told` by the user, `reported` by the agent."""

    decisions: tuple[str, ...]
    fixes: tuple[str, ...]
    features: tuple[str, ...]
    changes: tuple[str, ...]
    discoveries: tuple[str, ...]
    told: tuple[str, ...]
    reported: tuple[str, ...]
    open: tuple[str, ...]
    files_modified: tuple[str, ...]
    files_read: tuple[str, ...]
    tools: tuple[tuple[str, int], ...]
    sources: tuple[Memory, ...]


class Heading(Record, frozen=True, kw_only=True):
    """Of which session a summary is: a checkpoint where it has a number."""

    scope: Scope
    started_at: int
    ended_at: int
    checkpoint: int = 0
    abandoned: bool = False


def done(rows: Sequence[Memory], observations: Sequence[Observation], listed: int) -> Done:
    """What the memories of a session (oldest first) and its observations tell; `sources` are those
    of the lines that a summary shows, at most `listed` per heading."""
    safe = [row for row in rows if not injection_signals(row.content)]
    # What failed is open until it goes well; what was only looked at stands under the files.
    passed_over = {one.memory_id for one in observations if one.failed or looking(one.ran)}
    notes = [row for row in safe if row.id not in passed_over and _tells(row)]
    lines = {
        name: _lines(row for row in notes if row.kind in _SECTIONS[name]) for name in _SECTIONS
    }
    lines["told"] = _lines(r for r in safe if r.origin is Origin.USER and r.kind in _TOLD)
    lines["reported"] = _lines(r for r in safe if _is_report(r))
    shown = {row.id for named in lines.values() for row in spread(list(named.values()), listed)}
    to_do = _once(left_open(safe, observations))
    spoken_of = frozenset(spread(to_do, listed))
    shown |= {row.id for row in safe if not spoken_of.isdisjoint(open_sentences(row))}
    changed = _once(file for one in observations for file in one.files_modified)
    read = _once(file for one in observations for file in one.files_read)
    return Done(
        **{name: tuple(named) for name, named in lines.items()},
        open=to_do,
        files_modified=changed,
        files_read=tuple(one for one in read if one not in changed),
        tools=_tools(observations),
        sources=tuple(row for row in safe if row.id in shown),
    )


def spread(lines: Sequence[T], most: int) -> list[T]:
    """At most `most` of `lines`, evenly over their course: the first and the last among them, so
    that a long session is told from its beginning to its end."""
    if len(lines) <= most:
        return list(lines)
    if most == 1:
        return [lines[-1]]
    return [lines[place * (len(lines) - 1) // (most - 1)] for place in range(most)]


def _lines(rows: Iterable[Memory]) -> dict[str, Memory]:
    """Each line once, with the first memory that says it."""
    named: dict[str, Memory] = {}
    for row in rows:
        named.setdefault(line(row), row)
    return named


def _tools(observations: Sequence[Observation]) -> tuple[tuple[str, int], ...]:
    """How often each tool was used, most first; spelled as it first was."""
    spelled: dict[str, str] = {}
    for one in observations:
        spelled.setdefault(one.tool.lower(), one.tool)
    counted = Counter(spelled[one.tool.lower()] for one in observations)
    return tuple(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


def _tells(row: Memory) -> bool:
    """Whether a note is more than that a file was read: those stand under the files."""
    return row.kind is not Kind.DISCOVERY or role(_tool(row)) not in _LOOKS


def _is_report(row: Memory) -> bool:
    """Whether it is what the agent said that it did or found, of no kind that has a heading."""
    said = row.origin is Origin.AGENT and row.data_source is DataSource.ASSISTANT_MESSAGE
    return said and not any(row.kind in kinds for kinds in _SECTIONS.values())


def _tool(row: Memory) -> str:
    return dict(row.metadata).get("tool", "")


def line(row: Memory) -> str:
    """A memory in a line: its title, and the files it changed where the title does not say so."""
    told = _reported(row) or _telling(row) or row.title or title(row.content)
    said = told.removeprefix("Changed ").removeprefix("Created ")
    missing = [file for file in row.files_modified if file.rpartition("/")[2] not in said]
    place = f" ({', '.join(missing[:3])})" if missing else ""
    return shortened(said, _LINE) + place


def _reported(row: Memory) -> str:
    """What an agent reports, behind its "Done." and "Noted."."""
    said = sentences(row.content[:_READ]) if _is_report(row) else ()
    return next((one.strip() for one in said if len(one.split()) >= _WORDS), "")


def _telling(row: Memory) -> str:
    """Of several sentences the one that makes the memory what it is: what was decided, not what was
    said before it."""
    said = sentences(row.content[:_READ]) if row.kind in _BY_WORDS and not _tool(row) else ()
    found = (one for one in said if any(_is_of(row.kind, name) for name in evidence(plain(one))))
    return title(next(found, "")) if len(said) > 1 else ""


def _is_of(kind: Kind, signal: str) -> bool:
    return signal.partition(":")[0] == kind


def left_open(rows: Sequence[Memory], observations: Sequence[Observation]) -> Iterator[str]:
    """What is still to be done: the last plan's rest, what failed and never went well after, and
    sentences that say so (not those of files that were only read)."""
    plans = [one.plan for one in observations if one.plan is not None]
    yield from (text for text in (plans[-1] if plans else ()) if not injection_signals(text))
    failing: dict[str, None] = {}
    for one in observations:
        if one.ran and one.failed:
            failing[one.ran] = None
        elif one.ran:
            failing.pop(one.ran, None)
    for ran in failing:
        if not injection_signals(ran):
            yield table("sessions")[spoken(rows)]["failing"].format(ran=ran)
    for row in rows:
        yield from open_sentences(row)


def open_sentences(row: Memory) -> Iterator[str]:
    """The sentences of a memory that say what is still to be done."""
    if role(_tool(row)) not in _LOOKS:
        said = (part.strip().lstrip("+-#/* ") for part in sentences(row.content))
        yield from (shortened(part, _LINE) for part in said if matches("open", part))


def spoken(rows: Sequence[Memory]) -> str:
    """The language of a session's summary: Turkish where its memories are, else English."""
    return "tr" if language(" ".join(row.title for row in rows)) == "tr" else "en"


def summary_text(found: Done, heading: Heading, listed: int) -> str:
    """The summary as text: a line that says whose, where and when, and one per heading."""
    words = table("sessions")[spoken(found.sources)]
    lines = [_head(heading, words)]
    for name in (*_SECTIONS, "reported", "told", "open"):
        lines += _section(words[name], getattr(found, name), listed, words["more"])
    for name in ("files_modified", "files_read"):
        files = getattr(found, name)
        if files:
            lines.append(f"{words[name]}: {_most(files, _FILES, words['more'])}.")
    if found.tools:
        used = (f"{tool} {count}" for tool, count in found.tools)
        lines.append(f"{words['tools']}: {', '.join(used)}.")
    return "\n".join(lines)


def summarised(
    found: Done, heading: Heading, text: str, *, id: str, now: int, importance: float
) -> Memory:
    """The summary as a memory: as little trusted as the least trusted of what it tells."""
    origins = [Origin.AGENT, *(row.origin for row in found.sources)]
    origins += [Origin.TOOL] if found.tools else []
    origin = min(origins, key=ORIGIN_TRUST.__getitem__)
    return Memory(
        id=id,
        scope=heading.scope,
        content=text,
        kind=Kind.SUMMARY,
        category="checkpoint" if heading.checkpoint else SESSION_SUMMARY,
        title=_title(found, heading),
        subtitle=shortened(text.partition("\n")[0], _LINE),
        tags=("session",),
        files_read=found.files_read[:_KEPT_FILES],
        files_modified=found.files_modified[:_KEPT_FILES],
        origin=origin,
        write_source=WriteSource.SESSION,
        data_source=DataSource.TOOL_OUTPUT if found.tools else DataSource.SYSTEM,
        evidence=Evidence.OBSERVED,
        trust=ORIGIN_TRUST[origin],
        importance=importance,
        sub_tier=SubTier.OBSERVED,
        valid_from=heading.ended_at,
        recorded_at=now,
        updated_at=now,
    )


def _head(heading: Heading, words: dict[str, str]) -> str:
    scope = heading.scope
    name = "checkpoint" if heading.checkpoint else "session"
    parts = [words[name].format(session=scope.session, number=heading.checkpoint)]
    parts += [words["for"].format(user=scope.user)] if scope.user else []
    parts += [words["in"].format(project=scope.project)] if scope.project else []
    parts.append(words["when"].format(start=_minute(heading.started_at), end=_end(heading)))
    parts += [words["abandoned"]] if heading.abandoned else []
    return "".join(parts) + "."


def _title(found: Done, heading: Heading) -> str:
    first = (*found.decisions, *found.fixes, *found.features, *found.changes, *found.discoveries)
    words = table("sessions")[spoken(found.sources)]
    name = "checkpoint" if heading.checkpoint else "session"
    head = words[name].format(session=heading.scope.session, number=heading.checkpoint)
    return shortened(f"{head}: {first[0]}" if first else head, _TITLE)


def _section(name: str, lines: Sequence[str], listed: int, more: str) -> Iterator[str]:
    if len(lines) == 1:
        yield f"{name}: {lines[0].rstrip('.:;,')}."
    elif lines:
        yield f"{name}:"
        yield from (f"- {one}" for one in spread(lines, listed))
        if len(lines) > listed:
            yield f"- {more.format(count=len(lines) - listed)}"


def _most(names: Sequence[str], limit: int, more: str) -> str:
    shown = ", ".join(names[:limit])
    rest = len(names) - limit
    return f"{shown} {more.format(count=rest)}" if rest > 0 else shown


def _once(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in lines if one))


def _minute(at: int) -> str:
    return str(iso(at))[:16].replace("T", " ")


def _end(heading: Heading) -> str:
    """The moment it ended, without the day where that is the day it began."""
    start, end = _minute(heading.started_at), _minute(heading.ended_at)
    return end[11:] if end[:10] == start[:10] else end
