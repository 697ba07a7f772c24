"""The rules of the lexicon: patterns that are compiled when they are first tried."""

import pytest

from engraphy.text import wordlists
from engraphy.text.datafiles import table

FILES = [*wordlists.LANGUAGES, "shapes"]


@pytest.mark.parametrize("file", FILES)
def test_every_pattern_is_one(file: str) -> None:
    """No rule waits with a pattern that cannot be compiled, or with a macro that
    nobody has put in."""
    seen = 0
    for section, rows in table(file).items():
        if not isinstance(rows, list) or not isinstance(rows[0], dict) or "pattern" not in rows[0]:
            continue
        rules = list(wordlists.rules_of(file, section))
        assert [rule.name for rule in rules] == [row["name"] for row in rows]
        assert [rule.name for rule in rules if "<<" in rule.pattern.pattern] == []
        seen += len(rules)
    assert seen
