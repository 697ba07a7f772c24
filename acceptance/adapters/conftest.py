"""What the adapters' tests share: a memory in a file of its own, without a network."""

import pytest

from engraphy import Memory


@pytest.fixture
def memory(tmp_path):
    """An empty memory."""
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture
def told(memory):
    """A memory that holds something of Ann, and something of Bob."""
    memory.remember("Ann only drinks green tea.", user="ann", project="shop")
    memory.remember("Ann's cat is called Mia.", user="ann", project="shop")
    memory.remember("Ann lives in Oslo near the harbour.", user="ann", project="shop")
    memory.remember("Bob's canary word is zebrafish.", user="bob", project="shop")
    return memory
