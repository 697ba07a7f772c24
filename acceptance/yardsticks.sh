#!/bin/sh
# P-13: what others measure memories by: tampering at rest (agmi, T1-T9) and poisoning (amg-bench).
#   YARDSTICKS=folder keeps the environment.
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${YARDSTICKS:-$(mktemp -d)}
environment "$place/yardsticks" "$root" agent-memory-integrity==0.6.3 agent-memory-guard==0.3.3
status=0
cd "$here/yardsticks"
here_only "$venv/bin/python" -m agmi.check --adapter tampering:EngraphyAdapter || status=1
here_only "$venv/bin/python" poisoning.py || status=1
[ -n "${YARDSTICKS:-}" ] || rm -rf "$place"
exit $status
