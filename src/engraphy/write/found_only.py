"""What an agent was talked into by a page is found, and stands in no prompt (P-10)."""

from dataclasses import replace

from msgspec import UNSET, structs

from engraphy.model import Memory, PRIORITY_RANK, Priority
from engraphy.profile import Inject
from engraphy.write.given import Given


def stands(memory: Memory, inject: Inject) -> bool:
    """Whether a layer that is in every prompt takes a memory."""
    return any(
        layer.source == "standing"
        and (not layer.kinds or memory.kind.value in layer.kinds)
        and PRIORITY_RANK[memory.priority] >= PRIORITY_RANK[Priority(layer.min_priority)]
        for layer in inject.layers
    )


def found_only(
    made: Memory, wanted: Given | None, inject: Inject, held: Memory | None = None
) -> Memory:
    """`made` as a caller may have it who makes nothing stand in every prompt: what would has a
    middle priority, unless it stood so before, as `held`, in the same words."""
    if wanted is None or wanted.only_found is not True or not stands(made, inject):
        return made
    stood = held is not None and held.content == made.content and stands(held, inject)
    return made if stood else replace(made, priority=Priority.MEDIUM)


def of_what_stands(wanted: Given, held: Memory, inject: Inject) -> Given:
    """The fields that count of those with which a memory is told again: whoever makes nothing stand
    takes nothing out of the prompt by saying it again either."""
    if wanted.only_found is not True or not stands(held, inject):
        return wanted
    return structs.replace(wanted, kind=UNSET, priority=UNSET)
