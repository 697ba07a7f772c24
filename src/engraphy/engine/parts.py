"""What the engine is made of: fields only."""

from dataclasses import dataclass

from engraphy.model import Tenant
from engraphy.ports import Clock, Embed, NewId, Store
from engraphy.profile import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One opened memory: a store, an optional embedder, a profile, a clock, a source of ids."""

    store: Store
    embedder: Embed | None
    profile: Profile
    clock: Clock
    new_id: NewId
    tenant: Tenant
    actor: str
