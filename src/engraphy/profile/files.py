"""The knobs of where things lie, for profiles whose document says so."""

from typing import Annotated

from msgspec import Meta

from engraphy.profile.knobs import Section

File = Annotated[str, Meta(max_length=4_096)]


class Files(Section, frozen=True):
    """Paths; `~` is the home folder. Empty = what the settings of the product say."""

    home: File
    """The folder of the store `memory.db` and of everything beside it."""
    database: File
    """The store, where a caller names none."""
    journal: File
    """A copy of the journal as lines of JSON without texts (A-09); a relative path lies in `home`,
    or beside the store. Empty = there is none."""
