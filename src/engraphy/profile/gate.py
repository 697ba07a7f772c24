"""The knobs of the entrance: what is worth remembering."""

from typing import Literal

from engraphy.profile.knobs import Count, Section, Unit, Weight

FeatureName = Literal[
    "substance",
    "salience",
    "distinctiveness",
    "type_weight",
    "novelty",
    "contradiction",
    "specificity",
    "emphasis",
    "context_switch",
]


class Gate(Section, frozen=True):
    """What is worth remembering, asked of observed messages only (A-13, B-07, C-02, D-01, D-02)."""

    trivial: bool
    """Drop greetings, thanks, nods, control words and small talk with the assistant (C-13)."""
    questions: bool
    """Drop what only asks, and names nothing that the user deals with (C-13)."""
    errands: bool
    """Leave out what only asks for something to be done now ("run the tests"), sentence by
    sentence: rules, choices, facts and wishes of the same message stay."""
    filters: bool
    """Drop what the seven filters of the observer name (D-01): too short, too long, code ..."""
    min_density: Count
    """Entities, facts, times and corrections a message must hold (D-02)."""
    agent_min_density: Count
    """The same for what the agent says: comfort and echoes are no memories."""
    capture_only: bool
    """Keep only what the capture patterns extract (B-07)."""
    features: dict[FeatureName, Weight]
    """What the blend is made of, by weight."""
    threshold: Unit
    """The blend of the features must reach it; without features there is no such gate."""
    repetitions: bool
    """Ask the blend of what is said word for word again, too (C-02); else it is reinforced."""
