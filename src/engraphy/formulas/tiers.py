"""When a memory moves between working, episodic, semantic and dormant, or is always injected."""

from engraphy.formulas._bounds import at_least, unit
from engraphy.formulas.gate import reaches


def leaves_working_memory(
    *,
    access_count: float,
    importance: float,
    access_from: float = 2.0,
    importance_from: float = 0.6,
) -> bool:
    """Whether an item of working memory is a candidate for long-term memory.

    Formula: ``access_count >= 2 or importance >= 0.6``
    Inputs: access_count >= 0; importance in [0, 1].
    Range: true or false.
    Source: row D-31 (cognitive document, promotion candidates).

    >>> leaves_working_memory(access_count=2, importance=0.1)
    True
    """
    weighty = reaches(score=unit(importance), threshold=importance_from)
    return at_least(access_count, access_from) or weighty


def is_promoted(
    *,
    access_count: float,
    utility: float,
    age_days: float,
    entity_memories: float,
    access_from: float = 3.0,
    utility_from: float = 0.7,
    age_from: float = 7.0,
    entity_from: float = 3.0,
) -> bool:
    """Whether an episodic memory becomes semantic; any of three rules is enough.

    Formula: ``access_count >= 3 or (utility >= 0.7 and age_days >= 7) or entity_memories >= 3``
    Inputs: access_count >= 0; utility in [0, 1]; age_days >= 0; entity_memories >= 0, the most
    episodic memories (this one included) that share one of its entities.
    Range: true or false.
    Source: row D-46 (cognitive document, promotion logic); Tulving 1972.

    >>> is_promoted(access_count=0, utility=0.7, age_days=7, entity_memories=1)
    True
    """
    useful = reaches(score=unit(utility), threshold=utility_from)
    used = at_least(access_count, access_from)
    proven = at_least(age_days, age_from) and useful
    return at_least(entity_memories, entity_from) or used or proven


def is_demoted(
    *, idle_days: float, utility: float, idle_from: float = 60.0, utility_below: float = 0.2
) -> bool:
    """Whether a semantic memory becomes dormant; both conditions are needed.

    Formula: ``idle_days >= 60 and utility < 0.2``
    Inputs: idle_days >= 0 since the last access; utility in [0, 1].
    Range: true or false.
    Source: row D-46 (cognitive document, demotion logic).

    >>> is_demoted(idle_days=60, utility=0.19), is_demoted(idle_days=60, utility=0.2)
    (True, False)
    """
    useless = not reaches(score=unit(utility), threshold=utility_below)
    return at_least(idle_days, idle_from) and useless


def is_hot(
    *,
    utility: float,
    access_count: float,
    idle_days: float,
    utility_from: float = 0.8,
    access_from: float = 10.0,
    idle_below: float = 30.0,
) -> bool:
    """Whether a semantic memory belongs to the hot tier, which is always injected.

    Formula: ``utility >= 0.8 and access_count >= 10 and idle_days < 30``
    Inputs: utility in [0, 1]; access_count >= 0; idle_days >= 0 since the last access (or since
    creation, where a profile says so).
    Range: true or false.
    Source: row D-30 (cognitive document, selection criteria; its age is read as idle days).

    >>> is_hot(utility=0.8, access_count=10, idle_days=29)
    True
    """
    useful = reaches(score=unit(utility), threshold=utility_from)
    used = at_least(access_count, access_from)
    return not at_least(idle_days, idle_below) and used and useful
