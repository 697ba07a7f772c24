"""Whether an observed message is worth remembering. Explicit `remember` never comes here."""

from collections.abc import Sequence

from engraphy.formulas import blend, reaches
from engraphy.model import Draft, Near, Role, Step
from engraphy.profile import Gate
from engraphy.text.density import density
from engraphy.text.filters import filter_reason
from engraphy.text.trivial import trivial
from engraphy.write.features import Considered, FEATURES


def first_refusal(text: str, role: Role, knobs: Gate, roles: Sequence[str]) -> Step | None:
    """Why a message is refused before anything is looked up; None = let it in."""
    if role.value not in roles:
        return Step(stage="role", detail=f"{role.value} messages are not remembered")
    if not text:
        return Step(stage="empty", detail="nothing is left of the message")
    if knobs.trivial and (reason := trivial(text)):
        return Step(stage="trivial", detail=reason)
    if knobs.filters and (reason := filter_reason(text)):
        return Step(stage="filter", detail=reason)
    least = knobs.agent_min_density if role is Role.ASSISTANT else knobs.min_density
    if least and (found := density(text).total) < least:
        return Step(stage="density", detail=f"{role.value} message tells {found} things < {least}")
    return None


def worth(draft: Draft, near: Sequence[Near], contradicts: bool, knobs: Gate) -> Step | None:
    """Why the blend of the profile's features refuses a draft (A-13, C-02); None = let it in."""
    if not knobs.features or draft.explicit:
        return None
    considered = Considered(draft=draft, near=near, contradicts=contradicts)
    values = {str(name): FEATURES[name](considered) for name in knobs.features}
    total = blend(signals=values, weights={str(k): w for k, w in knobs.features.items()})
    if reaches(score=total, threshold=knobs.threshold):
        return None
    parts = ", ".join(f"{name} {value:.2f}" for name, value in values.items())
    return Step(stage="gate", detail=f"score {total:.2f} < {knobs.threshold:.2f} ({parts})")
