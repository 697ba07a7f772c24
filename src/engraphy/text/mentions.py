"""Whether a text speaks of a subject: it holds every word of it, in whatever form."""

from engraphy.text.analyser import analyse, query_terms
from engraphy.text.fold import fold_text
from engraphy.text.pieces import unspaced

_READ = 100_000
_STEM = 0.8
"""The weight of a stem (`analyser`); what weighs less is a part or a guess."""


class Subject:
    """A subject with the index terms of each of its words."""

    __slots__ = ("_forms", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._forms: dict[str, set[str]] = {}
        for term in query_terms(text):
            forms = self._forms.setdefault(term.surface, set())
            if term.weight >= _STEM or unspaced(term.surface):
                forms.add(term.term)

    def mentioned(self, text: str) -> bool:
        """Whether a text holds every word of the subject, stems being alike; words of scripts
        without spaces as they are written. Of a text the first 100,000 characters are read."""
        if not self._forms:
            return False
        held = frozenset(analyse(text[:_READ]))
        if any(forms.isdisjoint(held) for forms in self._forms.values()):
            return False
        written = [word for word in self._forms if unspaced(word)]
        folded = fold_text(text[:_READ]) if written else ""
        return all(fold_text(word) in folded for word in written)
