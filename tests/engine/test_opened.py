"""An opened memory as a value: how it shows itself, and whether it and its answers travel."""

import pickle
from copy import deepcopy

import pytest

from engraphy import Memory


def test_an_opened_memory_shows_what_it_is(memory: Memory) -> None:
    """Its file, tenant and profile; never what is in it."""
    memory.remember("The heron nests by the lake")
    assert repr(memory) == f"Memory({memory.path!r}, tenant='default', profile='default')"


def test_answers_travel_and_an_opened_memory_does_not(memory: Memory) -> None:
    """What a verb gives back can be pickled; the open store is shared by copies, and pickling it is
    refused with what to do instead."""
    memory.remember("The heron nests by the lake")
    hits = memory.recall("where does the heron nest?", touch=False)
    block = memory.context("where does the heron nest?", touch=False)
    assert pickle.loads(pickle.dumps((hits, block))) == (hits, block)
    assert deepcopy({"memory": memory})["memory"] is memory
    with pytest.raises(TypeError, match="give the other process its path"):
        pickle.dumps(memory)
