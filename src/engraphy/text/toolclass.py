"""What a piece of tool output is about (A-15): bugfix, feature, decision ... and its concepts."""

from collections import Counter

from engraphy.model.kinds import Kind
from engraphy.model.language import ToolClass
from engraphy.text.tools import Role, role
from engraphy.text.wordlists import READ_LIMIT, Rule, plain, rules

MOST_CONCEPTS = 3
_ORDER = ("decision", "bugfix", "refactor", "feature", "discovery", "change")
_LOOKS = frozenset({"read", "search", "list", "web"})


def tool_class(text: str, *, tool: str = "", failed: bool = False, prose: bool = True) -> ToolClass:
    """The kind with the most evidence, and up to three concepts, the surest first.

    `tool` is the tool's name in any case. What only looked (read, search, web), or `failed`, is a
    discovery unless it tells a decision: the word "fixed" in a file that is read fixes nothing.
    What writes is never a mere discovery; in code (not `prose`) the words of comments decide
    nothing. Without evidence a tool that writes means change and any other discovery.
    """
    folded = plain(text[:READ_LIMIT])
    scores = tally("tool_kinds", folded)
    allowed = [name for name in _ORDER if name in _allowed(role(tool), failed=failed, prose=prose)]
    kind = max(allowed, key=lambda name: (scores[name], -_ORDER.index(name)))
    if not any(scores[name] for name in allowed):
        kind = "change" if "change" in allowed and role(tool) == "write" else "discovery"
    concepts = [name for name, _ in tally("concepts", folded).most_common(MOST_CONCEPTS)]
    return ToolClass(kind=Kind(kind), concepts=tuple(concepts))


def _allowed(role: Role, *, failed: bool, prose: bool) -> frozenset[str]:
    if failed or role in _LOOKS:
        return frozenset({"decision", "discovery"})
    if role == "write":
        return frozenset(_ORDER) - {"discovery"} - (frozenset() if prose else {"decision"})
    return frozenset(_ORDER)


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
