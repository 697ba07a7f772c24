#!/bin/sh
# The real client with memory, against a model server of our own: see clients/common.py.
exec "${PYTHON:-python}" "$(dirname "$0")/clients/codex.py"
