#!/bin/sh
# The clients that people have already, as they come from PyPI, against a running server.
#   acceptance/compat.sh [pytest arguments]     (COMPAT=folder keeps the environment)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
place=${COMPAT:-$(mktemp -d)}
mkdir -p "$place"
if [ ! -e "$place/made" ]; then
    "$python" -m venv --without-pip "$place"
    "$python" -m pip --python "$place/bin/python" --disable-pip-version-check install --quiet \
        --no-input --no-compile "$root[server]" pytest "mem0ai==2.2.1" "anthropic==2.14.0"
    touch "$place/made"
fi
status=0
MEM0_TELEMETRY=False MEM0_DIR=$place/mem0 "$place/bin/python" -m pytest -q -p no:cacheprovider \
    -c /dev/null --rootdir "$here/compat" "$here/compat" "$@" || status=1
[ -n "${COMPAT:-}" ] || rm -rf "$place"
exit $status
