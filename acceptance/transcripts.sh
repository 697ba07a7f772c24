#!/bin/sh
# What the real clients leave behind comes in by `engraphy import`: see clients/transcripts.py.
exec "${PYTHON:-python}" "$(dirname "$0")/clients/transcripts.py"
