"""Words that stand everywhere, and hits that answer too little."""

from pathlib import Path

from engraphy import Memory


def test_a_word_of_every_memory_finds_them(tmp_path: Path) -> None:
    """Without an embedder too, what every memory holds is found, not cut off."""
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        for number in range(6):
            memory.remember(f"The otter number {number} likes fish")
        assert len(memory.recall("otter")) == 6


def test_low_confidence_is_skipped_and_told(tmp_path: Path) -> None:
    """What answers less than the abbreviated band is left out of the block, with its reason."""
    inject = {"inject": {"full_from": 1.0, "abbreviated_from": 0.99}}
    with Memory(tmp_path / "m.db", overrides=inject) as memory:
        memory.remember("The staging server of the orders team listens on port 3000")
        block = memory.context("Where do the orders of the whole company come from?")
        assert block.text == ""
        assert {step.stage for step in block.receipt.skipped} == {"confidence"}
