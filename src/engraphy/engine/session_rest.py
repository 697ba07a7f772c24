"""What maintenance does at the end of a session, in its walls (A-18, A-19, A-21)."""

from typing import NamedTuple

from engraphy.engine.dream import rest
from engraphy.engine.parts import Engine
from engraphy.errors import AlreadyDreamingError, EngraphyError
from engraphy.model import DreamStep, Scope


class Rested(NamedTuple):
    """What each step did, and those that failed: their names, and why."""

    steps: tuple[DreamStep, ...] = ()
    failed: tuple[str, ...] = ()


def rested(engine: Engine, scope: Scope) -> Rested:
    """Take the profile's steps one by one: one that fails never stops the others, nor the end of
    the session. What another process is at already is done there."""
    done: list[DreamStep] = []
    failed: list[str] = []
    for step in engine.profile.dream.after_session:
        try:
            done += rest(engine, scope, [step], engine.clock()).steps
        except AlreadyDreamingError:
            continue
        except EngraphyError as error:
            failed.append(f"{step}: {error}")
    return Rested(tuple(done), tuple(failed))
