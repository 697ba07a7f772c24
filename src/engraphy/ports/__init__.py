"""The holes in the engine: what it needs from outside, as protocols.

Every store call takes a `View`, a `Scope` or a `Tenant`: there is no call that crosses tenants.
"""

from engraphy.ports.providers import (
    Clock,
    Complete,
    Embed,
    Forgetful,
    LanguageModel,
    LateInteraction,
    NewId,
    OpsLog,
    Rerank,
)
from engraphy.ports.resting import Resting
from engraphy.ports.store import Store

__all__ = [
    "Clock",
    "Complete",
    "Embed",
    "Forgetful",
    "LanguageModel",
    "LateInteraction",
    "NewId",
    "OpsLog",
    "Rerank",
    "Resting",
    "Store",
]
