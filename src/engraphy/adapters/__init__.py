"""Doors for frameworks, one file and one extra each; a file is loaded by who imports it.

    from engraphy.adapters.langgraph import EngraphyStore

`docs/frameworks.md` shows each of them.
"""
