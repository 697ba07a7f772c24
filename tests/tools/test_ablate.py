"""The table of what each stage of reading is worth."""

from pathlib import Path

import pytest
from tests.benchmarks import tiny

import ablate
from engraphy.profile import load


@pytest.mark.parametrize("stage", ablate.stages(), ids=lambda stage: stage.name)
def test_a_stage_names_knobs_of_the_profile_and_changes_them(stage: ablate.Stage) -> None:
    """A stage that is off is at another value than the profile's, and all of them may be set."""
    assert load(ablate.PROFILE, ablate.overrides(stage.knobs)) != load(ablate.PROFILE)


@pytest.mark.long
def test_the_page_has_a_line_for_each_stage_measured(tmp_path: Path) -> None:
    """Figures of the whole first, then differences; what a stage is worth says on which data."""
    data = {
        "locomo": tiny.written(tmp_path / "locomo.json", tiny.locomo()),
        "longmemeval": tiny.written(tmp_path / "pooled.json", tiny.pooled()),
        "beam": tiny.written(tmp_path / "beam/chat.json", tiny.beam()),
    }
    given = [word for name, file in data.items() for word in (f"--{name}", str(file))]
    out = tmp_path / "page.md"
    stages = ["--only", "words (BM25)", "--only", "activation (recency and frequency of use)"]
    stores = ["--stores", str(tmp_path / "stores"), "--out", str(out)]
    assert ablate.main([*given, *stages, *stores]) == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("| everything as in `default` |") == 2
    assert page.count("\n| words (BM25) |") == 3
    assert page.count("\n| + activation (recency and frequency of use) |") == 3
    assert "`fuse.text = 0.0`" in page
    assert "LoCoMo 41 + 42 + 43 3, LongMemEval 1" in page
