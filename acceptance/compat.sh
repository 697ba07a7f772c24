#!/bin/sh
# The clients that people have already, as they come from PyPI, against a running server.
#   acceptance/compat.sh [pytest arguments]     (COMPAT=folder keeps the environment)
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${COMPAT:-$(mktemp -d)}
environment "$place/newest" "$root[server]" pytest mem0ai==2.2.1 anthropic==2.14.0
for version in 1.0.3 0.1.118; do environment "$place/$version" mem0ai==$version; done
status=0
export MEM0_TELEMETRY=False MEM0_DIR="$place/mem0" OLDER="$place"
here_only "$place/newest/bin/python" -m pytest -v -p no:cacheprovider -c /dev/null \
    -o faulthandler_timeout=180 --rootdir "$here/compat" "$here/compat" "$@" || status=1
[ -n "${COMPAT:-}" ] || rm -rf "$place"
exit $status
