"""Stores of every kind of row, and what two of them are compared by."""

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from engraphy import Memory
from engraphy.errors import EngraphyError, InvalidInputError
from engraphy.testing import ScriptedModel, ToyEmbedder

TENANTS = ("default", "acme")
WORDS = ("tea", "coffee", "Izmir", "deploy", "Friday", "dog", "Rex", "port", "3000", "staging")
Step = tuple[str, str, str | None, list[str]]
EVERYTHING: list[Step] = [
    ("remember", "default", "ayse", ["tea", "coffee"]),
    ("remember", "default", "ayse", ["port", "staging"]),
    ("link", "default", "ayse", ["tea", "port"]),
    ("prune", "default", None, ["tea", "dog"]),
    ("remember", "default", "ayse", ["dog", "Rex", "Izmir"]),
    ("edit", "default", "ayse", ["tea", "staging"]),
    ("remember", "acme", None, ["port", "3000"]),
    ("publish", "default", "ayse", ["dog", "Rex"]),
    ("subscribe", "acme", None, ["dog", "Rex"]),
    ("observe", "default", None, ["deploy", "Friday"]),
    ("ask", "default", "bob", ["staging", "port"]),
    ("episode", "default", "bob", ["deploy", "Friday"]),
    ("procedure", "default", "bob", ["deploy", "staging", "port"]),
    ("remember", "default", "ayse", ["Friday", "coffee"]),
    ("link", "default", "ayse", ["tea", "dog"]),
    ("together", "default", "ayse", ["Friday", "dog", "staging"]),
    ("fact", "acme", "bob", ["Rex", "dog"]),
    ("grant", "acme", None, ["tea", "dog"]),
    ("session", "default", "ayse", ["Friday", "dog"]),
    ("reembed", "default", "ayse", ["tea", "dog"]),
    ("dream", "default", None, ["tea", "dog"]),
    ("remember", "default", "cem", ["coffee", "3000"]),
    ("forget", "default", "cem", ["tea", "dog"]),
]


def play(place: Path | str, steps: list[Step]) -> None:
    """Do these things to a store; what there is nothing for is left out."""
    for what, tenant, user, words in steps:
        offered = _offered(place) if what == "subscribe" and tenant != TENANTS[0] else []
        with Memory(place, tenant=tenant, **_WITH.get(what, dict)()) as memory:
            held = [one.id for one in memory.list(user=user, limit=5)]
            text = f"Our {words[0]} is about {' and '.join(words[1:])}."
            with suppress(*_EXPECTED.get(what, ())):
                _DOES[what](memory, user, words, text, offered if what == "subscribe" else held)


def _offered(place: Path | str) -> list[str]:
    """What the first tenant shares with the second."""
    with Memory(place, tenant=TENANTS[0]) as memory:
        return [one.id for one in memory.publications() if one.revoked_at is None]


def _scripted() -> dict[str, Any]:
    statement = {"text": "Our dog Rex likes Izmir.", "kind": "fact", "evidence": "stated"}
    answer = json.dumps({"statements": [{**statement, "entities": [], "valid_until": None}]})
    overrides = {"model": {"skills": ["formation"]}}
    return {"model": ScriptedModel(repeat(answer)), "overrides": overrides}


_WITH: dict[str, Callable[[], dict[str, Any]]] = {
    "ask": _scripted,
    "together": lambda: {"overrides": {"reinforce": {"coactivate": True}}},
    "prune": lambda: {"overrides": {"write": {"max_memories": 1}}},
}
"""What a memory is opened with for a step."""
_EXPECTED: dict[str, tuple[type[EngraphyError], ...]] = {"edit": (InvalidInputError,)}
"""What may be refused: a workflow is not edited as a text."""


Doing = Callable[[Memory, str | None, list[str], str, list[str]], object]
_DOES: dict[str, Doing] = {
    "remember": lambda m, user, words, text, held: m.remember(
        text, user=user, kind="preference", tags=words[:2]
    ),
    "observe": lambda m, user, words, text, held: m.observe(
        [{"role": "user", "content": f"I moved to {words[0]}. {text}"}], user=user
    ),
    "edit": lambda m, user, words, text, held: (
        held and m.update(held[0], content=f"Now it is {text}", user=user)
    ),
    "forget": lambda m, user, words, text, held: held and m.forget(held[-1], user=user),
    "delete": lambda m, user, words, text, held: held and m.delete(held[-1], user=user),
    "link": lambda m, user, words, text, held: held[1:] and m.link(held[0], held[-1], user=user),
    "episode": lambda m, user, words, text, held: m.episode(
        text, outcome="success", lesson=words[0], user=user
    ),
    "procedure": lambda m, user, words, text, held: m.procedure(words[0], words, user=user),
    "ask": lambda m, user, words, text, held: m.observe(text, user=user),
    "together": lambda m, user, words, text, held: m.recall(" ".join(words), user=user),
    "prune": lambda m, user, words, text, held: m.prune(),
    "subscribe": lambda m, user, words, text, held: (
        held and m.subscribe(held[0], source=TENANTS[0], user=user)
    ),
    "reembed": lambda m, user, words, text, held: (
        held and (m.reembed(model=ToyEmbedder()), m.reembed_back())
    ),
    "fact": lambda m, user, words, text, held: m.fact(words[0], "is", words[1], user=user),
    "grant": lambda m, user, words, text, held: m.grant(words[0]),
    "revoke": lambda m, user, words, text, held: [m.revoke(one.id) for one in m.grants()[:1]],
    "dream": lambda m, user, words, text, held: m.dream(),
    "session": lambda m, user, words, text, held: m.start_session(words[0], user=user),
    "publish": lambda m, user, words, text, held: m.publish(words[0], to_tenant="acme", user=user),
    "recall": lambda m, user, words, text, held: m.recall(words[0], user=user),
}
STEP = st.tuples(
    st.sampled_from(sorted(_DOES)),
    st.sampled_from(TENANTS),
    st.sampled_from((None, "ayse", "bob")),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True),
)
STEPS = st.lists(STEP, min_size=4, max_size=14)


def told(place: Path | str, folder: Path) -> dict[str, object]:
    """What a store says of everything in it: the export byte by byte, the journal line by line."""
    found: dict[str, object] = {}
    for tenant in TENANTS:
        with Memory(place, tenant=tenant) as memory:
            file = folder / "export.jsonl"
            memory.export(file, everything=True)
            store = memory._engine.store  # noqa: SLF001 - hashes are told by no verb
            found[tenant] = (
                file.read_bytes(),
                [(one.hash, one.previous_hash, one.payload) for one in _journal(store, tenant)],
                memory.facts(limit=1000, allow_secret=True, allow_private=True),
                memory.grants(),
                memory.publications(),
                [_found(memory, word) for word in WORDS[:3]],
            )
            assert [check for check in memory.doctor(deep=True) if not check.ok] == []
    return found


def _found(memory: Memory, word: str) -> list[str]:
    return [hit.memory.id for hit in memory.recall(word, touch=False, user="ayse")]


def _journal(store: object, tenant: str) -> list[object]:
    return store.journal(tenant, limit=100_000)  # type: ignore[attr-defined]
