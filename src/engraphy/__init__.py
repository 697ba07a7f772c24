"""engraphy: long-term memory for AI agents, in one SQLite file, with no key and no server."""
