"""The holes in the engine: what it needs from outside, as protocols.

Every store call takes a `View`, a `Scope` or a `Tenant`: no call crosses tenants but the
look-up of an access token (`Granting.grant_of`).
"""

from engraphy.ports.federating import Federating
from engraphy.ports.granting import Granting
from engraphy.ports.history import History
from engraphy.ports.providers import (
    Clock,
    Complete,
    Embed,
    FindPersonal,
    Forgetful,
    LanguageModel,
    LateInteraction,
    NewId,
    NewSecret,
    Rerank,
)
from engraphy.ports.resting import Resting
from engraphy.ports.store import Store
from engraphy.ports.telemetry import FindSpans, OpsLog, Span, Spans, untraced

__all__ = [
    "Clock",
    "Complete",
    "Embed",
    "Federating",
    "FindPersonal",
    "FindSpans",
    "Forgetful",
    "Granting",
    "History",
    "LanguageModel",
    "LateInteraction",
    "NewId",
    "NewSecret",
    "OpsLog",
    "Rerank",
    "Resting",
    "Span",
    "Spans",
    "Store",
    "untraced",
]
