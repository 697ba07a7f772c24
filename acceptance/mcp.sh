#!/bin/sh
# The MCP server against the outside: conformance, lint, load, the reference memory server.
PYTHONUNBUFFERED=1 exec "${PYTHON:-python}" "$(dirname "$0")/mcp/run.py" "$@"
