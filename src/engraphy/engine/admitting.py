"""From an observed message to drafts: what the gates let in, formed by a model or by the rules."""

from engraphy.engine.noting import noted
from engraphy.engine.parts import Engine
from engraphy.engine.standing import standing, told_view
from engraphy.model import Draft, Message, Role, Step
from engraphy.text.canonical import canonical
from engraphy.text.leaning import leaning
from engraphy.write.form import Source, captured, observed
from engraphy.write.gate import entry, left
from engraphy.write.intake import Intake


def admitted(
    engine: Engine, message: Message, source: Source, intake: Intake
) -> tuple[list[Draft], tuple[Step, ...]]:
    """The drafts of a message, and the verdicts it met: where there are no drafts, the last of
    them says why."""
    profile, named = engine.profile, bool(message.name)
    steps = (*intake.steps, *entry(intake.text, message.role, profile, named=named))
    if steps and not steps[-1].passed:
        return [], steps
    rest = left(intake.text, message.role, profile, named=named)
    steps = (*steps, *rest.steps)
    if not rest.pieces:
        changing = _changing(engine, source, intake)
        return changing, steps if not changing else intake.steps
    drafts, steps = noted(engine, "\n".join(rest.pieces), source, steps)
    for piece in () if drafts else rest.pieces:
        if profile.gate.capture_only:
            drafts.extend(captured(piece, source, profile.form, steps))
        else:
            drafts.extend(observed(piece, source, profile.form, profile.write, steps))
    if drafts:
        return drafts, steps
    return [], (*steps, Step(stage="capture", detail="no pattern matched", passed=False))


def _changing(engine: Engine, source: Source, intake: Intake) -> list[Draft]:
    """The drafts of what only orders something, where that changes what a memory says ("make
    retries 5"): then it is no errand."""
    told = canonical(intake.text) != intake.text or leaning(intake.text) is not None
    if source.role is not Role.USER or not told:
        return []
    profile = engine.profile
    passed = Step(stage="errand", detail="it changes what is remembered", passed=True)
    steps = (*intake.steps, passed)
    drafts = list(observed(intake.text, source, profile.form, profile.write, steps))
    views = (told_view(one.memory, source.now, profile.sessions) for one in drafts)
    stand = [standing(engine, view, one).held for view, one in zip(views, drafts, strict=True)]
    return drafts if any(stand) else []
