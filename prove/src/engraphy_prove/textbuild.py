"""Builds of the proofs about texts: the product with one of its functions replaced."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from engraphy.model import (
    Change,
    Insert,
    Memory,
    ORIGIN_TRUST,
    Origin,
    Slot,
    Tenant,
)
from engraphy.text.slots import slots
from engraphy.write import distrust
from engraphy_prove.builds import SOUND, Wrapped, wrapping
from engraphy_prove.measuring import steep
from engraphy_prove.proof import Build, Open


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched(Build):
    """The product with functions replaced, each as (module, name, what stands there instead)."""

    open: Open = SOUND.open
    patches: Sequence[tuple[str, str, Any]] = ()


@contextmanager
def patched(build: Build) -> Iterator[None]:
    """Run the product as the build has it."""
    patches = build.patches if isinstance(build, Patched) else ()
    modules = [(import_module(module), name, new) for module, name, new in patches]
    before = [(module, name, getattr(module, name)) for module, name, _ in modules]
    try:
        for module, name, new in modules:
            setattr(module, name, new)
        yield
    finally:
        for module, name, old in before:
            setattr(module, name, old)


def _naive(text: str) -> tuple[str, ...]:
    return tuple(
        word for word in ("ignore", "system", "instruction", "you") if word in text.lower()
    )


def _long_words(text: str) -> tuple[str, tuple[str, ...]]:
    return re.sub(r"\b[\w-]{15,}", "[redacted]", text), ()


class _AsUsers(Wrapped):
    """Writes every new memory as said by the user."""

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        raised = {"origin": Origin.USER, "trust": 1.0}
        written = _inserting(changes, raised)
        return self.inner.apply(tenant, written, now=now, actor=actor, **told)


def _inserting(changes: Sequence[Change], fields: dict[str, Any]) -> list[Change]:
    return [
        replace(one, memory=replace(one.memory, **fields)) if isinstance(one, Insert) else one
        for one in changes
    ]


_SIGNALS = (
    ("engraphy.text.injection", "injection_signals"),
    ("engraphy.write.quarantine", "injection_signals"),
)


def _reading(name: str, function: Any) -> Patched:
    return Patched(name=name, patches=tuple((*place, function) for place in _SIGNALS))


def _redacting(name: str, function: Any) -> Patched:
    return Patched(name=name, patches=(("engraphy.text.secrets", "redact", function),))


BLIND = _reading("sees no sign", lambda _: ())
SUSPICIOUS = _reading("suspects single words", _naive)
FORGETFUL = Patched(
    name="cuts what is long",
    patches=(("engraphy.memory", "admitted", lambda text, _: text[:60]),),
)
_brought_in = distrust.brought_in


def _more_trusted(new: Memory, held: Memory) -> bool:
    return ORIGIN_TRUST[new.origin] > ORIGIN_TRUST[held.origin]


def _anybodys(memory: Memory) -> tuple[Slot, ...]:
    return tuple(slots(memory.content))


CLAIMING = Patched(name="writes what it is told as the user's", open=wrapping(_AsUsers))
BELIEVING = Patched(
    name="believes what a file claims",
    patches=(
        (
            "engraphy.engine.transfer",
            "brought_in",
            lambda rows, terms, now: _brought_in(rows, replace(terms, trusted=True), now),
        ),
    ),
)
LAUNDERING = Patched(
    name="lets an agent's word overrule a page's",
    patches=(("engraphy.engine.remember", "overrules", _more_trusted),),
)
GULLIBLE = Patched(
    name="reads facts out of anybody's words",
    patches=(("engraphy.write.form", "stated_slots", _anybodys),),
)
VERBATIM = _redacting("writes secrets as they are", lambda text: (text, ()))
ZEALOUS = _redacting("redacts every long word", _long_words)


def _quadratic(text: str) -> bool:
    return any("zq" in text[place:] for place in range(0, len(text), 1_000))


def _slow(text: str) -> bool:
    return sum(text.count(chr(97 + number % 26)) for number in range(20_000)) < 0


QUADRATIC = Patched(
    name="looks at every rest of a text",
    patches=(("engraphy.text.clean", "clean", _quadratic),),
)
STEEPER = Patched(
    name="does a little more than linear work",
    patches=(("engraphy.text.clean", "clean", steep),),
)
SLOW = Patched(
    name="looks at a text 20,000 times",
    patches=(("engraphy.text.clean", "clean", _slow),),
)


def _as_it_is(text: str) -> str:
    return text


OPEN = Patched(
    name="escapes nothing",
    patches=(("engraphy.read.render", "escape", _as_it_is),),
)
SEEING = Patched(
    name="shows what does not show",
    patches=(("engraphy.text.fence", "sanitise_visible", _as_it_is),),
)
SPOKEN = Patched(
    name="lets a memory speak as a role",
    patches=(("engraphy.text.fence", "_without_role", _as_it_is),),
)
