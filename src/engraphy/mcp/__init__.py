"""The MCP server: a door that renders toolsets for agents, on the official SDK.

What it announces (`tools/*.json`) is rendered beforehand by `rendering.py` from the operations, so
that the server is ready before the memory is loaded; the memory opens with the first call.
"""
