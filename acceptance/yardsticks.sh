#!/bin/sh
# P-13: what others measure memories by: tampering at rest (agmi, T1-T9) and poisoning (amg-bench).
#   YARDSTICKS=folder keeps the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
place=${YARDSTICKS:-$(mktemp -d)}
venv=$place/yardsticks
if [ ! -e "$venv/made" ]; then
    mkdir -p "$place"
    "$python" -m venv --without-pip "$venv"
    "$python" -m pip --python "$venv/bin/python" --disable-pip-version-check install --quiet \
        --no-input --no-compile "$root" agent-memory-integrity==0.6.3 agent-memory-guard==0.3.3
    touch "$venv/made"
fi
status=0
cd "$here/yardsticks"
PYTHONPATH=. "$venv/bin/agmi-check" --adapter tampering:EngraphyAdapter || status=1
"$venv/bin/python" poisoning.py || status=1
[ -n "${YARDSTICKS:-}" ] || rm -rf "$place"
exit $status
