"""Whether an observed message is worth remembering. Explicit `remember` never comes here."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engraphy.formulas import blend, reaches
from engraphy.model import Draft, Memory, Near, Role, State, Step
from engraphy.profile import Gate, Profile
from engraphy.text.density import density
from engraphy.text.errands import lasting
from engraphy.text.filters import filter_reason
from engraphy.text.promised import promised
from engraphy.text.reminding import asks
from engraphy.text.trivial import QUESTION, promises, trivial
from engraphy.text.unkept import unkept
from engraphy.write.features import Considered, FEATURES

_ERRAND = "it only asks for something to be done now"


def entry(text: str, role: Role, profile: Profile, *, named: bool = False) -> tuple[Step, ...]:
    """What is asked of a message before anything is looked up: each verdict up to the first
    refusal, which is the last of them and has not passed. `named`: its speaker has a name, so that
    a question may be one to another person."""
    steps: list[Step] = []
    for step in _checks(text, role, profile, named):
        steps.append(step)
        if not step.passed:
            break
    return tuple(steps)


def _checks(text: str, role: Role, profile: Profile, named: bool) -> Iterator[Step]:
    knobs = profile.gate
    if role.value not in profile.write.observe_roles:
        yield _verdict("role", f"{role.value} messages are not remembered", passed=False)
    if not text:
        yield _verdict("empty", "nothing is left of the message", passed=False)
    if role is Role.USER and unkept(text):
        yield _verdict("unkept", "it asks not to be kept", passed=False)
    asked = profile.form.remind.asked and role is Role.USER and asks(text)
    if asked:
        yield _verdict("reminder", "it asks to be reminded", passed=True)
    elif knobs.trivial or knobs.questions:
        idle = trivial(text, between_people=named)
        nods = role is Role.ASSISTANT and not named and promises(text) and not promised(text)
        yield from _idle("acknowledgement" if idle is None and nods else idle, knobs)
    if knobs.filters:
        reason = filter_reason(text)
        yield _verdict("filter", reason or "none refuses it", passed=reason is None)
    least = knobs.agent_min_density if role is Role.ASSISTANT else knobs.min_density
    if least and not asked:
        yield _dense(text, role, least)


class Left(NamedTuple):
    """What of a message is to be kept, piece by piece, and the verdict where something was left
    out; none of it passed where nothing is left."""

    pieces: tuple[str, ...]
    steps: tuple[Step, ...] = ()


def left(text: str, role: Role, profile: Profile, *, named: bool = False) -> Left:
    """A message that passed `entry`, without what only asks for something to be done now. Between
    people (`named`) a request tells of their lives, and one to be reminded is kept as such."""
    if not profile.gate.errands or role is not Role.USER or named:
        return Left((text,))
    pieces = None if profile.form.remind.asked and asks(text) else lasting(text)
    if pieces is None:
        return Left((text,))
    detail = "what only asks for something now is left out" if pieces else _ERRAND
    return Left(pieces, (_verdict("errand", detail, passed=bool(pieces)),))


def _idle(reason: str | None, knobs: Gate) -> Iterator[Step]:
    asks = reason == QUESTION
    if knobs.trivial:
        small = None if asks else reason
        yield _verdict("trivial", small or "it says something", passed=small is None)
    if knobs.questions:
        detail = "it only asks (question-only)" if asks else "it does not only ask"
        yield _verdict("question", detail, passed=not asks)


def _dense(text: str, role: Role, least: int) -> Step:
    found = density(text)
    enough = found.total >= least
    counted = (
        f"{found.entities} entities, {found.facts} facts, {found.temporal} times, "
        f"{found.corrections} corrections"
    )
    told = f"{role.value} message tells {found.total} things {'>=' if enough else '<'} {least}"
    return _verdict("density", f"{told} ({counted})", passed=enough)


def _verdict(stage: str, detail: str, *, passed: bool) -> Step:
    return Step(stage=stage, detail=detail, passed=passed)


def repeated(draft: Draft, same: Memory, knobs: Gate) -> Step | None:
    """What the blend says of a text that is held word for word; None where the profile does not
    ask, or what is held has expired or was archived: that revives."""
    if not knobs.repetitions or same.state is not State.ACTIVE:
        return None
    near = Near(memory=same, similarity=1.0, guards=frozenset())
    return worth(draft, [near], False, knobs)


def worth(draft: Draft, near: Sequence[Near], contradicts: bool, knobs: Gate) -> Step | None:
    """What the blend of the profile's features says of a draft (A-13, C-02); None where the
    profile has no such gate, or a caller asked for the memory by name."""
    if not knobs.features or draft.explicit:
        return None
    considered = Considered(draft=draft, near=near, contradicts=contradicts)
    values = {str(name): FEATURES[name](considered) for name in knobs.features}
    total = blend(signals=values, weights={str(k): w for k, w in knobs.features.items()})
    enough = reaches(score=total, threshold=knobs.threshold)
    parts = ", ".join(f"{name} {value:.2f}" for name, value in values.items())
    sign = ">=" if enough else "<"
    detail = f"score {total:.2f} {sign} {knobs.threshold:.2f} ({parts})"
    return Step(stage="gate", detail=detail, passed=enough, value=total)
