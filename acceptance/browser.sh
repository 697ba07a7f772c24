#!/bin/sh
# The dashboard in Debian's Chromium (CHROMIUM=path for another one): every page with axe-core in light
# and dark, 360 and 1280 px wide; every action; 300 hostile texts on every page (P-19).
#   acceptance/browser.sh [pages] [actions] [inert] [inert-short] [pictures]   (the first three where none
#   is named; inert-short: what `make browser` does; pictures: docs/screenshots anew)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
place=${ENGRAPHY_ACCEPTANCE:-${TMPDIR:-/tmp}/engraphy-npm}/browser/venv
if [ ! -e "$place/made" ]; then
    mkdir -p "$place"
    "$python" -m venv --without-pip "$place"
    pip() { "$python" -m pip --python "$place/bin/python" --disable-pip-version-check "$@"; }
    pip install --quiet --no-input --no-compile --require-hashes --requirement "$root/requirements/browser.txt"
    pip install --quiet --no-input --no-compile --editable "$root[server]" pillow
    touch "$place/made"
fi
if ! lack=$(PYTHON="$place/bin/python" "$here/browser/ready.sh"); then
    echo "skipped: $lack"
    exit 0
fi
exec "$place/bin/python" "$here/browser/run.py" "$@"
