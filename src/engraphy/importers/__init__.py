"""What other memories keep, and what was said to agents, brought into this one."""

from engraphy.importers.importing import SOURCES, check, imported, source_of

__all__ = ["SOURCES", "check", "imported", "source_of"]
