"""How often a property is tried that says so itself."""

from hypothesis import settings

_WHOLE = 50
"""So many examples a property has that says nothing, where the slow tests run too."""


def few(count: int, least: int = 4) -> int:
    """So many examples where the slow tests run too, a third of them in the fast suite."""
    return count if settings().max_examples >= _WHOLE else max(least, count // 3)
