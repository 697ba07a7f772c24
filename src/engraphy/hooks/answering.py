"""An answer by a process of its own that opens the memory for it."""

from collections.abc import Callable

from engraphy.hooks import activity, answer, working
from engraphy.hooks.event import Event
from engraphy.hooks.opened import Opened


def answered(home: str, event: Event, say: Callable[[bytes], None], begun: float) -> None:
    """Say what goes into the prompt. Raises the errors of opening."""
    opened = Opened()
    try:
        found = working.answer(opened, event)
        say(answer.written(event.agent, event.event, "" if found is None else found.text))
        opened.leave_card(home, event.folder, working.project(event.folder))
        activity.fired(
            home,
            event,
            way="opened",
            begun=begun,
            found=found,
            project=working.project(event.folder),
        )
    finally:
        opened.close()
