"""A summary that was made at rest, without what no longer stands of what it tells."""

from collections.abc import Sequence
from dataclasses import replace

from engraphy.dream.ripe import CATEGORY, MADE, notes_of, oldest_first
from engraphy.model import Kind, Memory, WriteSource
from engraphy.profile import Profile
from engraphy.text.gist import gist, recurring
from engraphy.text.rewrite import shortened

_TITLE = 80


def made_at_rest(memory: Memory) -> bool:
    """Whether it is a theme, a pattern, a summary of a category or the like."""
    return memory.kind in MADE and memory.write_source is WriteSource.DREAM


def stands_for(memory: Memory) -> bool:
    """Whether it took the place of what it tells."""
    summary = made_at_rest(memory) and memory.kind is Kind.SUMMARY
    return summary and CATEGORY not in memory.tags


def retelling(held: Memory, left: Sequence[Memory], profile: Profile) -> Memory | None:
    """The same summary of what is left of its sources; None where nothing is. It stays linked to
    all of them: an earlier text of it still tells the others, and goes when they are forgotten."""
    if not left:
        return None
    notes, subject = notes_of(sorted(left, key=oldest_first)), held.title.partition(":")[0]
    knobs, line = profile.dream, profile.condense.line_chars
    if held.kind is Kind.PATTERN:
        written = recurring(notes, subject, chars=knobs.cluster.chars // 4, line_chars=line)
    elif CATEGORY in held.tags:
        size = knobs.summaries.chars
        written = gist(notes, held.category, chars=size, line_chars=line, by_name=True)
    else:
        written = gist(notes, subject, chars=knobs.cluster.chars, line_chars=line)
    title = shortened(written.text.partition("\n")[0].rstrip(".:"), _TITLE)
    named = tuple(dict.fromkeys(uri for row in left for uri in row.entities))
    return replace(held, content=written.text, title=title, entities=named)
