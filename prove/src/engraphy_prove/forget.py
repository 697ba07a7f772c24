"""P-16: forgotten means forgotten: no read finds it, and no byte of it is left in any file."""

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from engraphy.model.change import (
    Change,
    Forget,
    Insert,
    PutEpisode,
    PutProcedure,
    Update,
)
from engraphy.model.memory import Memory
from engraphy.model.outlasting import Remove
from engraphy.model.query import Listing, Term
from engraphy.model.records import Episode, Procedure
from engraphy.ports import Store
from engraphy.text.analyser import analyse
from engraphy.text.imprint import code
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import (
    EVERYTHING,
    T0,
    TENANT,
    disagreements,
    fresh,
    put,
    vector,
    word,
)

BATCH = 20
REMOVED = 0.3
"""Share of them that maintenance had taken out before: the journal alone held them."""
HELD = 60
"""Rows in the store before each batch is forgotten."""


def forget(trial: Trial) -> Findings:
    """Forget `rounds` memories in batches; after each batch look for their words everywhere."""
    chance = random.Random(trial.seed)
    store = trial.build.open(str(trial.folder / "memories.db"))
    findings, rows, words = Findings(), dict[str, Memory](), dict[str, list[str]]()
    scanned = forgotten = 0
    while forgotten < trial.rounds:
        while len(rows) < HELD:
            row, secrets = _stored(
                store, chance, f"m{forgotten:06d}-{len(rows):03d}-{word(chance, 4)}"
            )
            rows[row.id], words[row.id] = row, secrets
        gone = chance.sample(sorted(rows), min(BATCH, trial.rounds - forgotten))
        for name in gone:
            if chance.random() < REMOVED:
                put(store, [Remove(id=name, reason="prove")])
            put(store, [Forget(id=name, reason="prove")])
            del rows[name]
        secrets = [secret for name in gone for secret in words.pop(name)]
        for what in _surfaces(store, gone, secrets):
            findings.breach(what)
        scanned += _scan(trial.folder, secrets, findings)
        forgotten += len(gone)
    for what in disagreements(store):
        findings.breach(what)
    store.close()
    _scan(trial.folder, secrets, findings)
    findings.tried = forgotten
    findings.figure = f"{forgotten} memories forgotten, {scanned / 1e6:.0f} MB of files searched"
    return findings


def _stored(store: Store, chance: random.Random, id: str) -> tuple[Memory, list[str]]:
    """A memory with words of its own in every field, edited once; its words."""
    own = [word(chance) for _ in range(12)]
    row = replace(
        fresh(chance, id, words=3),
        title=own[0],
        subtitle=own[1],
        context=own[2],
        speaker=own[3],
        tags=(own[4],),
        entities=(f"entity://person/{own[5]}",),
        files_read=(f"src/{own[6]}.py",),
        metadata=((own[7], own[8]),),
    )
    later = replace(row, content=f"{own[9]} {row.content}", version=2, updated_at=T0 + 1)
    changes: list[Change] = [
        Insert(memory=row, vector=vector(chance)),
        Update(memory=later, expected=row, vector=vector(chance)),
        PutEpisode(episode=Episode(memory_id=id, lesson=own[10])),
        PutProcedure(procedure=Procedure(memory_id=id, name="n", steps=(own[11],))),
    ]
    put(store, changes)
    return later, own + row.content.split()


def _codes(words: list[str]) -> list[bytes]:
    """What the imprints of texts would hold: the codes of a word's index tokens in a row."""
    return [b"".join(map(code, analyse(f"{a} {b}"))) for a, b in pairwise(words)]


def _surfaces(store: Store, gone: list[str], secrets: list[str]) -> list[str]:
    wrong = [f"get shows {row.id}" for row in store.get(EVERYTHING, gone)]
    wrong += [f"dump shows {row.id}" for row in store.dump(EVERYTHING) if row.id in gone]
    terms = [Term(term=secret, surface=secret) for secret in secrets]
    for start in range(0, len(terms), 20):
        found = store.search_text(EVERYTHING, terms[start : start + 20], 50).matches
        wrong += [f"the full text finds {match.id}" for match in found]
    wrong += [f"versions of {name}" for name in gone if store.versions(EVERYTHING, name)]
    wrong += [f"page shows {row.id}" for row in store.page(EVERYTHING, Listing(limit=999))
              if row.id in gone]  # fmt: skip
    told = repr(store.journal(TENANT, limit=1_000_000))
    return wrong + [f"the journal tells {secret}" for secret in secrets if secret in told]


def _scan(folder: Path, secrets: list[str], findings: Findings) -> int:
    """Look for the words in every byte; the index may hold them without a shared beginning."""
    size = 0
    for file in sorted(folder.rglob("*")):
        if not file.is_file():
            continue
        data = file.read_bytes()
        size += len(data)
        left = [secret for secret in secrets if secret[4:].encode() in data]
        left += [secrets[n] for n, codes in enumerate(_codes(secrets)) if codes in data]
        if left:
            findings.breach(f"{len(left)} forgotten words are still in {file.name}")
    return size
