"""What a piece of tool output is about (A-15): bugfix, feature, decision ... and its concepts."""

from collections import Counter
from collections.abc import Iterator

from engraphy.model.kinds import Kind
from engraphy.model.language import ToolClass
from engraphy.text.wordlists import READ_LIMIT, Rule, plain, rules

MOST_CONCEPTS = 3
_ORDER = ("decision", "bugfix", "refactor", "feature", "discovery", "change")


def tool_class(text: str, *, tool: str = "") -> ToolClass:
    """The kind with the most evidence, and up to three concepts, the surest first.

    `tool` is the tool's name in any case; without evidence in the text a tool that writes means
    change and any other discovery.
    """
    folded = plain(text[:READ_LIMIT])
    scores = tally("tool_kinds", folded)
    kind = max(_ORDER, key=lambda name: (scores[name], -_ORDER.index(name)))
    if not scores:
        kind = "change" if writes(tool) else "discovery"
    concepts = [name for name, _ in tally("concepts", folded).most_common(MOST_CONCEPTS)]
    return ToolClass(kind=Kind(kind), concepts=tuple(concepts))


def tally(section: str, folded: str) -> Counter[str]:
    """The weight of the rules that fire, by name."""
    found: Counter[str] = Counter()
    for rule in rules(section):
        if rule.pattern.search(folded):
            found[rule.name] += weight(rule)
    return found


def weight(rule: Rule) -> int:
    """What a rule counts."""
    return int(rule.fields.get("weight", 1))


def writes(tool: str) -> bool:
    """Whether a tool changes files, by its name in any spelling."""
    name = tool.lower().replace("_", "").replace("-", "")
    return any(part in name for part in parts_of_writers())


def parts_of_writers() -> Iterator[str]:
    """What the names of tools that change files contain."""
    yield from ("edit", "write", "patch", "create", "replace", "insert")
