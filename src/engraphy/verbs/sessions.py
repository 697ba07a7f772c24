"""The verbs of sessions and of what tools bring (A-14 to A-16, A-22)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engraphy.engine import scoping, sessions, tooling, working
from engraphy.errors import InvalidInputError
from engraphy.model import Memory as Row
from engraphy.model import Outcome, Scope, SessionReport, SessionStatus, WorkingItem
from engraphy.profile import capabilities
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Verbs
from engraphy.write.intake import storable

_LONGEST_TOOL = 512
_OUTPUT = "text, a mapping, a list of blocks, or None"


class Sessions(Verbs):
    """A session from its start to its summary, and the tools that are used in it."""

    def start_session(
        self,
        session: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        root: str = "",
        at: object = None,
    ) -> SessionStatus:
        """Open a session, or go on with one: the same call again changes nothing but the time.

        `root`: the project's folder, so that absolute paths inside it and relative ones are the
        same file. A session of these walls that was silent for the profile's hours and never ended
        is closed first, with its summary.
        """
        who = self._session(session, user, agent, project)
        folder = storable(scoping.text("root", root))
        return sessions.start(self._engine, who, _moment(at), folder)

    def observe_tool(
        self,
        tool: str,
        output: object,
        *,
        input: Mapping[str, object] | None = None,
        files_read: Sequence[str] = (),
        files_modified: Sequence[str] = (),
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
    ) -> Outcome:
        """Note the use of a tool: what was done, to which files, what came back; or why not.

        `tool` in any agent's spelling, `input` its arguments and `output` its result as the agent
        has them. Secrets are redacted, long output is cut, text that tries to instruct is
        quarantined, what tells nothing (a listing, an empty search, a receipt) is skipped. With a
        `session` it is counted there, a change of topic is noticed, and each tenth brings a
        checkpoint.
        """
        who = self._scope(user, agent, project, session)
        given = {} if input is None else input
        if not isinstance(given, Mapping):
            raise InvalidInputError(field="input", got=type(input).__name__, allowed="a mapping")
        if not isinstance(output, str | Mapping | list | tuple | None):
            raise InvalidInputError(field="output", got=type(output).__name__, allowed=_OUTPUT)
        event = tooling.Event(
            tool=_tool(tool),
            output=output,
            given=given,
            files_read=scoping.texts("files_read", files_read),
            files_modified=scoping.texts("files_modified", files_modified),
        )
        return tooling.observe_tool(self._engine, event, who, _moment(at))

    def checkpoint(
        self,
        session: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        at: object = None,
    ) -> Row | None:
        """Write what was done since the last checkpoint as a memory; None where nothing was."""
        who = self._session(session, user, agent, project)
        return sessions.checkpoint(self._engine, who, _moment(at), due=False)

    def end_session(
        self,
        session: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        at: object = None,
    ) -> SessionReport:
        """Close a session and write the memory that tells what was done in it: for whom, what was
        decided, fixed, added, changed and found, in which files, and what is left open.

        Ending it again changes nothing. One that went on since gets the next version of its
        summary. Raises UnknownSessionError where none of that name has begun.
        """
        return sessions.end(self._engine, self._session(session, user, agent, project), _moment(at))

    def session(
        self,
        session: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
    ) -> SessionReport:
        """What was done in a session so far, and how far it has come; nothing is written. Raises
        UnknownSessionError where none of that name has begun."""
        return sessions.report(self._engine, self._session(session, user, agent, project))

    def working(
        self,
        session: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        allow_private: bool = False,
        allow_secret: bool = False,
    ) -> list[WorkingItem]:
        """What a session is about just now, the strongest first (D-31): what was said, confirmed
        or injected in it, as many items as the profile holds, and which of them are candidates for
        longer keeping. Listing is not access."""
        who = self._session(session, user, agent, project)
        leave = {"allow_private": allow_private, "allow_secret": allow_secret}
        view = self._view({"user": user, "agent": agent, "project": project, **leave})
        return working.items(self._engine, replace(view, scope=who))

    def capabilities(self) -> dict[str, bool]:
        """Which parts of a memory the opened profile has; all but the store may be absent."""
        return capabilities(self._engine.profile)

    def _session(
        self, session: object, user: str | None, agent: str | None, project: str | None
    ) -> Scope:
        if not isinstance(session, str) or not session:
            raise InvalidInputError(
                field="session", got=repr(session)[:60], allowed="the name of a session"
            )
        return self._scope(user, agent, project, session)


def _moment(at: object) -> int | None:
    return None if at is None else microseconds(at)


def _tool(tool: object) -> str:
    if not isinstance(tool, str) or not tool.strip() or len(tool) > _LONGEST_TOOL:
        allowed = f"a tool's name of 1 to {_LONGEST_TOOL} characters"
        raise InvalidInputError(field="tool", got=repr(tool)[:60], allowed=allowed)
    return storable(tool.strip())
