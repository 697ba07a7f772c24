"""The holes in the engine: what it needs from outside, as protocols.

Every store call takes a `View`, a `Scope` or a `Tenant`: there is no call that crosses tenants.
"""

from engraphy.ports.history import History
from engraphy.ports.providers import (
    Clock,
    Complete,
    Embed,
    Forgetful,
    LanguageModel,
    LateInteraction,
    NewId,
    Rerank,
)
from engraphy.ports.resting import Resting
from engraphy.ports.store import Store
from engraphy.ports.telemetry import FindSpans, OpsLog, Span, Spans, untraced

__all__ = [
    "Clock",
    "Complete",
    "Embed",
    "FindSpans",
    "Forgetful",
    "History",
    "LanguageModel",
    "LateInteraction",
    "NewId",
    "OpsLog",
    "Rerank",
    "Resting",
    "Span",
    "Spans",
    "Store",
    "untraced",
]
