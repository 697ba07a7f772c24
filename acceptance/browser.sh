#!/bin/sh
# The dashboard in Debian's Chromium (CHROMIUM=path for another one): every page with axe-core in light
# and dark, 360 and 1280 px wide; every action; 300 hostile texts on every page (P-19).
#   acceptance/browser.sh [pages] [actions] [inert] [inert-short] [pictures]   (the first three where none
#   is named; inert-short: what `make browser` does; pictures: docs/screenshots anew)
set -eu
. "$(dirname "$0")/common/shared.sh"
place=${ENGRAPHY_ACCEPTANCE:-${TMPDIR:-/tmp}/engraphy-npm}/browser/venv
environment "$place" --editable "$root[server]" pillow
"$python" -m pip --python "$place/bin/python" --disable-pip-version-check install --quiet --no-input \
    --no-compile --require-hashes --requirement "$root/requirements/browser.txt"
if ! lack=$(PYTHON="$place/bin/python" "$here/browser/ready.sh"); then
    echo "skipped: $lack"
    exit 0
fi
# The environment may have been made by another checkout.
PYTHONPATH="$root/src" exec "$place/bin/python" "$here/browser/run.py" "$@"
