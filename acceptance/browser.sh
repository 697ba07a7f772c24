#!/bin/sh
# The dashboard in Debian's Chromium (CHROMIUM=path for another one): every page with axe-core in light
# and dark, 360 and 1280 px wide; every action; 300 hostile texts on every page (P-19).
#   acceptance/browser.sh [pages] [actions] [inert] [pictures]     (pictures: docs/screenshots anew)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
python=${PYTHON:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    echo "skipped: no Chromium (apt-get install chromium, or CHROMIUM=path)"
    exit 0
fi
place=${ENGRAPHY_ACCEPTANCE:-${TMPDIR:-/tmp}/engraphy-npm}/browser/venv
if [ ! -e "$place/made" ]; then
    mkdir -p "$place"
    "$python" -m venv "$place" >/dev/null 2>&1 || "$python" -m venv --clear --without-pip "$place"
    "$python" -m pip --python "$place/bin/python" --disable-pip-version-check install --quiet \
        --no-input --editable "$root[server]" playwright pillow
    touch "$place/made"
fi
exec "$place/bin/python" "$here/browser/run.py" "$@"
