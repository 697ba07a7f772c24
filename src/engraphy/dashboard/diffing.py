"""Two texts as one: what was taken out and what was put in."""

import re
from difflib import SequenceMatcher

from markupsafe import Markup

from engraphy.dashboard.visible import visible

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_MOST = 1_500
"""Words of both texts up to which they are compared by the word, as this takes their product."""
_INS, _DEL = Markup("<ins>{}</ins>"), Markup("<del>{}</del>")


def difference(before: str, after: str) -> Markup:
    """A later text with marks: `<del>` what stood before, `<ins>` what stands since."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) + len(new) > _MOST:
        old, new = _LINES.findall(before), _LINES.findall(after)
    made = list[Markup]()
    for what, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            made.append(visible("".join(new[k:n])))
            continue
        made += [_DEL.format(visible("".join(old[i:j])))] if j > i else []
        made += [_INS.format(visible("".join(new[k:n])))] if n > k else []
    return Markup("").join(made)
