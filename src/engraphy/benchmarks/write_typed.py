"""Typed extraction and entities in ten languages: MemPalace's evaluation of small models, its
memory_extraction (40 snippets) and entity_extraction (50) sets."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engraphy.benchmarks.data import read, shaped_as
from engraphy.benchmarks.write_figures import Bar, Group, Row, Tally, scored
from engraphy.benchmarks.write_part import Ground, Part, wrong
from engraphy.benchmarks.write_story import Story
from engraphy.model import Kind
from engraphy.model import Memory as Kept
from engraphy.text.stopwords import stop_words

LANGUAGES = ("en", "de", "es", "fr", "hi", "it", "ko", "pt-BR", "ru", "zh")
TYPES = ("decision", "preference", "fact", "opinion", "commitment")
_OF_KIND = {
    Kind.DECISION: "decision",
    Kind.ARCHITECTURE: "decision",
    Kind.POLICY: "decision",
    Kind.PREFERENCE: "preference",
    Kind.PLAN: "commitment",
}
_OF_ENTITY = {"person": "person", "org": "organization", "place": "place", "project": "project"}
_ENOUGH = 0.5
_WORD = re.compile(r"\w+")
_DEFINITIONS = {
    "item": "a memory kept of the snippet, told alone by a user of its own; its type: its category "
    "where that is one of the five, else its kind (decision, architecture, policy: decision; "
    "preference; plan: commitment; anything else: fact)",
    "typed": "an item counts for a labelled memory of the same type of which it has at least half "
    "of the words that are no stop words; one for one",
    "type": "the same by type alone (the labels of the other languages are English)",
    "entities": "names of the kept memories' entities against the labelled ones, letters and "
    "digits compared",
    "typed entities": "the same with the type: person, org: organization, place, project",
}
_BARS = (Bar(group="en: typed", figure="f1", limit=0.60),)
_Labelled = list[tuple[str, str, list[dict[str, Any]]]]


def measure(ground: Ground) -> Part:
    """English first, the other nine beside it. Raises UnreadableFileError."""
    root = ground.folder("mempalace_model_eval")
    memories, first = _load(root, "memory_extraction", "memories")
    entities, second = _load(root, "entity_extraction", "entities")
    groups: list[Group] = []
    rows: list[Row] = []
    for language in LANGUAGES:
        told = list(_told(ground, memories[language]))
        if language == "en":
            groups.append(scored("en: typed", [_typed(*one) for one in told]))
            rows += [row for one in told if (row := _missed(ground, *one)) is not None]
        groups.append(scored(f"{language}: type", [_types(*one[2:]) for one in told]))
    for language in LANGUAGES:
        named = list(_told(ground, entities[language]))
        groups.append(scored(f"{language}: entities", [_entities(*one[2:]) for one in named]))
        if language == "en":
            typed = [_entities(*one[2:], typed=True) for one in named]
            groups.append(scored("en: typed entities", typed))
    data = {"memory_extraction": first, "entity_extraction": second}
    return Part(groups=groups, bars=_BARS, definitions=_DEFINITIONS, wrong=rows, data=data)


def _load(root: Path | None, task: str, field: str) -> tuple[dict[str, _Labelled], str]:
    """Per language: id, text and labels of each sample."""
    names = {one: f"dataset{'' if one == 'en' else f'.{one}'}.jsonl" for one in LANGUAGES}
    folder = next(iter(sorted((root or Path()).rglob(task))), root or Path())
    found, digest = read(str(folder), (*names.values(), "labels.jsonl"))
    files = dict(found)
    with shaped_as("MemPalace's model_eval", str(folder)):
        labels = {row["id"]: list(row[field]) for row in files["labels.jsonl"]}
        return {
            language: [(row["id"], str(row["text"]), labels[row["id"]]) for row in files[name]]
            for language, name in names.items()
        }, digest


def _told(
    ground: Ground, samples: _Labelled
) -> Iterator[tuple[str, str, list[Kept], list[dict[str, Any]]]]:
    """Each sample with what was kept of it."""
    with ground.memory() as (memory, clock):
        for sample, text, labels in samples:
            outcomes = Story(memory=memory, clock=clock, user=sample).tell(text)
            kept = {one.memory.id: one.memory for one in outcomes if one.memory is not None}
            yield sample, text, list(kept.values()), labels


def type_of(memory: Kept) -> str:
    """Which of the five types a memory is."""
    return memory.category if memory.category in TYPES else _OF_KIND.get(memory.kind, "fact")


def _typed(
    _id: str, _text: str, kept: Sequence[Kept], labels: Sequence[Mapping[str, Any]]
) -> Tally:
    left = list(kept)
    found = 0
    for label in labels:
        match = next((one for one in left if _says(one, label)), None)
        if match is not None:
            left.remove(match)
            found += 1
    return Tally(tp=found, fp=len(left), fn=len(labels) - found)


def _says(memory: Kept, label: Mapping[str, Any]) -> bool:
    wanted, there = _words(label["content"]), _words(memory.content)
    enough = len(wanted & there) >= _ENOUGH * len(wanted)
    return type_of(memory) == label["type"] and enough


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.lower()) if word not in stop_words("en")}


def _types(kept: Sequence[Kept], labels: Sequence[Mapping[str, Any]]) -> Tally:
    found = Counter(map(type_of, kept))
    return _overlap(found, Counter(str(label["type"]) for label in labels))


def _entities(
    kept: Sequence[Kept], labels: Sequence[Mapping[str, Any]], *, typed: bool = False
) -> Tally:
    found = {_entity(uri, typed=typed) for memory in kept for uri in memory.entities}
    wanted = {(label["type"] if typed else "", _plain(label["name"])) for label in labels}
    return _overlap(Counter(found), Counter(wanted))


def _entity(uri: str, *, typed: bool) -> tuple[str, str]:
    kind, _, name = uri.removeprefix("entity://").partition("/")
    return _OF_ENTITY.get(kind, kind) if typed else "", _plain(name)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _overlap(found: Counter[Any], wanted: Counter[Any]) -> Tally:
    both = (found & wanted).total()
    return Tally(tp=both, fp=found.total() - both, fn=wanted.total() - both)


def _missed(
    ground: Ground,
    id: str,
    text: str,
    kept: Sequence[Kept],
    labels: Sequence[Mapping[str, Any]],
) -> Row | None:
    counted = _typed(id, text, kept, labels)
    if not counted.fp and not counted.fn:
        return None
    told = ", ".join(type_of(one) for one in kept) or "nothing"
    labelled = ", ".join(str(label["type"]) for label in labels)
    return wrong(ground, id, f"kept {told}; labelled {labelled}", text=text)
