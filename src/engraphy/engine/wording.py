"""A merge in a language model's words, where one is configured for it; the rules' text else."""

from dataclasses import replace

from msgspec import Struct

from engraphy.dream.ripe import body
from engraphy.engine.ask import asks
from engraphy.engine.noting import told_shorter
from engraphy.engine.parts import Engine
from engraphy.model import Merge
from engraphy.model.calls import Completion
from engraphy.ports import LanguageModel
from engraphy.skills.telling import ABSTRACTION, CONSOLIDATION, Notes
from engraphy.text.heading import day_of
from engraphy.text.rewrite import shortened

_SKILLS = {skill.name: skill for skill in (CONSOLIDATION, ABSTRACTION)}
_LONGEST_NOTE = 400


class _Counted(Struct):
    """A model that counts how often it is called."""

    model: LanguageModel
    calls: int = 0

    @property
    def model_id(self) -> str:
        """Whose answers they are."""
        return self.model.model_id

    def complete(
        self, prompt: str, *, system: str, schema: dict[str, object], timeout: float
    ) -> Completion:
        """The model's answer."""
        self.calls += 1
        return self.model.complete(prompt, system=system, schema=schema, timeout=timeout)


def worded(engine: Engine, one: Merge, now: int, left: int) -> tuple[Merge, int]:
    """A merge with what a model says of its sources, and how many calls that took, at most `left`.

    The model's text was held against the sources (R-09). Where it takes their place, what the rules
    took out of them stands below it, so that no name and no number is lost.
    """
    skill = _SKILLS.get(one.skill)
    if skill is None or engine.model is None or left < 1 or not one.sources:
        return one, 0
    if not all(asks(engine, skill.name, row.sensitivity) for row in (one.memory, *one.sources)):
        return one, 0
    counted = _Counted(engine.model)
    texts = tuple(
        f"{day_of(row.valid_from)}: {shortened(body(row), _LONGEST_NOTE)}" for row in one.sources
    )
    names = dict.fromkeys((*(row.speaker for row in one.sources if row.speaker), one.memory.title))
    notes = Notes(texts=texts, at=now, names=tuple(names))
    told = told_shorter(replace(engine, model=counted), skill, notes, tries=left).answer
    if told is None:
        return one, counted.calls
    head, _, lines = one.memory.content.partition("\n")
    text = "\n".join([head, told] if one.keep_sources else [head, told, lines])
    return replace(one, memory=replace(one.memory, content=text)), counted.calls
