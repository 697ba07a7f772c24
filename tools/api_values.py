"""Which values the page of the API shows, under which headings."""

from collections.abc import Mapping, Sequence
from typing import Final

from engraphy.model import calls, dreaming, jobs, memory, outcome, overview, query, records
from engraphy.model import undoing as looking_back
from engraphy.model.compacting import Compacted
from engraphy.model.documents import Document
from engraphy.model.federating import Fetched, Publication, Subscription
from engraphy.model.granting import Grant, Granted
from engraphy.model.importing import Imported, Item
from engraphy.model.notebooks import Notebook, Page, PageVersion
from engraphy.model.reminding import Reminder
from engraphy.model.scope import Scope
from engraphy.model.survey import Retained, Survey
from engraphy.model.timeline import Timeline, TimelineEntry
from engraphy.model.vectors import Reembedded


def _own(module: object) -> tuple[type, ...]:
    """The classes that a module makes itself."""
    name = getattr(module, "__name__", "")
    return tuple(one for one in vars(module).values() if getattr(one, "__module__", "") == name)


VALUES: Final[Mapping[str, Sequence[type]]] = {
    "What a verb did": _own(outcome),
    "What is kept": (
        *(memory.Memory, memory.Channels, memory.Version, Scope, Timeline, TimelineEntry),
        *(records.Fact, records.Episode, records.Procedure, records.Relation),
    ),
    "What a host keeps under its own keys": (Document,),
    "What comes from elsewhere": (Item, Imported),
    "What waits to be told": (Reminder,),
    "What the store says of itself": (query.StoreStats, query.Check, Survey, Retained),
    "What maintenance did": (Compacted, dreaming.DreamReport, dreaming.DreamStep, dreaming.Example),
    "What looking back shows": _own(looking_back),
    "What pages show": _own(overview),
    "What stands at paths": (Notebook, Page, PageVersion),
    "Who may come in": (Grant, Granted),
    "Whose vectors answer": (Reembedded,),
    "What is shared with others": (Publication, Subscription, Fetched),
    "What waits in the background, and what a model cost": (jobs.Job, calls.Costs, calls.ModelUse),
}
