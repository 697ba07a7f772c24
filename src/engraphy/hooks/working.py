"""What is done with an event: what goes into the prompt at once, and what is kept of it later."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from engraphy import here
from engraphy.chain import Fired, Happening, fire, registry
from engraphy.engine.forgotten import FORGOTTEN
from engraphy.errors import EngraphyError, StoreError
from engraphy.hooks import activity, dialects, spool
from engraphy.hooks.dialects import AFTER, BEFORE, END, PROMPT, START, STOP, TOOL
from engraphy.hooks.event import Event
from engraphy.hooks.glancing import GIVEN
from engraphy.hooks.opened import Opened
from engraphy.model import Action, Context, Origin, Outcome
from engraphy.project import note_place, project_of, tops_of
from engraphy.text.echo import own
from engraphy.text.fence import strip_injected

_OURS = "engraphy"
_CALLED = re.compile(
    r"(?:^|[;&|(\n])\s{0,9}+(?:\w{1,60}+=\S{0,200}+\s{1,9}+){0,9}"
    r"(?:(?:uvx|uv run|pipx run|python3? -m)\s{1,9}+)?"
    rf"(?:\S{{0,200}}[/\\])?{_OURS}(?:\.cli|\.exe)?[\"']?(?:\s|$)"
)
"""Our program where a shell looks for one."""
_ID = re.compile(r"(?<![0-9A-Za-z])0[0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])")
_LOOKED_AT = 4_000
_LOOKED_BACK = 50
_HEARD = 8
_SUMMARY = 6_000
_TELLS = frozenset({PROMPT, STOP, TOOL, AFTER})
_WAITS = frozenset({"StoreBusyError", "StoreFullError", "StoreReadOnlyError", "StoreClosedError"})
"""What passes: an event that met it is tried again."""
_BROKEN = "an unexpected error"
_KEPT = frozenset({Action.CREATED, Action.UPDATED, Action.SUPERSEDED})
_MILLISECONDS = 1_000


class LaterError(Exception):
    """The store cannot be written just now."""


def project(folder: str) -> str | None:
    """The project of the folder an agent works in; None where it tells none that can be one."""
    try:
        return project_of(folder) if folder else None
    except (OSError, ValueError):
        return None


def answer(opened: Opened, event: Event) -> Context | None:
    """The block for the agent's prompt; None where there is nothing to tell, or it fails."""
    if event.side or not dialects.ANSWERS[event.agent][1] & {event.event}:
        return None
    prompt, memory = strip_injected(event.prompt), opened.memory
    if event.event == START:
        prompt, memory = "", opened.starts
        if event.source in {"compact", "clear"}:
            opened.anew(event.session, project(event.folder))
    budget = min(opened.budget, dialects.MOST_TOKENS)
    for _ in range(3):
        told = Happening(
            session=event.session or None,
            project=project(event.folder),
            prompt=prompt,
            budget=budget,
        )
        found = fire(registry(memory), PROMPT, told).context
        size = 0 if found is None else len(found.text.encode())
        if size <= dialects.MOST_BYTES:
            return found if size else None
        budget = max(1, int(budget * 0.95 * dialects.MOST_BYTES / size))
    return None


def work(opened: Opened, home: str, event: Event) -> None:
    """Keep what an event brought, once, and note what came of it. Raises LaterError."""
    begun, wall = here.stopwatch(), project(event.folder)
    if opened.is_done(event.id, wall):
        return
    opened.leave_card(home, event.folder, wall)
    if event.event == START and event.folder:
        note_place(event.folder)
    came = _worked(opened, event, wall)
    if _WAITS & set(came.failed.values()):
        raise LaterError
    opened.end(event.id, wall)
    if event.event != GIVEN:
        _note(home, event, came, begun)


def _note(home: str, event: Event, came: Fired, begun: float) -> None:
    made = [one for one in came.outcomes if one.memory is not None and one.action in _KEPT]
    activity.note(
        home,
        event,
        project=project(event.folder) or "",
        phase="worked",
        way="",
        ms=round((here.stopwatch() - begun) * _MILLISECONDS, 1),
        injected=[],
        tokens=0,
        captured=[one.memory.id for one in made if one.memory is not None],
        skipped=dict(
            Counter(one.reason or one.action.value for one in came.outcomes if one not in made)
        ),
        failed=came.failed,
    )


def drain(opened: Opened, home: str, *, most: int = 1_000_000) -> int:
    """Work off what waits, oldest first; how many events were. What fails in any other way than
    that the store cannot be written is set aside, so that it stops nothing. Raises LaterError."""
    count = 0
    for event in spool.events(home):
        if count >= most:
            break
        count += 1
        try:
            work(opened, home, event)
        except (LaterError, StoreError) as error:
            raise LaterError from error
        except Exception:  # noqa: BLE001 - one event that nobody can work off stops no other
            spool.aside(home, event.id)
            _note(home, event, Fired(failed={event.event: _BROKEN}), here.stopwatch())
        else:
            spool.done(home, event.id)
    return count


def _worked(opened: Opened, event: Event, wall: str | None) -> Fired:
    if event.event in _TELLS and opened.is_forgotten(event, wall):
        return Fired(outcomes=[Outcome(action=Action.SKIPPED, reason=FORGOTTEN)])
    parts, told = registry(opened.earlier(event)), _happening(event, wall)
    if event.event == TOOL:
        if _is_ours(event) or _shows_ours(opened, event, wall):
            return Fired()
        opened.mark(event.id, wall)
        return fire(parts, TOOL, told)
    if event.event in {PROMPT, STOP}:
        return fire(parts, STOP, told._replace(messages=list(_said(opened, event, wall))))
    if event.event == GIVEN:
        opened.mark(event.id, wall)
        opened.deliver(event, wall)
        return Fired()
    if event.event == AFTER:
        return _summed_up(opened, event, wall)
    if event.event in {START, BEFORE, END} and event.session:
        opened.mark(event.id, wall)
        return fire(parts, event.event, told)
    return Fired()


def _happening(event: Event, wall: str | None) -> Happening:
    return Happening(
        session=event.session or None,
        project=wall,
        root=next(iter(tops_of(event.folder)), event.folder) if wall is not None else "",
        tool=event.tool or "tool",
        given=event.given,
        output=event.output,
        at=event.at,
    )


def _said(opened: Opened, event: Event, wall: str | None) -> Iterable[dict[str, Any]]:
    """What was said in an event that is to be kept: the user's words, or the agent's own."""
    if event.side:
        return
    if event.event == PROMPT:
        text = strip_injected(event.prompt).strip()
        if text and not text.startswith("/"):
            yield {"role": "user", "content": text}
        return
    text = own(event.answer, [*_injected(opened, event, wall), *_heard(opened, event, wall)])
    if text:
        yield {"role": "assistant", "content": text}


def _heard(opened: Opened, event: Event, wall: str | None) -> list[str]:
    """What the user told last in this conversation: an agent that says it again ("Noted: ...") adds
    nothing, and its words would stand where the user's are over."""
    if not event.session:
        return []
    last = opened.memory.list(project=wall, session=event.session, limit=_HEARD)
    return [one.content for one in last if one.origin is Origin.USER]


def _injected(opened: Opened, event: Event, wall: str | None) -> list[str]:
    """What this conversation was given last, as it reads today."""
    if not event.session:
        return []
    found = opened.memory.receipts(limit=_LOOKED_BACK, project=wall, session=event.session)
    return [line.content for receipt in found for line in receipt.lines]


def _summed_up(opened: Opened, event: Event, wall: str | None) -> Fired:
    """What a host tells of a conversation that it condensed, as the agent's word."""
    text = own(event.summary, _injected(opened, event, wall))[:_SUMMARY]
    came = Fired()
    if text and not event.side:
        opened.mark(event.id, wall)
        came.outcomes.append(
            opened.earlier(event).remember(
                text,
                kind="summary",
                origin="agent",
                project=wall,
                session=event.session or None,
                at=event.at,
            )
        )
    return came


def _is_ours(event: Event) -> bool:
    """Whether a tool is this memory's own: what it answered is no news."""
    said = event.given.get("command", "")
    command = "\n".join(map(str, said)) if isinstance(said, list) else str(said)
    return _OURS in event.tool.lower() or _CALLED.search(command[:_LOOKED_AT]) is not None


def _shows_ours(opened: Opened, event: Event, wall: str | None) -> bool:
    """Whether an output tells of memories by their ids: Cursor calls a tool of ours by a name that
    says not whose it is, and what our tools told is read from files and logs again."""
    text = json.dumps(event.output, ensure_ascii=False, default=str)
    for known in list(dict.fromkeys(_ID.findall(text)))[:_LOOKED_BACK]:
        with suppress(EngraphyError):
            opened.memory.get(known, touch=False, project=wall)
            return True
    return False
