"""An opened memory as a value: how it shows itself, and whether it and its answers travel."""

import json
import pickle
from copy import deepcopy
from dataclasses import asdict, fields, is_dataclass, replace

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
    assert json.loads(json.dumps(asdict(hits[0])))["memory"]["content"] == hits[0].memory.content
    assert is_dataclass(block)
    assert asdict(block)["hits"] == tuple(map(asdict, block.hits))
    assert replace(block, tokens=0).text == block.text
    assert [one.name for one in fields(hits[0])] == list(asdict(hits[0]))
    assert pickle.loads(pickle.dumps((hits, block))) == (hits, block)
    assert deepcopy({"memory": memory})["memory"] is memory
    with pytest.raises(TypeError, match="give the other process its path"):
        pickle.dumps(memory)


def test_a_long_list_comes_page_by_page(memory: Memory) -> None:
    """No more than the limit at once; after the last one the next come, each once."""
    for number in range(7):
        memory.remember(f"Widget {number} costs {number * 3} euros")
    for verb in (memory.list, memory.timeline):
        seen: list[str] = []
        while page := verb(limit=3, after=seen[-1] if seen else None):
            seen += [row.id for row in page]
        assert len(seen) == len(set(seen)) == memory.count() == 7
