"""Changed values, and what only looks like one, made from templates with a seed."""

from engraphy.benchmarks.slot_cases import SEED, generated
from engraphy.benchmarks.write_figures import Bar
from engraphy.benchmarks.write_part import Ground, Part
from engraphy.benchmarks.write_slots import measured

_BARS = tuple(
    bar
    for language in ("en", "tr")
    for bar in (
        Bar(group=language, figure="f1", limit=0.85),
        Bar(group=language, figure="false_supersede", limit=0.03, at_least=False),
        Bar(group=language, figure="stale_top5", limit=0.05, at_least=False),
        Bar(group=language, figure="as_of", limit=0.95),
    )
)


def measure(ground: Ground) -> Part:
    """All of them."""
    return measured(ground, generated(SEED), _BARS)
